#include "moved_names.h"

#include <array>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>

namespace perslay::learn {
namespace {

struct Moved {
  NamePlace place;
  std::string_view key;      ///< What the place is called in settings.
  std::string_view head;     ///< Of the names that moved.
  std::string_view instead;  ///< What there is.
};

constexpr std::array moved_names{
    Moved{NamePlace::phi, "phi", "mlp", "perslay.torch takes any torch module as phi"},
    Moved{NamePlace::op, "op", "attention", "perslay.torch.PointNetwork has it"},
    Moved{NamePlace::filtration, "filtration", "learned",
          "perslay.torch takes any torch module as the vertex function"}};

/// Several operations were joined by '+', which stands in no other name of one.
bool has_moved(const Moved& moved, std::string_view name) {
  return base::split_name(name).head == moved.head ||
         (moved.place == NamePlace::op && name.find('+') != std::string_view::npos);
}

}  // namespace

void refuse_moved(NamePlace place, std::string_view name) {
  for (const auto& moved : moved_names)
    if (moved.place == place && has_moved(moved, name))
      throw base::user_error(
          fmt::format("{} {} is no longer part of the library; {}, see docs/python/torch.md.", moved.key,
                      name, moved.instead));
}

}  // namespace perslay::learn
