#pragma once

#include <cstddef>
#include <filesystem>

#include <perslay/learn/evaluation.h>
#include <perslay/report/html.h>

namespace perslay::report {

/// A page about the folder of an evaluation, about a folder with evaluations somewhere below it (such as
/// `perslay reproduce` writes), or about a model. Any other `path` is the user's error. It shows diagrams of at
/// most `items` items, in all.
[[nodiscard]] Page report_page(const std::filesystem::path& path, std::size_t items = learn::sampled_items);

}  // namespace perslay::report
