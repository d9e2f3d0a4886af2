#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/name.h>
#include <perslay/persistence/essential.h>

namespace perslay::persistence {
namespace {

using Action = EssentialPolicy::Action;

EssentialPolicy parse(std::string_view text, std::string_view wanted, double least) {
  if (text == "drop") return {};
  if (text == "clip") return {Action::clip_to_extreme, 0};
  const auto [head, value] = base::split_once(text, ":");
  if (head != "clip" || !value) throw base::user_error(fmt::format("{}, not '{}'.", wanted, text));
  return {Action::clip_to_value, base::parse_number(*value, wanted, least)};
}

}  // namespace

EssentialPolicy parse_essential(std::string_view text) {
  return parse(text, "essential takes drop, clip or clip:VALUE with a finite number", -base::unbounded);
}

std::optional<double> parse_essential_death(std::string_view text) {
  constexpr auto wanted = "For point clouds, essential takes drop or clip:VALUE with a positive number";
  const auto policy = parse(text, wanted, base::above_zero);
  if (policy.action == Action::clip_to_extreme)
    throw base::user_error(fmt::format("{}, not '{}'.", wanted, text));
  if (policy.action == Action::drop) return std::nullopt;
  return policy.value;
}

}  // namespace perslay::persistence
