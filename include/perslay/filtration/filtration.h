#pragma once

#include <string>
#include <string_view>

#include <perslay/base/registry.h>

namespace perslay::filtration {

/// A vertex function chosen by name.
struct Filtration {
  enum class Type { heat_kernel, degree, closeness, clustering, eccentricity, core, file };

  Type type = Type::degree;
  std::string name;      ///< As users write it, in canonical form: "hks:10", "degree", "file:values.txt".
  double time = 0;       ///< heat_kernel: the diffusion parameter t.
  double tolerance = 0;  ///< heat_kernel: 0 for exact values, otherwise the error allowed (`hks:10~1e-6`).
  std::string path;      ///< file: one value per line, one line per vertex.
};

/// The names of all filtrations, with their help.
[[nodiscard]] const base::Registry<Filtration>& filtrations();

/// filtrations().make(name).
[[nodiscard]] Filtration parse_filtration(std::string_view name);

}  // namespace perslay::filtration
