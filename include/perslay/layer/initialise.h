#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <perslay/layer/channel.h>

namespace perslay::layer {

/// Where training starts.
///
/// `ours`, for diagrams scaled to the unit square: samples and grids evenly spaced over [0, 1], both ends
/// included; free centres uniform in the unit square; Gaussian widths one spacing of the grid (the wider of
/// its two axes; 1/sqrt(size) for free centres), at least 0.05; `rational`: sharpness 1/width, exponent 2;
/// `rational-hat`: radius twice the width, so that it is 0 at one width; steepness 50; lines in the
/// directions -pi/2 + i pi/size, evenly spread over the half circle, bias 0; mixtures with equal shares;
/// equivariant lambda and gamma uniform in +-1/sqrt(input), bias 0; weights all 1 (`gmix`: centres uniform,
/// width 0.25, amplitudes 1/k).
///
/// `authors` starts as the experiments of the paper do: grids evenly spaced over [-0.001, 1.001], Gaussians of
/// sharpness 3 (sigma 0.236); lines, equivariant layers and their biases uniform in [0, 1); weights all 1.
/// Where the authors say nothing, it is `ours`.
///
/// A sigma in the name of the transformation wins over both.
enum class Initialisation { ours, authors };

/// "ours" or "authors".
[[nodiscard]] Initialisation parse_initialisation(std::string_view name);

/// One array per parameter of the channel, in their order. The same seed gives the same values.
[[nodiscard]] std::vector<std::vector<double>> initial_parameters(const Channel& channel,
                                                                  Initialisation initialisation,
                                                                  std::uint64_t seed);

}  // namespace perslay::layer
