// Gram matrices of the kernels on persistence diagrams of orbits (alpha H1), ours on one thread, beside
// GUDHI's in the same process: its sliced Wasserstein class with sampled directions and its heat maps in
// their exact form; for persistence Fisher, of which GUDHI has no C++, its Python formulation written out in
// C++ (all Gaussians between the union of points and each density's points, array by array). Then how the
// cost grows, and the errors and times of the approximations, on the same diagrams and on the extended
// diagrams of a graph dataset (hks:10).
//
//   bench_kernel [diagrams per class] [points per diagram] [graph dataset]
#include "oracle/kernels.h"
#include "persistence/clouds.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <perslay/features/graph_diagrams.h>
#include <perslay/io/graph_dataset.h>
#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>
#include <perslay/persistence/alpha_persistence.h>

namespace {

using namespace perslay;
using diagram::Point;
using Points = std::vector<Point>;

constexpr int rounds = 3;
constexpr int most_rounds = 20;

/// Seconds of processor time, which other programs on the machine disturb less than the time on the wall.
double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(const std::function<void()>& run) {
  const double start = now();
  run();
  return now() - start;
}

base::Context one_thread() {
  base::Context context;
  context.threads = 1;
  return context;
}

/// The most prominent H1 points of orbits of all classes; radii, not their squares.
std::vector<Points> orbit_diagrams(std::size_t per_class, std::size_t points) {
  std::vector<Points> diagrams;
  persistence::AlphaPersistence alpha;
  for (const double r : test::orbit_parameters)
    for (std::size_t item = 0; item < per_class; ++item) {
      base::RandomStream random(1, item);
      const auto& h1 = alpha.compute(test::orbit(r, 2 * points, random)).h1.points;
      Points list;
      for (const auto& p : h1) list.push_back({std::sqrt(p.birth), std::sqrt(p.death)});
      std::ranges::sort(list, std::greater<>(), [](const Point& p) { return p.death - p.birth; });
      list.resize(std::min(points, list.size()));
      diagrams.push_back(std::move(list));
    }
  return diagrams;
}

diagram::DiagramBatch batch_of(const std::vector<Points>& diagrams) {
  std::vector<diagram::Diagram> list;
  for (const auto& points : diagrams) list.push_back({points, {}});
  return diagram::DiagramBatch(list);
}

/// The kernel with bandwidths by the rules.
kernel::Kernel fitted(const std::string& name, const std::vector<Points>& diagrams) {
  return fit(kernel::parse_kernel(name), batch_of(diagrams),
             kernel::spread_items(diagrams.size(), diagrams.size()));
}

// ---- the peers

Point projected(const Point& p) {
  const double middle = (p.birth + p.death) / 2;
  return {middle, middle};
}

/// Gaussians of all pairs, summed over the sources: array by array, as GUDHI's Python computes it (squares,
/// products, roots, squares again, exponentials, sums).
std::vector<double> density(const Points& all, const Points& sources, double sigma) {
  const auto norm = [](const Point& p) { return p.birth * p.birth + p.death * p.death; };
  std::vector<double> array(all.size() * sources.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < sources.size(); ++j)
      array[i * sources.size() + j] = norm(all[i]) + norm(sources[j]) -
                                      2 * (all[i].birth * sources[j].birth + all[i].death * sources[j].death);
  for (double& x : array) x = std::sqrt(std::max(x, 0.0));
  for (double& x : array) x = -(x * x);
  for (double& x : array) x /= 2 * sigma * sigma;
  for (double& x : array) x = std::exp(x);
  for (double& x : array) x /= sigma * std::sqrt(2 * std::numbers::pi);
  std::vector<double> values(all.size());
  double total = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < sources.size(); ++j) values[i] += array[i * sources.size() + j];
    total += values[i];
  }
  for (double& value : values) value /= total;
  return values;
}

