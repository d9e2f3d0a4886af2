#include "transport.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace perslay::filtration {
namespace {

constexpr int unreached = std::numeric_limits<int>::max();
constexpr int dearest = 3;

}  // namespace

double Transport::operator()(std::span<const double> supplies, std::span<const double> demands,
                             std::span<const std::uint8_t> costs) {
  sources_ = supplies.size();
  nodes_ = sources_ + demands.size();
  costs_ = costs;
  amount_.assign(supplies.begin(), supplies.end());
  amount_.insert(amount_.end(), demands.begin(), demands.end());
  sent_.assign(costs.size(), 0);

  double total = 0;
  while (measure() < dearest)
    while (count_steps()) total += nearest_ * send();
  const auto left = amount_.begin() + static_cast<std::ptrdiff_t>(sources_);
  return total + dearest * std::accumulate(amount_.begin(), left, 0.0);
}

std::size_t Transport::first_across(std::size_t node) const noexcept { return is_sink(node) ? 0 : sources_; }
std::size_t Transport::end_across(std::size_t node) const noexcept {
  return is_sink(node) ? sources_ : nodes_;
}

/// The place of a way between a source and a sink, given in either order.
std::size_t Transport::way(std::size_t a, std::size_t b) const noexcept {
  return std::min(a, b) * (nodes_ - sources_) + std::max(a, b) - sources_;
}

bool Transport::lacks(std::size_t node) const {
  return is_sink(node) && amount_[node] > 0 && distance_[node] == nearest_;
}

/// Bellman and Ford, from the nodes that changed last.
int Transport::measure() {
  distance_.assign(nodes_, unreached);
  queue_.clear();
  for (std::size_t s = 0; s < sources_; ++s) {
    if (amount_[s] <= 0) continue;
    distance_[s] = 0;
    queue_.push_back(s);
  }
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::size_t from = queue_[i];
    for (std::size_t to = first_across(from); to < end_across(from); ++to) {
      if (is_sink(from) && sent_[way(from, to)] <= 0) continue;
      const int cost = costs_[way(from, to)];
      const int distance = distance_[from] + (is_sink(from) ? -cost : cost);
      if (distance >= distance_[to]) continue;
      distance_[to] = distance;
      queue_.push_back(to);
    }
  }
  nearest_ = dearest;
  for (std::size_t t = sources_; t < nodes_; ++t)
    if (amount_[t] > 0) nearest_ = std::min(nearest_, distance_[t]);
  return nearest_;
}

bool Transport::leads(std::size_t from, std::size_t to) const {
  if (distance_[from] == unreached || distance_[to] == unreached) return false;
  const std::size_t place = way(from, to);
  if (is_sink(from)) return sent_[place] > 0 && distance_[from] - costs_[place] == distance_[to];
  return distance_[from] + costs_[place] == distance_[to];
}

bool Transport::count_steps() {
  steps_.assign(nodes_, unreached);
  queue_.clear();
  for (std::size_t s = 0; s < sources_; ++s) {
    if (amount_[s] <= 0) continue;
    steps_[s] = 0;
    queue_.push_back(s);
  }
  bool reached = false;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    const std::size_t from = queue_[i];
    reached = reached || lacks(from);
    for (std::size_t to = first_across(from); to < end_across(from); ++to) {
      if (steps_[to] != unreached || !leads(from, to)) continue;
      steps_[to] = steps_[from] + 1;
      queue_.push_back(to);
    }
  }
  return reached;
}

double Transport::send() {
  next_.resize(nodes_);
  for (std::size_t node = 0; node < nodes_; ++node) next_[node] = first_across(node);
  double total = 0;
  for (std::size_t source = 0; source < sources_; ++source) {
    path_.assign(1, source);
    while (amount_[source] > 0 && !path_.empty()) {
      const std::size_t node = path_.back();
      if (lacks(node)) {
        total += move_along_path();
        path_.assign(1, source);
      } else if (next_[node] == end_across(node)) {
        path_.pop_back();
        if (!path_.empty()) ++next_[path_.back()];
      } else if (steps_[next_[node]] == steps_[node] + 1 && leads(node, next_[node])) {
        path_.push_back(next_[node]);
      } else {
        ++next_[node];
      }
    }
  }
  return total;
}

double Transport::move_along_path() {
  double moved = std::min(amount_[path_.front()], amount_[path_.back()]);
  for (std::size_t i = 1; i + 1 < path_.size(); i += 2)
    moved = std::min(moved, sent_[way(path_[i], path_[i + 1])]);
  amount_[path_.front()] -= moved;
  amount_[path_.back()] -= moved;
  for (std::size_t i = 0; i + 1 < path_.size(); ++i)
    sent_[way(path_[i], path_[i + 1])] += i % 2 == 0 ? moved : -moved;
  return moved;
}

}  // namespace perslay::filtration
