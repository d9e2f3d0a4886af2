#pragma once

#include <filesystem>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/experiment/reproduce.h>

namespace perslay::experiment {

/// Draws the paper's figures from what the table "figures" gave: SVG files beside the table, and all of them
/// on one page, figures.html. Returns the files, the page first. Figures whose jobs were left out are left
/// out.
std::vector<std::filesystem::path> draw_figures(const std::vector<Outcome>& outcomes,
                                                const ReproduceOptions& options,
                                                const base::Context& context = {});

}  // namespace perslay::experiment
