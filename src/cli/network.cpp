#include "network.h"

#include "interrupt.h"
#include "network_module.h"

#include <filesystem>

#include <dlfcn.h>
#include <fmt/format.h>

#include <perslay/base/error.h>

namespace perslay::cli {
namespace {

namespace fs = std::filesystem;

/// Beside the program, as in a build tree, or where it is installed.
fs::path find_module() {
  const auto here = fs::read_symlink("/proc/self/exe").parent_path();
  for (const auto& folder : {here, here / PERSLAY_MODULE_FOLDER})
    if (fs::exists(folder / network_module_file)) return folder / network_module_file;
  throw base::user_error(fmt::format(
      "Networks need {}, which is neither in {} nor in {}: this perslay was built without libtorch.",
      network_module_file, here.string(), (here / PERSLAY_MODULE_FOLDER).lexically_normal().string()));
}

MakeNetworkLearner load_module() {
  const auto file = find_module();
  void* const module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr)
    throw base::user_error(fmt::format("Networks cannot be used: {}.", dlerror()));  // NOLINT: one thread
  const auto version = reinterpret_cast<NetworkModuleVersion>(dlsym(module, network_module_version));
  const auto make = reinterpret_cast<MakeNetworkLearner>(dlsym(module, network_module_make));
  const auto remove = reinterpret_cast<RemoveUnfinishedFiles>(dlsym(module, network_module_remove));
  if (version == nullptr || make == nullptr || remove == nullptr ||
      std::string_view(version()) != PERSLAY_VERSION)
    throw base::user_error(fmt::format("{} does not belong to perslay {}; install both together.",
                                       file.string(), PERSLAY_VERSION));
  also_remove_on_interrupt(remove);
  return make;
}

}  // namespace

learn::MakeLearner learners() {
  return learn::all_learners([](const learn::Settings& settings) {
    static const auto make = load_module();
    return std::unique_ptr<learn::Learner>(make(settings));
  });
}

}  // namespace perslay::cli
