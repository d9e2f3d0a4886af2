#include "name_fields.h"

#include <tuple>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/layer/point_transform.h>

namespace perslay::layer {
namespace {

using Make = base::Registry<PointTransform>::Make;

bool has_width(Family family) {
  return family == Family::gaussian || family == Family::gaussian_grid || family == Family::hofer ||
         family == Family::exponential;
}

bool has_width_per_centre(Family family) { return family == Family::gaussian || family == Family::hofer; }

// ---- from a name

/// The options that this family has.
void take_options(NameFields& fields, PointTransform& phi) {
  if (phi.family == Family::hofer) phi.nu = fields.take_positive("nu").value_or(phi.nu);
  if (phi.family == Family::rational_hat)
    if (const auto norm = fields.take("norm")) {
      if (norm != "1" && norm != "2")
        throw base::user_error(fmt::format("rational-hat needs the norm 1 or 2, not '{}'.", *norm));
      phi.norm = norm == "1" ? 1 : 2;
    }
  if (has_width(phi.family)) phi.sigma = fields.take_positive("sigma").value_or(0);
  if (has_width_per_centre(phi.family))
    if (const auto widths = fields.take("widths")) {
      if (widths != "each" && widths != "shared")
        throw base::user_error(
            fmt::format("Gaussians have widths=shared or widths=each, not '{}'.", *widths));
      phi.shared_width = widths == "shared";
    }
  fields.finish();
}

/// A family whose size is a plain number of `things`.
Make sized(Family family, std::string_view things) {
  return [family, things](const base::Name& name) {
    NameFields fields(name);
    PointTransform phi;
    phi.family = family;
    phi.count =
        parse_size(fields.size(), fmt::format("{0} needs a number of {1} such as {0}:50", name.head, things));
    take_options(fields, phi);
    return phi;
  };
}

PointTransform gaussian(const base::Name& name) {
  NameFields fields(name);
  PointTransform phi;
  if (fields.size().find('x') == std::string_view::npos) {
    phi.family = Family::gaussian;
    phi.count =
        parse_size(fields.size(),
                   "gaussian needs a number of centres such as gaussian:50 or a grid such as gaussian:20x20");
  } else {
    phi.family = Family::gaussian_grid;
    std::tie(phi.count, phi.rows) = parse_grid(fields.size(), "gaussian needs a grid such as gaussian:20x20");
  }
  take_options(fields, phi);
  return phi;
}

// ---- mixtures

std::vector<std::string_view> split_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto plus = text.find('+');
    parts.push_back(text.substr(0, plus));
    if (plus == std::string_view::npos) return parts;
    text.remove_prefix(plus + 1);
  }
}

/// `gaussian:sigma=0.1` with size 25 is `gaussian:25:sigma=0.1`.
PointTransform parse_part(std::string_view text, std::size_t size) {
  const auto name = base::split_name(text);
  const auto first = name.arguments.substr(0, name.arguments.find(':'));
  if (name.has_arguments && first.find('=') == std::string_view::npos) return parse_point_transform(text);
  const auto options = name.has_arguments ? fmt::format(":{}", name.arguments) : std::string();
  return parse_point_transform(fmt::format("{}:{}{}", name.head, size, options));
}

PointTransform mixture(const base::Name& name) {
  const auto texts = split_parts(name.arguments);
  if (texts.size() < 2)
    throw base::user_error(
        fmt::format("mixture needs two parts or more such as mixture:triangle+gaussian+line:25, not '{}'.",
                    name.arguments));
  for (const auto text : texts)
    if (base::split_name(text).head == name.head)
      throw base::user_error("mixture cannot have another mixture among its parts.");

  const auto last = parse_point_transform(texts.back());
  PointTransform phi;
  phi.family = Family::mixture;
  for (const auto text : texts) {
    phi.parts.push_back(parse_part(text, last.size()));
    const auto& part = phi.parts.back();
    const auto& first = phi.parts.front();
    if (part.size() != first.size())
      throw base::user_error(
          fmt::format("The parts of a mixture need the same size, but {} has {} and {} has {}.", first.name(),
                      first.size(), part.name(), part.size()));
  }
  return phi;
}

// ---- the table of names

