#pragma once

#include <string_view>

namespace perslay::learn {

/// Where a name of the settings stands.
enum class NamePlace { phi, op, filtration };

/// Settings of earlier versions could name networks on points, attention, several operations at once and
/// learned vertex functions. These live on in the Python package, and whoever names one is told so: the
/// user's error.
void refuse_moved(NamePlace place, std::string_view name);

}  // namespace perslay::learn
