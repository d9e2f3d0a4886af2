#pragma once

#include <cstddef>
#include <span>

namespace perslay::network {

/// Filters over an image [rows][columns][planes] give the maps [filter][rows + 1 - height()][columns + 1 - size];
/// `weights` is [filter][plane][height()][size], and there is no padding. The maps are linear in image and weights,
/// so the functions below also compute derivatives. By BLAS, on windows of the image side by side.
struct Convolution {
  std::size_t rows = 0, columns = 0, planes = 1;
  std::size_t filters = 0, size = 0;

  /// Of a filter: 1 if the image is a row, else its size.
  [[nodiscard]] std::size_t height() const noexcept { return rows == 1 ? 1 : size; }
  [[nodiscard]] std::size_t image_size() const noexcept { return rows * columns * planes; }
  [[nodiscard]] std::size_t map_rows() const noexcept { return rows + 1 - height(); }
  [[nodiscard]] std::size_t map_columns() const noexcept { return columns + 1 - size; }
  /// The numbers of one filter's map.
  [[nodiscard]] std::size_t map_size() const noexcept { return map_rows() * map_columns(); }
  [[nodiscard]] std::size_t maps_size() const noexcept { return filters * map_size(); }

  /// maps += the image under the filters.
  template <class T>
  void apply(std::span<const T> weights, std::span<const T> image, std::span<T> maps) const;

  /// image += the transpose of apply(): turns a linear form of the maps into a linear form of the image.
  template <class T>
  void transpose(std::span<const T> weights, std::span<const T> maps, std::span<T> image) const;

  /// weights += the derivatives of <maps, apply(weights, image)> by the weights.
  template <class T>
  void correlate(std::span<const T> maps, std::span<const T> image, std::span<T> weights) const;

 private:
  [[nodiscard]] std::size_t window() const noexcept { return planes * height() * size; }

  /// Some rows of the maps.
  struct Block {
    std::size_t first, rows, columns;

    [[nodiscard]] std::size_t begin() const noexcept { return first * columns; }
    [[nodiscard]] std::size_t places() const noexcept { return rows * columns; }
  };
  /// Calls use(block, memory for its windows) for blocks that are small enough to stay in the cache.
  template <class T, class Use>
  void each_block(Use&& use) const;
  /// Calls row(begin in windows, begin in the image) for the rows of all windows.
  template <class Row>
  void each_row(const Block& block, Row&& row) const;
  template <class T>
  void cut(const Block& block, std::span<const T> image, T* windows) const;
};

}  // namespace perslay::network
