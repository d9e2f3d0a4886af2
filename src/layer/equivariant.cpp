#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/name.h>
#include <perslay/layer/equivariant.h>

namespace perslay::layer {
namespace {

constexpr std::array<std::pair<Pool, std::string_view>, 5> pools{
    {{Pool::none, "none"}, {Pool::max, "max"}, {Pool::min, "min"}, {Pool::sum, "sum"}, {Pool::mean, "mean"}}};

}  // namespace

Pool parse_pool(std::string_view name) {
  const auto found = std::ranges::find(pools, name, [](const auto& pool) { return pool.second; });
  if (found == pools.end())
    throw base::user_error(
        fmt::format("There is no pooling called '{}'; the known ones are none, max, min, sum, mean.", name));
  return found->first;
}

std::string_view pool_name(Pool pool) {
  return std::ranges::find(pools, pool, [](const auto& known) { return known.first; })->second;
}

std::vector<ParameterShape> Equivariant::parameters(std::size_t input) const {
  const auto rows = static_cast<std::int64_t>(input);
  const auto columns = static_cast<std::int64_t>(size);
  std::vector<ParameterShape> shapes{{"lambda", {rows, columns}}};
  if (pool != Pool::none) shapes.push_back({"gamma", {rows, columns}});
  shapes.push_back({"bias", {columns}});
  return shapes;
}

std::string Equivariant::name() const { return fmt::format("{}:{}", size, pool_name(pool)); }

Equivariant parse_equivariant(std::string_view name) {
  const auto [size, pool] = base::split_once(name, ":");
  return {base::parse_size(size, "An equivariant layer needs a number of features and a pool such as 25:max"),
          pool ? parse_pool(*pool) : Pool::max};
}

}  // namespace perslay::layer
