// Gram matrices of the kernels on persistence diagrams of orbits (alpha H1), ours on one thread, beside a
// peer in the same process: for sliced Wasserstein GUDHI's class with sampled directions, for persistence
// Fisher, of which GUDHI has no C++, its Python formulation written out in C++ (all Gaussians between the
// union of points and each density's points, array by array), for the other two their double sums. Then
// errors and times of the approximations, and the growth of the cost.
//
//   bench_kernel [diagrams per class] [points per diagram]
#include "oracle/sliced_wasserstein.h"
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

#include <perslay/kernel/bandwidth.h>
#include <perslay/kernel/gram.h>
#include <perslay/persistence/alpha_persistence.h>

namespace {

using namespace perslay;
using diagram::Point;
using Points = std::vector<Point>;

constexpr int rounds = 3;

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

// ---- the peers

double squared(const Point& p, const Point& q) {
  const double x = p.birth - q.birth, y = p.death - q.death;
  return x * x + y * y;
}

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

double scale_space(const Points& f, const Points& g, double sigma) {
  double sum = 0;
  for (const auto& p : f)
    for (const auto& q : g)
      sum += std::exp(-squared(p, q) / (8 * sigma)) - std::exp(-squared(p, {q.death, q.birth}) / (8 * sigma));
  return sum / (8 * std::numbers::pi * sigma);
}

double weighted_linear(const Points& f, const Points& g, const kernel::Kernel& k) {
  const auto weight = [&](const Point& p) {
    return std::atan(k.scale * std::pow(std::abs(p.death - p.birth), k.power));
  };
  std::vector<double> weights;
  for (const auto& q : g) weights.push_back(weight(q));
  double sum = 0;
  for (const auto& p : f) {
    double row = 0;
    for (std::size_t j = 0; j < g.size(); ++j)
      row += weights[j] * std::exp(-squared(p, g[j]) / (2 * k.sigma * k.sigma));
    sum += weight(p) * row;
  }
  return sum;
}

// ---- the comparison

/// Of a Gram matrix with N diagrams, N (N + 1)/2 pairs each; the peers of quadratic cost, being slow, on a
/// part of the diagrams.
void compare(const std::string& title, const kernel::Kernel& kernel, double rate,
             const std::vector<Points>& diagrams, std::size_t peer_diagrams, const char* peer_name,
             const std::function<std::function<double(std::size_t, std::size_t)>()>& make_peer) {
  const auto batch = batch_of(diagrams);
  const auto pairs = [](std::size_t n) { return static_cast<double>(n * (n + 1) / 2); };
  double ours = INFINITY, theirs = INFINITY, error = 0, checksum = 0;
  const std::size_t stride = diagrams.size() / peer_diagrams;
  for (int round = 0; round < rounds; ++round) {
    kernel::Matrix gram;
    ours = std::min(ours, seconds([&] {
                      gram = base_matrix(kernel, batch, one_thread());
                      if (kernel.is_distance()) gram = outer_map(std::move(gram), rate);
                    }));
    theirs = std::min(theirs, seconds([&] {
                        const auto peer = make_peer();
                        for (std::size_t i = 0; i < peer_diagrams; ++i)
                          for (std::size_t j = 0; j <= i; ++j) {
                            const double value = peer(i * stride, j * stride);
                            checksum += value;
                            error = std::max(error, std::abs(value - gram(i * stride, j * stride)) /
                                                        std::max(1.0, std::abs(value)));
                          }
                      }));
  }
  const double our_pair = 1e6 * ours / pairs(diagrams.size()),
               their_pair = 1e6 * theirs / pairs(peer_diagrams);
  fmt::print("{:<28} {:>10.2f} {:>12.3f} {:>14.1f} {:>8.0f}x {:>10.1e}   {}\n", title, ours, our_pair,
             their_pair, their_pair / our_pair, error, peer_name);
  if (!(error < 1e-6) || checksum == 0) {
    fmt::print("The two do not compute the same.\n");
    std::exit(1);
  }
}

void compare_with_peers(const std::vector<Points>& diagrams) {
  const auto items = kernel::spread_items(diagrams.size(), diagrams.size());
  const auto batch = batch_of(diagrams);
  fmt::print("{:<28} {:>10} {:>12} {:>14} {:>9} {:>10}\n", "one thread", "Gram s", "us per pair",
             "peer us/pair", "ratio", "difference");
  const auto sliced = kernel::parse_kernel("sw:10");
  std::vector<oracle::Points> pairs;
  for (const auto& points : diagrams) {
    pairs.emplace_back();
    for (const auto& p : points) pairs.back().emplace_back(p.birth, p.death);
  }
  compare("sw:10", sliced, 0.5, diagrams, diagrams.size(), "GUDHI Sliced_Wasserstein", [&] {
    const auto gudhi = std::make_shared<oracle::SlicedWasserstein>(pairs, 1.0, 10);
    return [gudhi](std::size_t i, std::size_t j) { return gudhi->kernel(i, j); };
  });
  const auto fitted = fit(kernel::parse_kernel("pf"), batch, items);
  for (const double factor : {1.0, 0.1}) {
    auto fisher = fitted;
    fisher.sigma *= factor;
    compare(fmt::format("pf:{:.2g} (median x {})", fisher.sigma, factor), fisher, 1, diagrams, 10,
            "GUDHI's Python, in C++", [&] {
              return [&](std::size_t i, std::size_t j) {
                return fisher_kernel(diagrams[i], diagrams[j], fisher.sigma, 1);
              };
            });
  }
  const auto scale = fit(kernel::parse_kernel("pss"), batch, items);
  compare(fmt::format("pss:{:.2g} (median)", scale.sigma), scale, 1, diagrams, 20, "double sum", [&] {
    return [&](std::size_t i, std::size_t j) { return scale_space(diagrams[i], diagrams[j], scale.sigma); };
  });
  const auto weighted = fit(kernel::parse_kernel("pwg-linear"), batch, items);
  compare(fmt::format("pwg-linear:{:.2g} (median)", weighted.sigma), weighted, 1, diagrams, 20, "double sum",
          [&] {
            return [&](std::size_t i, std::size_t j) {
              return weighted_linear(diagrams[i], diagrams[j], weighted);
            };
          });
}

// ---- approximations

void compare_approximations(const std::vector<Points>& diagrams) {
  const auto items = kernel::spread_items(diagrams.size(), diagrams.size());
  const auto batch = batch_of(diagrams);
  fmt::print("\n{:<16} {:<14} {:>10} {:>12} {:>12} {:>12}\n", "kernel", "approximation", "Gram s", "speed-up",
             "mean error", "worst error");
  for (const std::string name : {"pss", "pwg-linear", "pf"}) {
    const auto exact = fit(kernel::parse_kernel(name), batch, items);
    kernel::Matrix truth, near;
    const double slow = seconds([&] { truth = base_matrix(exact, batch, one_thread()); });
    for (const std::string suffix :
         {"~rff:128", "~rff:512", "~rff:2048", "~grid:1e-3", "~grid:1e-6", "~grid:1e-9"}) {
      if (name == "pf" && suffix.starts_with("~rff")) continue;
      auto fast = exact;
      fast.approximation = kernel::parse_kernel((name == "pf" ? "pf" : "pss") + suffix).approximation;
      const double quick = seconds([&] { near = base_matrix(fast, batch, one_thread()); });
      // Of an inner product relative to the norms, of a distance relative to the largest.
      double sum = 0, worst = 0;
      const double largest = *std::ranges::max_element(truth.values);
      for (std::size_t i = 0; i < truth.rows; ++i)
        for (std::size_t j = 0; j < truth.columns; ++j) {
          const double scale = exact.is_distance() ? largest : std::sqrt(truth(i, i) * truth(j, j));
          const double error = std::abs(near(i, j) - truth(i, j)) / scale;
          sum += error;
          worst = std::max(worst, error);
        }
      fmt::print("{:<16} {:<14} {:>10.3f} {:>11.1f}x {:>12.1e} {:>12.1e}\n", name, suffix, quick,
                 slow / quick, sum / static_cast<double>(truth.values.size()), worst);
    }
  }
}

// ---- growth

void grow() {
  fmt::print("\n{:<10} {:>10} {:>10} {:>10} {:>10}   us per pair of 64 random diagrams\n", "points", "sw:10",
             "pf:0.1", "pss:0.01", "pwg:0.1");
  for (const std::size_t points : {10U, 100U, 1000U, 4000U}) {
    std::vector<Points> diagrams;
    for (std::size_t i = 0; i < 64; ++i) {
      base::RandomStream random(2, i);
      diagrams.emplace_back();
      for (std::size_t p = 0; p < points; ++p) {
        const double birth = random.uniform();
        diagrams.back().push_back({birth, birth - 0.1 * std::log1p(-random.uniform())});
      }
    }
    fmt::print("{:<10}", points);
    for (const std::string name : {"sw:10", "pf:0.1", "pss:0.01", "pwg:0.1:c=1"}) {
      const bool quadratic = name != "sw:10";
      const std::size_t count = quadratic && points > 100 ? 8 : 64;
      const auto batch = batch_of({diagrams.begin(), diagrams.begin() + static_cast<std::ptrdiff_t>(count)});
      const double time =
          seconds([&] { (void)base_matrix(kernel::parse_kernel(name), batch, one_thread()); });
      fmt::print(" {:>10.2f}", 1e6 * time / static_cast<double>(count * (count + 1) / 2));
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t per_class = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40;
  const std::size_t points = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 500;
  const auto diagrams = orbit_diagrams(per_class, points);
  fmt::print("{} diagrams of at most {} points\n", diagrams.size(), points);
  compare_with_peers(diagrams);
  compare_approximations(diagrams);
  grow();
}
