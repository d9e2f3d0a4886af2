#pragma once

#include <string_view>

/// Files of this folder, as they are when the library is built.
namespace perslay::report::assets {

[[nodiscard]] std::string_view chart_css();
[[nodiscard]] std::string_view page_css();
[[nodiscard]] std::string_view page_js();

}  // namespace perslay::report::assets
