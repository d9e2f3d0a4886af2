#include "filtration/graphs.h"
#include "nn/finite_differences.h"
#include "sentence.h"

#include <gtest/gtest.h>

#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/nn/extended_persistence.h>
#include <perslay/nn/heat_kernel.h>

namespace perslay::nn {
namespace {

using filtration::testing::small_graphs;
using torch::Tensor;

GraphBatch graphs_of_all_kinds(bool spectra = true) {
  GraphBatch batch;
  for (auto& named : small_graphs()) batch.graphs.push_back(named.graph);
  if (spectra) batch.spectra = network::heat_spectra(batch.graphs);
  return batch;
}

Tensor in_float64(std::vector<double> numbers) { return torch::tensor(numbers, torch::kFloat64); }

TEST(HeatKernel, ValuesAreThoseOfTheSignature) {
  const std::vector times{0.1, 1.0, 10.0, 500.0};
  for (const bool spectra : {true, false}) {
    const auto batch = graphs_of_all_kinds(spectra);
    const auto signatures = heat_kernel_signature(in_float64(times), batch, 2);
    const auto offsets = batch.vertex_offsets();
    for (std::size_t g = 0; g < batch.size(); ++g) {
      const auto expected = filtration::heat_kernel_signature(batch.graphs[g], times);
      const auto own = signatures.narrow(1, offsets[g], offsets[g + 1] - offsets[g]).contiguous();
      for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(own.data_ptr<double>()[i], expected[i], 2e-11) << g;
    }
  }
}

// hks, and a loss of its diagrams, as functions of log t. The pairing is that of the graphs' symmetries,
// which do not depend on t; where values cross between t - h and t + h there would be a kink.
TEST(HeatKernel, GradientsInLogTimeAreThoseOfFiniteDifferences) {
  for (const bool spectra : {true, false}) {
    const auto batch = graphs_of_all_kinds(spectra);
    const auto of_values = [&](const Tensor& log_times) {
      const auto signatures = heat_kernel_signature(log_times.exp(), batch);
      return (signatures.square() * torch::linspace(1, 2, signatures.size(1), torch::kFloat64)).sum();
    };
    EXPECT_LT(test::gradient_error(of_values, in_float64({0.2, 1.0, 9.0}).log(), 1e-4), 1e-7);
    const auto of_diagrams = [&](const Tensor& log_times) {
      const auto signatures = heat_kernel_signature(log_times.exp(), batch);
      auto sum = torch::zeros({}, torch::kFloat64);
      for (std::int64_t i = 0; i < signatures.size(0); ++i)
        for (const auto& diagrams : extended_persistence(signatures[i], batch.graphs))
          sum = sum + static_cast<double>(i + 1) * test::smooth_sum(diagrams.diagrams);
      return sum;
    };
    EXPECT_LT(test::gradient_error(of_diagrams, in_float64({0.2, 1.0, 9.0}).log(), 1e-6), 1e-5);
  }
}

TEST(HeatKernel, TheModuleMovesTheLogarithm) {
  const auto batch = graphs_of_all_kinds();
  HeatKernel module(std::vector{0.5, 20.0}, 3);
  EXPECT_EQ(module->times(), (std::vector{0.5, 20.0}));
  module->forward(batch).square().sum().backward();
  const auto times = in_float64({0.5, 20.0}).requires_grad_();
  heat_kernel_signature(times, batch).square().sum().backward();
  const auto expected = (times.grad() * times * 3).to(torch::kFloat32);  // t' = 3 t
  EXPECT_TRUE(torch::allclose(module->named_parameters()["shift"].grad(), expected, 1e-5));
  torch::NoGradGuard constant;
  module->named_parameters()["shift"].fill_(0.5);
  EXPECT_NEAR(module->times()[0], 0.5 * std::exp(1.5), 1e-6);
  module->named_parameters()["shift"].fill_(100);
  EXPECT_EQ(module->times()[1], filtration::HeatSpectrum::longest_time);
  module->named_parameters()["shift"].fill_(-1000);  // so short a time is 0, and harmless
  EXPECT_TRUE(
      torch::equal(module->forward(batch), torch::ones({2, batch.vertex_offsets().back()}, torch::kFloat64)));
}

// Diagrams determine t, and gradients lead to it.
TEST(HeatKernel, ATimeIsFoundAgainFromItsDiagrams) {
  GraphBatch batch;
  for (std::uint64_t i = 0; i < 20; ++i) {
    base::RandomStream random(5, i);
    batch.graphs.push_back(data::ring_with_chords(20, random));
  }
  batch.spectra = network::heat_spectra(batch.graphs);
  const auto summary = [&](const Tensor& signatures) {
    std::vector<Tensor> numbers;
    for (const auto& diagrams : extended_persistence(signatures[0], batch.graphs)) {
      // Of persistence, which is 0 where points of ord0 and rel1 come and go.
      const auto& points = diagrams.diagrams.points();
      const auto persistence = points.select(1, 1) - points.select(1, 0);
      numbers.push_back(torch::stack({persistence.sum(), persistence.square().sum()}));
    }
    return torch::cat(numbers);
  };
  const auto wanted = summary(heat_kernel_signature(in_float64({3}), batch));
  for (const double start : {0.5, 15.0}) {
    HeatKernel module(std::vector{start});
    torch::optim::Adam adam(module->parameters(), torch::optim::AdamOptions(0.05));
    for (int step = 0; step < 200; ++step) {
      adam.zero_grad();
      (summary(module->forward(batch)) / wanted - 1).square().sum().backward();
      adam.step();
    }
    EXPECT_NEAR(module->times()[0], 3, 0.01) << start;
  }
}

TEST(HeatKernel, ThreadsChangeNothing) {
  const auto batch = graphs_of_all_kinds();
  const auto times = in_float64({0.3, 3});
  EXPECT_TRUE(torch::equal(heat_kernel_signature(times, batch, 1), heat_kernel_signature(times, batch, 3)));
}

TEST(HeatKernel, MistakesAreSentences) {
  const auto batch = graphs_of_all_kinds();
  EXPECT_EQ(test::sentence_of([&] { static_cast<void>(heat_kernel_signature(torch::ones({1}), batch)); }),
            "The heat kernel signature needs a list of times in float64, on the CPU.");
  EXPECT_EQ(test::sentence_of([] { HeatKernel(std::vector{0.0}); }),
            "A time that is trained starts above 0 and at most at 1000, not at 0.");
  const auto times = in_float64({1}).requires_grad_();
  // Also where the gradient that comes in is constant, and zeros would come out of the second derivative.
  for (const bool squared : {true, false}) {
    const auto slope = [&] {
      const auto signature = heat_kernel_signature(times, batch);
      return torch::autograd::grad({(squared ? signature.square() : signature).sum()}, {times}, {}, {},
                                   true)[0];
    };
    EXPECT_EQ(test::sentence_of([&] { static_cast<void>(slope()); }),
              "The heat kernel signature has no second derivatives in t; leave create_graph out.");
  }
}

}  // namespace
}  // namespace perslay::nn
