/// Peer copies on a tree of PCIe switches, two GPUs a switch and one uplink each: flows share ports, uplinks
/// and, between the halves, the way between the sockets. All flows run at one rate. Posted writes of one
/// uplink that go to several root ports block each other (local-inference-lab/rtx6kpro, PEX890xx): the uplink
/// collapses, whatever the number of flows.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "lower/state.h"
#include "study/micro_transfer.h"

namespace rigcast::study {
namespace {

constexpr int kEach = 2;  ///< GPUs behind a switch

struct Flow {
  int from, to;
};

int switch_of(int gpu) { return gpu / kEach; }

/// The publisher's label says who sends to whom.
std::vector<Flow> flows_of(const TransferRow& row, int gpus) {
  const int count = static_cast<int>(row.row.number("flows").value_or(1));
  std::vector<Flow> flows;
  if (row.labelled("a2a")) {
    const int ranks = static_cast<int>(std::lround((1 + std::sqrt(1 + 4.0 * count)) / 2));
    for (int a = 0; a < ranks; ++a)
      for (int b = 0; b < ranks; ++b)
        if (a != b) flows.push_back({a, b});
    return flows;
  }
  const bool both = row.labelled("bidir");
  for (int i = 0; i < (both ? count / 2 : count); ++i) {
    Flow flow{i % gpus, (i % gpus + gpus / 2 + kEach * (i / gpus)) % gpus};
    if (row.says("id", "same-uplink"))
      flow = {i % kEach, kEach * (row.labelled("diff") ? 1 + i : 1)};
    else if (row.says("id", "diff-uplink"))
      flow = {kEach * 2 * i % gpus, (kEach * 2 * i + kEach) % gpus};
    else if (row.labelled("same"))
      flow = {i * kEach % gpus, (i * kEach + 1) % gpus};
    flows.push_back(flow);
    if (both) flows.push_back({flow.to, flow.from});
  }
  return flows;
}

}  // namespace

MicroForecast switch_tree_row(const TransferRow& row, const lower::State& state) {
  const int gpus = static_cast<int>(state.ranks.size());
  const std::vector<Flow> flows = flows_of(row, gpus);
  std::map<std::pair<char, int>, double> load;  // ports out and in, uplinks out and in, sockets out
  std::map<int, std::set<int>> targets;         // root ports an uplink writes to
  for (const Flow& flow : flows) {
    ++load[{'o', flow.from}];
    ++load[{'i', flow.to}];
    const int from = switch_of(flow.from), to = switch_of(flow.to);
    if (from == to) continue;
    ++load[{'u', from}];
    ++load[{'d', to}];
    targets[from].insert(to);
    const int half = gpus / 2 / kEach;
    if (from / half != to / half) ++load[{'s', from / half}];
  }
  const double port =
      state.scenario.machine
          .links[state.router.host(state.ranks[0].memory, state.ranks[0].gpu).hops.back().link]
          .achievable.value;
  const double crossing = port * row.profile.value("host", "default", "root_crossing");
  const double collapsed = row.profile.value("host", "default", "posted_collapse_Bps");
  double rate = port;
  for (const auto& [at, count] : load) {
    double capacity = at.first == 'o' || at.first == 'i' ? port : crossing;
    if (at.first == 'u' && targets[at.second].size() > 1) capacity = collapsed;
    rate = std::min(rate, capacity / count);
  }
  MicroForecast forecast;
  forecast.bottleneck = "pcie";
  forecast.value = rate * static_cast<double>(flows.size());
  return forecast;
}

}  // namespace rigcast::study
