// The plain path against formulas written out for one number at a time, and its gradients against finite
// differences.
#include "nn/cases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

/// The parameters of a part, as plain numbers: `at("phi.centres", 3)`.
class Numbers {
 public:
  Numbers(const layer::Channel& channel, const std::vector<Tensor>& parameters)
      : shapes_(channel.parameters()), parameters_(parameters) {}

  [[nodiscard]] double at(const std::string& name, std::size_t index) const {
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (shapes_[i].name == name)
        return parameters_[i].flatten()[static_cast<std::int64_t>(index)].item<double>();
    throw std::out_of_range(name);
  }

 private:
  std::vector<layer::ParameterShape> shapes_;
  const std::vector<Tensor>& parameters_;
};

struct Bar {
  double b, d;
};
using Bars = std::vector<Bar>;

double entropy(const Bars& diagram, const Bar& bar) {
  double total = 0;
  for (const auto& [b, d] : diagram) total += std::max(0.0, d - b);
  const double share = (bar.d - bar.b) / total;
  return share > 0 ? -share * std::log(share) : 0;
}

double phi_of(const layer::PointTransform& phi, const std::string& prefix, const Numbers& numbers,
              const Bars& diagram, const Bar& bar, std::size_t i) {
  const auto get = [&](const char* name, std::size_t index) {
    return numbers.at(prefix + "." + name, index);
  };
  const auto [b, d] = bar;
  const double y = d - b;
  const auto inside = [&] { return b <= get("samples", i) && get("samples", i) < d ? 1.0 : 0.0; };
  const auto depth = [&] { return std::min(get("samples", i) - b, d - get("samples", i)); };
  const auto soft = [&] { return 1 / (1 + std::exp(-get("steepness", 0) * depth())); };
  const auto width = [&] { return get("sharpness", phi.shared_width ? 0 : i); };
  const auto x1 = [&](double scale) { return scale * (b - get("centres", 2 * i)); };
  const auto x2 = [&](double scale, double at) { return scale * (at - get("centres", 2 * i + 1)); };
  using Type = layer::PointTransform::Type;
  switch (phi.type) {
    case Type::triangle:
      return std::max(0.0, depth());
    case Type::betti:
      return inside();
    case Type::flat:
      return soft();
    case Type::entropy:
      return entropy(diagram, bar) * inside();
    case Type::flat_entropy:
      return entropy(diagram, bar) * soft();
    case Type::gaussian:
      return std::exp(-std::pow(std::hypot(x1(width()), x2(width(), phi.reads_death ? b + y : y)), 2));
    case Type::gaussian_grid:
      return std::exp(
          -std::pow(width() * std::hypot(b - get("births", i / phi.rows),
                                         (phi.reads_death ? b + y : y) - get("persistences", i % phi.rows)),
                    2));
    case Type::hofer: {
      if (y <= 0) return 0;
      const double stretched = y < phi.nu ? phi.nu * std::log(y / phi.nu) + phi.nu : y;
      return std::exp(-std::pow(std::hypot(x1(width()), x2(width(), stretched)), 2));
    }
    case Type::exponential:
      return std::exp(
          -std::pow(std::hypot(x1(get("sharpness", 2 * i)), x2(get("sharpness", 2 * i + 1), y)), 2));
    case Type::rational:
      return std::pow(
          1 + std::abs(x1(get("sharpness", 2 * i))) + std::abs(x2(get("sharpness", 2 * i + 1), y)),
          -get("exponent", i));
    case Type::rational_hat_1:
    case Type::rational_hat_2: {
      const double distance = phi.type == Type::rational_hat_1 ? std::abs(x1(1)) + std::abs(x2(1, y))
                                                               : std::hypot(x1(1), x2(1, y));
      return 1 / (1 + distance) - 1 / (1 + std::abs(std::abs(get("radius", i)) - distance));
    }
    case Type::line:
      return get("directions", 2 * i) * b + get("directions", 2 * i + 1) * d + get("bias", i);
    case Type::mixture: {
      double sum = 0, total = 0;
      for (std::size_t part = 0; part < phi.parts.size(); ++part) {
        const double share = std::exp(get("logits", part));
        sum += share * phi_of(phi.parts[part], prefix + "." + std::to_string(part), numbers, diagram, bar, i);
        total += share;
      }
      return sum / total;
    }
    default:
      break;
  }
  return 0;
}

