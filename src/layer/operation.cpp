#include "name_fields.h"

#include <fmt/format.h>

#include <perslay/layer/operation.h>

namespace perslay::layer {
namespace {

using Kind = Operation::Kind;

base::Registry<Operation>::Make plain(Kind kind) {
  return [kind](const base::Name& name) {
    expect_alone(name);
    return Operation{kind};
  };
}

Operation kth(const base::Name& name) {
  return {Kind::kth, parse_size(name.arguments, "kth needs a place from 1 on such as kth:3")};
}

Operation topk(const base::Name& name) {
  return {Kind::topk, parse_size(name.arguments, "topk needs a number of places such as topk:5")};
}

base::Registry<Operation> make_registry() {
  base::Registry<Operation> registry("operation");
  registry.add("sum", {"sum", "The sum over the points."}, plain(Kind::sum))
      .add("mean", {"mean", "The mean over the points."}, plain(Kind::mean))
      .add("max", {"max", "The largest value."}, plain(Kind::max))
      .add("min", {"min", "The smallest value."}, plain(Kind::min))
      .add("kth", {"kth:K", "The K-th largest value; 0 if there are fewer points."}, kth)
      .add("topk", {"topk:K", "The K largest values, in their order; 0 where there are fewer points."}, topk);
  return registry;
}

const base::Registry<Operation>& operations() {
  static const base::Registry<Operation> registry = make_registry();
  return registry;
}

}  // namespace

std::string Operation::name() const {
  switch (kind) {
    case Kind::sum:
      return "sum";
    case Kind::mean:
      return "mean";
    case Kind::max:
      return "max";
    case Kind::min:
      return "min";
    case Kind::kth:
      return fmt::format("kth:{}", k);
    case Kind::topk:
      break;
  }
  return fmt::format("topk:{}", k);
}

Operation parse_operation(std::string_view name) {
  constexpr std::string_view of_the_paper = "top-";
  if (name.starts_with(of_the_paper)) return topk({"topk", name.substr(of_the_paper.size()), true});
  return operations().make(name);
}

std::span<const base::NameHelp> operation_help() { return operations().help(); }

}  // namespace perslay::layer
