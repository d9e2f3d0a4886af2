#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <perslay/base/error.h>
#include <perslay/base/random.h>
#include <perslay/layer/perslay.h>
#include <perslay/layer/vectorization.h>

namespace perslay::layer {
namespace {

using diagram::DiagramBatch;
using diagram::Point;
using Points = std::span<const Point>;
using Row = std::vector<double>;

std::string sentence_of(const char* name) {
  try {
    (void)parse_vectorization(name);
  } catch (const base::Error& error) {
    EXPECT_EQ(error.fault(), base::Fault::user);
    return error.what();
  }
  return "no error";
}

// ---- names

TEST(VectorizationNames, ReadBackAsWhatTheyName) {
  for (const auto* name :
       {"landscape:5x60", "silhouette:60", "silhouette:60:power=0", "silhouette:60:power=2.5", "image:20x10",
        "image:20x10:sigma=0.1", "image:20x10:sigma=0.1:power=2", "image:20x10:power=0", "hofer:50",
        "hofer:50:nu=0.05", "hofer:50:nu=0.05:sigma=1e-6", "projections:10x20", "betti:60", "entropy:1"}) {
    EXPECT_EQ(parse_vectorization(name).name(), name);
    EXPECT_EQ(parse_vectorization(parse_vectorization(name).name()), parse_vectorization(name));
  }
  EXPECT_EQ(parse_vectorization("image:20").name(), "image:20x20");
  EXPECT_EQ(parse_vectorization("silhouette:5:power=1").name(), "silhouette:5");
}

TEST(VectorizationNames, MistakesAreSentences) {
  EXPECT_EQ(sentence_of("landscape:60"),
            "landscape needs a number of landscapes and of samples such as landscape:5x60, not '60'.");
  EXPECT_EQ(sentence_of("landscape:0x60"),
            "landscape needs a number of landscapes and of samples such as landscape:5x60, not '0x60'.");
  EXPECT_EQ(sentence_of("projections:5x"),
            "projections needs a number of lines and of places such as projections:10x20, not '5x'.");
  EXPECT_EQ(sentence_of("silhouette:0"),
            "silhouette needs a number of samples such as silhouette:60, not '0'.");
  EXPECT_EQ(sentence_of("silhouette:5:power=-1"),
            "silhouette needs a number of at least 0 for power, not '-1'.");
  EXPECT_EQ(sentence_of("silhouette:5:sigma=1"), "silhouette has no option 'sigma'.");
  EXPECT_EQ(sentence_of("image:5x5:sigma=0"), "image needs a number of at least 1e-150 for sigma, not '0'.");
  EXPECT_EQ(sentence_of("image:5x5:sigma=1e-200"),
            "image needs a number of at least 1e-150 for sigma, not '1e-200'.");
  EXPECT_EQ(sentence_of("hofer:5:sigma=1e-320"),
            "hofer needs a number of at least 1e-150 for sigma, not '1e-320'.");
  EXPECT_EQ(sentence_of("image"),
            "image needs a number of pixels along births and persistences such as image:20x20, not ''.");
  EXPECT_EQ(sentence_of("hofer:x"), "hofer needs a number of centres such as hofer:50, not 'x'.");
  EXPECT_EQ(sentence_of("betti:5:5"),
            "betti does not know what to do with '5'; options are written key=value.");
  EXPECT_EQ(sentence_of("tropical:5").substr(0, 47), "There is no vectorization called 'tropical:5'; ");
  EXPECT_EQ(vectorization_help().size(), 7U);
}

// ---- frames

TEST(Frame, FitsAroundAllPoints) {
  const DiagramBatch batch({{0.5, 1}, {1, 2}, {-1, 0.5}}, {0, 2, 2, 3});
  const auto frame = Frame::fit(batch);
  EXPECT_EQ(frame.values, (Range{-1, 2}));
  EXPECT_EQ(frame.births, (Range{-1, 1}));
  EXPECT_EQ(frame.persistences, (Range{0, 1.5}));
  EXPECT_EQ(Frame::fit(DiagramBatch{}), Frame{});
  EXPECT_EQ(Frame::over({2, 5}), (Frame{{2, 5}, {2, 5}, {0, 3}}));
}

// ---- values

/// Diagrams of 0 to 60 points above or on the diagonal, in and around [-1, 3], some with twins.
DiagramBatch random_diagrams(std::uint64_t seed) {
  base::RandomStream random(seed);
  std::vector<Point> points;
  std::vector<std::int64_t> offsets{0};
  for (const std::size_t count : {0U, 1U, 2U, 3U, 7U, 16U, 33U, 60U, 0U}) {
    for (std::size_t i = 0; i < count; ++i) {
      const double birth = random.uniform(-1, 2);
      points.push_back({birth, birth + random.uniform(0, 1) * random.uniform(0, 1)});
      if (i % 5 == 4) points.back() = points[points.size() - 2];
      if (i % 7 == 6) points.back().death = points.back().birth;
    }
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return {std::move(points), std::move(offsets)};
}

Row compute(const Vectorization& vectorization, const Frame& frame, const DiagramBatch& diagrams,
            int threads = 1) {
  const auto fixed = vectorization.in(frame);
  EXPECT_EQ(fixed.channel.size(), vectorization.size());
  const auto shapes = fixed.channel.parameters();
  EXPECT_EQ(shapes.size(), fixed.parameters.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) EXPECT_EQ(shapes[i].size(), fixed.parameters[i].size());
  Row coordinates;
  for (const auto& [birth, death] : diagrams.points()) coordinates.insert(coordinates.end(), {birth, death});
  const std::vector<std::span<const double>> parameters(fixed.parameters.begin(), fixed.parameters.end());
  Row out(diagrams.size() * fixed.channel.size(), -1);
  base::Context context;
  context.threads = threads;
  forward<double>(context, fixed.channel, {.points = coordinates, .offsets = diagrams.offsets()}, parameters,
                  out);
  return out;
}

/// Compares with a definition of the row of one diagram.
void expect_rows(const char* name, const Frame& frame, const std::function<Row(Points)>& definition) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto diagrams = random_diagrams(seed);
    const auto actual = compute(parse_vectorization(name), frame, diagrams);
    Row expected;
    for (std::size_t i = 0; i < diagrams.size(); ++i)
      std::ranges::copy(definition(diagrams[i]), std::back_inserter(expected));
    ASSERT_EQ(actual.size(), expected.size()) << name;
    for (std::size_t i = 0; i < actual.size(); ++i)
      ASSERT_NEAR(actual[i], expected[i], 1e-12 * std::max(1.0, std::abs(expected[i])))
          << name << ' ' << seed << ' ' << i;
    EXPECT_EQ(compute(parse_vectorization(name), frame, diagrams, 2), actual) << name;
  }
}

/// The tent of a bar: rises with slope 1 from the birth, falls to the death.
double tent(Point p, double t) { return std::max(0.0, std::min(t - p.birth, p.death - t)); }

/// The k-th largest, counted from 0; 0 if there are not so many.
double kth_largest(Row values, std::size_t k) {
  std::ranges::sort(values, std::greater());
  return k < values.size() ? values[k] : 0;
}

double sample(std::size_t i, std::size_t count, double low, double high) {
  return low + static_cast<double>(i) * (high - low) / static_cast<double>(count - 1);
}

const Frame frame{{-1, 3}, {-1, 2}, {0, 1}};

TEST(Vectorization, LandscapesAreKthLargestTents) {
  expect_rows("landscape:4x17", frame, [](Points points) {
    Row row;
    for (std::size_t i = 0; i < 17; ++i)
      for (std::size_t k = 0; k < 4; ++k) {
        Row tents;
        for (const auto p : points) tents.push_back(tent(p, sample(i, 17, -1, 3)));
        row.push_back(kth_largest(tents, k));
      }
    return row;
  });
}

TEST(Vectorization, SilhouettesAreWeightedSumsOfTents) {
  for (const auto& [name, power] :
       {std::pair("silhouette:23", 1.0), {"silhouette:23:power=2.5", 2.5}, {"silhouette:23:power=0", 0.0}})
    expect_rows(name, frame, [exponent = power](Points points) {
      Row row;
      for (std::size_t i = 0; i < 23; ++i) {
        double sum = 0;
        for (const auto p : points)
          sum += (exponent == 0 ? 1 : std::pow(p.death - p.birth, exponent)) * tent(p, sample(i, 23, -1, 3));
        row.push_back(sum);
      }
      return row;
    });
}

Row surface(Points points, std::size_t columns, std::size_t rows, double sigma, double power) {
  Row row;
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t j = 0; j < rows; ++j) {
      double sum = 0;
      for (const auto p : points) {
        const double y = p.death - p.birth;
        const double distance = std::hypot(p.birth - sample(i, columns, -1, 2), y - sample(j, rows, 0, 1));
        sum += (power == 0 ? 1 : std::pow(y, power)) * std::exp(-distance * distance / (2 * sigma * sigma));
      }
      row.push_back(sum);
    }
  return row;
}

