#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>
#include <vector>

#include <perslay/base/parallel.h>
#include <perslay/nn/alpha_persistence.h>

namespace perslay::nn {
namespace {

using persistence::CloudSimplex;

/// One diagram, and the simplices behind its coordinates. Both go birth, death, birth, death, ...
struct CloudDiagram {
  std::vector<double> coordinates;
  std::vector<CloudSimplex> simplices;
};

/// A diagram in the order of batches.
CloudDiagram sorted(const diagram::Diagram& diagram, const std::vector<CloudSimplex>& births,
                    const std::vector<CloudSimplex>& deaths) {
  std::vector<std::size_t> order(diagram.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t i) { return std::tuple(diagram.points[i], births[i], deaths[i]); });
  CloudDiagram result;
  for (const auto i : order) {
    result.coordinates.insert(result.coordinates.end(), {diagram.points[i].birth, diagram.points[i].death});
    result.simplices.insert(result.simplices.end(), {births[i], deaths[i]});
  }
  return result;
}

/// The coordinates that are radii of circles through corners.size() points: their places, and the rows of the points.
struct Circles {
  std::vector<std::int64_t> places;
  std::vector<std::vector<std::int64_t>> corners;

  explicit Circles(std::size_t count) : corners(count) {}

  void add(std::int64_t place, const CloudSimplex& simplex, std::int64_t first_row) {
    places.push_back(place);
    for (std::size_t c = 0; c < corners.size(); ++c) corners[c].push_back(first_row + simplex[c]);
  }

  [[nodiscard]] torch::Tensor corner(const torch::Tensor& points, std::size_t c) const {
    return points.index_select(0, torch::tensor(corners[c], torch::kInt64)).to(torch::kFloat64);
  }
};

torch::Tensor length(const torch::Tensor& vectors) { return vectors.norm(2, 1); }

torch::Tensor edge_radius(const torch::Tensor& a, const torch::Tensor& b) { return length(a - b) / 2; }

/// The circumradius is |u| |v| |u - v| / (2 |u x v|). The sides are u, v and u - v, twice the area is |u x v|.
torch::Tensor triangle_radius(const torch::Tensor& a, const torch::Tensor& b, const torch::Tensor& c) {
  const auto u = b - a, v = c - a;
  const auto cross = u.select(1, 0) * v.select(1, 1) - u.select(1, 1) * v.select(1, 0);
  return length(u) * length(v) * length(u - v) / (2 * cross.abs());
}

RaggedBatch pack(const torch::Tensor& points, std::span<const std::int64_t> offsets,
                 const std::vector<CloudDiagram>& diagrams, bool radii) {
  std::vector<double> constants;
  std::vector<std::int64_t> ends{0};
  Circles edges(2), triangles(3);
  for (std::size_t i = 0; i < diagrams.size(); ++i) {
    for (std::size_t j = 0; j < diagrams[i].simplices.size(); ++j) {
      const auto& simplex = diagrams[i].simplices[j];
      const auto place = static_cast<std::int64_t>(constants.size());
      if (simplex[2] >= 0)
        triangles.add(place, simplex, offsets[i]);
      else if (simplex[1] >= 0)
        edges.add(place, simplex, offsets[i]);
      constants.push_back(diagrams[i].coordinates[j]);
    }
    ends.push_back(static_cast<std::int64_t>(constants.size() / 2));
  }
  auto coordinates = torch::tensor(constants, torch::kFloat64);
  const auto put = [&](const Circles& circles, const torch::Tensor& radius) {
    coordinates = coordinates.index_copy(0, torch::tensor(circles.places, torch::kInt64),
                                         radii ? radius : radius.square());
  };
  put(edges, edge_radius(edges.corner(points, 0), edges.corner(points, 1)));
  put(triangles,
      triangle_radius(triangles.corner(points, 0), triangles.corner(points, 1), triangles.corner(points, 2)));
  return {coordinates.view({-1, 2}).to(points.scalar_type()), torch::tensor(ends, torch::kInt64)};
}

}  // namespace

AlphaBatches alpha_persistence(const torch::Tensor& points, const torch::Tensor& offsets,
                               const persistence::AlphaOptions& options, int threads) {
  const RaggedBatch clouds(points, offsets);  // checks the shapes, which are those of diagrams
  const auto numbers = points.detach().to(torch::kFloat64).contiguous();
  const auto* const rows = numbers.data_ptr<double>();
  const auto packed = offsets.contiguous();
  const std::span ends(packed.data_ptr<std::int64_t>(), static_cast<std::size_t>(packed.numel()));
  std::vector<CloudDiagram> h0(static_cast<std::size_t>(clouds.size())), h1(h0.size());
  base::Context context;
  context.threads = threads;
  struct Buffer {
    persistence::AlphaPersistence alpha;
    std::vector<data::PlanePoint> cloud;
  };
  base::parallel_for(
      context, "persistence", h0.size(), [] { return Buffer(); },
      [&](std::size_t i, Buffer& buffer) {
        buffer.cloud.clear();
        for (auto row = ends[i]; row < ends[i + 1]; ++row)
          buffer.cloud.push_back({rows[2 * row], rows[2 * row + 1]});
        const auto& result = buffer.alpha.compute(buffer.cloud, options);
        h0[i] = sorted(result.h0, result.h0_birth, result.h0_death);
        h1[i] = sorted(result.h1, result.h1_birth, result.h1_death);
      });
  return {pack(points, ends, h0, options.radii), pack(points, ends, h1, options.radii)};
}

}  // namespace perslay::nn
