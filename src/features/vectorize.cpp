#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/vectorize.h>
#include <perslay/layer/perslay.h>

namespace perslay::features {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::DiagramSet;
using layer::FixedChannel;
using layer::Frame;

void require_finite(const DiagramGroup& group) {
  for (std::size_t item = 0; item < group.diagrams.size(); ++item)
    for (const auto& [birth, death] : group.diagrams[item])
      if (!std::isfinite(birth) || !std::isfinite(death))
        throw base::user_error(fmt::format(
            "{}: Item {} has the point ({}, {}), and vectorizations need finite coordinates; leave such "
            "points out of the diagrams or clip them.",
            group.title(), item, birth, death));
}

/// Before anything is computed: each column has a name, and a few wrong digits can ask for 10^12 of them.
void require_sensible(std::size_t items, std::size_t groups, std::size_t width) {
  constexpr std::size_t most_columns = 10'000'000, most_numbers = 1'000'000'000;
  if (groups > 0 && width > most_columns / groups)
    throw base::user_error(fmt::format("{} groups of diagrams with {} numbers each are more than {} columns.",
                                       groups, width, most_columns));
  if (items > 0 && groups * width > most_numbers / items)
    throw base::user_error(fmt::format("{} items with {} columns are more than {} numbers, {} GB.", items,
                                       groups * width, most_numbers,
                                       most_numbers * sizeof(double) / 1'000'000'000));
}

std::size_t width_of(const Vectorizer& vectorizer) {
  if (const auto* const named = std::get_if<layer::Vectorization>(&vectorizer)) return named->size();
  return std::get<UntrainedChannel>(vectorizer).channel.size();
}

/// A layer with its parameters, for diagrams in this frame.
FixedChannel fixed_channel(const Vectorizer& vectorizer, const Frame& frame, std::uint64_t seed) {
  if (const auto* const named = std::get_if<layer::Vectorization>(&vectorizer)) return named->in(frame);
  const auto& untrained = std::get<UntrainedChannel>(vectorizer);
  return {untrained.channel, layer::initial_parameters(untrained.channel, untrained.initialisation, seed)};
}

/// Points as (min, max). Their vertices would only be sorted along.
DiagramBatch reordered(const DiagramBatch& diagrams) {
  std::vector<diagram::Point> points(diagrams.points().begin(), diagrams.points().end());
  for (auto& [birth, death] : points)
    if (birth > death) std::swap(birth, death);
  return {std::move(points), {diagrams.offsets().begin(), diagrams.offsets().end()}};
}

/// The numbers of diagrams that lie in this frame, as (min, max).
std::vector<double> numbers_of(const Vectorizer& vectorizer, DiagramBatch diagrams, const Frame& frame,
                               const base::Context& context) {
  const FixedChannel fixed = fixed_channel(vectorizer, frame, context.seed);
  if (std::holds_alternative<UntrainedChannel>(vectorizer))
    diagrams = diagram::UnitScale{frame.values.low, frame.values.high}(diagrams);
  std::vector<double> points;
  points.reserve(2 * diagrams.points().size());
  for (const auto& [birth, death] : diagrams.points()) points.insert(points.end(), {birth, death});
  const std::vector<std::span<const double>> parameters(fixed.parameters.begin(), fixed.parameters.end());
  std::vector<double> numbers(diagrams.size() * fixed.channel.size());
  layer::forward<double>(context, fixed.channel, {.points = points, .offsets = diagrams.offsets()},
                         parameters, numbers);
  return numbers;
}

/// Coordinates near the limits of floating point numbers can overflow on their way.
void require_finite(const DiagramGroup& group, const std::vector<double>& numbers, std::size_t width) {
  const auto bad = std::ranges::find_if_not(numbers, [](double x) { return std::isfinite(x); });
  if (bad != numbers.end())
    throw base::user_error(fmt::format("{}: The numbers of item {} are too large to be represented.",
                                       group.title(),
                                       static_cast<std::size_t>(bad - numbers.begin()) / width));
}

/// Writes rows of `width` numbers into the columns that begin at `first`.
void place(const std::vector<double>& numbers, std::size_t width, std::size_t first, FeatureMatrix& matrix) {
  for (std::size_t row = 0; row < matrix.rows; ++row)
    std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(row * width), width,
                matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.columns + first));
}

/// Without given frames, a group's frame is that of the range or, without one, around the group's diagrams.
FeatureMatrix vectorized(const DiagramSet& set, const Vectorizer& vectorizer,
                         std::optional<layer::Range> range, std::span<const Frame> given,
                         const base::Context& context) {
  const std::size_t width = width_of(vectorizer);
  require_sensible(set.item_count(), set.groups.size(), width);
  FeatureMatrix matrix{set.item_count(), set.groups.size() * width, {}, {given.begin(), given.end()}};
  for (const auto& group : set.groups) require_finite(group);
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    auto diagrams = reordered(set.groups[g].diagrams);
    if (given.empty()) matrix.frames.push_back(range ? Frame::over(*range) : Frame::fit(diagrams));
    auto numbers = numbers_of(vectorizer, std::move(diagrams), matrix.frames[g], context);
    require_finite(set.groups[g], numbers, width);
    if (set.groups.size() == 1) {  // then they are the matrix
      matrix.values = std::move(numbers);
    } else {
      matrix.values.resize(matrix.rows * matrix.columns);
      place(numbers, width, g * width, matrix);
    }
  }
  return matrix;
}

}  // namespace

FeatureMatrix vectorize(const DiagramSet& set, const Vectorizer& vectorizer,
                        std::optional<layer::Range> range, const base::Context& context) {
  return vectorized(set, vectorizer, range, {}, context);
}

FeatureMatrix vectorize_within(const DiagramSet& set, const Vectorizer& vectorizer,
                               std::span<const Frame> frames, const base::Context& context) {
  if (frames.size() != set.groups.size())
    throw base::user_error(
        fmt::format("There are {} frames for {} groups of diagrams.", frames.size(), set.groups.size()));
  return vectorized(set, vectorizer, {}, frames, context);
}

std::vector<std::string> column_names(const DiagramSet& set, const Vectorizer& vectorizer,
                                      std::span<const Frame> frames, std::uint64_t seed) {
  std::vector<std::string> names;
  for (std::size_t g = 0; g < set.groups.size(); ++g)
    for (const auto& name : layer::output_names(fixed_channel(vectorizer, frames[g], seed)))
      names.push_back(
          fmt::format("{}/{}/{}", set.groups[g].filtration, diagram::kind_name(set.groups[g].kind), name));
  return names;
}

}  // namespace perslay::features
