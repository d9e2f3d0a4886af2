#include <string>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/filtration/filtration.h>

namespace perslay::filtration {

namespace {

Filtration heat_kernel(const base::Name& name) {
  const auto tilde = name.arguments.find('~');
  const auto time_text = name.arguments.substr(0, tilde);
  Filtration filtration;
  filtration.type = Filtration::Type::heat_kernel;
  constexpr auto wanted_time = "hks needs a time of at least 0, such as hks:10";
  filtration.time = base::parse_number(time_text, wanted_time) + 0.0;  // + 0.0 makes -0 a plain 0
  if (filtration.time < 0) throw base::user_error(fmt::format("{}, not '{}'.", wanted_time, time_text));
  filtration.name = fmt::format("hks:{}", base::shortest(filtration.time));
  if (tilde == std::string_view::npos) return filtration;

  const auto error_text = name.arguments.substr(tilde + 1);
  constexpr auto wanted_error = "hks needs an error between 0 and 1 after '~', such as hks:10~1e-6";
  filtration.tolerance = base::parse_number(error_text, wanted_error);
  if (filtration.tolerance <= 0 || filtration.tolerance >= 1)
    throw base::user_error(fmt::format("{}, not '{}'.", wanted_error, error_text));
  filtration.name += fmt::format("~{}", base::shortest(filtration.tolerance));
  return filtration;
}

base::Registry<Filtration>::Make plain(Filtration::Type type, std::string head) {
  return [type, head = std::move(head)](const base::Name& name) {
    if (name.has_arguments)
      throw base::user_error(fmt::format("{} stands alone, without ':{}'.", head, name.arguments));
    Filtration filtration;
    filtration.type = type;
    filtration.name = head;
    return filtration;
  };
}

Filtration from_file(const base::Name& name) {
  if (name.arguments.empty()) throw base::user_error("file needs a path, as in file:values.txt.");
  Filtration filtration;
  filtration.type = Filtration::Type::file;
  filtration.path = name.arguments;
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
      .add("degree", {"degree", "Number of neighbours."}, plain(Filtration::Type::degree, "degree"))
      .add("closeness", {"closeness", "Closeness centrality (Wasserman and Faust); 0 for isolated vertices."},
           plain(Filtration::Type::closeness, "closeness"))
      .add(
          "clustering",
          {"clustering", "Local clustering coefficient: the fraction of pairs of neighbours that are edges."},
          plain(Filtration::Type::clustering, "clustering"))
      .add("eccentricity", {"eccentricity", "Largest distance to a vertex of the same component."},
           plain(Filtration::Type::eccentricity, "eccentricity"))
      .add("core",
           {"core", "Core number: the largest k such that the vertex is in a subgraph of degrees >= k."},
           plain(Filtration::Type::core, "core"))
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
