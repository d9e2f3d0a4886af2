#include "toy.h"

#include <memory>

#include <gtest/gtest.h>

#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/training.h>

// The example of docs/how-to-add.md: a learner and its entry of the table in src/learn/models.cpp.
namespace perslay::learn {
namespace {

/// Every item gets the share of each class in the training part.
class Shares : public Model {
 public:
  explicit Shares(std::vector<double> shares) : shares_(std::move(shares)) {}

  [[nodiscard]] std::vector<float> probabilities(const Part& part, const base::Context&) const override {
    std::vector<float> all;
    for (std::size_t i = 0; i < part.rows.size(); ++i) all.insert(all.end(), shares_.begin(), shares_.end());
    return all;
  }
  [[nodiscard]] std::vector<io::NamedArray> arrays() const override {
    return {{"shares", {static_cast<std::int64_t>(shares_.size())}, {}, shares_}};
  }

 private:
  std::vector<double> shares_;
};

class ShareLearner : public Learner {
 public:
  [[nodiscard]] Fit fit(const Part& part, const FitOptions&, const base::Context&) const override {
    std::vector<double> shares(part.items.classes.size());
    for (const auto row : part.rows)
      shares[static_cast<std::size_t>(part.items.labels[row])] += 1.0 / static_cast<double>(part.rows.size());
    return {std::make_unique<Shares>(shares), {}};
  }
  [[nodiscard]] std::unique_ptr<Model> load(const Part&,
                                            std::span<const io::NamedArray> arrays) const override {
    return std::make_unique<Shares>(arrays[0].doubles);
  }
};

constexpr ModelKind shares{.head = "shares",
                           .help = "The share of each class, whatever the item.",
                           .section = "",
                           .make = [](const Settings&, std::string_view, const std::shared_ptr<RidgeMemory>&)
                               -> std::unique_ptr<Learner> { return std::make_unique<ShareLearner>(); }};

TEST(HowToAddALearner, TheExampleLearns) {
  const auto items = test::toy_items(30);
  const MakeLearner make = [](const Settings& settings) { return shares.make(settings, "", nullptr); };
  const auto trained = train(items, {}, make, {});
  const auto predictions = predict(trained.model, items, make);
  std::vector<float> expected(items.classes.size());
  for (const int label : items.labels) expected[static_cast<std::size_t>(label)] += 1.0F / 30;
  for (std::size_t p = 0; p < predictions.probabilities.size(); ++p)
    EXPECT_NEAR(predictions.probabilities[p], expected[p % expected.size()], 1e-6);
}

}  // namespace
}  // namespace perslay::learn
