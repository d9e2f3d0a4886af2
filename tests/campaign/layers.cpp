#include "campaign/families.h"
#include "campaign/layer_case.h"

#include <fmt/format.h>

namespace perslay::campaign {
namespace {

using test::Bars;
using Case = LayerCase;

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

/// Differentiates by one coordinate after the other.
class Differences {
 public:
  explicit Differences(Case c) : c_(std::move(c)), upstream_(upstream_of(c_)) {}

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
  return family<Case>("layers", "equation (3), term by term", 15,
                      {draw_layer, fault_of_values, smaller_layers, layer_text});
}

Family layer_gradients() {
  return family<Case>("layer-gradients", "central differences of equation (3)", 1,
                      {draw_layer, fault_of_gradients, smaller_layers, layer_text});
}

}  // namespace perslay::campaign
