#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <perslay/base/error.h>
#include <perslay/base/repeated.h>
#include <perslay/base/version.h>
#include <perslay/features/item_features.h>
#include <perslay/io/atomic_file.h>
#include <perslay/learn/model_file.h>

namespace perslay::learn {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr auto metadata_key = "perslay";
constexpr std::uint64_t format_version = 1;

// ---- writing

ordered_json description(const ModelFile& model) {
  auto groups = ordered_json::array();
  for (const auto& [filtration, kind] : model.groups)
    groups.push_back({{"filtration", filtration}, {"kind", diagram::kind_name(kind)}});
  auto scales = ordered_json::array();
  for (const auto& [births, deaths] : model.preparation.scales) {
    scales.push_back(ordered_json::array({births.min, births.max}));
    if (model.settings.network.scale != Scaling::apart) continue;
    scales.back().push_back(deaths.min);
    scales.back().push_back(deaths.max);
  }
  const auto& fitted = model.preparation.features;
  return {{"format", format_version},
          {"version", base::version()},
          {"settings", to_toml(model.settings)},
          {"seed", model.seed},
          {"content", model.content->name},
          {"inputs", std::move(groups)},
          {"classes", model.classes},
          {"scales", std::move(scales)},
          {"features",
           {{"widths", fitted.widths},
            {"frames", fitted.frames},
            {"means", fitted.means},
            {"deviations", fitted.deviations}}}};
}

// ---- reading

/// How many numbers the frames of fitted features have (see FittedFeatures).
std::size_t frame_numbers(const ModelFile& model) {
  std::size_t count = 0;
  for (const auto& feature : features::parse_item_features(model.settings.features.names))
    if (feature.is_fitted())
      for (const auto& group : model.groups)
        if (!feature.kind || *feature.kind == group.kind) count += 6;
  return count;
}

/// The description while it is read, for its errors.
struct Reader {
  const fs::path& path;
  mutable std::string key{};  ///< The last that was looked at.

  const ordered_json& at(const ordered_json& json, const char* name) const {
    key = name;
    return json.at(name);
  }

  [[noreturn]] void fail(const std::string& sentence) const {
    throw base::user_error(fmt::format("{}: {}", path.string(), sentence));
  }
  [[noreturn]] void contradiction(const std::string& what) const {
    fail(fmt::format("The model contradicts itself: {}.", what));
  }

  void check_format(const ordered_json& json) const {
    const auto format = json.find("format");
    if (format == json.end() || !format->is_number_unsigned() || format->get<std::uint64_t>() == 0)
      fail("The model does not say which version of the format it has.");
    const auto version = format->get<std::uint64_t>();
    if (version > format_version)
      fail(
          fmt::format("The model has the format version {}, and this program, perslay {}, reads versions up "
                      "to {}; a newer "
                      "one is needed.",
                      version, base::version(), format_version));
  }

  [[nodiscard]] std::vector<std::size_t> counts(const ordered_json& json) const {
    constexpr std::uint64_t most = std::uint64_t{1} << 32;
    std::vector<std::size_t> numbers;
    for (const auto& entry : json) {
      if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() > most)
        contradiction(fmt::format("{} is not a number of columns", entry.dump()));
      numbers.push_back(entry.get<std::size_t>());
    }
    return numbers;
  }

  [[nodiscard]] const features::InputKind* content(const std::string& name) const {
    const auto kinds = features::input_kinds();
    const auto found = std::ranges::find(kinds, name, &features::InputKind::name);
    if (found == kinds.end()) contradiction(fmt::format("it reads '{}', which is nothing known", name));
    return *found;
  }

  [[nodiscard]] GroupName group(const ordered_json& json) const {
    const auto filtration = at(json, "filtration").get<std::string>();
    const auto kind = at(json, "kind").get<std::string>();
    try {
      return {filtration, diagram::parse_kind(kind)};
    } catch (const base::Error& error) {
      fail(error.what());
    }
  }

  /// Two numbers for births and deaths together, two and two if each has its own.
  [[nodiscard]] diagram::PlaneScale scale_of(const ordered_json& json, Scaling scaling) const {
    const bool apart = scaling == Scaling::apart;
    if (json.size() != (apart ? 4 : 2))
      contradiction(fmt::format("it has a scale of {} numbers instead of {}", json.size(), apart ? 4 : 2));
    const auto range = [&](std::size_t first) {
      return diagram::UnitScale{json.at(first).get<double>(), json.at(first + 1).get<double>()};
    };
    return {range(0), range(apart ? 2 : 0)};
  }

