#include "product.h"

#include <algorithm>
#include <vector>

#include <perslay/network/convolution.h>

namespace perslay::network {
namespace {

/// Memory for windows, kept by the thread.
template <class T>
std::vector<T>& windows_of(std::size_t size) {
  thread_local std::vector<T> memory;
  if (memory.size() < size) memory.resize(size);
  return memory;
}

/// The numbers of the windows in one block; a block has at least one row of the maps.
constexpr std::size_t at_once = std::size_t{1} << 16;

}  // namespace

// Windows: row w of the matrix [window][place] is the image under tap w of every filter, for the places of
// some rows of the maps.
template <class T, class Use>
void Convolution::each_block(Use&& use) const {
  const std::size_t row = window() * map_columns();
  const std::size_t rows_at_once = std::clamp<std::size_t>(at_once / row, 1, map_rows());
  auto& windows = windows_of<T>(rows_at_once * row);
  for (std::size_t first = 0; first < map_rows(); first += rows_at_once)
    use(Block{first, std::min(rows_at_once, map_rows() - first), map_columns()}, windows.data());
}

template <class Row>
void Convolution::each_row(const Block& block, Row&& row) const {
  std::size_t place = 0;
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::size_t dy = 0; dy < height(); ++dy)
      for (std::size_t dx = 0; dx < size; ++dx)
        for (std::size_t y = 0; y < block.rows; ++y, place += map_columns())
          row(place, ((block.first + y + dy) * columns + dx) * planes + plane);
}

template <class T>
void Convolution::cut(const Block& block, std::span<const T> image, T* windows) const {
  each_row(block, [&](std::size_t place, std::size_t begin) {
    for (std::size_t x = 0; x < map_columns(); ++x) windows[place + x] = image[begin + x * planes];
  });
}

template <class T>
void Convolution::apply(std::span<const T> weights, std::span<const T> image, std::span<T> maps) const {
  each_block<T>([&](const Block& block, T* windows) {
    cut(block, image, windows);
    Product{CblasNoTrans, CblasNoTrans, filters,        block.places(),
            window(),     window(),     block.places(), map_size()}(weights.data(), windows, T{1},
                                                                    maps.data() + block.begin());
  });
}

template <class T>
void Convolution::transpose(std::span<const T> weights, std::span<const T> maps, std::span<T> image) const {
  each_block<T>([&](const Block& block, T* windows) {
    Product{CblasTrans, CblasNoTrans, window(),   block.places(),
            filters,    window(),     map_size(), block.places()}(weights.data(), maps.data() + block.begin(),
                                                                  T{0}, windows);
    each_row(block, [&](std::size_t place, std::size_t begin) {
      for (std::size_t x = 0; x < map_columns(); ++x) image[begin + x * planes] += windows[place + x];
    });
  });
}

template <class T>
void Convolution::correlate(std::span<const T> maps, std::span<const T> image, std::span<T> weights) const {
  each_block<T>([&](const Block& block, T* windows) {
    cut(block, image, windows);
    Product{CblasNoTrans,   CblasTrans, filters,        window(),
            block.places(), map_size(), block.places(), window()}(maps.data() + block.begin(), windows, T{1},
                                                                  weights.data());
  });
}

template void Convolution::apply(std::span<const float>, std::span<const float>, std::span<float>) const;
template void Convolution::apply(std::span<const double>, std::span<const double>, std::span<double>) const;
template void Convolution::transpose(std::span<const float>, std::span<const float>, std::span<float>) const;
template void Convolution::transpose(std::span<const double>, std::span<const double>,
                                     std::span<double>) const;
template void Convolution::correlate(std::span<const float>, std::span<const float>, std::span<float>) const;
template void Convolution::correlate(std::span<const double>, std::span<const double>,
                                     std::span<double>) const;

}  // namespace perslay::network
