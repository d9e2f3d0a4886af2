#pragma once

#include <filesystem>
#include <vector>

namespace perslay::cli {

/// Throws if writing `output`, a file or a folder of results, could replace or remove an input: if it is an input,
/// if it lies in an input that is a folder (even if it is new: it might be read as data the next time), or if an
/// input lies in it. Links are followed. Inputs that do not exist do not count.
void refuse_overwriting(const std::vector<std::filesystem::path>& inputs,
                        const std::filesystem::path& output);

}  // namespace perslay::cli
