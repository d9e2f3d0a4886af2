#pragma once

#include <filesystem>
#include <string>

#include <perslay/learn/evaluation.h>
#include <perslay/report/page.h>

namespace perslay::report {

struct ReportOptions {
  std::size_t items = learn::sampled_items;  ///< The most items to show diagrams of, in all.
};

/// A page about the folder of an evaluation, about a folder with evaluations somewhere below it (such as
/// `perslay reproduce` writes), or about a model. Any other `path` is the user's error.
[[nodiscard]] Page report_page(const std::filesystem::path& path, const ReportOptions& options = {});

}  // namespace perslay::report
