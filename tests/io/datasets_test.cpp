#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>

#include <perslay/io/graph_dataset.h>

namespace perslay::test {
namespace {

/// The eleven datasets of the paper, counted without self loops. Averages are rounded once, to three digits:
/// NCI1 has 122747 / 4110 = 29.86545 nodes and PROTEINS (81044 - 43471 + 1200) / 1113 = 34.83648 independent
/// cycles, which become 29.866 and 34.837 only if they are rounded to four digits first.
struct Row {
  const char* archive;
  std::size_t graphs;
  std::size_t classes;
  double nodes;
  double edges;
  double beta0;
  double beta1;
  std::size_t node_label_values;
  std::int64_t self_loops;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.archive; }

class Datasets : public ::testing::TestWithParam<Row> {};

TEST_P(Datasets, HaveTheCountsOfTheTable) {
  const char* const folder = std::getenv("PERSLAY_DATASETS");
  if (folder == nullptr)
    GTEST_SKIP() << "The environment variable PERSLAY_DATASETS does not name the folder of datasets.";
  const Row& row = GetParam();
  const auto dataset = io::read_graph_dataset(std::filesystem::path(folder) / row.archive);
  const auto summary = data::summarize(dataset);
  constexpr double printed = 0.0005 + 1e-9;
  EXPECT_EQ(dataset.name, std::string(row.archive).substr(0, std::string(row.archive).find('.')));
  EXPECT_EQ(summary.graphs, row.graphs);
  EXPECT_EQ(summary.classes, row.classes);
  EXPECT_NEAR(summary.average_nodes, row.nodes, printed);
  EXPECT_NEAR(summary.average_edges, row.edges, printed);
  EXPECT_NEAR(summary.average_beta0, row.beta0, printed);
  EXPECT_NEAR(summary.average_beta1, row.beta1, printed);
  EXPECT_EQ(summary.node_label_values, row.node_label_values);
  EXPECT_EQ(dataset.cleaning.self_loops_dropped, row.self_loops);
  EXPECT_EQ(dataset.cleaning.duplicate_edges_merged, 0);
  EXPECT_TRUE(dataset.notes.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, Datasets,
    ::testing::Values(Row{"MUTAG.zip", 188, 2, 17.931, 19.793, 1.000, 2.862, 7, 0},
                      Row{"COX2.zip", 467, 2, 41.225, 43.445, 1.000, 3.221, 8, 0},
                      Row{"DHFR.zip", 756, 2, 42.427, 44.545, 1.000, 3.118, 9, 0},
                      Row{"PROTEINS.zip", 1113, 2, 39.058, 72.816, 1.078, 34.836, 3, 0},
                      Row{"NCI1.zip", 4110, 2, 29.865, 32.300, 1.187, 3.622, 37, 0},
                      Row{"NCI109.zip", 4127, 2, 29.681, 32.131, 1.195, 3.645, 38, 0},
                      Row{"IMDB-BINARY.zip", 1000, 2, 19.773, 96.531, 1.000, 77.758, 0, 0},
                      Row{"IMDB-MULTI.zip", 1500, 3, 13.001, 65.935, 1.000, 53.934, 0, 0},
                      Row{"COLLAB.tar.xz", 5000, 3, 74.495, 2457.216, 1.000, 2383.721, 0, 2837},
                      Row{"REDDIT-MULTI-5K.tar.xz", 4999, 5, 508.516, 594.875, 3.717, 90.076, 0, 0},
                      Row{"REDDIT-MULTI-12K.tar.xz", 11929, 11, 391.409, 456.890, 2.811, 68.292, 0, 0}),
    [](const auto& row) {
      std::string name = row.param.archive;
      name = name.substr(0, name.find('.'));
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace perslay::test