TEST(Vectorization, ImagesAreWeightedSumsOfGaussians) {
  expect_rows("image:7x5:sigma=0.3", frame, [](Points points) { return surface(points, 7, 5, 0.3, 1); });
  expect_rows("image:7x5:sigma=0.3:power=2", frame,
              [](Points points) { return surface(points, 7, 5, 0.3, 2); });
  expect_rows("image:7x5:sigma=0.3:power=0", frame,
              [](Points points) { return surface(points, 7, 5, 0.3, 0); });
  expect_rows("image:7x5", frame, [](Points points) { return surface(points, 7, 5, 0.5, 1); });  // 3/6 > 1/4
  expect_rows("image:31x3", frame,
              [](Points points) { return surface(points, 31, 3, 0.5, 1); });  // 3/30 < 1/2
}

TEST(Vectorization, HoferTakesLogarithmsBelowNu) {
  const auto definition = [](const Row& centres, double nu, double sigma) {
    return [=](Points points) {
      Row row;
      for (std::size_t i = 0; 2 * i < centres.size(); ++i) {
        double sum = 0;
        for (const auto p : points) {
          double y = p.death - p.birth;
          if (y == 0) continue;
          if (y < nu) y = nu * std::log(y / nu) + nu;
          const double distance = std::hypot(p.birth - centres[2 * i], y - centres[2 * i + 1]);
          sum += std::exp(-distance * distance / (2 * sigma * sigma));
        }
        row.push_back(sum);
      }
      return row;
    };
  };
  for (const auto& [name, nu, sigma] : {std::tuple("hofer:9", 0.1, 1.0),
                                        {"hofer:9:nu=0.4", 0.4, 1.0},
                                        {"hofer:9:nu=0.4:sigma=0.2", 0.4, 0.2}}) {
    const auto centres = parse_vectorization(name).in(frame).parameters[0];
    expect_rows(name, frame, definition(centres, nu, sigma));
  }
}

