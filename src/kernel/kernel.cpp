#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/kernel/kernel.h>

namespace perslay::kernel {
namespace {

using Kind = Kernel::Kind;
using base::parse_number;
using base::shortest;

constexpr std::size_t largest_count = 1'000'000;

/// The square of a smaller one has no inverse.
constexpr double smallest_outer = 1e-150;

/// The fields of a name after its head: a first one without a key, which may be missing, and `key=value`.
class Fields {
 public:
  explicit Fields(const base::Name& name) : head_(name.head) {
    std::string_view rest = name.arguments;
    for (bool first = true, more = name.has_arguments; more; first = false) {
      const auto colon = rest.find(':');
      more = colon != std::string_view::npos;
      const auto field = rest.substr(0, colon);
      if (more) rest.remove_prefix(colon + 1);
      const auto equals = field.find('=');
      if (equals == std::string_view::npos && !first)
        throw base::user_error(fmt::format(
            "{} does not know what to do with '{}'; parameters are written key=value.", head_, field));
      fields_.emplace_back(equals == std::string_view::npos ? "" : field.substr(0, equals),
                           equals == std::string_view::npos ? field : field.substr(equals + 1));
    }
  }

  /// The text of a field; "" is the key of the first.
  [[nodiscard]] std::optional<std::string_view> take(std::string_view key) {
    const auto found = std::ranges::find(fields_, key, [](const auto& field) { return field.first; });
    if (found == fields_.end()) return std::nullopt;
    const auto value = found->second;
    fields_.erase(found);
    return value;
  }

  /// A positive number of at least `least`, 0 if it is missing.
  [[nodiscard]] double take_positive(std::string_view key, std::string_view what, double least = 0) {
    const auto text = take(key);
    if (!text) return 0;
    const auto wanted = fmt::format("{} needs a positive number as {}", head_, what);
    const double number = parse_number(*text, wanted);
    if (number <= 0) throw base::user_error(fmt::format("{}, not '{}'.", wanted, *text));
    if (number < least)
      throw base::user_error(
          fmt::format("{} needs a number of at least {} as {}, not '{}'.", head_, least, what, *text));
    return number;
  }

  /// Refuses what was not taken.
  void finish() const {
    if (!fields_.empty())
      throw base::user_error(
          fmt::format("{} has no parameter '{}', or has it already.", head_,
                      fields_.front().first.empty() ? fields_.front().second : fields_.front().first));
  }

