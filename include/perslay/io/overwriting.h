#pragma once

#include <filesystem>
#include <vector>

namespace perslay::io {

/// Throws if writing `output`, a file or a folder of results, could replace or remove an input: if it is an input,
/// if it lies in an input that is a folder (even if it is new: it might be read as data the next time), or if an
/// input lies in it. Links are followed, and files with two names are known by either. A folder of point clouds stands
/// for the files that its labels.csv names, too. Inputs that do not exist do not count.
void refuse_overwriting(const std::vector<std::filesystem::path>& inputs,
                        const std::filesystem::path& output);

}  // namespace perslay::io