double fisher_kernel(const Points& f, const Points& g, double sigma, double rate) {
  Points all = f, own = f, other = g;
  for (const auto& p : f) all.push_back(projected(p)), other.push_back(projected(p));
  for (const auto& q : g) all.push_back(q);
  for (const auto& q : g) all.push_back(projected(q)), own.push_back(projected(q));
  const auto a = density(all, own, sigma), b = density(all, other, sigma);
  double cosine = 0;
  for (std::size_t i = 0; i < a.size(); ++i) cosine += std::sqrt(a[i]) * std::sqrt(b[i]);
  return std::exp(-rate * std::acos(std::min(cosine, 1.0)));
}

// ---- the comparison

/// A function of two diagrams of a list, made for it beforehand.
using Peer = std::function<double(std::size_t, std::size_t)>;

/// Of Gram matrices, N (N + 1)/2 pairs each; the peers, being slow, on some of the diagrams.
void compare(const std::string& title, const kernel::Kernel& kernel, double rate,
             const std::vector<Points>& diagrams, std::size_t peer_diagrams, const char* peer_name,
             const std::function<Peer(const std::vector<Points>&)>& make_peer) {
  const auto batch = batch_of(diagrams);
  const auto pairs = [](std::size_t n) { return static_cast<double>(n * (n + 1) / 2); };
  const auto items = kernel::spread_items(diagrams.size(), peer_diagrams);
  std::vector<Points> some;
  for (const std::size_t item : items) some.push_back(diagrams[item]);
  double ours = INFINITY, theirs = INFINITY, spent = 0, error = 0, checksum = 0;
  for (int round = 0; round < (spent < 2 ? most_rounds : rounds); ++round) {
    kernel::Matrix gram;
    const double time = seconds([&] {
      gram = base_matrix(kernel, batch, one_thread());
      if (kernel.is_distance()) gram = outer_map(std::move(gram), rate);
    });
    ours = std::min(ours, time);
    spent += time;
    theirs = std::min(theirs, seconds([&] {
                        const auto peer = make_peer(some);
                        for (std::size_t i = 0; i < items.size(); ++i)
                          for (std::size_t j = 0; j <= i; ++j) {
                            const double value = peer(i, j);
                            checksum += value;
                            error = std::max(error, std::abs(value - gram(items[i], items[j])) /
                                                        std::max(1.0, std::abs(value)));
                          }
                      }));
  }
  const double our_pair = 1e6 * ours / pairs(diagrams.size()),
               their_pair = 1e6 * theirs / pairs(items.size());
  fmt::print("{:<28} {:>8} {:>9.2f} {:>12.3f} {:>14.1f} {:>8.1f}x {:>10.1e}   {}\n", title, diagrams.size(),
             ours, our_pair, their_pair, their_pair / our_pair, error, peer_name);
  if (!(error < 1e-6) || checksum == 0) {
    fmt::print("The two do not compute the same.\n");
    std::exit(1);
  }
}

std::vector<oracle::Points> pairs_of(const std::vector<Points>& diagrams) {
  std::vector<oracle::Points> pairs;
  for (const auto& points : diagrams) {
    pairs.emplace_back();
    for (const auto& p : points) pairs.back().emplace_back(p.birth, p.death);
  }
  return pairs;
}

void compare_sliced(const std::vector<Points>& diagrams) {
  compare("sw:10", kernel::parse_kernel("sw:10"), 0.5, diagrams, 100, "GUDHI Sliced_Wasserstein",
          [](const std::vector<Points>& some) {
            const auto gudhi = std::make_shared<oracle::SlicedWasserstein>(pairs_of(some), 1.0, 10);
            return [gudhi](std::size_t i, std::size_t j) { return gudhi->kernel(i, j); };
          });
}

void compare_fisher(const std::vector<Points>& diagrams, double factor) {
  auto fisher = fitted("pf", diagrams);
  fisher.sigma *= factor;
  compare(fmt::format("pf:{:.2g} (median x {})", fisher.sigma, factor), fisher, 1, diagrams, 10,
          "GUDHI's Python, in C++", [&](const std::vector<Points>& some) {
            return [&](std::size_t i, std::size_t j) {
              return fisher_kernel(some[i], some[j], fisher.sigma, 1);
            };
          });
}