double weight_of(const layer::Weight& weight, const Numbers& numbers, const Bar& bar) {
  const auto cell = [&](double x, std::size_t cells) {
    std::size_t index = 0;
    const double side = (weight.high - weight.low) / static_cast<double>(cells);
    while (index + 1 < cells && x >= weight.low + side * static_cast<double>(index + 1)) ++index;
    return index;
  };
  using Type = layer::Weight::Type;
  switch (weight.type) {
    case Type::grid:
      return numbers.at("weight.cells",
                        cell(bar.b, weight.births) * weight.deaths + cell(bar.d, weight.deaths));
    case Type::power:
      return numbers.at("weight.constant", 0) *
             std::pow(std::abs(bar.d - bar.b) / std::numbers::sqrt2, weight.exponent);
    case Type::gmix: {
      double sum = 0;
      for (std::size_t k = 0; k < weight.births; ++k) {
        const double x =
            numbers.at("weight.sharpness", 2 * k) * (bar.b - numbers.at("weight.centres", 2 * k));
        const double y =
            numbers.at("weight.sharpness", 2 * k + 1) * (bar.d - numbers.at("weight.centres", 2 * k + 1));
        sum += numbers.at("weight.amplitudes", k) * std::exp(-x * x - y * y);
      }
      return sum;
    }
    default:
      break;
  }
  return 1;
}

/// The numbers of one feature that come out of an operation.
std::vector<double> reduce(const layer::Operation& op, std::vector<double> values) {
  using Type = layer::Operation::Type;
  std::ranges::sort(values, std::greater{});
  const auto place = [&](std::size_t rank) { return rank < values.size() ? values[rank] : 0; };
  double sum = 0;
  for (const double value : values) sum += value;
  switch (op.type) {
    case Type::sum:
      return {sum};
    case Type::mean:
      return {values.empty() ? 0 : sum / static_cast<double>(values.size())};
    case Type::max:
      return {place(0)};
    case Type::min:
      return {values.empty() ? 0 : values.back()};
    case Type::kth:
      return {place(op.k - 1)};
    case Type::topk:
      break;
  }
  std::vector<double> largest;
  for (std::size_t rank = 0; rank < op.k; ++rank) largest.push_back(place(rank));
  return largest;
}

using Features = std::vector<std::vector<double>>;  // [point][feature]

Features equivariant(const layer::Equivariant& layer, const std::string& prefix, const Numbers& numbers,
                     const Features& features) {
  using layer::Pool;
  Features result(features.size(), std::vector<double>(layer.size));
  for (std::size_t point = 0; point < features.size(); ++point)
    for (std::size_t j = 0; j < layer.size; ++j) {
      result[point][j] = numbers.at(prefix + ".bias", j);
      for (std::size_t i = 0; i < features[point].size(); ++i) {
        result[point][j] += features[point][i] * numbers.at(prefix + ".lambda", i * layer.size + j);
        if (layer.pool == Pool::none) continue;
        double pooled = features[0][i];
        for (std::size_t other = 1; other < features.size(); ++other) {
          if (layer.pool == Pool::max) pooled = std::max(pooled, features[other][i]);
          if (layer.pool == Pool::min) pooled = std::min(pooled, features[other][i]);
          if (layer.pool == Pool::sum || layer.pool == Pool::mean) pooled += features[other][i];
        }
        if (layer.pool == Pool::mean) pooled /= static_cast<double>(features.size());
        result[point][j] -= pooled * numbers.at(prefix + ".gamma", i * layer.size + j);
      }
    }
  return result;
}

std::vector<double> brute_force(const layer::Channel& channel, const Numbers& numbers, const Bars& diagram) {
  Features features;
  for (const Bar& bar : diagram) {
    features.emplace_back();
    for (std::size_t i = 0; i < channel.phi.size(); ++i)
      features.back().push_back(phi_of(channel.phi, "phi", numbers, diagram, bar, i));
  }
  for (std::size_t i = 0; i < channel.equivariant.size(); ++i)
    features = equivariant(channel.equivariant[i], "equivariant." + std::to_string(i), numbers, features);

  std::vector<double> out;
  for (std::size_t i = 0; i < channel.features(); ++i) {
    std::vector<double> values;
    for (std::size_t point = 0; point < diagram.size(); ++point)
      values.push_back(weight_of(channel.weight, numbers, diagram[point]) * features[point][i]);
    for (const double number : reduce(channel.op, values)) out.push_back(number);
  }
  return out;
}

Bars bars(const nn::RaggedBatch& batch, std::int64_t diagram) {
  Bars result;
  const auto begin = batch.offsets()[diagram].item<std::int64_t>(),
             end = batch.offsets()[diagram + 1].item<std::int64_t>();
  for (std::int64_t i = begin; i < end; ++i)
    result.push_back({batch.points()[i][0].item<double>(), batch.points()[i][1].item<double>()});
  return result;
}

void expect_brute_force(const layer::Channel& channel, const nn::RaggedBatch& batch,
                        const std::vector<Tensor>& parameters) {
  const auto out = nn::plain_forward(channel, batch, parameters);
  ASSERT_EQ(out.sizes(),
            (std::vector<std::int64_t>{batch.size(), static_cast<std::int64_t>(channel.size())}));
  const Numbers numbers(channel, parameters);
  for (std::int64_t i = 0; i < batch.size(); ++i) {
    const auto expected = torch::tensor(brute_force(channel, numbers, bars(batch, i)), torch::kFloat64);
    EXPECT_LT(relative_error(out[i], expected), 1e-12) << channel.name() << " on diagram " << i;
  }
}

