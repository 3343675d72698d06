/// Copies between GPUs and between host and GPU, by the copy engines: bytes over the narrowest link of the
/// route, where flows that share a link share it evenly. A copy through the host is two copies in a row,
/// chunk by chunk; the driver's hand-over costs part of the rate, and the two directions nearly share one
/// host. PCIe favours what leaves the GPU when both directions run; encrypted memory is as fast as the
/// cipher.

#include <algorithm>
#include <limits>
#include <vector>

#include "lower/state.h"
#include "study/micro_transfer.h"

namespace rigcast::study {
namespace {

using hardware::DeviceId;

struct Flow {
  std::vector<hardware::Hop> hops;
  double bound = std::numeric_limits<double>::infinity();
};

/// Bytes a second of every flow when all run at once at one rate. One pair's copy engines pass between
/// sockets as other transfers do; many pairs at once, like collectives, get what is kept for peers.
double even_rate(const lower::State& state, const std::vector<Flow>& flows, std::string& bottleneck) {
  std::vector<double> load(state.out.resources.size(), 0);
  double rate = std::numeric_limits<double>::infinity();
  for (const Flow& flow : flows) {
    rate = std::min(rate, flow.bound);
    for (const hardware::Hop& hop : flow.hops) {
      const hardware::Link& link = state.scenario.machine.links[hop.link];
      const bool socket = link.link_class == hardware::LinkClass::kSocket && link.peer_achievable.value > 0 &&
                          flows.size() > 2;
      load[state.resource(hop).index] += hop.share * (socket ? link.achievable / link.peer_achievable : 1);
    }
  }
  bottleneck = "host.memory";
  for (std::size_t i = 0; i < load.size(); ++i) {
    const task::Resource& resource = state.out.resources.all()[i];
    if (!(load[i] > 0) || resource.capacity / load[i] > rate) continue;
    rate = resource.capacity / load[i];
    bottleneck = task::name(resource.kind);
  }
  return rate;
}

/// PCIe alone: what the slowest of the route's lanes signal.
double raw_pcie(const hardware::Machine& machine, const std::vector<hardware::Hop>& hops) {
  double raw = std::numeric_limits<double>::infinity();
  for (const hardware::Hop& hop : hops)
    if (machine.links[hop.link].link_class == hardware::LinkClass::kPcie)
      raw = std::min(raw, machine.links[hop.link].raw.value);
  return raw;
}

MicroForecast across_network(const TransferRow& row, const lower::State& state) {
  if (state.cards.empty()) return no_forecast("the nodes have no network cards");
  const double both = row.row.text("direction") == "both" ? 2 : 1;
  MicroForecast forecast;
  forecast.value = both * state.cards.front().rate.value;
  forecast.bottleneck = "network";
  return forecast;
}

std::vector<std::pair<std::size_t, std::size_t>> pairs_of(const TransferRow& row, std::size_t ranks) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  if (row.says("statistic", "all-to-all")) {
    for (std::size_t a = 0; a < ranks; ++a)
      for (std::size_t b = 0; b < ranks; ++b)
        if (a != b) pairs.emplace_back(a, b);
    return pairs;
  }
  const bool across = row.says("path", "cross") || row.says("path_stated", "cross");
  const auto flows = static_cast<std::size_t>(row.row.number("flows").value_or(1));
  for (std::size_t i = 0; i < flows; ++i) {
    const std::size_t a = i % ranks;
    const std::size_t away = flows > 1 || across ? ranks / 2 + i / ranks : 1;
    pairs.emplace_back(a, (a + std::max<std::size_t>(1, away % ranks)) % ranks);
  }
  if (row.row.text("direction") == "both") pairs.emplace_back(pairs.front().second, pairs.front().first);
  return pairs;
}

MicroForecast copies(const TransferRow& row, lower::State& state) {
  const auto pairs = pairs_of(row, state.ranks.size());
  std::vector<Flow> flows;
  for (const auto& [a, b] : pairs) {
    const hardware::Route& route = state.router.peer(state.ranks[a].gpu, state.ranks[b].gpu);
    Flow flow{route.hops};
    if (route.route_class == hardware::RouteClass::kStaged) {
      const double one =
          raw_pcie(state.scenario.machine, route.hops) * row.profile.value("host", "default", "staged_copy");
      const bool both = row.row.text("direction") == "both";
      flow.bound = both ? one * row.profile.value("host", "default", "staged_copy_both") / 2 : one;
    }
    flows.push_back(std::move(flow));
  }
  MicroForecast forecast;
  forecast.value = even_rate(state, flows, forecast.bottleneck) * static_cast<double>(flows.size());
  return forecast;
}

MicroForecast latency(const TransferRow& row, const lower::State& state) {
  const hardware::Route& route = state.router.peer(state.ranks[0].gpu, state.ranks[1].gpu);
  MicroForecast forecast;
  forecast.bottleneck = "gpu.latency";
  forecast.value = route.route_class == hardware::RouteClass::kStaged
                       ? row.profile.value("host", "default", "staged_latency_s")
                       : route.latency.value;
  return forecast;
}

/// Copies out win over copies in on PCIe: writes are posted, reads wait for completions.
const char* both_constant(const std::string& bottleneck, bool down) {
  if (bottleneck != "pcie") return "both_directions";
  return down ? "both_directions_out" : "both_directions_in";
}

/// All ranks placed and every link a resource.
void prepare(lower::State& state) {
  lower::place_ranks(state);
  lower::make_resources(state);
}

}  // namespace

