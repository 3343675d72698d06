/// Everything shared becomes a resource. Each link has one a direction (one for both where it is half duplex:
/// a memory bus, a SATA port). A GPU has three: its matrix units in FLOP/s at the plan's precision, its
/// multiprocessors (a collective's kernels take some of them), its memory. Speed-ups of what-if questions
/// multiply capacities here and kernel times in `kernels`.

#include "base/text.h"
#include "cost/input.h"
#include "lower/state.h"

namespace rigcast::lower {

task::Kind kind_of(hardware::LinkClass link_class) {
  switch (link_class) {
    case hardware::LinkClass::kPcie:
      return task::Kind::kPcie;
    case hardware::LinkClass::kGpuLink:
      return task::Kind::kGpuLink;
    case hardware::LinkClass::kSocket:
      return task::Kind::kSocketLink;
    case hardware::LinkClass::kMemory:
      return task::Kind::kHostMemory;
    case hardware::LinkClass::kStorageBus:
      return task::Kind::kStorage;
    case hardware::LinkClass::kNetwork:
      return task::Kind::kNetwork;
  }
  return task::Kind::kPcie;
}

namespace {

task::ResourceId add(State& state, std::string name, task::Kind kind, double capacity, std::string unit,
                     std::string owner) {
  state.out.resource_owner.push_back(std::move(owner));
  return state.out.resources.add({std::move(name), kind, capacity * state.speedup(kind), std::move(unit)});
}

void links(State& state) {
  const hardware::Machine& machine = state.scenario.machine;
  for (std::size_t i = 0; i < machine.links.size(); ++i) {
    const hardware::Link& link = machine.links[i];
    const std::string& from = machine.device(link.from).id;
    const std::string& to = machine.device(link.to).id;
    const std::string owner = "link:" + std::to_string(i);
    const task::Kind kind = kind_of(link.link_class);
    // Parallel links between the same two devices of different kinds would share a name; the kind tells them
    // apart.
    const std::string suffix = link.link_class == hardware::LinkClass::kPcie ? "" : ":" + link.kind;
    if (link.half_duplex) {
      const task::ResourceId both =
          add(state, from + "<->" + to + suffix, kind, link.achievable.value, "B", owner);
      state.link_resources.emplace_back(both, both);
    } else {
      const task::ResourceId forward =
          add(state, from + "->" + to + suffix, kind, link.achievable.value, "B", owner);
      const task::ResourceId backward =
          add(state, to + "->" + from + suffix, kind, link.achievable.value, "B", owner);
      state.link_resources.emplace_back(forward, backward);
    }
  }
}

void gpus(State& state) {
  const plan::Scenario& s = state.scenario;
  for (std::size_t r = 0; r < state.ranks.size(); ++r) {
    Rank& rank = state.ranks[r];
    const hardware::Device& device = s.machine.device(rank.gpu);
    const hardware::GpuPart& gpu = device.gpu();
    const hardware::CpuPart& cpu = s.machine.device(rank.cpu).cpu();
    std::size_t program = 0;
    while (program < r && !(s.machine.device(state.ranks[program].gpu).gpu().id == gpu.id &&
                            s.machine.device(state.ranks[program].cpu).cpu().id == cpu.id))
      ++program;
    if (program == r) {
      rank.program = state.models.size();
      state.models.push_back(cost::gpu_model(gpu, cpu, s.plan, s.profile));
    } else {
      rank.program = state.ranks[program].program;
    }
    const cost::GpuModel& model = state.models[rank.program];
    rank.matrix = add(state, device.id + ".matrix",
                      model.matrix_units ? task::Kind::kGpuMatrix : task::Kind::kGpuVector, model.peak.value,
                      "FLOP", device.id);
    rank.multiprocessors = add(state, device.id + ".multiprocessors", task::Kind::kGpuVector,
                               model.multiprocessors, "multiprocessor s", device.id);
    rank.memory_bandwidth =
        add(state, device.id + ".memory", task::Kind::kGpuMemory, model.memory_rate.value, "B", device.id);
    rank.stream = state.out.graph.add_lane(device.id + " stream");
    rank.copy = state.out.graph.add_lane(device.id + " copy in");
    rank.host = state.out.graph.add_lane(device.id + " host thread");
  }
}

void host(State& state) {
  const plan::Scenario& s = state.scenario;
  const hardware::Machine& machine = s.machine;
  for (const hardware::DeviceId id : machine.all(hardware::DeviceType::kCpu)) {
    const hardware::Device& device = machine.device(id);
    const double rate = s.profile.value("cpu", lower_case(device.cpu().generation), "staging_Bps");
    state.staging[id.index] =
        add(state, device.id + ".staging", task::Kind::kHostMemory, rate, "B", device.id);
  }
  if (!s.plan.dataset) return;
  const hardware::DeviceId storage = machine.find(s.plan.storage);
  if (storage.valid()) {
    const cost::StorageRate rate = cost::storage_rate(machine.device(storage), s.plan);
    state.storage[storage.index] = add(state, machine.device(storage).id, task::Kind::kStorage,
                                       rate.device.value, "B", machine.device(storage).id);
  }
  state.decode = add(state, "cpu.decode", task::Kind::kHostDecode, cost::decode_rate(s), "sample", "cpu0");
}

}  // namespace

void make_resources(State& state) {
  links(state);
  gpus(state);
  host(state);
  network_cards(state);
}

void add_use(std::vector<task::Use>& uses, task::ResourceId resource, double per_work) {
  for (task::Use& use : uses)
    if (use.resource == resource) {
      use.per_work += per_work;
      return;
    }
  uses.push_back({resource, per_work});
}

void add_uses(const State& state, const std::vector<hardware::Hop>& hops, double per_work,
              std::vector<task::Use>& uses) {
  for (const hardware::Hop& hop : hops) add_use(uses, state.resource(hop), per_work * hop.share);
}

}  // namespace rigcast::lower