base::Registry<PointTransform> make_registry() {
  base::Registry<PointTransform> registry("point transformation");
  registry
      .add("gaussian",
           {"gaussian:NxM[:sigma=S]",
            "Gaussians at a grid over (birth, persistence); gaussian:N[:widths=each] at N "
            "free centres, with a width each or one for all."},
           gaussian)
      .add("triangle", {"triangle:N", "The tent of the bar at N samples, as in landscapes."},
           sized(Family::triangle, "samples"))
      .add("line", {"line:N", "Affine functions of (birth, death)."}, sized(Family::line, "lines"))
      .add("hofer",
           {"hofer:N[:nu=V][:sigma=S]", "Gaussians whose persistence is a logarithm below nu (0.1)."},
           sized(Family::hofer, "centres"))
      .add("betti", {"betti:N", "Whether the bar holds the sample: the Betti curve at N samples."},
           sized(Family::betti, "samples"))
      .add("flat", {"flat:N", "The Betti curve with soft ends of trainable steepness."},
           sized(Family::flat, "samples"))
      .add("entropy",
           {"entropy:N", "The bar's share of the entropy of the diagram, where it holds the sample."},
           sized(Family::entropy, "samples"))
      .add("flat-entropy", {"flat-entropy:N", "The entropy curve with soft ends of trainable steepness."},
           sized(Family::flat_entropy, "samples"))
      .add("exponential", {"exponential:N[:sigma=S]", "Gaussians with a width per axis."},
           sized(Family::exponential, "centres"))
      .add("rational", {"rational:N", "Inverse powers of 1 + weighted distance to a centre."},
           sized(Family::rational, "centres"))
      .add("rational-hat", {"rational-hat:N[:norm=2]", "Rational hats around centres, in the 1- or 2-norm."},
           sized(Family::rational_hat, "centres"))
      .add("mixture",
           {"mixture:A+B+...:N", "A trainable convex combination of transformations of the same size."},
           mixture);
  return registry;
}

const base::Registry<PointTransform>& point_transforms() {
  static const base::Registry<PointTransform> registry = make_registry();
  return registry;
}

// ---- to a name

std::string_view head_of(Family family) {
  switch (family) {
    case Family::given:
      return "given";
    case Family::triangle:
      return "triangle";
    case Family::betti:
      return "betti";
    case Family::flat:
      return "flat";
    case Family::entropy:
      return "entropy";
    case Family::flat_entropy:
      return "flat-entropy";
    case Family::gaussian:
    case Family::gaussian_grid:
      return "gaussian";
    case Family::hofer:
      return "hofer";
    case Family::exponential:
      return "exponential";
    case Family::rational:
      return "rational";
    case Family::rational_hat:
      return "rational-hat";
    case Family::line:
      return "line";
    case Family::mixture:
      break;
  }
  return "mixture";
}

std::string options_text(const PointTransform& phi) {
  const PointTransform defaults;
  std::string text;
  if (phi.nu != defaults.nu) text += fmt::format(":nu={}", base::shortest(phi.nu));
  if (phi.norm != defaults.norm) text += fmt::format(":norm={}", phi.norm);
  if (phi.sigma != 0) text += fmt::format(":sigma={}", base::shortest(phi.sigma));
  if (!phi.shared_width) text += ":widths=each";
  return text;
}

/// Grids name their own size; other parts take that of the last.
std::string mixture_name(const std::vector<PointTransform>& parts) {
  std::string text = "mixture:";
  for (const auto& part : parts) {
    const bool last = &part == &parts.back();
    if (last || part.family == Family::gaussian_grid)
      text += part.name();
    else
      text += fmt::format("{}{}", head_of(part.family), options_text(part));
    if (!last) text += '+';
  }
  return text;
}

// ---- trainable arrays

std::vector<ParameterShape> mixture_parameters(const std::vector<PointTransform>& parts) {
  std::vector<ParameterShape> shapes{{"logits", {static_cast<std::int64_t>(parts.size())}}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (auto& shape : parts[i].parameters())
      shapes.push_back({fmt::format("{}.{}", i, shape.name), std::move(shape.shape)});
  return shapes;
}

}  // namespace

std::size_t PointTransform::size() const {
  if (family == Family::gaussian_grid) return count * rows;
  if (family == Family::mixture) return parts.empty() ? 0 : parts.front().size();
  return count;
}

std::vector<ParameterShape> PointTransform::parameters() const {
  const auto n = static_cast<std::int64_t>(count);
  switch (family) {
    case Family::given:
      return {};
    case Family::triangle:
    case Family::betti:
    case Family::entropy:
      return {{"samples", {n}}};
    case Family::flat:
    case Family::flat_entropy:
      return {{"samples", {n}}, {"steepness", {1}}};
    case Family::gaussian:
    case Family::hofer:
      return {{"centres", {n, 2}}, {"sharpness", {shared_width ? 1 : n}}};
    case Family::gaussian_grid:
      return {{"births", {n}}, {"persistences", {static_cast<std::int64_t>(rows)}}, {"sharpness", {1}}};
    case Family::exponential:
      return {{"centres", {n, 2}}, {"sharpness", {n, 2}}};
    case Family::rational:
      return {{"centres", {n, 2}}, {"sharpness", {n, 2}}, {"exponent", {n}}};
    case Family::rational_hat:
      return {{"centres", {n, 2}}, {"radius", {n}}};
    case Family::line:
      return {{"directions", {n, 2}}, {"bias", {n}}};
    case Family::mixture:
      break;
  }
  return mixture_parameters(parts);
}

std::string PointTransform::name() const {
  if (family == Family::mixture) return mixture_name(parts);
  if (family == Family::gaussian_grid)
    return fmt::format("gaussian:{}x{}{}", count, rows, options_text(*this));
  return fmt::format("{}:{}{}", head_of(family), count, options_text(*this));
}

PointTransform parse_point_transform(std::string_view name) { return point_transforms().make(name); }

std::span<const base::NameHelp> point_transform_help() { return point_transforms().help(); }

}  // namespace perslay::layer