MicroForecast peer_row(const TransferRow& row) {
  const std::string op = row.row.text("op");
  if (op == "send_recv") return collective_row(row);
  std::string reason;
  auto machine = machine_of(row, reason);
  if (!machine) return no_forecast(reason);
  const int nodes = row.nodes(), ranks = std::max(2, row.ranks());
  if (static_cast<int>(machine->all(hardware::DeviceType::kGpu).size()) < ranks / nodes)
    return no_forecast("the machine has fewer GPUs than ranks");
  const plan::Scenario scenario = communicating(*std::move(machine), ranks, nodes, row.profile);
  const lower::Options options;
  lower::State state(scenario, options);
  prepare(state);
  if (nodes > 1) return across_network(row, state);
  if (op == "copy" && row.says("path_stated", "switch uplinks")) return switch_tree_row(row, state);
  if (op == "latency") return latency(row, state);
  return copies(row, state);
}

MicroForecast host_copy_row(const TransferRow& row) {
  std::string reason;
  auto machine = machine_of(row, reason);
  if (!machine) return no_forecast(reason);
  const int ranks = std::max(1, row.ranks());
  if (static_cast<int>(machine->all(hardware::DeviceType::kGpu).size()) < ranks)
    return no_forecast("the machine has fewer GPUs than that");
  const plan::Scenario scenario = communicating(*std::move(machine), ranks, 1, row.profile);
  const lower::Options options;
  lower::State state(scenario, options);
  prepare(state);

  const bool down = row.row.text("direction") == "d2h" && !row.labelled("h2d");
  const bool both =
      row.row.text("direction") == "both" || row.says("where", "bidirectional") || row.labelled("bidir");
  std::vector<Flow> flows;
  for (const lower::Rank& rank : state.ranks) {
    if (!down || both) flows.push_back({state.router.host(rank.memory, rank.gpu).hops});
    if (down || both) flows.push_back({state.router.host(rank.gpu, rank.memory).hops});
  }
  MicroForecast forecast;
  double rate = even_rate(state, flows, forecast.bottleneck);
  // Several uplinks into one quadrant of the CPU's root complex share its way to memory.
  if (row.labelled("shared") && flows.size() > 1)
    rate *= row.profile.value("host", "default", "shared_quadrant");
  if (both) rate *= row.profile.value("host", "default", both_constant(forecast.bottleneck, down));
  // Encrypted memory: a thread of the driver encrypts what it hands over.
  if (row.labelled("cc") || row.says("path", "confidential"))
    rate = std::min(rate, row.profile.value("host", "default", "encrypted_copy_Bps"));
  if (!row.row.flag("pinned").value_or(true)) {
    rate *= row.profile.value("host", "default", down ? "pageable_out" : "pageable_in");
    forecast.bottleneck = "host.memory";
  }
  if (row.says("path", "remote")) rate *= row.profile.value("host", "default", "far_socket");
  // A row of both directions at once gives one of them, unless it says "both": then their sum.
  const double counted =
      static_cast<double>(state.ranks.size()) * (row.row.text("direction") == "both" ? 2 : 1);
  const double bytes = row.row.number("size_bytes").value_or(0);
  if (bytes > 0) {
    const double seconds = row.profile.value("host", "default", "copy_start_s") + bytes / rate;
    forecast.value = row.row.is_time() ? seconds : bytes / seconds * counted;
    return forecast;
  }
  if (row.row.is_time()) return no_forecast("a copy's time needs size_bytes");
  forecast.value = rate * counted;
  return forecast;
}

}  // namespace rigcast::study
