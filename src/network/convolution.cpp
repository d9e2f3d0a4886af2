#include <perslay/network/convolution.h>

namespace perslay::network {

template <class Row>
void Convolution::each_row(Row&& row) const {
  for (std::size_t filter = 0; filter < filters; ++filter)
    for (std::size_t plane = 0; plane < planes; ++plane)
      for (std::size_t dy = 0; dy < size; ++dy)
        for (std::size_t dx = 0; dx < size; ++dx) {
          const auto tap = ((filter * planes + plane) * size + dy) * size + dx;
          for (std::size_t y = 0; y < map_rows(); ++y)
            row(tap, (filter * map_rows() + y) * map_columns(), ((y + dy) * columns + dx) * planes + plane);
        }
}

template <class T>
void Convolution::apply(std::span<const T> weights, std::span<const T> image, std::span<T> maps) const {
  each_row([&](std::size_t tap, std::size_t map, std::size_t place) {
    const T weight = weights[tap];
    for (std::size_t x = 0; x < map_columns(); ++x) maps[map + x] += weight * image[place + x * planes];
  });
}

template <class T>
void Convolution::transpose(std::span<const T> weights, std::span<const T> maps, std::span<T> image) const {
  each_row([&](std::size_t tap, std::size_t map, std::size_t place) {
    const T weight = weights[tap];
    for (std::size_t x = 0; x < map_columns(); ++x) image[place + x * planes] += weight * maps[map + x];
  });
}

template <class T>
void Convolution::correlate(std::span<const T> maps, std::span<const T> image, std::span<T> weights) const {
  each_row([&](std::size_t tap, std::size_t map, std::size_t place) {
    T sum = 0;
    for (std::size_t x = 0; x < map_columns(); ++x) sum += maps[map + x] * image[place + x * planes];
    weights[tap] += sum;
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