TEST(Vectorization, HoferCentresFillTheFrameEvenly) {
  const auto centres = parse_vectorization("hofer:400").in(frame).parameters[0];
  int cells[4][4] = {};
  for (std::size_t i = 0; i < 400; ++i) {
    const double u = (centres[2 * i] + 1) / 3;
    const double v = centres[2 * i + 1];
    ASSERT_TRUE(u >= 0 && u < 1 && v >= 0 && v < 1);
    ++cells[static_cast<int>(4 * u)][static_cast<int>(4 * v)];
  }
  for (const auto& row : cells)
    for (const int count : row) EXPECT_NEAR(count, 25, 4);
}

TEST(Vectorization, ProjectionsAreSorted) {
  expect_rows("projections:6x4", frame, [](Points points) {
    Row row;
    for (std::size_t i = 0; i < 6; ++i) {
      const double angle = -std::numbers::pi / 2 + static_cast<double>(i) * std::numbers::pi / 6;
      Row projections;
      for (const auto p : points)
        projections.push_back(p.birth * std::cos(angle) + p.death * std::sin(angle));
      for (std::size_t k = 0; k < 4; ++k) row.push_back(kth_largest(projections, k));
    }
    return row;
  });
}

TEST(Vectorization, BettiCurvesCountBars) {
  expect_rows("betti:41", frame, [](Points points) {
    Row row;
    for (std::size_t i = 0; i < 41; ++i) {
      const double t = sample(i, 41, -1, 3);
      row.push_back(static_cast<double>(
          std::ranges::count_if(points, [&](Point p) { return p.birth <= t && t < p.death; })));
    }
    return row;
  });
}

