#include <cstdint>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/nn/extended_persistence.h>

namespace perslay::nn {

std::vector<VertexDiagrams> extended_persistence(const torch::Tensor& values,
                                                 std::span<const data::Graph> graphs,
                                                 const ExtendedPersistenceOptions& options, int threads) {
  std::int64_t vertices = 0;
  for (const auto& graph : graphs) vertices += graph.vertex_count();
  if (values.dim() != 1 || values.size(0) != vertices || !values.is_floating_point() || !values.is_cpu())
    throw base::user_error(fmt::format(
        "Extended persistence needs one floating number for each of {} vertices, on the CPU.", vertices));
  const auto numbers = values.detach().to(torch::kFloat64).contiguous();
  base::Context context;
  context.threads = threads;
  std::vector<VertexDiagrams> result;
  for (const auto& [offsets, pairs] :
       persistence::vertex_diagrams({numbers.data_ptr<double>(), static_cast<std::size_t>(numbers.numel())},
                                    graphs, options, context)) {
    const auto chosen = torch::empty({static_cast<std::int64_t>(pairs.size()), 2}, torch::kInt64);
    auto* place = chosen.data_ptr<std::int64_t>();
    for (const auto& [birth, death] : pairs) {
      *place++ = birth;
      *place++ = death;
    }
    result.push_back({RaggedBatch(values.index_select(0, chosen.view(-1)).view({-1, 2}),
                                  torch::tensor(offsets, torch::kInt64)),
                      chosen});
  }
  return result;
}

}  // namespace perslay::nn
