#include "product.h"

#include <vector>

#include <perslay/network/convolution.h>

namespace perslay::network {
namespace {

/// Room for the windows of one image, which the thread keeps.
template <class T>
std::span<T> windows_of(std::size_t size) {
  thread_local std::vector<T> memory;
  if (memory.size() < size) memory.resize(size);
  return std::span(memory).first(size);
}

}  // namespace

template <class Row>
void Convolution::each_row(Row&& row) const {
  std::size_t place = 0;
  for (std::size_t plane = 0; plane < planes; ++plane)
    for (std::size_t dy = 0; dy < size; ++dy)
      for (std::size_t dx = 0; dx < size; ++dx)
        for (std::size_t y = 0; y < map_rows(); ++y, place += map_columns())
          row(place, ((y + dy) * columns + dx) * planes + plane);
}

// Windows: row w of the matrix [window][map] is the image under tap w of every filter.

template <class T>
void Convolution::apply(std::span<const T> weights, std::span<const T> image, std::span<T> maps) const {
  const auto windows = windows_of<T>(window() * map_size());
  each_row([&](std::size_t place, std::size_t begin) {
    for (std::size_t x = 0; x < map_columns(); ++x) windows[place + x] = image[begin + x * planes];
  });
  Product{CblasNoTrans, CblasNoTrans, filters, map_size(), window(), window(), map_size()}(
      weights.data(), windows.data(), T{1}, maps.data());
}

template <class T>
void Convolution::transpose(std::span<const T> weights, std::span<const T> maps, std::span<T> image) const {
  const auto windows = windows_of<T>(window() * map_size());
  Product{CblasTrans, CblasNoTrans, window(), map_size(), filters, window(), map_size()}(
      weights.data(), maps.data(), T{0}, windows.data());
  each_row([&](std::size_t place, std::size_t begin) {
    for (std::size_t x = 0; x < map_columns(); ++x) image[begin + x * planes] += windows[place + x];
  });
}

template <class T>
void Convolution::correlate(std::span<const T> maps, std::span<const T> image, std::span<T> weights) const {
  const auto windows = windows_of<T>(window() * map_size());
  each_row([&](std::size_t place, std::size_t begin) {
    for (std::size_t x = 0; x < map_columns(); ++x) windows[place + x] = image[begin + x * planes];
  });
  Product{CblasNoTrans, CblasTrans, filters, window(), map_size(), map_size(), map_size()}(
      maps.data(), windows.data(), T{1}, weights.data());
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
