/// Collectives of rows go through the passes of a training forecast up to the channels: the same rings over
/// the same links with the same shared capacities. Processes that are started apart (MPI, a framework's
/// launcher) do not arrive together; threads of one process do.

#include <array>

#include "base/math.h"
#include "lower/collective.h"
#include "study/micro_transfer.h"

namespace rigcast::study {
namespace {

struct Name {
  std::string_view text;
  cost::Collective op;
};
constexpr std::array<Name, 7> kNames{{{"all_reduce", cost::Collective::kAllReduce},
                                      {"all_gather", cost::Collective::kAllGather},
                                      {"reduce_scatter", cost::Collective::kReduceScatter},
                                      {"all_to_all", cost::Collective::kAllToAll},
                                      {"broadcast", cost::Collective::kBroadcast},
                                      {"reduce", cost::Collective::kReduce},
                                      {"send_recv", cost::Collective::kSendReceive}}};

const Name* find(const std::string& op) {
  for (const Name& name : kNames)
    if (name.text == op) return &name;
  return nullptr;
}

cost::CollectiveChoice choice_of(const TransferRow& row, cost::Collective op, Bytes size,
                                 const cost::Fabric& fabric) {
  const std::string algorithm = row.row.text("algorithm");
  const auto wanted = algorithm == "ring"     ? cost::Algorithm::kRing
                      : algorithm == "tree"   ? cost::Algorithm::kTree
                      : algorithm == "nvls"   ? cost::Algorithm::kInSwitch
                      : algorithm == "custom" ? cost::Algorithm::kDirect
                                              : cost::Algorithm::kRing;
  if (!algorithm.empty() && cost::possible(op, wanted, fabric))
    return cost::choose(op, size, wanted, fabric, row.profile);
  return cost::choose(op, size, fabric, row.profile);
}

}  // namespace

MicroForecast collective_row(const TransferRow& row) {
  const Name* name = find(row.row.text("op"));
  if (name == nullptr) return no_forecast("op \"" + row.row.text("op") + "\" is no collective");
  const Bytes size{row.row.number("size_bytes").value_or(0)};
  if (!(size.value > 0)) return no_forecast("a collective needs size_bytes");
  const int ranks = row.ranks(), nodes = row.nodes();
  if (ranks < 2) return no_forecast("a collective needs two ranks");
  if (ranks % nodes != 0) return no_forecast("the ranks do not divide by the nodes");
  std::string reason;
  auto machine = machine_of(row, reason);
  if (!machine) return no_forecast(reason);
  if (static_cast<int>(machine->all(hardware::DeviceType::kGpu).size()) < ranks / nodes)
    return no_forecast("the machine has fewer GPUs than ranks");

  const plan::Scenario scenario = communicating(*std::move(machine), ranks, nodes, row.profile);
  const lower::Options options;
  lower::State state(scenario, options);
  lower::place_ranks(state);
  lower::make_resources(state);
  lower::build_channels(state);
  if (nodes > 1 && state.cards.empty()) return no_forecast("the nodes have no network cards");
  state.fabric.network_reduces = row.row.flag("in_network_reduction").value_or(false);
  const cost::CollectiveChoice choice = choice_of(row, name->op, size, state.fabric);
  const lower::AloneTime alone = lower::time_alone(state, name->op, size, choice);
  double seconds = alone.time.value;
  const bool together = row.says("software", "threads") || name->op == cost::Collective::kSendReceive ||
                        choice.algorithm == cost::Algorithm::kDirect;
  if (!together)
    seconds += row.profile.value("collective", "launch", "skew_s") * exact_log(ranks) / exact_log(2);
  MicroForecast forecast;
  forecast.bottleneck = task::name(alone.limit);
  forecast.value = row.row.is_time() ? seconds : size.value * cost::wire_factor(name->op, ranks) / seconds;
  return forecast;
}

}  // namespace rigcast::study