 private:
  std::string_view head_;
  std::vector<std::pair<std::string_view, std::string_view>> fields_;
};

std::size_t parse_count(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc{} || stop != end || count == 0 || count > largest_count)
    throw base::user_error(fmt::format("{}, from 1 to {}, not '{}'.", what, largest_count, text));
  return count;
}

Kernel scale_space(const base::Name& name) {
  Fields fields(name);
  Kernel made{.kind = Kind::scale_space};
  made.sigma = fields.take_positive("", "sigma", smallest_scale_space_sigma);
  fields.finish();
  return made;
}

Kernel weighted(const base::Name& name, Kind kind) {
  Fields fields(name);
  Kernel made{.kind = kind};
  made.sigma = fields.take_positive("", "sigma");
  made.scale = fields.take_positive("c", "c");
  if (const auto text = fields.take("p")) {
    const auto wanted = fmt::format("{} needs a number of at least 0 as p", name.head);
    made.power = parse_number(*text, wanted) + 0.0;
    if (made.power < 0) throw base::user_error(fmt::format("{}, not '{}'.", wanted, *text));
  }
  if (kind == Kind::weighted_gaussian) made.outer = fields.take_positive("tau", "tau", smallest_outer);
  fields.finish();
  return made;
}

Kernel sliced(const base::Name& name) {
  Fields fields(name);
  Kernel made{.kind = Kind::sliced_wasserstein};
  if (const auto text = fields.take(""))
    made.directions = parse_count(*text, "sw needs a number of directions such as sw:10");
  made.outer = fields.take_positive("sigma", "sigma", smallest_outer);
  fields.finish();
  return made;
}

Kernel fisher(const base::Name& name) {
  Fields fields(name);
  Kernel made{.kind = Kind::fisher};
  made.sigma = fields.take_positive("", "sigma");
  made.outer = fields.take_positive("t", "t");
  fields.finish();
  return made;
}

const base::Registry<Kernel>& kernels() {
  static const auto registry = [] {
    base::Registry<Kernel> names("kernel");
    names.add("sw", {"sw[:DIRECTIONS][:sigma=S]", "sliced Wasserstein, 10 directions"}, sliced);
    names.add("pf", {"pf[:SIGMA][:t=T]", "persistence Fisher"}, fisher);
    names.add("pwg", {"pwg[:SIGMA][:c=C][:p=P][:tau=T]", "persistence weighted Gaussian"},
              [](const base::Name& name) { return weighted(name, Kind::weighted_gaussian); });
    names.add("pwg-linear", {"pwg-linear[:SIGMA][:c=C][:p=P]", "the inner product inside pwg"},
              [](const base::Name& name) { return weighted(name, Kind::weighted_linear); });
    names.add("pss", {"pss[:SIGMA]", "persistence scale space"}, scale_space);
    return names;
  }();
  return registry;
}

const base::Registry<Approximation>& approximations() {
  static const auto registry = [] {
    base::Registry<Approximation> names("approximation");
    names.add("rff", {"~rff:FEATURES", "random Fourier features (pss, pwg)"}, [](const base::Name& name) {
      return Approximation{
          .kind = Approximation::Kind::fourier,
          .features = parse_count(name.arguments, "rff needs a number of features such as ~rff:512")};
    });
    names.add("grid", {"~grid:TOLERANCE", "Gaussians on a grid (pss, pwg, pf)"}, [](const base::Name& name) {
      constexpr auto wanted = "grid needs a tolerance from 1e-14 to 0.1 such as ~grid:1e-6";
      const double tolerance = parse_number(name.arguments, wanted);
      if (tolerance < 1e-14 || tolerance > 0.1)
        throw base::user_error(fmt::format("{}, not '{}'.", wanted, name.arguments));
      return Approximation{.kind = Approximation::Kind::grid, .tolerance = tolerance};
    });
    return names;
  }();
  return registry;
}

void check_approximation(const Kernel& kernel, std::string_view name) {
  const auto kind = kernel.approximation.kind;
  const bool served = kind == Approximation::Kind::none ||
                      (kernel.kind != Kind::sliced_wasserstein &&
                       (kind == Approximation::Kind::grid || kernel.kind != Kind::fisher));
  if (!served)
    throw base::user_error(
        fmt::format("There is no such approximation of this kernel: '{}'; ~rff serves pss and pwg, ~grid "
                    "pss, pwg and pf.",
                    name));
}

std::string suffix(const Approximation& approximation) {
  switch (approximation.kind) {
    case Approximation::Kind::fourier:
      return fmt::format("~rff:{}", approximation.features);
    case Approximation::Kind::grid:
      return fmt::format("~grid:{}", shortest(approximation.tolerance));
    case Approximation::Kind::none:
      break;
  }
  return "";
}

std::string first_field(double number) { return number == 0 ? "" : fmt::format(":{}", shortest(number)); }
std::string field(std::string_view key, double number) {
  return number == 0 ? "" : fmt::format(":{}={}", key, shortest(number));
}

std::string exact_name(const Kernel& k) {
  switch (k.kind) {
    case Kind::scale_space:
      return "pss" + first_field(k.sigma);
    case Kind::weighted_linear:
    case Kind::weighted_gaussian:
      return (k.kind == Kind::weighted_linear ? "pwg-linear" : "pwg") + first_field(k.sigma) +
             field("c", k.scale) + (k.power == 5 ? "" : fmt::format(":p={}", shortest(k.power))) +
             field("tau", k.outer);
    case Kind::sliced_wasserstein:
      return fmt::format("sw:{}{}", k.directions, field("sigma", k.outer));
    case Kind::fisher:
      return "pf" + first_field(k.sigma) + field("t", k.outer);
  }
  return "";
}

}  // namespace

bool Kernel::is_fitted() const noexcept {
  switch (kind) {
    case Kind::sliced_wasserstein:
      return true;
    case Kind::weighted_linear:
    case Kind::weighted_gaussian:
      return sigma > 0 && scale > 0;
    case Kind::scale_space:
    case Kind::fisher:
      break;
  }
  return sigma > 0;
}

std::optional<double> Kernel::rate() const noexcept {
  if (!is_distance() || outer == 0) return std::nullopt;
  return kind == Kind::fisher ? outer : 1 / (2 * outer * outer);
}

std::string Kernel::name() const { return exact_name(*this) + suffix(approximation); }

Kernel parse_kernel(std::string_view name) {
  const auto tilde = name.find('~');
  Kernel kernel = kernels().make(name.substr(0, tilde));
  if (tilde != std::string_view::npos) kernel.approximation = approximations().make(name.substr(tilde + 1));
  check_approximation(kernel, name);
  return kernel;
}

std::span<const base::NameHelp> kernel_help() { return kernels().help(); }
std::span<const base::NameHelp> approximation_help() { return approximations().help(); }

}  // namespace perslay::kernel
