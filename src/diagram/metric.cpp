#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/distance.h>

namespace perslay::diagram {
namespace {

Metric wasserstein_by_name(base::Arguments& arguments) {
  const auto [order, norm] = base::split_once(arguments.text(), ":");
  constexpr auto wanted = "wasserstein needs an order of at least 1, such as wasserstein:2";
  Metric metric;
  if (order == "inf" && norm.value_or("inf") == "inf") return metric;
  if (order == "inf")
    throw base::user_error(
        fmt::format("wasserstein:inf is the bottleneck distance, which has the norm inf, not '{}'.", *norm));
  metric.type = Metric::Type::wasserstein;
  metric.order = base::parse_number(order, wanted, 1);
  if (norm == "2")
    metric.norm = GroundNorm::euclidean;
  else if (norm && norm != "inf")
    throw base::user_error(
        fmt::format("The norm of wasserstein is 2 or inf, as in wasserstein:1:2, not '{}'.", *norm));
  metric.name = fmt::format("wasserstein:{}{}", base::shortest(metric.order),
                            metric.norm == GroundNorm::euclidean ? ":2" : "");
  return metric;
}

base::Registry<Metric> make_registry() {
  base::Registry<Metric> registry("metric");
  registry
      .add("bottleneck", {"bottleneck", "The largest distance of a matched pair, in the norm inf."},
           [](base::Arguments&) { return Metric{}; })
      .add("wasserstein",
           {"wasserstein:S[:2|inf]",
            "d_S: the S-th root of the sum of S-th powers, S >= 1; S = inf is bottleneck; the norm is inf by "
            "default."},
           wasserstein_by_name);
  return registry;
}

}  // namespace

const base::Registry<Metric>& metrics() {
  static const base::Registry<Metric> registry = make_registry();
  return registry;
}

Metric parse_metric(std::string_view name) {
  const auto [exact, error] = base::split_once(name, "~");
  Metric metric = metrics().make(exact);
  if (!error) return metric;

  constexpr auto wanted =
      "A metric needs a relative error between 0 and 1 after '~', such as wasserstein:2~0.01";
  metric.tolerance = base::parse_number(*error, wanted, base::above_zero, base::below_one);
  metric.name += fmt::format("~{}", base::shortest(metric.tolerance));
  return metric;
}

}  // namespace perslay::diagram
