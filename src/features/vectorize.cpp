#include <algorithm>
#include <cmath>
#include <functional>
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

/// What is computed for one group: a layer with its parameters, and the diagrams as they go into it.
struct Stage {
  FixedChannel fixed;
  DiagramBatch diagrams;
  Frame frame;
};

/// The frame in which a group is taken to lie, given the group's diagrams as (min, max).
using ChooseFrame = std::function<Frame(std::size_t group, const DiagramBatch& diagrams)>;

Stage stage_of(const Vectorizer& vectorizer, const DiagramSet& set, std::size_t number,
               const ChooseFrame& choose_frame, std::uint64_t seed) {
  const DiagramGroup& group = set.groups[number];
  require_finite(group);
  Stage stage;
  stage.diagrams = reordered(group.diagrams);
  stage.frame = choose_frame(number, stage.diagrams);
  stage.fixed = fixed_channel(vectorizer, stage.frame, seed);
  if (std::holds_alternative<UntrainedChannel>(vectorizer))
    stage.diagrams = diagram::UnitScale{stage.frame.values.low, stage.frame.values.high}(stage.diagrams);
  return stage;
}

std::vector<double> coordinates(std::span<const diagram::Point> points) {
  std::vector<double> packed;
  packed.reserve(2 * points.size());
  for (const auto& [birth, death] : points) {
    packed.push_back(birth);
    packed.push_back(death);
  }
  return packed;
}

std::vector<double> run(const Stage& stage, const base::Context& context) {
  const auto points = coordinates(stage.diagrams.points());
  const layer::Batch<double> batch{.points = points, .offsets = stage.diagrams.offsets()};
  std::vector<std::span<const double>> parameters(stage.fixed.parameters.begin(),
                                                  stage.fixed.parameters.end());
  std::vector<double> out(stage.diagrams.size() * stage.fixed.channel.size());
  layer::forward<double>(context, stage.fixed.channel, batch, parameters, out);
  return out;
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

FeatureMatrix vectorized(const DiagramSet& set, const Vectorizer& vectorizer, const ChooseFrame& choose_frame,
                         const base::Context& context) {
  const std::size_t width = width_of(vectorizer);
  require_sensible(set.item_count(), set.groups.size(), width);
  FeatureMatrix matrix;
  matrix.rows = set.item_count();
  matrix.columns = set.groups.size() * width;
  std::vector<Stage> stages;
  for (std::size_t g = 0; g < set.groups.size(); ++g) {
    stages.push_back(stage_of(vectorizer, set, g, choose_frame, context.seed));
    matrix.frames.push_back(stages.back().frame);
  }

  for (std::size_t g = 0; g < stages.size(); ++g) {
    auto numbers = run(stages[g], context);
    require_finite(set.groups[g], numbers, width);
    if (stages.size() == 1) {  // then they are the matrix
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
  const auto fit = [&](std::size_t, const DiagramBatch& diagrams) {
    return range ? Frame::over(*range) : Frame::fit(diagrams);
  };
  return vectorized(set, vectorizer, fit, context);
}

FeatureMatrix vectorize_within(const DiagramSet& set, const Vectorizer& vectorizer,
                               std::span<const Frame> frames, const base::Context& context) {
  if (frames.size() != set.groups.size())
    throw base::user_error(
        fmt::format("There are {} frames for {} groups of diagrams.", frames.size(), set.groups.size()));
  return vectorized(
      set, vectorizer, [&](std::size_t group, const DiagramBatch&) { return frames[group]; }, context);
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
