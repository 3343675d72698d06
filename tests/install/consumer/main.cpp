// One transfer of 1 GB over a link of 4 GB/s, played by the installed engine: 10^9 B / 4 10^9 B/s = 250 ms.
#include <cstdio>
#include <limits>

#include "base/text.h"
#include "engine/simulate.h"

using namespace rigcast;

int main() {
  task::Resources resources;
  const task::ResourceId link = resources.add({"link", task::Kind::kPcie, 4e9, "B"});
  task::Graph graph;
  task::Demand demand;
  demand.uses = {{link, 1.0}};
  demand.rate_bound = std::numeric_limits<double>::infinity();
  task::Task transfer;
  transfer.work = 1e9;
  transfer.demand = graph.intern(demand);
  graph.add(transfer);
  graph.seal();
  const auto timeline = engine::simulate(graph, resources);
  if (!timeline) return 1;
  std::printf("1 GB at 4 GB/s: %s\n", si(timeline->end.seconds().value, "s").c_str());
}
