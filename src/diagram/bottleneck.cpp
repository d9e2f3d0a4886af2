#include "kd_tree.h"

#include <limits>
#include <queue>

namespace perslay::diagram {
namespace {

constexpr std::int32_t none = MatchedPair::diagonal;
constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// A set of points of a tree, which finds the nearest of them. Points are taken out one by one.
template <class Norm>
class Pool {
 public:
  struct Found {
    double distance = infinity;
    std::uint32_t place = 0;
  };

  explicit Pool(const KdTree& tree) : tree_(tree) { restore(); }

  /// Brings back all points.
  void restore() {
    present_.assign(tree_.points().size(), 1);
    counts_.clear();
    for (const auto& node : tree_.nodes()) counts_.push_back(node.end - node.begin);
  }

  [[nodiscard]] bool has(std::uint32_t place) const { return present_[place] != 0; }

  void take(std::uint32_t place) {
    present_[place] = 0;
    std::uint32_t node = 0;
    while (true) {
      --counts_[node];
      const auto& here = tree_.nodes()[node];
      if (here.is_leaf()) return;
      node = place < tree_.nodes()[here.right].begin ? node + 1 : here.right;
    }
  }

  /// Finds the nearest point nearer than `limit`, but stops at the first one that is no further than
  /// `enough`. The distance is infinite if there is none.
  [[nodiscard]] Found find(Point p, double enough, double limit) const {
    Found found{limit, 0};
    if (!tree_.nodes().empty()) search(0, p, enough, found);
    if (!(found.distance < limit)) found.distance = infinity;
    return found;
  }

 private:
  void search(std::uint32_t index, Point p, double enough, Found& found) const {
    const auto& node = tree_.nodes()[index];
    if (node.is_leaf()) {
      for (std::uint32_t place = node.begin; place < node.end; ++place) {
        if (present_[place] == 0) continue;
        const double distance = length<Norm>(p, tree_.points()[place]);
        if (distance < found.distance) found = {distance, place};
        if (found.distance <= enough) return;
      }
      return;
    }
    for (const auto& [child, distance] : tree_.children<Norm>(index, p))
      if (counts_[child] != 0 && distance < found.distance && found.distance > enough)
        search(child, p, enough, found);
  }

  const KdTree& tree_;
  std::vector<char> present_;
  std::vector<std::uint32_t> counts_;
};

/// One half of the problem. Rows are the points of one diagram, columns those of the other. A row needs a
/// column if it is further from the diagonal than the threshold. Wanted is the least threshold at which all
/// rows that need a column can have one within it. A column is known by its place in the tree.
template <class Norm>
class Cover {
 public:
  Cover(std::span<const Point> rows, const KdTree& columns)
      : rows_(rows),
        columns_(columns),
        pool_(columns),
        free_(columns),
        row_partner_(rows.size(), none),
        column_partner_(columns.points().size(), none),
        reached_from_(columns.points().size(), none) {
    for (const Point& p : rows) diagonal_.push_back(to_diagonal<Norm>(p));
  }

  /// A lower bound of the threshold that is at least `bound`: each row is matched no nearer than its nearest
  /// column, or the diagonal.
  [[nodiscard]] double lower_bound(double bound) const {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      if (diagonal_[row] <= bound) continue;
      const double nearest = pool_.find(rows_[row], bound, diagonal_[row]).distance;
      bound = std::max(bound, std::min(nearest, diagonal_[row]));
    }
    return bound;
  }

  /// Starts from a matching of columns with rows, by their ids.
  void start_from(std::span<const std::int32_t> partner_of_column) {
    for (std::uint32_t place = 0; place < column_partner_.size(); ++place) {
      const std::int32_t row = partner_of_column[columns_.ids()[place]];
      if (row == none) continue;
      column_partner_[place] = row;
      row_partner_[at(row)] = static_cast<std::int32_t>(place);
      free_.take(place);
    }
  }

  /// The threshold, given a bound from below.
  double solve(double bound) {
    threshold_ = bound;
    for (auto left = unmatched(); !left.empty(); left = unmatched()) {
      bool progress = false;
      pool_.restore();
      for (const std::int32_t row : left) progress |= augment(row);
      if (progress) continue;
      pool_.restore();
      raise_and_augment(left.front());
    }
    return threshold_;
  }

  [[nodiscard]] bool needed(std::int32_t row) const { return diagonal_[at(row)] > threshold_; }

  /// For each row the column's id, or none.
  [[nodiscard]] std::vector<std::int32_t> partner() const {
    std::vector<std::int32_t> ids;
    for (const std::int32_t place : row_partner_)
      ids.push_back(place == none ? none : static_cast<std::int32_t>(columns_.ids()[at(place)]));
    return ids;
  }

 private:
  [[nodiscard]] std::vector<std::int32_t> unmatched() const {
    std::vector<std::int32_t> rows;
    for (std::int32_t row = 0; row < static_cast<std::int32_t>(rows_.size()); ++row)
      if (needed(row) && row_partner_[at(row)] == none) rows.push_back(row);
    return rows;
  }

  /// Gives `column` to the row that reached it, that row's column to the one that reached that, and so on.
  void flip(std::int32_t column) {
    if (const std::int32_t loser = column_partner_[at(column)]; loser != none)
      row_partner_[at(loser)] = none;
    else
      free_.take(static_cast<std::uint32_t>(column));
    while (column != none) {
      const std::int32_t row = reached_from_[at(column)];
      column_partner_[at(column)] = row;
      column = std::exchange(row_partner_[at(row)], column);
    }
  }

