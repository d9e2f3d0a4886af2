#pragma once

#include <perslay/learn/learner.h>

namespace perslay::cli {

/// What the program and the module that holds networks know of one another.
inline constexpr auto network_module_file = "perslay-network.so";
inline constexpr auto network_module_version = "perslay_network_version";
inline constexpr auto network_module_make = "perslay_network_learner";
inline constexpr auto network_module_remove = "perslay_network_remove_unfinished_files";

using NetworkModuleVersion = const char* (*)();
using MakeNetworkLearner = learn::Learner* (*)(const learn::Settings& settings);

}  // namespace perslay::cli
