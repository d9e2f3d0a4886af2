#pragma once

#include "npy.h"

#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

namespace perslay::io {

/// An array in NumPy's format: numbers as npy.h reads them, truth values, or texts. Arrays of Python objects are
/// refused: they are pickled, and pickles can run code. The bytes belong to the Text that was given.
class NpyArray {
 public:
  enum class Type { real, integer, boolean, text };

  explicit NpyArray(const Text& file);
  explicit NpyArray(Text&&) = delete;

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] Type type() const noexcept { return type_; }
  /// As the file writes the type: "<f8".
  [[nodiscard]] const std::string& type_text() const noexcept { return header_.type; }
  [[nodiscard]] const std::vector<std::size_t>& shape() const noexcept { return header_.shape; }
  /// How many elements.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

  /// The element at these indices, one for each axis and in range. Texts have none.
  template <class... Indices>
  [[nodiscard]] double operator()(Indices... indices) const {
    return number(place({static_cast<std::size_t>(indices)...}));
  }
  /// An element by its place in the file.
  [[nodiscard]] double number(std::size_t place) const {
    return element_.real(data_ + place * element_.bytes);
  }
  /// An element as text, by its place in the file. Numbers have their shortest form, real ones with a point or an
  /// exponent.
  [[nodiscard]] std::string text(std::size_t place) const;

 private:
  /// In Fortran order the first index runs fastest.
  [[nodiscard]] std::size_t place(std::initializer_list<std::size_t> indices) const;
  /// The bytes of a character if these are texts, else 0.
  [[nodiscard]] std::size_t character_bytes() const;
  [[nodiscard]] std::string characters(const char* from) const;

  const std::string& file_;
  NpyHeader header_;
  NpyElement element_{};
  Type type_ = Type::real;
  std::size_t size_ = 0;
  const char* data_ = nullptr;
};

}  // namespace perslay::io
