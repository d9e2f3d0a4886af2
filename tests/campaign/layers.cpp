#include "campaign/families.h"
#include "layer/cases.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perslay::campaign {
namespace {

using layer::Channel;
using test::Bars;

struct Case {
  Channel channel;
  std::vector<Bars> diagrams;
  test::Matrix parameters;
};

/// Of small layers, since 400 Gaussians tell no more than 35.
Case draw(base::RandomStream& random) {
  static const auto channels = [] {
    auto all = test::all_channels();
    std::erase_if(all, [](const Channel& c) { return c.features() > 50; });
    return all;
  }();
  Case drawn{channels[random.below(channels.size())], {}, {}};
  for (auto count = 1 + random.below(3); count > 0; --count)
    drawn.diagrams.push_back(test::random_bars(random, random.below(random.below(8) == 0 ? 80 : 6)));
  drawn.parameters = test::random_parameters(random, drawn.channel);
  return drawn;
}

std::vector<Case> smaller(const Case& c) {
  std::vector<Case> cases;
  for (auto& diagrams : with_one_less(c.diagrams))
    cases.push_back({c.channel, std::move(diagrams), c.parameters});
  for (std::size_t d = 0; d < c.diagrams.size(); ++d)
    for (auto& bars : with_one_less(c.diagrams[d])) {
      cases.push_back(c);
      cases.back().diagrams[d] = std::move(bars);
    }
  return cases;
}

std::string text(const Case& c) {
  auto lines = fmt::format("channel {}\n", c.channel.name());
  for (std::size_t d = 0; d < c.diagrams.size(); ++d)
    for (const auto& [birth, death] : c.diagrams[d])
      lines += fmt::format("diagram {} {} {}\n", d, birth, death);
  const auto shapes = c.channel.parameters();
  for (std::size_t a = 0; a < shapes.size(); ++a)
    lines += fmt::format("{} {}\n", shapes[a].name, fmt::join(c.parameters[a], " "));
  return lines;
}

double scale_of(double value) { return std::max(1.0, std::abs(value)); }

std::string fault_of_values(const Case& c) {
  const auto out = test::LayerRun<double>(c.channel, c.diagrams, c.parameters).forward();
  std::size_t place = 0;
  for (std::size_t d = 0; d < c.diagrams.size(); ++d)
    for (const double expected : test::brute_perslay(c.channel, c.diagrams[d], c.parameters)) {
      if (!(std::abs(out[place] - expected) <= 1e-12 * scale_of(expected)))
        return fmt::format("Number {} of diagram {} is {} instead of {}.", place - d * c.channel.size(), d,
                           out[place], expected);
      ++place;
    }
  return {};
}

/// The sum of the layer's numbers, each times a number of its own, is differentiated by a coordinate.
class Differences {
 public:
  explicit Differences(Case c) : c_(std::move(c)), upstream_(c_.diagrams.size() * c_.channel.size()) {
    for (std::size_t i = 0; i < upstream_.size(); ++i) upstream_[i] = std::cos(static_cast<double>(i));
  }

  std::string fault() {
    const auto gradients = test::LayerRun<double>(c_.channel, c_.diagrams, c_.parameters).backward(upstream_);
    const auto shapes = c_.channel.parameters();
    for (std::size_t a = 0; a < shapes.size(); ++a)
      for (std::size_t i = 0; i < c_.parameters[a].size(); ++i)
        compare(c_.parameters[a][i], gradients[a][i], shapes[a].name, i);
    std::size_t place = 0;
    for (Bars& bars : c_.diagrams)
      for (auto& [birth, death] : bars) {
        compare(birth, gradients.back()[place], "birth", place / 2);
        compare(death, gradients.back()[place + 1], "death", place / 2);
        place += 2;
      }
    return fault_;
  }

 private:
  /// Kinks, ties and jumps have no derivative.
  void compare(double& coordinate, double gradient, const std::string& array, std::size_t index) {
    if (!fault_.empty()) return;
    const double here = coordinate;
    double expected = 0;
    const bool smooth = test::derivative(
        [&](double h) {
          coordinate = here + h;
          return test::loss(c_.channel, c_.diagrams, c_.parameters, upstream_);
        },
        expected);
    coordinate = here;
    if (smooth && !(std::abs(gradient - expected) <= 2e-6 * scale_of(expected)))
      fault_ = fmt::format("The derivative by {}[{}] is {} instead of {}.", array, index, gradient, expected);
  }

  Case c_;
  std::vector<double> upstream_;
  std::string fault_;
};

std::string fault_of_gradients(const Case& c) { return Differences(c).fault(); }

}  // namespace

Family layers() {
  return family<Case>("layers", "equation (3), term by term", 15, {draw, fault_of_values, smaller, text});
}

Family layer_gradients() {
  return family<Case>("layer-gradients", "central differences of equation (3)", 1,
                      {draw, fault_of_gradients, smaller, text});
}

}  // namespace perslay::campaign
