#include "filtration/graphs.h"
#include "filtration/laplacian_oracle.h"
#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/filtration/heat_spectrum.h>

namespace perslay::filtration {
namespace {

using namespace testing;

const std::vector<double> all_times{0, 1e-3, 0.1, 1, 10, 100, 1000};

TEST(HeatSpectrum, ValuesAndDerivativesAreThoseOfTheDefinition) {
  HeatSpectrum::Buffer buffer;
  for (const auto& [name, graph] : small_graphs()) {
    const LaplacianOracle oracle(graph);
    const HeatSpectrum spectrum(graph);
    ASSERT_EQ(spectrum.vertex_count(), static_cast<std::size_t>(graph.vertex_count()));
    std::vector<double> values(spectrum.vertex_count()), derivatives(values.size());
    for (const double time : all_times) {
      spectrum.compute(time, values, derivatives, buffer);
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        const auto i = static_cast<std::size_t>(v);
        // Of a run of values 1e-11 apart, all get the smallest.
        ASSERT_NEAR(values[i], oracle.heat_kernel(v, time), 1e-11 * graph.vertex_count())
            << name << ' ' << v << ' ' << time;
        ASSERT_NEAR(derivatives[i], oracle.heat_kernel_derivative(v, time), 1e-13)
            << name << ' ' << v << ' ' << time;
      }
    }
  }
}

// What an automorphism exchanges is tied in both, so that the pairing is the same.
TEST(HeatSpectrum, TiesAreThoseOfTheSignature) {
  HeatSpectrum::Buffer buffer;
  for (const auto& [name, graph] : small_graphs()) {
    const HeatSpectrum spectrum(graph);
    std::vector<double> values(spectrum.vertex_count()), unused(values.size());
    for (const double time : {0.1, 1.0, 10.0}) {
      spectrum.compute(time, values, unused, buffer);
      const auto expected = heat_kernel_signature(graph, std::vector{time});
      for (std::size_t i = 0; i < values.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          ASSERT_EQ(values[i] == values[j], expected[i] == expected[j]) << name << ' ' << i << ' ' << j;
    }
  }
}

TEST(HeatSpectrum, OfOneVertexIsThatOfTheGraph) {
  HeatSpectrum::Buffer buffer;
  for (const auto& [name, graph] : small_graphs()) {
    const HeatSpectrum spectrum(graph);
    std::vector<double> values(spectrum.vertex_count()), derivatives(values.size()), value(1), derivative(1);
    for (const double time : all_times) {
      spectrum.compute(time, values, derivatives, buffer);
      for (Vertex v = 0; v < graph.vertex_count(); ++v) {
        const auto alone = spectrum.at(v);
        ASSERT_EQ(alone.vertex_count(), 1U);
        alone.compute(time, value, derivative, buffer);
        const auto i = static_cast<std::size_t>(v);
        ASSERT_NEAR(value[0], values[i], 1e-10) << name << ' ' << v << ' ' << time;  // values are snapped
        ASSERT_EQ(derivative[0], derivatives[i]) << name << ' ' << v << ' ' << time;
      }
    }
  }
}

TEST(HeatSpectrum, TimesThatItDoesNotServeAreRefused) {
  const HeatSpectrum spectrum(data::path_graph(3));
  std::vector<double> values(3), derivatives(3);
  HeatSpectrum::Buffer buffer;
  EXPECT_EQ(test::sentence_of([&] { spectrum.compute(-1, values, derivatives, buffer); }),
            "A heat spectrum serves times from 0 to 1000, not -1.");
}

TEST(HeatSpectrum, ClassesOfTwinsAreCounted) {
  EXPECT_EQ(HeatSpectrum::class_count(star_graph(5)), 2U);
  EXPECT_EQ(HeatSpectrum::class_count(data::complete_graph(5)), 1U);
  EXPECT_EQ(HeatSpectrum::class_count(data::path_graph(5)), 5U);
}

}  // namespace
}  // namespace perslay::filtration