  [[nodiscard]] ModelFile model(const ordered_json& json) const {
    ModelFile model;
    model.source = path.string();
    at(json, "version").get_to(model.version);
    model.settings =
        parse_settings(at(json, "settings").get<std::string>(), fmt::format("{}: settings", path.string()));
    const auto& seed = at(json, "seed");
    if (!seed.is_number_unsigned()) contradiction(fmt::format("{} is not a seed", seed.dump()));
    seed.get_to(model.seed);
    model.content = content(at(json, "content").get<std::string>());
    for (const auto& entry : at(json, "inputs")) model.groups.push_back(group(entry));
    at(json, "classes").get_to(model.classes);
    for (const auto& scale : at(json, "scales"))
      model.preparation.scales.push_back(scale_of(scale, model.settings.network.scale));
    const auto& features = at(json, "features");
    auto& fitted = model.preparation.features;
    fitted.settings = model.settings.features;
    fitted.widths = counts(at(features, "widths"));
    at(features, "frames").get_to(fitted.frames);
    at(features, "means").get_to(fitted.means);
    at(features, "deviations").get_to(fitted.deviations);
    return model;
  }

  void check(const ModelFile& model) const {
    const auto& network = model.settings.network;
    if (model.classes.size() < 2) contradiction(fmt::format("it has {} classes", model.classes.size()));
    if (const auto* const name = base::repeated(model.classes))
      contradiction(fmt::format("two of its classes are called '{}'", *name));
    if (network.use_diagrams && model.groups.empty()) contradiction("it reads diagrams, but of no kind");
    const std::size_t scales = network.scale == Scaling::none ? 0 : model.groups.size();
    if (model.preparation.scales.size() != scales)
      contradiction(
          fmt::format("it has {} scales for {} kinds of diagrams", model.preparation.scales.size(), scales));
    for (const auto& [births, deaths] : model.preparation.scales)
      for (const auto& [min, max] : {births, deaths})
        if (!(min <= max)) contradiction(fmt::format("it has a scale from {} to {}", min, max));

    const auto& fitted = model.preparation.features;
    if (fitted.widths.size() != fitted.settings.names.size())
      contradiction(
          fmt::format("it has {} widths of {} features", fitted.widths.size(), fitted.settings.names.size()));
    const std::size_t columns =
        fitted.settings.standardise
            ? std::accumulate(fitted.widths.begin(), fitted.widths.end(), std::size_t{0})
            : 0;
    if (fitted.means.size() != columns || fitted.deviations.size() != columns)
      contradiction(fmt::format("it has {} means and {} deviations of {} columns", fitted.means.size(),
                                fitted.deviations.size(), columns));
    for (const double deviation : fitted.deviations)
      if (!(deviation >= 0)) contradiction(fmt::format("it has a deviation of {}", deviation));
    if (fitted.frames.size() != frame_numbers(model))
      contradiction(fmt::format("the frames of its features have {} numbers instead of {}",
                                fitted.frames.size(), frame_numbers(model)));
    for (const auto& array : model.arrays) check_finite(array);
  }

  void check_finite(const io::NamedArray& array) const {
    const auto finite = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(array.values, finite) || !std::ranges::all_of(array.doubles, finite))
      fail(fmt::format(
          "The array {} holds a number that is not finite, which no training writes; the file is damaged.",
          array.name));
  }
};

}  // namespace

ModelFile model_for(const features::Items& items, const Settings& settings, std::uint64_t seed) {
  ModelFile model;
  model.version = base::version();
  model.settings = settings;
  model.seed = seed;
  if (items.kind != nullptr) model.content = items.kind;
  for (const auto& group : items.groups) model.groups.push_back({group.filtration, group.kind});
  model.classes = items.classes;
  return model;
}

void write_model(const fs::path& path, const ModelFile& model) {
  const auto text = description(model).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  io::write_safetensors(path, model.arrays, {{metadata_key, text}});
}

ModelFile read_model(const fs::path& path) {
  const Reader reader{path};
  auto file = io::read_safetensors(path);
  const auto text = file.metadata.find(metadata_key);
  if (text == file.metadata.end())
    reader.fail("This is a safetensors file, but not a model of perslay: its metadata have no 'perslay'.");
  const auto json = ordered_json::parse(text->second, nullptr, false);
  if (!json.is_object()) reader.fail("The model's description is no JSON object; the file is damaged.");
  reader.check_format(json);
  try {
    auto model = reader.model(json);
    model.arrays = std::move(file.arrays);
    model.checked = file.checked;
    reader.check(model);
    return model;
  } catch (const ordered_json::exception&) {
    reader.fail(fmt::format("The model's description is damaged: '{}' is missing, or not what belongs there.",
                            reader.key));
  }
}

void check_model_target(const fs::path& path) { const io::AtomicFile would_be_written(path); }

}  // namespace perslay::learn