  /// Ends the path at the column `found`, which `row` reached, if it is free or its row can do without it.
  bool end_at(const typename Pool<Norm>::Found& found, std::int32_t row) {
    const auto column = static_cast<std::int32_t>(found.place);
    reached_from_[found.place] = row;
    const std::int32_t owner = column_partner_[found.place];
    if (owner != none && needed(owner)) return false;
    flip(column);
    return true;
  }

  /// Looks for an augmenting path within the threshold, depth first. Each new row looks for a free column
  /// first. Visited columns stay out of the pool until all rows have had their turn: they lead nowhere, or
  /// the path found goes through them.
  bool augment(std::int32_t start) {
    const auto within = [this](const Pool<Norm>& pool, std::int32_t row) {
      return pool.find(rows_[at(row)], threshold_, std::nextafter(threshold_, infinity));
    };
    stack_.assign(1, start);
    bool is_new = true;
    while (!stack_.empty()) {
      const std::int32_t row = stack_.back();
      if (is_new)
        if (const auto found = within(free_, row); found.distance <= threshold_) return end_at(found, row);
      const auto found = within(pool_, row);
      is_new = found.distance <= threshold_;
      if (!is_new) {
        stack_.pop_back();
        continue;
      }
      pool_.take(found.place);
      if (end_at(found, row)) return true;
      stack_.push_back(column_partner_[found.place]);
    }
    return false;
  }

  /// Grows a tree of alternating paths from `start`, always by its nearest column. It ends when it reaches a
  /// free column, or when sending one of its rows to the diagonal is cheaper. At every lower threshold the
  /// rows of the tree have too few columns.
  void raise_and_augment(std::int32_t start) {
    struct Step {
      typename Pool<Norm>::Found found;
      std::int32_t row;
    };
    const auto later = [](const Step& a, const Step& b) { return a.found.distance > b.found.distance; };
    std::priority_queue<Step, std::vector<Step>, decltype(later)> steps(later);
    std::int32_t leaving = start;
    const auto look_from = [&](std::int32_t row) {
      const auto found = pool_.find(rows_[at(row)], threshold_, diagonal_[at(leaving)]);
      if (found.distance < infinity) steps.push({found, row});
    };
    look_from(start);
    while (!steps.empty() && steps.top().found.distance < diagonal_[at(leaving)]) {
      const auto [found, from] = steps.top();
      steps.pop();
      if (pool_.has(found.place)) {
        threshold_ = std::max(threshold_, found.distance);
        pool_.take(found.place);
        if (end_at(found, from)) return;
        const std::int32_t row = column_partner_[found.place];
        if (diagonal_[at(row)] < diagonal_[at(leaving)]) leaving = row;
        look_from(row);
      }
      look_from(from);
    }
    threshold_ = std::max(threshold_, diagonal_[at(leaving)]);
    if (const std::int32_t column = row_partner_[at(leaving)]; column != none) flip(column);
  }

  std::span<const Point> rows_;
  const KdTree& columns_;
  Pool<Norm> pool_;  ///< Columns that a search has not visited.
  Pool<Norm> free_;  ///< Columns without a row.
  std::vector<double> diagonal_;
  std::vector<std::int32_t> row_partner_;
  std::vector<std::int32_t> column_partner_;
  std::vector<std::int32_t> reached_from_;
  std::vector<std::int32_t> stack_;
  double threshold_ = 0;
};

/// Changes a matching that serves all points of a that need it (`partner`) so that it serves those of b, too
/// (Mendelsohn and Dulmage 1958). It follows the two matchings in turn, from each point of b that is left
/// out.
template <class Norm>
void serve_also(const Cover<Norm>& of_b, std::vector<std::int32_t>& partner) {
  const std::vector<std::int32_t> for_b = of_b.partner();
  std::vector<char> served(for_b.size(), 0);
  for (const std::int32_t b : partner)
    if (b != none) served[at(b)] = 1;
  for (std::int32_t left = 0; left < static_cast<std::int32_t>(for_b.size()); ++left) {
    if (served[at(left)] != 0 || !of_b.needed(left)) continue;
    for (std::int32_t b = left; b != none && for_b[at(b)] != none;)
      b = std::exchange(partner[at(for_b[at(b)])], b);
  }
}

}  // namespace

template <class Norm>
FiniteDistance bottleneck(std::span<const Point> a, std::span<const Point> b) {
  const KdTree tree_a(a);
  const KdTree tree_b(b);
  Cover<Norm> of_a(a, tree_b);
  Cover<Norm> of_b(b, tree_a);
  const double threshold_a = of_a.solve(of_b.lower_bound(of_a.lower_bound(0)));
  FiniteDistance result{0, 0, of_a.partner()};
  of_b.start_from(result.partner);
  result.value = of_b.solve(threshold_a);
  serve_also(of_b, result.partner);
  return result;
}

template FiniteDistance bottleneck<InfinityNorm>(std::span<const Point>, std::span<const Point>);
template FiniteDistance bottleneck<EuclideanNorm>(std::span<const Point>, std::span<const Point>);

}  // namespace perslay::diagram
