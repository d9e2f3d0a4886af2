#include <string>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>
#include <perslay/filtration/vertex_functions.h>

namespace perslay::filtration {
namespace {

Filtration heat_kernel(base::Arguments& arguments) {
  const auto [time, error] = base::split_once(arguments.text(), "~");
  HeatKernel kernel;
  kernel.time = base::parse_number(time, "hks needs a time of at least 0, such as hks:10", 0);
  auto name = fmt::format("hks:{}", base::shortest(kernel.time));
  if (error) {
    kernel.tolerance =
        base::parse_number(*error, "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6",
                           base::above_zero, base::below_one);
    name += fmt::format("~{}", base::shortest(kernel.tolerance));
  }
  return {.name = std::move(name), .heat_kernel = kernel};
}

Filtration from_file(base::Arguments& arguments) {
  const std::string path(arguments.text());
  if (path.empty()) throw base::user_error("file needs a path, as in file:values.txt.");
  return {.name = fmt::format("file:{}", path), .path = path};
}

base::Registry<Filtration> make_registry() {
  base::Registry<Filtration> registry("filtration");
  registry.add(
      "hks",
      {"hks:T", "Heat kernel signature at time T; hks:T~EPS allows an error of EPS, for very large graphs."},
      heat_kernel);
  for (const auto& function : vertex_functions())
    registry.add(std::string(function.name), {std::string(function.name), std::string(function.help)},
                 [&function](base::Arguments&) {
                   return Filtration{.name = std::string(function.name), .compute = function.compute};
                 });
  registry.add("file", {"file:PATH", "Values from a file, one line per vertex."}, from_file);
  return registry;
}

}  // namespace

const base::Registry<Filtration>& filtrations() {
  static const base::Registry<Filtration> registry = make_registry();
  return registry;
}

Filtration parse_filtration(std::string_view name) { return filtrations().make(name); }

}  // namespace perslay::filtration
