#include "fold_function.h"

namespace perslay::nn {
namespace {

using torch::Tensor;
using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The loops of the fold and of its derivatives: for each hidden unit, filter and tap of the filter, `row`
/// gets the places of a row of the filtered map and of the image under the tap.
struct Loops {
  std::int64_t units, filters, size;
  ImageShape image;

  [[nodiscard]] std::int64_t map_rows() const { return image.rows + 1 - size; }
  [[nodiscard]] std::int64_t map_columns() const { return image.columns + 1 - size; }

  template <class Row>
  void each_row(Row&& row) const {
    for (std::int64_t unit = 0; unit < units; ++unit)
      for (std::int64_t filter = 0; filter < filters; ++filter)
        for (std::int64_t plane = 0; plane < image.planes; ++plane)
          for (std::int64_t dy = 0; dy < size; ++dy)
            for (std::int64_t dx = 0; dx < size; ++dx) {
              const auto tap = ((filter * image.planes + plane) * size + dy) * size + dx;
              for (std::int64_t y = 0; y < map_rows(); ++y)
                row(tap, ((unit * filters + filter) * map_rows() + y) * map_columns(),
                    ((unit * image.rows + y + dy) * image.columns + dx) * image.planes + plane);
            }
  }
};

template <class T>
void fold(const Loops& loops, const Tensor& dense, const Tensor& filters, const Tensor& folded) {
  const T* const d = dense.data_ptr<T>();
  const T* const k = filters.data_ptr<T>();
  T* const f = folded.data_ptr<T>();
  const auto columns = loops.map_columns(), step = loops.image.planes;
  loops.each_row([&](std::int64_t tap, std::int64_t map, std::int64_t image) {
    const T factor = k[tap];
    for (std::int64_t x = 0; x < columns; ++x) f[image + x * step] += factor * d[map + x];
  });
}

template <class T>
void differentiate(const Loops& loops, const Tensor& dense, const Tensor& filters, const Tensor& gradient,
                   const Tensor& dense_gradient, const Tensor& filters_gradient) {
  const T* const d = dense.data_ptr<T>();
  const T* const k = filters.data_ptr<T>();
  const T* const g = gradient.data_ptr<T>();
  T* const dg = dense_gradient.data_ptr<T>();
  T* const kg = filters_gradient.data_ptr<T>();
  const auto columns = loops.map_columns(), step = loops.image.planes;
  loops.each_row([&](std::int64_t tap, std::int64_t map, std::int64_t image) {
    const T factor = k[tap];
    T sum = 0;
    for (std::int64_t x = 0; x < columns; ++x) {
      dg[map + x] += factor * g[image + x * step];
      sum += d[map + x] * g[image + x * step];
    }
    kg[tap] += sum;
  });
}

Loops loops_of(const Tensor& dense, const Tensor& filters, const ImageShape& image) {
  return {dense.size(0), filters.size(0), filters.size(2), image};
}

class FoldFunction : public torch::autograd::Function<FoldFunction> {
 public:
  static Tensor forward(AutogradContext* ctx, const Tensor& dense_in, const Tensor& filters_in,
                        std::int64_t rows, std::int64_t columns) {
    const auto dense = dense_in.contiguous(), filters = filters_in.contiguous();
    const ImageShape image{rows, columns, filters.size(1)};
    const auto folded = torch::zeros({dense.size(0), rows * columns * image.planes}, dense.options());
    const auto loops = loops_of(dense, filters, image);
    if (dense.scalar_type() == torch::kFloat32)
      fold<float>(loops, dense, filters, folded);
    else
      fold<double>(loops, dense, filters, folded);
    ctx->save_for_backward({dense, filters});
    ctx->saved_data["rows"] = rows;
    ctx->saved_data["columns"] = columns;
    return folded;
  }

  static variable_list backward(AutogradContext* ctx, const variable_list& gradients) {
    const auto saved = ctx->get_saved_variables();
    const auto gradient = gradients[0].contiguous();
    const auto loops =
        loops_of(saved[0], saved[1],
                 {ctx->saved_data["rows"].toInt(), ctx->saved_data["columns"].toInt(), saved[1].size(1)});
    const auto dense = torch::zeros_like(saved[0]), filters = torch::zeros_like(saved[1]);
    if (gradient.scalar_type() == torch::kFloat32)
      differentiate<float>(loops, saved[0], saved[1], gradient, dense, filters);
    else
      differentiate<double>(loops, saved[0], saved[1], gradient, dense, filters);
    return {dense, filters, {}, {}};
  }
};

}  // namespace

FoldedDense fold_convolution(const Tensor& dense, const Tensor& filters, const Tensor& bias,
                             const ImageShape& image) {
  const auto per_filter = dense.view({dense.size(0), filters.size(0), -1}).sum(2);
  return {FoldFunction::apply(dense, filters, image.rows, image.columns), torch::mv(per_filter, bias)};
}

}  // namespace perslay::nn
