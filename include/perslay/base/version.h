#pragma once

#include <string_view>

namespace perslay::base {

/// The version of the library, such as "0.2.0". Model files, results and checkpoints say which one wrote them.
[[nodiscard]] std::string_view version() noexcept;

}  // namespace perslay::base
