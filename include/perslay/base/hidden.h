#pragma once

#include <memory>

namespace perslay::base {

/// An object of a type that only one source file knows. A class with such a member can be moved and destroyed where
/// the type is not known.
template <class T>
using Hidden = std::unique_ptr<T, void (*)(T*)>;

template <class T>
[[nodiscard]] Hidden<T> make_hidden() {
  return {std::make_unique<T>().release(), [](T* object) { std::default_delete<T>()(object); }};
}

}  // namespace perslay::base
