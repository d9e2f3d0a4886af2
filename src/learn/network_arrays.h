#pragma once

#include <span>
#include <string>
#include <vector>

#include <perslay/io/safetensors.h>
#include <perslay/network/network.h>

namespace perslay::learn {

/// All arrays of a network, for a file, under `prefix` and their names.
[[nodiscard]] std::vector<io::NamedArray> arrays_of(const network::Network<float>& network,
                                                    const std::string& prefix);

/// The other way round: each array of the network takes the numbers of the one called `prefix` and its name.
/// One that is missing, of another shape or of another type is the user's error.
void set_arrays(network::Network<float>& network, const std::string& prefix,
                std::span<const io::NamedArray> arrays);

}  // namespace perslay::learn
