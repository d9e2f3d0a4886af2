#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <perslay/base/random.h>

/// Random cases against independent definitions, by the million.
namespace perslay::campaign {

/// The smallest case that was found to go wrong, and how it does.
struct Failure {
  std::string sentence;
  std::string text;       ///< The case, for people.
  std::size_t steps = 0;  ///< How often the case that was drawn was made smaller.
};

/// Cases of one kind: `check` draws one and compares.
struct Family {
  std::string name;
  std::string oracle;     ///< What it is compared with.
  std::size_t share = 1;  ///< How many of its cases come in turn.
  std::function<std::optional<Failure>(base::RandomStream&)> check;
};

/// How cases of a type are drawn, judged, made smaller and shown.
template <class Case>
struct Rules {
  Case (*draw)(base::RandomStream& random);
  std::string (*fault)(const Case&);  ///< What is wrong; empty if nothing is. May throw, which is wrong too.
  std::vector<Case> (*smaller)(const Case&);
  std::string (*text)(const Case&);
};

template <class Case>
std::string fault_of(const Rules<Case>& rules, const Case& drawn) {
  try {
    return rules.fault(drawn);
  } catch (const std::exception& error) {
    return std::string("It throws: ") + error.what();
  }
}

/// Takes the first smaller case that goes wrong as well, until there is none.
template <class Case>
Failure shrunk(const Rules<Case>& rules, Case found, std::string fault) {
  Failure failure;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (auto& candidate : rules.smaller(found)) {
      auto said = fault_of(rules, candidate);
      if (said.empty()) continue;
      found = std::move(candidate);
      fault = std::move(said);
      ++failure.steps;
      smaller = true;
      break;
    }
  }
  failure.sentence = std::move(fault);
  failure.text = rules.text(found);
  return failure;
}

template <class Case>
Family family(std::string name, std::string oracle, std::size_t share, const Rules<Case>& rules) {
  return {std::move(name), std::move(oracle), share,
          [rules](base::RandomStream& random) -> std::optional<Failure> {
            Case drawn = rules.draw(random);
            auto fault = fault_of(rules, drawn);
            if (fault.empty()) return std::nullopt;
            return shrunk(rules, std::move(drawn), std::move(fault));
          }};
}

/// The list without one element, for each element.
template <class List>
std::vector<List> with_one_less(const List& list) {
  std::vector<List> lists;
  for (std::size_t i = 0; i < list.size(); ++i) {
    lists.push_back(list);
    lists.back().erase(lists.back().begin() + static_cast<std::ptrdiff_t>(i));
  }
  return lists;
}

}  // namespace perslay::campaign
