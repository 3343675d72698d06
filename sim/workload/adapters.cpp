#include "workload/adapters.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace rigcast::workload {
namespace {

Operator beside(const Operator& base, const char* suffix, const Linear& linear, std::uint32_t input) {
  Operator op;
  op.name = base.name + suffix;
  op.attributes = linear;
  op.inputs = {input};
  op.shape = base.shape;
  if (!op.shape.empty()) op.shape.back() = linear.out;
  op.input_elements = static_cast<double>(linear.rows * linear.in);
  op.output_elements = static_cast<double>(linear.rows * linear.out);
  op.parameters = static_cast<double>(linear.in * linear.out);
  op.repeat = base.repeat;
  return op;
}

}  // namespace

void add_adapters(Network& network, std::int64_t rank) {
  std::vector<Operator> operators;
  std::vector<std::uint32_t> moved;  // where each operator's result is now
  std::vector<bool> trained;         // by new operator: its result depends on an adapter
  const auto append = [&](Operator op) {
    op.first =
        std::none_of(op.inputs.begin(), op.inputs.end(), [&](std::uint32_t input) { return trained[input]; });
    trained.push_back(!op.first || (op.parameters > 0 && !op.frozen));
    operators.push_back(std::move(op));
    return static_cast<std::uint32_t>(operators.size() - 1);
  };
  for (Operator& op : network.operators) {
    for (std::uint32_t& input : op.inputs) input = moved[input];
    op.frozen = true;
    const auto* linear = std::get_if<Linear>(&op.attributes);
    const bool adapted = linear != nullptr && !linear->weight_tied && op.parameters > 0 && !op.inputs.empty();
    const Operator base = op;
    const std::uint32_t own = append(std::move(op));
    if (!adapted) {
      moved.push_back(own);
      continue;
    }
    const Linear shape = std::get<Linear>(base.attributes);
    const std::uint32_t down =
        append(beside(base, ".adapter_a", {shape.rows, shape.in, rank, false, 1}, base.inputs[0]));
    const std::uint32_t up =
        append(beside(base, ".adapter_b", {shape.rows, rank, shape.out, false, 1}, down));
    Operator sum = beside(base, ".adapter_sum", {}, own);
    sum.attributes = Elementwise{};
    sum.inputs = {own, up};
    sum.input_elements = 2 * base.output_elements;
    sum.output_elements = base.output_elements;
    sum.shape = base.shape;
    sum.parameters = 0;
    moved.push_back(append(std::move(sum)));
  }
  network.operators = std::move(operators);
}

}  // namespace rigcast::workload
