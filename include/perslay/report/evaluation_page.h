#pragma once

#include <filesystem>
#include <string>

#include <perslay/learn/evaluation.h>
#include <perslay/report/page.h>

namespace perslay::report {

struct ReportOptions {
  std::size_t items = learn::sampled_items;  ///< Diagrams of so many items are shown at most, in all.
};

/// A page about what is at `path`: the folder of an evaluation, a folder with evaluations somewhere below it
/// (such as `perslay reproduce` writes), or a model. Anything else is the user's error.
[[nodiscard]] Page report_page(const std::filesystem::path& path, const ReportOptions& options = {});

}  // namespace perslay::report
