#include <string>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>

namespace perslay::filtration {

namespace {

Filtration heat_kernel(base::Arguments& arguments) {
  const auto [time, error] = base::split_once(arguments.text(), "~");
  Filtration filtration;
  filtration.type = Filtration::Type::heat_kernel;
  filtration.time = base::parse_number(time, "hks needs a time of at least 0, such as hks:10", 0);
  filtration.name = fmt::format("hks:{}", base::shortest(filtration.time));
  if (!error) return filtration;

  filtration.tolerance =
      base::parse_number(*error, "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6",
                         base::above_zero, base::below_one);
  filtration.name += fmt::format("~{}", base::shortest(filtration.tolerance));
  return filtration;
}

base::Registry<Filtration>::Make alone(Filtration::Type type) {
  return [type](base::Arguments& arguments) {
    Filtration filtration;
    filtration.type = type;
    filtration.name = arguments.head();
    return filtration;
  };
}

Filtration from_file(base::Arguments& arguments) {
  Filtration filtration;
  filtration.type = Filtration::Type::file;
  filtration.path = arguments.text();
  if (filtration.path.empty()) throw base::user_error("file needs a path, as in file:values.txt.");
  filtration.name = fmt::format("file:{}", filtration.path);
  return filtration;
}

base::Registry<Filtration> make_registry() {
  base::Registry<Filtration> registry("filtration");
  registry
      .add("hks",
           {"hks:T",
            "Heat kernel signature at time T; hks:T~EPS allows an error of EPS, for very large graphs."},
           heat_kernel)
      .add("degree", {"degree", "Number of neighbours."}, alone(Filtration::Type::degree))
      .add("closeness", {"closeness", "Closeness centrality (Wasserman and Faust); 0 for isolated vertices."},
           alone(Filtration::Type::closeness))
      .add(
          "clustering",
          {"clustering", "Local clustering coefficient: the fraction of pairs of neighbours that are edges."},
          alone(Filtration::Type::clustering))
      .add("eccentricity", {"eccentricity", "Largest distance to a vertex of the same component."},
           alone(Filtration::Type::eccentricity))
      .add("core",
           {"core", "Core number: the largest k such that the vertex is in a subgraph of degrees >= k."},
           alone(Filtration::Type::core))
      .add("file", {"file:PATH", "Values from a file, one line per vertex."}, from_file);
  return registry;
}

}  // namespace

const base::Registry<Filtration>& filtrations() {
  static const base::Registry<Filtration> registry = make_registry();
  return registry;
}

Filtration parse_filtration(std::string_view name) { return filtrations().make(name); }

}  // namespace perslay::filtration
