/// The graph is filled task by task and then sealed. Sealing turns the list of edges into a compressed array
/// with one stable counting sort by predecessor, so that successors keep the order in which their edges were
/// added. Pool uses are kept beside the tasks, sorted by owner: a graph without pools pays nothing for them,
/// neither bytes nor time.

#include "task/graph.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/check.h"

namespace rigcast::task {

namespace {

std::size_t mix(std::size_t hash, std::uint64_t value) {
  return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

std::size_t hash_of(const Demand& demand) {
  std::size_t hash = demand.uses.size();
  for (const Use& use : demand.uses) {
    hash = mix(hash, use.resource.index);
    hash = mix(hash, std::bit_cast<std::uint64_t>(use.per_work));
  }
  hash = mix(hash, std::bit_cast<std::uint64_t>(demand.rate_bound));
  hash = mix(hash, std::bit_cast<std::uint64_t>(demand.share));
  hash = mix(hash, static_cast<std::uint64_t>(demand.latency.picoseconds));
  return mix(hash, static_cast<std::uint64_t>(demand.bound_kind) * 64 +
                       static_cast<std::uint64_t>(demand.latency_kind));
}

std::uint32_t narrow(std::size_t size) {
  RIG_CHECK(size < 0xffffffffu, "more entries than a 32-bit index can name");
  return static_cast<std::uint32_t>(size);
}

}  // namespace

Graph::Graph() : items_{""}, first_slice_{0}, item_by_text_{{"", 0}} {}

DemandId Graph::intern(Demand demand) {
  std::sort(demand.uses.begin(), demand.uses.end(),
            [](const Use& a, const Use& b) { return a.resource < b.resource; });
  const std::size_t hash = hash_of(demand);
  const auto [first, last] = demand_by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it)
    if (demands_[it->second.index] == demand) return it->second;
  const DemandId id{narrow(demands_.size())};
  demands_.push_back(std::move(demand));
  demand_by_hash_.emplace(hash, id);
  return id;
}

LaneId Graph::add_lane(std::string name) {
  lanes_.push_back(std::move(name));
  return {narrow(lanes_.size() - 1)};
}

PoolId Graph::add_pool(std::string name, double capacity) {
  pools_.push_back({std::move(name), capacity});
  return {narrow(pools_.size() - 1)};
}

BreakdownId Graph::add_breakdown(std::vector<Slice> slices) {
  slices_.insert(slices_.end(), slices.begin(), slices.end());
  first_slice_.push_back(narrow(slices_.size()));
  return {narrow(first_slice_.size() - 2)};
}

std::uint32_t Graph::item(std::string_view text) {
  const auto [it, fresh] = item_by_text_.try_emplace(std::string(text), narrow(items_.size()));
  if (fresh) items_.emplace_back(text);
  return it->second;
}

void Graph::reserve(std::size_t tasks, std::size_t edges) {
  label_.reserve(tasks);
  work_.reserve(tasks);
  demand_.reserve(tasks);
  lane_.reserve(tasks);
  priority_.reserve(tasks);
  predecessor_count_.reserve(tasks);
  breakdown_.reserve(tasks);
  edges_.reserve(edges);
}

TaskId Graph::add(const Task& task) {
  RIG_CHECK(!sealed(), "a sealed graph takes no more tasks");
  label_.push_back(task.label);
  work_.push_back(task.work);
  demand_.push_back(task.demand);
  lane_.push_back(task.lane);
  priority_.push_back(task.priority);
  predecessor_count_.push_back(0);
  breakdown_.push_back(task.breakdown);
  return {narrow(work_.size() - 1)};
}

void Graph::add_edge(TaskId before, TaskId after) {
  RIG_CHECK(!sealed(), "a sealed graph takes no more edges");
  RIG_CHECK(before.index < size() && after.index < size(), "an edge joins two tasks of the graph");
  edges_.emplace_back(before, after);
  ++predecessor_count_[after.index];
}

void Graph::acquire(TaskId task, PoolUse use) {
  RIG_CHECK(!sealed() && task.index < size() && use.pool.index < pools_.size(), "unknown task or pool");
  acquires_.add(task, use);
}

void Graph::release(TaskId task, PoolUse use) {
  RIG_CHECK(!sealed() && task.index < size() && use.pool.index < pools_.size(), "unknown task or pool");
  releases_.add(task, use);
}

void Graph::seal() {
  RIG_CHECK(!sealed(), "a graph is sealed once");
  first_successor_.assign(size() + 1, 0);
  narrow(edges_.size());
  for (const auto& [before, after] : edges_) ++first_successor_[before.index];
  // Exclusive prefix sums; filling advances each start to the next one's, and the shift below puts it back.
  std::exclusive_scan(first_successor_.begin(), first_successor_.end(), first_successor_.begin(), 0u);
  successors_.resize(edges_.size());
  for (const auto& [before, after] : edges_) successors_[first_successor_[before.index]++] = after;
  std::copy_backward(first_successor_.begin(), first_successor_.end() - 1, first_successor_.end());
  first_successor_.front() = 0;
  std::vector<std::pair<TaskId, TaskId>>().swap(edges_);
  acquires_.sort();
  releases_.sort();
}

std::span<const TaskId> Graph::successors(TaskId task) const {
  const std::uint32_t first = first_successor_[task.index];
  return {successors_.data() + first, first_successor_[task.index + 1] - first};
}

std::span<const Slice> Graph::breakdown(TaskId task) const {
  const BreakdownId id = breakdown_[task.index];
  return id.valid() ? slices(id) : std::span<const Slice>();
}

std::span<const Slice> Graph::slices(BreakdownId id) const {
  return std::span(slices_).subspan(first_slice_[id.index],
                                    first_slice_[id.index + 1] - first_slice_[id.index]);
}

std::string Graph::describe(TaskId task) const {
  const Label& label = label_[task.index];
  std::string text(name(label.phase));
  if (label.item < items_.size() && !items_[label.item].empty()) text += " " + items_[label.item];
  text += " iteration " + std::to_string(label.iteration);
  if (label.micro_batch != 0) text += " micro-batch " + std::to_string(label.micro_batch);
  if (label.channel != 0) text += " channel " + std::to_string(label.channel);
  return text + " rank " + std::to_string(label.rank);
}

void Graph::SparseUses::add(TaskId owner, PoolUse use) {
  task.push_back(owner);
  uses.push_back(use);
}

void Graph::SparseUses::sort() {
  std::vector<std::uint32_t> order(task.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return task[a] < task[b]; });
  SparseUses sorted;
  for (const std::uint32_t i : order) sorted.add(task[i], uses[i]);
  *this = std::move(sorted);
}

std::span<const PoolUse> Graph::SparseUses::of(TaskId owner) const {
  const auto [first, last] = std::equal_range(task.begin(), task.end(), owner);
  return std::span(uses).subspan(static_cast<std::size_t>(first - task.begin()),
                                 static_cast<std::size_t>(last - first));
}

}  // namespace rigcast::task
