#include "point_transform_table.h"

#include <optional>

#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::layer {
namespace {

using Type = PointTransform::Type;

// ---- mixtures

std::vector<std::string_view> split_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::optional<std::string_view> rest = text; rest;) {
    const auto [part, others] = base::split_once(*rest, "+");
    parts.push_back(part);
    rest = others;
  }
  return parts;
}

/// `gaussian:sigma=0.1` with size 25 is `gaussian:25:sigma=0.1`.
PointTransform parse_part(std::string_view text, std::size_t size) {
  if (base::Arguments(text).has_first()) return parse_point_transform(text);
  const auto name = base::split_name(text);
  return parse_point_transform(
      fmt::format("{}:{}{}{}", name.head, size, name.has_arguments ? ":" : "", name.arguments));
}

PointTransform mixture(base::Arguments& arguments) {
  const auto texts = split_parts(arguments.text());
  if (texts.size() < 2)
    throw base::user_error(
        fmt::format("mixture needs two parts or more such as mixture:triangle+gaussian+line:25, not '{}'.",
                    arguments.text()));
  for (const auto text : texts)
    if (base::split_name(text).head == arguments.head())
      throw base::user_error("mixture cannot have another mixture among its parts.");

  const auto last = parse_point_transform(texts.back());
  PointTransform phi{.type = Type::mixture};
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

std::string head_and_options(const PointTransform& phi, std::string_view size) {
  const auto& entry = entry_of(phi.type);
  std::string text = fmt::format("{}{}", entry.head, size);
  for (const auto& option : entry.options) text += option.write(phi);
  return text;
}

/// Grids name their own size; other parts take that of the last.
std::string mixture_name(const std::vector<PointTransform>& parts) {
  std::string text = "mixture:";
  for (std::size_t i = 0; i + 1 < parts.size(); ++i)
    text += (parts[i].type == Type::gaussian_grid ? parts[i].name() : head_and_options(parts[i], "")) + '+';
  return text + parts.back().name();
}

std::vector<ParameterShape> mixture_parameters(const std::vector<PointTransform>& parts) {
  std::vector<ParameterShape> shapes{{"logits", {static_cast<std::int64_t>(parts.size())}}};
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (auto& shape : parts[i].parameters())
      shapes.push_back({fmt::format("{}.{}", i, shape.name), std::move(shape.shape)});
  return shapes;
}

// ---- names

PointTransform read(const PhiEntry& entry, base::Arguments& arguments) {
  PointTransform phi{.type = entry.type};
  entry.read_size(arguments, phi);
  for (const auto& option : entry_of(phi.type).options) option.read(arguments, phi);
  return phi;
}

const base::Registry<PointTransform>& point_transforms() {
  static const auto registry = [] {
    base::Registry<PointTransform> made("point transformation");
    for (const auto& entry : point_transform_table())
      if (entry.read_size)
        made.add(std::string(entry.head), entry.help,
                 [&entry](base::Arguments& arguments) { return read(entry, arguments); });
    return made.add(
        "mixture",
        {"mixture:A+B+...:N", "A trainable convex combination of transformations of the same size."},
        mixture);
  }();
  return registry;
}

}  // namespace

std::size_t PointTransform::size() const {
  if (type == Type::mixture) return parts.empty() ? 0 : parts.front().size();
  return type == Type::gaussian_grid ? count * rows : count;
}

std::vector<ParameterShape> PointTransform::parameters() const {
  if (type == Type::mixture) return mixture_parameters(parts);
  std::vector<ParameterShape> shapes;
  for (const auto& array : entry_of(type).arrays)
    shapes.push_back({std::string(array.name), array.shape(*this)});
  return shapes;
}

std::string PointTransform::name() const {
  if (type == Type::mixture) return mixture_name(parts);
  const auto size =
      type == Type::gaussian_grid ? fmt::format(":{}x{}", count, rows) : fmt::format(":{}", count);
  return head_and_options(*this, size);
}

PointTransform parse_point_transform(std::string_view name) { return point_transforms().make(name); }

std::span<const base::NameHelp> point_transform_help() { return point_transforms().help(); }

}  // namespace perslay::layer
