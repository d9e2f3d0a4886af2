#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <perslay/layer/operation.h>

namespace perslay::layer {
namespace {

using Type = Operation::Type;

/// A type of operation. What it computes is in reducer.h.
struct Entry {
  Type type;
  std::string_view head;
  base::NameHelp help;
  std::string_view wanted;  ///< For its k; empty if it has none.
};

const std::vector<Entry>& table() {
  static const std::vector<Entry> entries{
      {Type::sum, "sum", {"sum", "The sum over the points."}, ""},
      {Type::mean, "mean", {"mean", "The mean over the points."}, ""},
      {Type::max, "max", {"max", "The largest value."}, ""},
      {Type::min, "min", {"min", "The smallest value."}, ""},
      {Type::kth,
       "kth",
       {"kth:K", "The K-th largest value; 0 if there are fewer points."},
       "kth needs a place from 1 on such as kth:3"},
      {Type::topk,
       "topk",
       {"topk:K", "The K largest values, in their order; 0 where there are fewer points."},
       "topk needs a number of places such as topk:5"},
  };
  return entries;
}

const base::Registry<Operation>& operations() {
  static const auto registry = [] {
    base::Registry<Operation> made("operation");
    for (const auto& entry : table())
      made.add(std::string(entry.head), entry.help, [&entry](base::Arguments& arguments) {
        Operation operation{entry.type};
        if (!entry.wanted.empty()) operation.k = base::parse_size(arguments.first(), entry.wanted);
        return operation;
      });
    return made;
  }();
  return registry;
}

}  // namespace

std::string Operation::name() const {
  const auto& entry = *std::ranges::find(table(), type, &Entry::type);
  return entry.wanted.empty() ? std::string(entry.head) : fmt::format("{}:{}", entry.head, k);
}

Operation parse_operation(std::string_view name) {
  constexpr std::string_view of_the_paper = "top-";
  if (name.starts_with(of_the_paper))
    return operations().make(fmt::format("topk:{}", name.substr(of_the_paper.size())));
  return operations().make(name);
}

std::span<const base::NameHelp> operation_help() { return operations().help(); }

}  // namespace perslay::layer
