#include "filtration/graphs.h"
#include "nn/finite_differences.h"

#include <gtest/gtest.h>

#include <perslay/nn/extended_persistence.h>
#include <perslay/nn/vertex_network.h>

namespace perslay::nn {
namespace {

using filtration::testing::petersen_graph;
using filtration::testing::random_permutation;
using filtration::testing::relabel;
using torch::Tensor;

GraphBatch labelled_graphs() {
  GraphBatch batch;
  for (std::uint64_t i = 0; i < 10; ++i) {
    base::RandomStream random(3, i);
    batch.graphs.push_back(data::random_graph(12, 0.2, random));
    for (int v = 0; v < 12; ++v) batch.node_labels.push_back(static_cast<int>(random.below(3)));
  }
  batch.graphs.emplace_back();
  batch.graphs.push_back(data::Graph::from_edges(2, {}));
  batch.node_labels.insert(batch.node_labels.end(), {-1, 1000});
  return batch;
}

TEST(VertexNetwork, ValuesFillTheUnitInterval) {
  const auto batch = labelled_graphs();
  VertexNetwork network(std::vector<std::size_t>{8, 8}, 1);
  const auto values = network->forward(batch);
  EXPECT_EQ(values.numel(), batch.vertex_offsets().back());
  EXPECT_GT(values.min().item<double>(), 0);
  EXPECT_LT(values.max().item<double>(), 1);
  EXPECT_LT(values.min().item<double>(), 0.2);
  EXPECT_GT(values.max().item<double>(), 0.8);
}

TEST(VertexNetwork, GradientsThroughDiagramsAreThoseOfFiniteDifferences) {
  const auto batch = labelled_graphs();
  VertexNetwork network(std::vector<std::size_t>{6, 5}, 2);
  const auto loss = [&] {
    auto sum = torch::zeros({}, torch::kFloat64);
    for (const auto& diagrams :
         extended_persistence(network->forward(batch), batch.graphs, {.resolution = 0x1p-30}))
      sum = sum + test::smooth_sum(diagrams.diagrams);
    return sum;
  };
  loss().backward();
  const torch::NoGradGuard constant;
  std::size_t checked = 0, kinks = 0;
  for (const auto& parameter : network->named_parameters())
    for (std::int64_t i = 0; i < std::min<std::int64_t>(parameter.value().numel(), 12); ++i) {
      auto entry = parameter.value().view(-1)[i];
      const double ours = parameter.value().grad().view(-1)[i].item<double>();
      const float start = entry.item<float>();
      const auto slope = [&](float step) {
        entry.fill_(start + step);
        const double high = loss().item<double>(), right = entry.item<double>();
        entry.fill_(start - step);
        const double low = loss().item<double>(), left = entry.item<double>();
        entry.fill_(start);
        return (high - low) / (right - left);
      };
      const double wide = slope(0x1p-12F), narrow = slope(0x1p-14F);
      if (std::abs(wide - narrow) > 1e-3 * (1 + std::abs(narrow))) {  // a kink in between
        ++kinks;
        continue;
      }
      EXPECT_NEAR(ours, narrow, 1e-3 * (1 + std::abs(narrow))) << parameter.key() << ' ' << i;
      ++checked;
    }
  EXPECT_GT(checked, 60U);
  EXPECT_LT(kinks, checked / 5);
}

TEST(VertexNetwork, NumbersOfVerticesHaveNoMeaning) {
  auto batch = labelled_graphs();
  VertexNetwork network(std::vector<std::size_t>{8, 8}, 1);
  const auto values = network->forward(batch);
  const auto offsets = batch.vertex_offsets();
  base::RandomStream random(1);
  auto moved = batch;
  auto expected = values.clone();
  for (std::size_t g = 0; g < batch.size(); ++g) {
    const auto permutation = random_permutation(batch.graphs[g].vertex_count(), random);
    moved.graphs[g] = relabel(batch.graphs[g], permutation);
    for (std::size_t v = 0; v < permutation.size(); ++v) {
      const auto from = offsets[g] + static_cast<std::int64_t>(v), to = offsets[g] + permutation[v];
      moved.node_labels[static_cast<std::size_t>(to)] = batch.node_labels[static_cast<std::size_t>(from)];
      expected[to] = values[from];
    }
  }
  EXPECT_TRUE(torch::allclose(network->forward(moved), expected, 0, 1e-12));
}

TEST(VertexNetwork, OnlyLabelsTellVerticesOfASymmetricGraphApart) {
  GraphBatch batch{{petersen_graph(), data::path_graph(3)}};
  VertexNetwork network(std::vector<std::size_t>{8}, 4);
  network->eval();
  const auto plain = network->forward(batch).narrow(0, 0, 10);
  EXPECT_LT((plain - plain[0]).abs().max().item<double>(), 1e-13);
  batch.node_labels.assign(13, 0);
  batch.node_labels[0] = 1;
  const auto labelled = network->forward(batch).narrow(0, 0, 10);
  EXPECT_GT((labelled[0] - labelled[7]).abs().item<double>(), 1e-3);  // 1, 4 and 5 are neighbours of 0
  EXPECT_LT((labelled[1] - labelled[5]).abs().item<double>(), 1e-13);
}

TEST(VertexNetwork, EvaluationNormalisesByWhatItWasFittedTo) {
  const auto batch = labelled_graphs();
  VertexNetwork network(std::vector<std::size_t>{8, 8}, 1);
  const auto trained = network->forward(batch);
  network->fit(batch);
  network->eval();
  EXPECT_TRUE(torch::allclose(network->forward(batch), trained, 1e-5, 1e-6));
  // A graph's values do not depend on the others any more.
  const GraphBatch first{{batch.graphs[0]}, {}, {batch.node_labels.begin(), batch.node_labels.begin() + 12}};
  EXPECT_TRUE(torch::allclose(network->forward(first), network->forward(batch).narrow(0, 0, 12), 0, 1e-12));
}

}  // namespace
}  // namespace perslay::nn