void compare_scale_space(const std::vector<Points>& diagrams) {
  const auto scale = fitted("pss", diagrams);
  compare(fmt::format("pss:{:.2g} (median)", scale.sigma), scale, 1, diagrams, 20, "GUDHI heat maps",
          [&](const std::vector<Points>& some) {
            auto mirrored = pairs_of(some);
            for (auto& points : mirrored) points = oracle::with_mirror_images(points);
            const auto gudhi = std::make_shared<oracle::HeatMaps>(mirrored, 2 * std::sqrt(scale.sigma),
                                                                  oracle::sign_of_side);
            const double factor = 1 / (16 * std::numbers::pi * scale.sigma);
            return [gudhi, factor](std::size_t i, std::size_t j) { return factor * gudhi->product(i, j); };
          });
}

void compare_weighted(const std::vector<Points>& diagrams) {
  const auto weighted = fitted("pwg-linear", diagrams);
  const auto weight = [&](const std::pair<double, double>& p) {
    return std::atan(weighted.scale * std::pow(std::abs(p.second - p.first), weighted.power));
  };
  compare(fmt::format("pwg-linear:{:.2g} (median)", weighted.sigma), weighted, 1, diagrams, 20,
          "GUDHI heat maps", [&](const std::vector<Points>& some) {
            const auto gudhi = std::make_shared<oracle::HeatMaps>(pairs_of(some), weighted.sigma, weight);
            return [gudhi](std::size_t i, std::size_t j) { return gudhi->product(i, j); };
          });
}

void compare_with_peers(const std::vector<Points>& diagrams, std::size_t points) {
  fmt::print("{:<28} {:>8} {:>9} {:>12} {:>14} {:>9} {:>10}\n", "one thread", "diagrams", "Gram s",
             "us per pair", "peer us/pair", "ratio", "difference");
  compare_sliced(diagrams);
  compare_sliced(orbit_diagrams(diagrams.size(), points));
  compare_fisher(diagrams, 1);
  compare_fisher(diagrams, 0.1);
  compare_scale_space(diagrams);
  compare_weighted(diagrams);
}

// ---- approximations

using Groups = std::vector<diagram::DiagramGroup>;

/// With bandwidths by the rules.
kernel::Matrix gram(const std::vector<kernel::Kernel>& kernels, const Groups& groups, double& rate) {
  auto base = base_matrix(kernels, groups, one_thread());
  if (!kernels[0].is_distance()) return base;
  if (rate == 0) rate = median_rate(kernels[0], base, kernel::spread_items(base.rows, base.rows));
  return outer_map(std::move(base), rate);
}

/// Of k(F, G)/sqrt(k(F, F) k(G, G)), which is k itself where k(F, F) is 1; the last relative to k(F, G),
/// where that is at least 0.01.
struct Errors {
  double mean = 0, worst = 0, relative = 0;
};

Errors errors_of(const kernel::Matrix& truth, const kernel::Matrix& near) {
  Errors errors;
  for (std::size_t i = 0; i < truth.rows; ++i)
    for (std::size_t j = 0; j < truth.columns; ++j) {
      const double scale = std::sqrt(truth(i, i) * truth(j, j));
      if (scale == 0) continue;
      const double value = truth(i, j) / scale, error = std::abs(near(i, j) / scale - value);
      errors.mean += error / static_cast<double>(truth.values.size());
      errors.worst = std::max(errors.worst, error);
      if (value >= 0.01) errors.relative = std::max(errors.relative, error / value);
    }
  return errors;
}

