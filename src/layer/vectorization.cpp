#include "start.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include <fmt/format.h>

#include <perslay/layer/vectorization.h>

namespace perslay::layer {
namespace {

using Type = Vectorization::Type;
using Array = std::vector<double>;

// ---- their layers

Array samples(std::size_t count, Range range) { return evenly(count, range.low, range.high); }

/// The number itself if it is positive. Without any extent, 1 is as good as any other width.
double positive_or_one(double width) { return width > 0 ? width : 1; }

/// Multiplies every point by y^power; `power` measures distances to the diagonal, y/sqrt(2).
void weigh_by_persistence(FixedChannel& fixed, double power) {
  if (power == 0) return;
  fixed.channel.weight = {.type = Weight::Type::power, .exponent = power};
  fixed.parameters.push_back({std::pow(2, power / 2)});
}

/// Curves: some function of (b, d) at samples.
template <PointTransform::Type type>
FixedChannel curve(const Vectorization& made, const Frame& frame) {
  FixedChannel fixed;
  fixed.channel.phi = {.type = type, .count = made.count};
  fixed.parameters = {samples(made.count, frame.values)};
  return fixed;
}

FixedChannel landscape(const Vectorization& made, const Frame& frame) {
  auto fixed = curve<PointTransform::Type::triangle>(made, frame);
  fixed.channel.op = {Operation::Type::topk, made.ranks};
  return fixed;
}

FixedChannel silhouette(const Vectorization& made, const Frame& frame) {
  auto fixed = curve<PointTransform::Type::triangle>(made, frame);
  weigh_by_persistence(fixed, made.power);
  return fixed;
}

FixedChannel image(const Vectorization& made, const Frame& frame) {
  const double gap =
      std::max(spacing(made.count, frame.births.length()), spacing(made.rows, frame.persistences.length()));
  const double sigma = made.sigma > 0 ? made.sigma : positive_or_one(gap);
  FixedChannel fixed;
  fixed.channel.phi = {.type = PointTransform::Type::gaussian_grid, .count = made.count, .rows = made.rows};
  fixed.parameters = {
      samples(made.count, frame.births), samples(made.rows, frame.persistences), {sharpness_of(sigma)}};
  weigh_by_persistence(fixed, made.power);
  return fixed;
}

/// The sequence frac(1/2 + i/g), frac(1/2 + i/g^2) for the plastic number g, g^3 = g + 1, fills the unit
/// square evenly however many of its points are taken (Roberts 2018).
Array spread_centres(std::size_t count, const Frame& frame) {
  constexpr double plastic = 1.32471795724474602596;
  const auto fraction = [](double x) { return x - std::floor(x); };
  Array centres;
  for (std::size_t i = 1; i <= count; ++i) {
    const auto step = static_cast<double>(i);
    centres.push_back(std::lerp(frame.births.low, frame.births.high, fraction(0.5 + step / plastic)));
    centres.push_back(std::lerp(frame.persistences.low, frame.persistences.high,
                                fraction(0.5 + step / (plastic * plastic))));
  }
  return centres;
}

FixedChannel hofer(const Vectorization& made, const Frame& frame) {
  const double side = positive_or_one(std::max(frame.births.length(), frame.persistences.length()));
  const double sigma = made.sigma > 0 ? made.sigma : side / std::sqrt(static_cast<double>(made.count));
  FixedChannel fixed;
  fixed.channel.phi = {.type = PointTransform::Type::hofer, .count = made.count};
  fixed.channel.phi.nu = made.nu > 0 ? made.nu : positive_or_one(frame.persistences.high) / 10;
  fixed.parameters = {spread_centres(made.count, frame), {sharpness_of(sigma)}};
  return fixed;
}

FixedChannel projections(const Vectorization& made, const Frame&) {
  FixedChannel fixed;
  fixed.channel.phi = {.type = PointTransform::Type::line, .count = made.count};
  fixed.channel.op = {Operation::Type::topk, made.ranks};
  fixed.parameters = {half_circle(made.count), Array(made.count, 0)};
  return fixed;
}

// ---- their names

/// The numbers before the options of a name: `N`, `KxN`, and for images also `N` for `NxN`.
struct Sizes {
  std::string_view wanted;
  std::size_t Vectorization::*first = &Vectorization::count;
  std::size_t Vectorization::*second = nullptr;
  bool square = false;
};

/// A number after `key=`, at least `low`.
struct Option {
  std::string_view key;
  double Vectorization::*value;
  double low;
};
constexpr Option power{"power", &Vectorization::power, 0};
constexpr Option sigma{"sigma", &Vectorization::sigma, smallest_sigma};
constexpr Option nu{"nu", &Vectorization::nu, base::above_zero};

struct Entry {
  Type type;
  std::string_view head;
  base::NameHelp help;
  Sizes sizes;
  std::vector<Option> options;  ///< In the order in which names are written.
  FixedChannel (*in)(const Vectorization&, const Frame&);
};

const std::vector<Entry>& table() {
  static const std::vector<Entry> entries{
      {Type::landscape,
       "landscape",
       {"landscape:KxN", "The first K persistence landscapes at N samples."},
       {"landscape needs a number of landscapes and of samples such as landscape:5x60", &Vectorization::ranks,
        &Vectorization::count},
       {},
       landscape},
      {Type::silhouette,
       "silhouette",
       {"silhouette:N[:power=S]", "Sum of tents at N samples, weighted by persistence to the power S (1)."},
       {"silhouette needs a number of samples such as silhouette:60"},
       {power},
       silhouette},
      {Type::image,
       "image",
       {"image:NxM[:sigma=S][:power=P]",
        "Persistence surface on a grid over (birth, persistence), weighted by persistence to the power P "
        "(1)."},
       {"image needs a number of pixels along births and persistences such as image:20x20",
        &Vectorization::count, &Vectorization::rows, true},
       {sigma, power},
       image},
      {Type::hofer,
       "hofer",
       {"hofer:N[:nu=V][:sigma=S]", "Gaussians at N centres, of a logarithm of persistences below nu."},
       {"hofer needs a number of centres such as hofer:50"},
       {nu, sigma},
       hofer},
      {Type::projections,
       "projections",
       {"projections:LxK", "The K largest projections onto each of L lines (sliced Wasserstein)."},
       {"projections needs a number of lines and of places such as projections:10x20", &Vectorization::count,
        &Vectorization::ranks},
       {},
       projections},
      {Type::betti,
       "betti",
       {"betti:N", "Betti curve: how many bars hold each of N samples."},
       {"betti needs a number of samples such as betti:60"},
       {},
       curve<PointTransform::Type::betti>},
      {Type::entropy,
       "entropy",
       {"entropy:N", "Entropy of the bars that hold each of N samples."},
       {"entropy needs a number of samples such as entropy:60"},
       {},
       curve<PointTransform::Type::entropy>},
  };
  return entries;
}

const Entry& entry_of(Type type) { return *std::ranges::find(table(), type, &Entry::type); }

Vectorization read(const Entry& entry, base::Arguments& arguments) {
  Vectorization made{entry.type};
  const auto& [wanted, first, second, square] = entry.sizes;
  const auto text = arguments.first();
  if (second == nullptr)
    made.*first = base::parse_size(text, wanted);
  else
    std::tie(made.*first, made.*second) =
        square ? base::parse_grid_or_square(text, wanted) : base::parse_grid(text, wanted);
  for (const auto& [key, value, low] : entry.options)
    made.*value = arguments.take_number(key, low).value_or(made.*value);
  return made;
}

const base::Registry<Vectorization>& vectorizations() {
  static const auto registry = [] {
    base::Registry<Vectorization> made("vectorization");
    for (const auto& entry : table())
      made.add(std::string(entry.head), entry.help,
               [&entry](base::Arguments& arguments) { return read(entry, arguments); });
    return made;
  }();
  return registry;
}

// ---- names of what comes out

std::vector<std::string> feature_names(const FixedChannel& fixed) {
  const auto& phi = fixed.channel.phi;
  const auto& at = fixed.parameters;
  const auto names = [](std::size_t count, const auto& name_of) {
    std::vector<std::string> made(count);
    for (std::size_t i = 0; i < count; ++i) made[i] = name_of(i);
    return made;
  };
  const auto numbered = [&](std::string_view word, std::size_t count) {
    return names(count, [&](std::size_t i) { return fmt::format("{}{}", word, i); });
  };
  if (!fixed.channel.equivariant.empty()) return numbered("f", fixed.channel.features());
  const auto shapes = phi.parameters();
  const std::string_view places = shapes.empty() ? std::string_view() : shapes[0].name;
  if (places == "samples")
    return names(at[0].size(), [&](std::size_t i) { return fmt::format("t{}={:.6g}", i, at[0][i]); });
  if (places == "centres")
    return names(at[0].size() / 2, [&](std::size_t i) {
      return fmt::format("b{0}={1:.6g}/p{0}={2:.6g}", i, at[0][2 * i], at[0][2 * i + 1]);
    });
  if (places == "births")
    return names(at[0].size() * at[1].size(), [&](std::size_t place) {
      const std::size_t i = place / at[1].size(), j = place % at[1].size();
      return fmt::format("b{}={:.6g}/p{}={:.6g}", i, at[0][i], j, at[1][j]);
    });
  return places == "directions" ? numbered("line", phi.count) : numbered("f", phi.size());
}

}  // namespace

Frame Frame::fit(const diagram::DiagramBatch& batch) {
  if (batch.points().empty()) return {};
  const auto first = batch.points().front();
  Frame frame{{first.birth, first.death}, {first.birth, first.birth}, {0, 0}};
  for (const auto& [birth, death] : batch.points()) {
    frame.births.low = std::min(frame.births.low, birth);
    frame.births.high = std::max(frame.births.high, birth);
    frame.values.high = std::max(frame.values.high, death);
    frame.persistences.high = std::max(frame.persistences.high, death - birth);
  }
  frame.values.low = frame.births.low;
  return frame;
}

Frame Frame::over(Range values) { return {values, values, {0, values.length()}}; }

std::string Vectorization::name() const {
  const Vectorization defaults;
  const auto& entry = entry_of(type);
  std::string text = fmt::format("{}:{}", entry.head, this->*entry.sizes.first);
  if (entry.sizes.second != nullptr) text += fmt::format("x{}", this->*entry.sizes.second);
  for (const auto& [key, value, low] : entry.options)
    if (this->*value != defaults.*value) text += fmt::format(":{}={}", key, base::shortest(this->*value));
  return text;
}

FixedChannel Vectorization::in(const Frame& frame) const { return entry_of(type).in(*this, frame); }

Vectorization parse_vectorization(std::string_view name) { return vectorizations().make(name); }

std::span<const base::NameHelp> vectorization_help() { return vectorizations().help(); }

std::vector<std::string> output_names(const FixedChannel& fixed) {
  auto features = feature_names(fixed);
  const auto& op = fixed.channel.op;
  if (op.type != Operation::Type::topk) return features;
  std::vector<std::string> names;
  for (const auto& feature : features)
    for (std::size_t rank = 1; rank <= op.k; ++rank) names.push_back(fmt::format("{}/k{}", feature, rank));
  return names;
}

}  // namespace perslay::layer
