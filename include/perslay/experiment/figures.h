#pragma once

#include <filesystem>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/experiment/reproduce.h>

namespace perslay::experiment {

/// Draws the paper's figures from the outcomes of the table "figures": SVG files beside the table, and all of
/// them on one page, figures.html. Returns the files, the page first. Skips figures without outcomes.
std::vector<std::filesystem::path> draw_figures(const std::vector<Outcome>& outcomes,
                                                const ReproduceOptions& options,
                                                const base::Context& context = {});

}  // namespace perslay::experiment