void compare_approximations(const std::string& title, const Groups& groups) {
  const auto items = kernel::spread_items(groups[0].diagrams.size(), groups[0].diagrams.size());
  fmt::print("\n{}\n{:<11} {:<11} {:>9} {:>9} {:>11} {:>11} {:>11}\n", title, "kernel", "", "Gram s",
             "speed-up", "mean error", "worst", "relative");
  for (const std::string name : {"pss", "pwg-linear", "pwg", "pf"}) {
    const auto exact = fit(kernel::parse_kernel(name), groups, items);
    kernel::Matrix truth, near;
    double rate = 0;
    const double slow = seconds([&] { truth = gram(exact, groups, rate); });
    fmt::print("{:<11} {:<11} {:>9.3f}\n", name, "exact", slow);
    for (const std::string suffix : {"~grid:1e-3", "~grid:1e-6", "~grid:1e-9"}) {
      auto fast = exact;
      for (auto& kernel : fast) kernel.tolerance = kernel::parse_kernel(name + suffix).tolerance;
      const double quick = seconds([&] { near = gram(fast, groups, rate); });
      const auto [mean, worst, relative] = errors_of(truth, near);
      fmt::print("{:<11} {:<11} {:>9.3f} {:>8.1f}x {:>11.1e} {:>11.1e} {:>11.1e}\n", name, suffix, quick,
                 slow / quick, mean, worst, relative);
    }
  }
}

/// The extended diagrams of at most `limit` graphs, evenly spaced.
Groups graph_diagrams(const std::string& path, std::size_t limit) {
  auto set = features::graph_diagrams(io::read_graph_dataset(path),
                                      std::vector{filtration::parse_filtration("hks:10")});
  for (auto& group : set.groups) {
    std::vector<Points> some;
    for (const std::size_t item : kernel::spread_items(group.diagrams.size(), limit))
      some.emplace_back(group.diagrams[item].begin(), group.diagrams[item].end());
    group.diagrams = batch_of(some);
  }
  return std::move(set.groups);
}

// ---- growth

/// Microseconds for a pair, diagonal included.
double per_pair(const std::string& kernel, const std::vector<Points>& diagrams) {
  const auto batch = batch_of(diagrams);
  const auto parsed = kernel::parse_kernel(kernel);
  double best = INFINITY;
  for (int round = 0; round < rounds; ++round)
    best = std::min(best, seconds([&] { (void)base_matrix(parsed, batch, one_thread()); }));
  return 1e6 * best / static_cast<double>(diagrams.size() * (diagrams.size() + 1) / 2);
}

std::vector<Points> random_diagrams(std::size_t count, std::size_t points) {
  std::vector<Points> diagrams;
  for (std::size_t i = 0; i < count; ++i) {
    base::RandomStream random(2, i);
    diagrams.emplace_back();
    for (std::size_t p = 0; p < points; ++p) {
      const double birth = random.uniform();
      diagrams.back().push_back({birth, birth - 0.1 * std::log1p(-random.uniform())});
    }
  }
  return diagrams;
}

void grow() {
  const std::vector<std::string> names{"sw:10", "pf:0.1", "pss:0.01", "pwg:0.1:c=1"};
  const std::vector<std::pair<std::size_t, std::size_t>> sizes{
      {64, 10}, {64, 100}, {64, 1000}, {64, 4000}, {128, 100}, {256, 100}, {512, 100}, {1024, 100}};
  fmt::print("\nus per pair of random diagrams, one thread\n{:<10} {:<10}", "diagrams", "points");
  for (const auto& name : names) fmt::print(" {:>12}", name);
  for (const auto& [count, points] : sizes) {
    fmt::print("\n{:<10} {:<10}", count, points);
    for (const auto& name : names) {
      const bool expensive = name != "sw:10" && points >= 1000;
      fmt::print(" {:>12.2f}", per_pair(name, random_diagrams(expensive ? 8 : count, points)));
    }
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t per_class = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40;
  const std::size_t points = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 500;
  const auto diagrams = orbit_diagrams(per_class, points);
  fmt::print("{} diagrams of at most {} points\n", diagrams.size(), points);
  compare_with_peers(diagrams, points);
  grow();
  compare_approximations("approximations, the same diagrams",
                         {{"alpha", diagram::Kind::h1, batch_of(diagrams), {}}});
  if (argc > 3)
    compare_approximations(fmt::format("approximations, 200 graphs of {}", argv[3]),
                           graph_diagrams(argv[3], 200));
}
