#pragma once

#include <optional>
#include <string_view>

namespace perslay::persistence {

/// What becomes of classes that never die: whole components and, in a graph, every loop.
struct EssentialPolicy {
  enum class Action {
    drop,             ///< Leave them out.
    clip_to_extreme,  ///< They die at the function's last value: its maximum going up, its minimum going
                      ///< down.
    clip_to_value,    ///< They die at `value`.
  };
  Action action = Action::drop;
  double value = 0;

  friend bool operator==(const EssentialPolicy&, const EssentialPolicy&) = default;
};

/// The policy that users write as `drop`, `clip` (to the extreme) or `clip:VALUE`, VALUE a finite number.
[[nodiscard]] EssentialPolicy parse_essential(std::string_view text);

/// The same for the one component of a point cloud that never dies: where it dies, or nothing for `drop`. A cloud has
/// no last value, so `clip` needs one, which must be positive.
[[nodiscard]] std::optional<double> parse_essential_death(std::string_view text);

}  // namespace perslay::persistence
