// How fast a TU dataset is read: bench_read_dataset PATH
#include "io/tu_dataset.h"

#include <cstdio>
#include <ctime>

#include <fmt/format.h>

namespace {

/// Processor time of this process, which other work on the machine disturbs less than the time on the wall.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void run(const char* path) {
  using namespace perslay;
  double start = seconds();
  io::TuTexts texts = io::load_tu_texts(path);
  const double loading = seconds() - start;

  std::size_t bytes = texts.edges.content.size() + texts.indicator.content.size();
  if (texts.labels) bytes += texts.labels->content.size();
  if (texts.node_labels) bytes += texts.node_labels->content.size();
  if (texts.node_attributes) bytes += texts.node_attributes->content.size();
  const double megabytes = static_cast<double>(bytes) * 1e-6;

  start = seconds();
  const data::GraphDataset dataset = io::parse_tu_dataset(std::move(texts));
  const double parsing = seconds() - start;
  fmt::print("{}: {} graphs, {} vertices, {:.1f} MB of text\n", dataset.name, dataset.size(),
             dataset.vertex_offsets.back(), megabytes);
  fmt::print("loading and decompressing   {:.3f} s  {:7.0f} MB/s\n", loading, megabytes / loading);
  fmt::print("parsing and building graphs {:.3f} s  {:7.0f} MB/s\n", parsing, megabytes / parsing);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "Usage: {} DATASET\n", argv[0]);
    return 2;
  }
  try {
    run(argv[1]);
  } catch (const perslay::base::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return error.fault() == perslay::base::Fault::user ? 2 : 1;
  }
}
