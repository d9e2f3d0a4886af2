#include <fmt/format.h>

#include <perslay/base/error.h>
#include <perslay/base/registry.h>
#include <perslay/learn/model_name.h>

namespace perslay::learn {
namespace {

constexpr std::string_view beside_network = "+mlp";

}  // namespace

ModelName parse_model(std::string_view name) {
  if (name == "network") return {.network = true};
  const auto parts = base::split_name(name);
  if (parts.head == "svm") {
    if (parts.arguments.empty()) throw base::user_error("svm needs the name of a kernel such as svm:sw.");
    return {.kernel = kernel::parse_kernel(parts.arguments)};
  }
  const bool network = name.ends_with(beside_network);
  auto ridge = base::split_name(name.substr(0, name.size() - (network ? beside_network.size() : 0)));
  if (ridge.head != "ridge")
    throw base::user_error(
        fmt::format("There is no model called '{}'; there are network, svm:KERNEL (such as svm:sw), "
                    "ridge:POOL (such as ridge:unlabelled) and ridge:POOL+mlp.",
                    name));
  return {.network = network, .pool = &ridge_pool(ridge.has_arguments ? ridge.arguments : "unlabelled")};
}

std::string with_pool(const std::string& name, bool clouds) {
  std::string pool = clouds ? "ridge:orbits" : "ridge:unlabelled";
  if (name == "ridge") return pool;
  return name == fmt::format("ridge{}", beside_network) ? pool + std::string(beside_network) : name;
}

}  // namespace perslay::learn
