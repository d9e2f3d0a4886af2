#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/layer/channel.h>

namespace perslay::layer {
namespace {

void append(std::vector<ParameterShape>& shapes, const std::string& prefix,
            std::vector<ParameterShape> more) {
  for (auto& shape : more)
    shapes.push_back({fmt::format("{}.{}", prefix, shape.name), std::move(shape.shape)});
}

// ---- the paper's short forms

constexpr std::string_view image_form = "Im(p,(a,b),q,op) such as Im(20,(10,2),10,sum) or Im(20,(),20)";
constexpr std::string_view equivariant_form = "Pm(d1,d2,q,op) such as Pm(25,25,10,top-5)";

std::string_view trimmed(std::string_view text) {
  constexpr auto blanks = " \t";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// A short form that is being read.
struct ShortForm {
  std::string_view text;
  std::string_view form;

  [[noreturn]] void fail(std::string_view reason) const {
    throw base::user_error(fmt::format("'{}' {}; the form is {}.", text, reason, form));
  }

  [[nodiscard]] std::size_t number(std::string_view digits, std::string_view what) const {
    try {
      return base::parse_size(digits, what);
    } catch (const base::Error&) {
      fail(fmt::format("has '{}' for {}, which needs a whole number from 1 to {}", digits, what,
                       base::largest_size));
    }
  }

  /// The text between the outer parentheses of `part`, split at the commas outside of inner ones.
  [[nodiscard]] std::vector<std::string_view> arguments(std::string_view part) const {
    const auto open = part.find('(');
    if (open == std::string_view::npos || !part.ends_with(')')) fail("lacks its parentheses");
    std::string_view rest = part.substr(open + 1, part.size() - open - 2);
    std::vector<std::string_view> pieces;
    if (trimmed(rest).empty()) return pieces;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= rest.size(); ++i) {
      if (i < rest.size() && rest[i] == '(') ++depth;
      if (i < rest.size() && rest[i] == ')' && --depth < 0) fail("has a parenthesis too many");
      if (i < rest.size() && (rest[i] != ',' || depth > 0)) continue;
      pieces.push_back(trimmed(rest.substr(begin, i - begin)));
      begin = i + 1;
    }
    if (depth > 0) fail("has a parenthesis that is not closed");
    return pieces;
  }

  [[nodiscard]] Weight weight(std::string_view size) const {
    if (size == "0" || size == "none") return {};
    const auto cells = number(size, "the weight grid");
    return parse_weight(fmt::format("grid:{0}x{0}", cells));
  }

  [[nodiscard]] std::optional<Convolution> convolution(std::string_view part, std::size_t side) const {
    if (!part.starts_with('(')) fail(fmt::format("has '{}' for the convolution", part));
    const auto pair = arguments(part);
    if (pair.empty()) return std::nullopt;
    if (pair.size() != 2) fail(fmt::format("has {} numbers for the convolution", pair.size()));
    const Convolution convolution{number(pair[0], "the filters"), number(pair[1], "their size")};
    if (convolution.size > side)
      fail(fmt::format("has filters of {0}x{0} for an image of {1}x{1}", convolution.size, side));
    return convolution;
  }
};

PaperChannel read(const ShortForm& form, bool is_image) {
  const auto parts = form.arguments(form.text);
  if (parts.size() != 3 && parts.size() != 4) form.fail(fmt::format("has {} arguments", parts.size()));
  PaperChannel result;
  auto& [channel, convolution] = result;
  if (is_image) {
    const std::size_t side = form.number(parts[0], "the grid of Gaussians") + 1;
    channel.phi = parse_point_transform(fmt::format("gaussian:{0}x{0}", side));
    convolution = form.convolution(parts[1], side);
  } else {
    channel.phi = {.type = PointTransform::Type::line, .count = form.number(parts[0], "the lines")};
    channel.equivariant = {{form.number(parts[1], "the equivariant layer"), Pool::max}};
  }
  channel.weight = form.weight(parts[2]);
  if (parts.size() == 4) channel.op = parse_operation(parts[3]);
  return result;
}

}  // namespace

Image image_of(const Channel& channel) {
  const auto& phi = channel.phi;
  if (channel.equivariant.empty() && phi.type == PointTransform::Type::gaussian_grid)
    return {phi.count, phi.rows};
  return {1, channel.features()};
}

std::string Convolution::name() const { return fmt::format("{}x{}", filters, size); }

std::size_t Convolution::places(const Image& image) const {
  return (image.rows == 1 ? 1 : image.rows + 1 - size) * (image.columns + 1 - size);
}

Convolution parse_convolution(std::string_view name) {
  const auto [filters, size] =
      base::parse_grid(name, "A convolution needs filters and their size such as 10x2");
  return {filters, size};
}

void require_room(const Convolution& convolution, const Channel& channel) {
  const auto [rows, columns] = image_of(channel);
  const auto size = convolution.size;
  if (size > columns || (rows > 1 && size > rows))
    throw base::user_error(fmt::format("The filters of {} have {}x{} numbers, but the image of {} has {}x{}.",
                                       convolution.name(), rows == 1 ? 1 : size, size, channel.phi.name(),
                                       rows, columns));
}

std::vector<ParameterShape> Channel::parameters() const {
  std::vector<ParameterShape> shapes;
  append(shapes, "phi", phi.parameters());
  std::size_t input = phi.size();
  for (std::size_t i = 0; i < equivariant.size(); ++i) {
    append(shapes, fmt::format("equivariant.{}", i), equivariant[i].parameters(input));
    input = equivariant[i].size;
  }
  append(shapes, "weight", weight.parameters());
  return shapes;
}

std::string Channel::name() const {
  std::string text = fmt::format("phi={}", phi.name());
  for (const auto& stage : equivariant) text += fmt::format(", equivariant={}", stage.name());
  return text + fmt::format(", weight={}, op={}", weight.name(), op.name());
}

PaperChannel parse_paper_channel(std::string_view text) {
  const auto whole = trimmed(text), head = trimmed(whole.substr(0, whole.find('(')));
  if (whole.find('(') == std::string_view::npos || (head != "Im" && head != "Pm"))
    throw base::user_error(fmt::format("'{}' is none of the paper's short forms: {}, and {}.", text,
                                       image_form, equivariant_form));
  const bool is_image = head == "Im";
  return read({whole, is_image ? image_form : equivariant_form}, is_image);
}

}  // namespace perslay::layer
