#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <string>

#include <libsvm/svm.h>

#include <perslay/base/error.h>
#include <perslay/kernel/support_vectors.h>

namespace perslay::kernel {
namespace {

svm_parameter parameters(double cost) {
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  parameter.cache_size = 100;  // megabytes
  parameter.eps = 1e-3;
  parameter.C = cost;
  parameter.shrinking = 1;
  return parameter;
}

/// libsvm writes its progress to stdout unless it is told where to.
void be_silent() {
  static std::once_flag once;
  std::call_once(once, [] { svm_set_print_string_function([](const char*) {}); });
}

struct FreeModel {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

SupportVectors taken_from(const svm_model& model) {
  const auto classes = static_cast<std::size_t>(model.nr_class);
  const auto count = static_cast<std::size_t>(model.l);
  SupportVectors machines;
  machines.classes.assign(model.label, model.label + classes);
  std::transform(model.nSV, model.nSV + classes, std::back_inserter(machines.counts),
                 [](int n) { return static_cast<std::size_t>(n); });
  std::transform(model.sv_indices, model.sv_indices + count, std::back_inserter(machines.support),
                 [](int index) { return static_cast<std::size_t>(index - 1); });
  for (std::size_t row = 0; row + 1 < classes; ++row)
    machines.coefficients.insert(machines.coefficients.end(), model.sv_coef[row], model.sv_coef[row] + count);
  machines.offsets.assign(model.rho, model.rho + classes * (classes - 1) / 2);
  return machines;
}

}  // namespace

/// The rows that libsvm reads: the number of the item, counted from 1, and its kernel values. libsvm finds the
/// kernel value of two items under the number of the second, so training on some of the items needs no copy.
struct TrainingGram::Nodes {
  std::size_t count = 0;
  std::vector<svm_node> all;

  [[nodiscard]] svm_node* row(std::size_t i) { return &all[i * (count + 1)]; }
};

TrainingGram::TrainingGram(const Matrix& gram) : nodes_(std::make_unique<Nodes>()) {
  if (gram.rows != gram.columns) throw base::internal_error("A Gram matrix to train on is not square.");
  nodes_->count = gram.rows;
  nodes_->all.resize(gram.rows * (gram.rows + 1));
  for (std::size_t i = 0; i < gram.rows; ++i) {
    svm_node* const row = nodes_->row(i);
    row[0] = {0, static_cast<double>(i + 1)};
    for (std::size_t j = 0; j < gram.rows; ++j) row[j + 1] = {static_cast<int>(j + 1), gram(i, j)};
  }
}

TrainingGram::~TrainingGram() = default;

SupportVectors TrainingGram::train(std::span<const std::size_t> rows, std::span<const int> labels,
                                   double cost) const {
  be_silent();
  std::vector<double> targets;
  std::vector<svm_node*> pointers;
  for (const std::size_t row : rows) {
    targets.push_back(labels[row]);
    pointers.push_back(nodes_->row(row));
  }
  const svm_problem problem{static_cast<int>(rows.size()), targets.data(), pointers.data()};
  const auto parameter = parameters(cost);
  if (const char* const complaint = svm_check_parameter(&problem, &parameter))
    throw base::internal_error(std::string("libsvm: ") + complaint);
  const std::unique_ptr<svm_model, FreeModel> model(svm_train(&problem, &parameter));
  return taken_from(*model);
}

std::vector<double> decisions(const SupportVectors& machines, std::span<const double> kernel) {
  const std::size_t count = machines.support.size();
  std::vector<std::size_t> begins{0};
  for (const std::size_t n : machines.counts) begins.push_back(begins.back() + n);
  const auto part = [&](std::size_t of, std::size_t against) {
    const std::size_t row = against > of ? against - 1 : against;
    double sum = 0;
    for (std::size_t s = begins[of]; s < begins[of + 1]; ++s)
      sum += machines.coefficients[row * count + s] * kernel[s];
    return sum;
  };
  std::vector<double> decided;
  for (std::size_t i = 0; i < machines.classes.size(); ++i)
    for (std::size_t j = i + 1; j < machines.classes.size(); ++j)
      decided.push_back(part(i, j) + part(j, i) - machines.offsets[decided.size()]);
  return decided;
}

std::vector<double> class_shares(const SupportVectors& machines, std::span<const double> decided,
                                 std::size_t class_count) {
  const std::size_t present = machines.classes.size();
  std::vector<double> shares(class_count);
  if (present == 1) shares[static_cast<std::size_t>(machines.classes[0])] = 1;
  std::size_t pair = 0;
  for (std::size_t i = 0; i < present; ++i)
    for (std::size_t j = i + 1; j < present; ++j, ++pair) {
      const double first = 1 / (1 + std::exp(-2 * decided[pair]));
      shares[static_cast<std::size_t>(machines.classes[i])] += first / static_cast<double>(decided.size());
      shares[static_cast<std::size_t>(machines.classes[j])] +=
          (1 - first) / static_cast<double>(decided.size());
    }
  return shares;
}

}  // namespace perslay::kernel
