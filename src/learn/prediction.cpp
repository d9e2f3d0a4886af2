#include "names.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <perslay/base/error.h>
#include <perslay/io/matrix_file.h>
#include <perslay/learn/metrics.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/splits.h>

namespace perslay::learn {
namespace {

template <class Groups>
std::string titles(const Groups& groups) {
  std::vector<std::string> names;
  names.reserve(groups.size());
  for (const auto& group : groups)
    names.push_back(fmt::format("{} {}", group.filtration, diagram::kind_name(group.kind)));
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

void require_groups(const ModelFile& model, const features::Items& items) {
  const bool same = std::ranges::equal(model.groups, items.groups, [](const auto& own, const auto& group) {
    return own.filtration == group.filtration && own.kind == group.kind;
  });
  if (!same)
    throw base::user_error(fmt::format("{} reads the diagrams {}, but the data have {}.", model.source,
                                       titles(model.groups), titles(items.groups)));
}

/// The items' labels as the model, which was in a file, numbers classes; -1 for a class that it does not
/// know.
std::vector<int> translated(const features::Items& items, const std::vector<std::string>& classes) {
  std::vector<int> numbers;
  for (const auto& name : items.classes) {
    const auto found = std::ranges::find(classes, valid_utf8(name));
    numbers.push_back(found == classes.end() ? -1 : static_cast<int>(found - classes.begin()));
  }
  std::vector<int> labels;
  for (const int label : items.labels) labels.push_back(numbers[static_cast<std::size_t>(label)]);
  return labels;
}

std::unique_ptr<Model> load(const ModelFile& model, const Part& part, const Learner& learner) {
  try {
    return learner.load(part, model.arrays);
  } catch (const base::Error& error) {
    if (error.fault() != base::Fault::user) throw;
    throw base::user_error(fmt::format("{}: {}", model.source, error.what()));
  }
}

/// The double with the float's shortest decimal digits: 0.1 instead of 0.10000000149011612.
double with_few_digits(float number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  double value = 0;
  std::from_chars(digits, end, value);
  return value;
}

}  // namespace

features::LoadRequest load_request(const ModelFile& model) {
  auto request = load_request(model.settings);
  request.to_predict = true;
  if (model.settings.data.filtrations.empty())
    for (const auto& group : model.groups)
      if (std::ranges::find(request.filtrations, group.filtration) == request.filtrations.end())
        request.filtrations.push_back(group.filtration);
  return request;
}

Predictions predict(const ModelFile& model, features::Items items, const MakeLearner& make_learner,
                    const base::Context& context) {
  require_groups(model, items);
  const auto truth = translated(items, model.classes);
  items.labels.clear();  // no learner sees them, and outputs are the classes of the model
  items.classes = model.classes;
  const auto rows = all_rows(items.count());

  const Part part{items, rows, model.preparation};
  const auto learner = make_learner(model.settings);
  Predictions predictions;
  predictions.classes = model.classes;
  predictions.probabilities = load(model, part, *learner)->probabilities(part, context);
  predictions.labels = most_probable(predictions.probabilities, model.classes.size());
  if (!truth.empty()) predictions.accuracy = accuracy(truth, predictions.labels);
  return predictions;
}

void write_predictions(const std::filesystem::path& path, const Predictions& predictions) {
  std::vector<std::string> columns;
  for (const auto& name : predictions.classes) columns.push_back("p:" + name);
  std::vector<double> values(predictions.probabilities.size());
  std::ranges::transform(predictions.probabilities, values.begin(), with_few_digits);
  io::write_matrix(path, {.rows = predictions.labels.size(),
                          .columns = columns,
                          .values = values,
                          .labels = predictions.labels,
                          .classes = predictions.classes});
}

}  // namespace perslay::learn
