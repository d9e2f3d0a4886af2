#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

namespace perslay::test {

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);

/// All fuzz targets by name: the build lists the files of the folder `targets`.
[[nodiscard]] const std::map<std::string, FuzzTarget>& fuzz_targets();

}  // namespace perslay::test
