#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/kernel/kernel.h>

namespace perslay::kernel {
namespace {

using Type = Kernel::Type;
using base::shortest;

/// The smallest outer bandwidth whose square has an inverse.
constexpr double smallest_outer = 1e-150;

/// The names of a kernel and the bounds of its parameters.
struct Entry {
  Type type;
  std::string_view head, usage, help;
  double smallest_sigma;
  std::string_view outer;  ///< The key of the outer bandwidth; empty without one.
  double smallest_outer;
};

constexpr std::array entries{
    Entry{Type::sliced_wasserstein, "sw", "sw[:DIRECTIONS][:sigma=S]", "sliced Wasserstein, 10 directions", 0,
          "sigma", smallest_outer},
    Entry{Type::fisher, "pf", "pf[:SIGMA][:t=T]", "persistence Fisher", base::above_zero, "t",
          base::above_zero},
    Entry{Type::weighted_gaussian, "pwg", "pwg[:SIGMA][:c=C][:p=P][:tau=T]", "persistence weighted Gaussian",
          base::above_zero, "tau", smallest_outer},
    Entry{Type::weighted_linear, "pwg-linear", "pwg-linear[:SIGMA][:c=C][:p=P]",
          "the inner product inside pwg", base::above_zero, "", 0},
    Entry{Type::scale_space, "pss", "pss[:SIGMA]", "persistence scale space", smallest_scale_space_sigma, "",
          0},
};

Kernel make(const Entry& entry, base::Arguments& arguments) {
  Kernel made{.type = entry.type};
  if (entry.type != Type::sliced_wasserstein)
    made.sigma = arguments.first_number("sigma", entry.smallest_sigma).value_or(0);
  else if (arguments.has_first())
    made.directions = base::parse_size(arguments.first(), "sw needs a number of directions such as sw:10");
  if (made.is_weighted()) {
    made.scale = arguments.take_number("c", base::above_zero).value_or(0);
    made.power = arguments.take_number("p", 0).value_or(made.power);
  }
  if (!entry.outer.empty()) made.outer = arguments.take_number(entry.outer, entry.smallest_outer).value_or(0);
  return made;
}

const base::Registry<Kernel>& kernels() {
  static const auto registry = [] {
    base::Registry<Kernel> names("kernel");
    for (const Entry& entry : entries)
      names.add(std::string(entry.head), {std::string(entry.usage), std::string(entry.help)},
                [&entry](base::Arguments& arguments) { return make(entry, arguments); });
    return names;
  }();
  return registry;
}

double parse_tolerance(std::string_view approximation) {
  base::Arguments arguments(approximation);
  if (arguments.head() != "grid")
    throw base::user_error(fmt::format(
        "There is no approximation called '~{}'; the known one is ~grid:TOLERANCE.", approximation));
  const double tolerance = base::parse_number(
      arguments.first(), "grid needs a tolerance from 1e-14 to 0.1 such as ~grid:1e-6", 1e-14, 0.1);
  arguments.finish();
  return tolerance;
}

}  // namespace

std::optional<double> Kernel::rate() const noexcept {
  if (!is_distance() || outer == 0) return std::nullopt;
  return type == Type::fisher ? outer : 1 / (2 * outer * outer);
}

std::string Kernel::name() const {
  const Entry& entry = *std::ranges::find(entries, type, &Entry::type);
  std::string text(entry.head);
  if (type == Type::sliced_wasserstein) text += fmt::format(":{}", directions);
  if (sigma != 0) text += fmt::format(":{}", shortest(sigma));
  if (scale != 0) text += fmt::format(":c={}", shortest(scale));
  if (power != Kernel{}.power) text += fmt::format(":p={}", shortest(power));
  if (outer != 0) text += fmt::format(":{}={}", entry.outer, shortest(outer));
  if (tolerance != 0) text += fmt::format("~grid:{}", shortest(tolerance));
  return text;
}

Kernel parse_kernel(std::string_view name) {
  const auto [exact, approximation] = base::split_once(name, "~");
  Kernel kernel = kernels().make(exact);
  if (!approximation) return kernel;
  kernel.tolerance = parse_tolerance(*approximation);
  if (kernel.type == Type::sliced_wasserstein)
    throw base::user_error(fmt::format(
        "There are no Gaussians in sw: '~{}' serves pss, pwg, pwg-linear and pf.", *approximation));
  return kernel;
}

std::span<const base::NameHelp> kernel_help() { return kernels().help(); }

}  // namespace perslay::kernel
