#pragma once

#include <filesystem>
#include <vector>

#include <perslay/base/context.h>
#include <perslay/data/point_cloud.h>

namespace perslay::io {

/// The files that the labels.csv of a folder names, in it or elsewhere; none if there is no labels.csv, or a wrong one.
[[nodiscard]] std::vector<std::filesystem::path> labelled_files(const std::filesystem::path& folder);

/// Reads point clouds in the plane:
///  - a text file (.csv, .txt, ..., also compressed): one cloud, a point per line, two numbers separated by blanks,
///    tabs, a comma or a semicolon. The first line may be a header; with one there may be an index beside x and y.
///    Empty lines and those that start with '#' or '%' are skipped.
///  - an .npy file: an array of shape (points, 2) is one cloud, one of shape (clouds, points, 2) several; of
///    float64, float32 or integers, in C or Fortran order.
///  - a folder of such files (.csv, .txt, .npy; hidden ones are skipped), in the natural order of their names
///    (a2 before a10). If it has a file labels.csv with lines `file,label` (a header is allowed), exactly the
///    clouds named there are read, in that order; classes are sorted, as numbers if all are integers.
///  - a diagram file (.h5, .hdf5) that keeps clouds (see diagram_file.h).
/// Anything wrong is a base::Error (Fault::user) naming the file and the line or row: coordinates that are
/// not finite, points that are not in the plane, rows of different length, clouds without points.
[[nodiscard]] data::PointCloudDataset read_point_clouds(const std::filesystem::path& path,
                                                        const base::Context& context = {});

}  // namespace perslay::io