TEST(Vectorization, EntropyCurvesAddShares) {
  expect_rows("entropy:41", frame, [](Points points) {
    double total = 0;
    for (const auto p : points) total += p.death - p.birth;
    Row row;
    for (std::size_t i = 0; i < 41; ++i) {
      const double t = sample(i, 41, -1, 3);
      double sum = 0;
      for (const auto p : points) {
        const double share = (p.death - p.birth) / total;
        if (p.birth <= t && t < p.death) sum -= share * std::log(share);
      }
      row.push_back(sum);
    }
    return row;
  });
}

TEST(Vectorization, BarsAreHalfOpen) {
  const DiagramBatch one({{0, 2}}, {0, 1});
  EXPECT_EQ(compute(parse_vectorization("betti:5"), Frame::over({-1, 3}), one), (Row{0, 1, 1, 0, 0}));
  EXPECT_EQ(compute(parse_vectorization("entropy:5"), Frame::over({-1, 3}), one), (Row{0, 0, 0, 0, 0}));
}

TEST(Vectorization, DiagramsWithoutExtentAreLegal) {
  const DiagramBatch diagonal({{1, 1}, {1, 1}}, {0, 2});
  for (const auto* name :
       {"landscape:2x3", "silhouette:3", "image:3x3", "hofer:3", "projections:3x2", "betti:3", "entropy:3"}) {
    const auto row = compute(parse_vectorization(name), Frame::fit(diagonal), diagonal);
    EXPECT_TRUE(std::ranges::all_of(row, [](double x) { return std::isfinite(x); })) << name;
  }
}

// ---- names of what comes out

TEST(OutputNames, SayWhereTheNumbersComeFrom) {
  const auto names = [](const char* name) {
    return output_names(parse_vectorization(name).in(Frame::over({0, 1})));
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("landscape:2x2"), (Names{"t0=0/k1", "t0=0/k2", "t1=1/k1", "t1=1/k2"}));
  EXPECT_EQ(names("betti:3"), (Names{"t0=0", "t1=0.5", "t2=1"}));
  EXPECT_EQ(names("image:2x3"),
            (Names{"b0=0/p0=0", "b0=0/p1=0.5", "b0=0/p2=1", "b1=1/p0=0", "b1=1/p1=0.5", "b1=1/p2=1"}));
  EXPECT_EQ(names("projections:2x1"), (Names{"line0/k1", "line1/k1"}));
  FixedChannel mixture;
  mixture.channel.phi = parse_point_transform("mixture:line+triangle:2");
  EXPECT_EQ(output_names(mixture), (Names{"f0", "f1"}));
  mixture.channel.equivariant = {{3, Pool::max}};
  EXPECT_EQ(output_names(mixture), (Names{"f0", "f1", "f2"}));
}

TEST(OutputNames, AreDistinctAndOnePerNumber) {
  for (const auto* name :
       {"landscape:3x20", "silhouette:20", "image:5x4", "hofer:20", "projections:5x3", "entropy:9"}) {
    const auto vectorization = parse_vectorization(name);
    const auto names = output_names(vectorization.in(Frame::over({1, 1 + 1e-12})));
    EXPECT_EQ(names.size(), vectorization.size());
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << name;
  }
}

}  // namespace
}  // namespace perslay::layer