layer::Channel channel_of(const std::string& phi, const std::string& weight, const std::string& operation,
                          const std::vector<layer::Equivariant>& stack = {}) {
  return {layer::parse_point_transform(phi), stack, layer::parse_weight(weight),
          layer::parse_operation(operation)};
}

TEST(Plain, equals_formulas_written_out) {
  base::RandomStream random(1);
  const auto batch = awkward_batch(random);
  const auto expect = [&](const layer::Channel& channel) {
    expect_brute_force(channel, batch, random_parameters(channel, random));
  };
  for (const auto& phi : phis()) expect(channel_of(phi, "one", "sum"));
  for (const auto& weight : weights())
    if (weight != "grid:3x5") expect(channel_of("gaussian:2", weight, "sum"));
  for (const auto& operation : operations()) expect(channel_of("rational:2", "power:1", operation));
  for (const auto& stack : stacks()) expect(channel_of("triangle:3", "one", "topk:2", stack));
  expect(channel_of("line:2", "constant", "kth:7"));
}

/// The derivative of the loss in one direction, by central differences.
double finite_difference(const layer::Channel& channel, const nn::RaggedBatch& batch,
                         const std::vector<Tensor>& parameters, std::size_t input, const Tensor& direction,
                         double step) {
  const auto loss = [&](double shift) {
    auto points = batch.points();
    auto moved = parameters;
    (input == 0 ? points : moved[input - 1]) = (input == 0 ? points : moved[input - 1]) + shift * direction;
    const auto out = nn::plain_forward(channel, {points, batch.offsets()}, moved);
    return (out * slopes(out)).sum().item<double>();
  };
  return (loss(step) - loss(-step)) / (2 * step);
}

TEST(Plain, has_the_gradients_of_finite_differences) {
  base::RandomStream random(2);
  const auto batch = random_batch({0, 1, 2, 9, 0}, random);
  for_each_channel(
      [&](const layer::Channel& channel) {
        const auto parameters = random_parameters(channel, random);
        const auto result = plain(channel, batch, parameters);
        for (std::size_t input = 0; input < result.gradients.size(); ++input) {
          const auto& gradient = result.gradients[input];
          const auto direction = slopes(gradient) * gradient.sign().masked_fill(gradient == 0, 1);
          const double derivative = (gradient * direction).sum().item<double>();
          const double scale = 1 + (gradient * direction).abs().sum().item<double>();
          const auto error = [&](double step) {
            return std::abs(finite_difference(channel, batch, parameters, input, direction, step) -
                            derivative) /
                   scale;
          };
          // A tie may lie within the longer step.
          EXPECT_TRUE(error(1e-6) < 2e-7 || error(1e-8) < 1e-6)
              << channel.name() << ", input " << input << ": " << error(1e-6) << ", " << error(1e-8);
        }
      },
      5);
}

TEST(Plain, has_finite_gradients_where_there_are_none) {
  base::RandomStream random(3);
  const auto batch = awkward_batch(random);
  for_each_channel(
      [&](const layer::Channel& channel) {
        const auto result = plain(channel, batch, random_parameters(channel, random));
        for (const auto& gradient : result.gradients)
          EXPECT_TRUE(gradient.isfinite().all().item<bool>()) << channel.name();
      },
      5);
  // A centre of a rational hat at the point itself.
  const auto channel = channel_of("rational-hat:1:norm=2", "one", "sum");
  const nn::RaggedBatch point(torch::tensor({{0.25, 0.75}}, torch::kFloat64),
                              torch::tensor({0, 1}, torch::kInt64));
  const auto result =
      plain(channel, point, {torch::tensor({{0.25, 0.5}}, torch::kFloat64), torch::ones(1, torch::kFloat64)});
  EXPECT_EQ(result.gradients[0].abs().max().item<double>(), 0);
}

TEST(Plain, gives_ties_to_the_first_point) {
  const nn::RaggedBatch batch(
      torch::tensor({{0.0, 0.5}, {0.1, 1.0}, {0.2, 1.0}, {0.3, 1.0}}, torch::kFloat64),
      torch::tensor({0, 4}, torch::kInt64));
  const std::vector<Tensor> death{torch::tensor({{0.0, 1.0}}, torch::kFloat64),
                                  torch::zeros(1, torch::kFloat64)};
  const auto chosen = [&](const char* operation) {
    return plain(channel_of("line:1", "one", operation), batch, death)
        .gradients[0]
        .select(1, 1)
        .ne(0)
        .nonzero()
        .flatten();
  };
  EXPECT_TRUE(torch::equal(chosen("max"), torch::tensor({1})));
  EXPECT_TRUE(torch::equal(chosen("kth:2"), torch::tensor({2})));
  EXPECT_TRUE(torch::equal(chosen("topk:2"), torch::tensor({1, 2})));
  EXPECT_TRUE(torch::equal(chosen("min"), torch::tensor({0})));
}

}  // namespace
}  // namespace perslay::test
