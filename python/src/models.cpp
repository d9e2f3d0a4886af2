#include "arrays.h"
#include "items.h"
#include "module.h"
#include "run.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <perslay/base/error.h>
#include <perslay/features/inputs.h>
#include <perslay/features/load_items.h>
#include <perslay/io/atomic_file.h>
#include <perslay/io/overwriting.h>
#include <perslay/learn/architecture.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/channel_choice.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/schedule.h>
#include <perslay/learn/settings.h>
#include <perslay/learn/splits.h>
#include <perslay/learn/trained_filtrations.h>
#include <perslay/learn/training.h>

namespace perslay::python {
namespace {

using data::GraphDataset;
using data::PointCloudDataset;
using diagram::DiagramSet;

/// What a model file holds, and how training went if it was trained here.
struct Model : learn::ModelFile {
  std::vector<learn::Epoch> history{};
  std::optional<double> accuracy{};  ///< On the items it was trained on.
};
using ModelPointer = std::shared_ptr<Model>;

// ---- items of whatever is given

/// The class of the package that holds a kind of input.
struct DataClass {
  const features::InputKind& kind;
  bool (*holds)(py::handle);
  std::unique_ptr<features::Dataset> (*dataset)(const py::object&);
};

std::span<const DataClass> data_classes() {
  static const DataClass classes[] = {
      {features::graph_kind(), py::isinstance<GraphDataset>,
       [](const py::object& data) {
         return features::dataset_of(data.cast<std::shared_ptr<GraphDataset>>());
       }},
      {features::cloud_kind(), py::isinstance<PointCloudDataset>,
       [](const py::object& data) {
         return features::dataset_of(data.cast<std::shared_ptr<PointCloudDataset>>());
       }},
      {features::diagram_kind(), py::isinstance<DiagramSet>,
       [](const py::object& data) { return features::dataset_of(*to_set(data)); }},
  };
  return classes;
}

const DataClass* class_of(py::handle data) {
  const auto found = std::ranges::find_if(data_classes(), [&](const auto& one) { return one.holds(data); });
  return found == data_classes().end() ? nullptr : &*found;
}

const features::InputKind& kind_of(py::handle data) {
  if (const auto* const one = class_of(data)) return one->kind;
  throw base::user_error(fmt::format("Training needs labelled Graphs, Clouds or a DiagramSet, not {}.",
                                     Py_TYPE(data.ptr())->tp_name));
}

/// Whatever is given, as a dataset. What is of no class yet is read as this kind.
std::unique_ptr<features::Dataset> dataset_of(const py::object& given, const features::InputKind& kind) {
  const auto data = py::module_::import("perslay._convert").attr("as_data")(given, std::string(kind.name));
  const auto* const one = class_of(data);
  return (one == nullptr ? data_classes().back() : *one).dataset(data);
}

// ---- models

learn::Predictions predictions(const Model& model, const py::object& data, Threads threads) {
  const auto dataset = dataset_of(data, *model.content);
  return run(make_context(threads), [&](const base::Context& context) {
    return learn::predict(model, dataset->items(learn::load_request(model), context), learn::all_learners(),
                          context);
  });
}

py::array probabilities(const Model& model, const py::object& data, Threads threads) {
  auto found = predictions(model, data, threads);
  return take(std::move(found.probabilities), {found.labels.size(), found.classes.size()});
}

py::array predicted_classes(const Model& model, const py::object& data, Threads threads) {
  const auto found = predictions(model, data, threads);
  py::list names;
  for (const int label : found.labels) names.append(found.classes[static_cast<std::size_t>(label)]);
  return py::module_::import("numpy").attr("array")(names, py::dtype("U"));
}

/// What a network reads of items: diagrams as it wants them, and the fitted features [item][column].
struct Inputs {
  std::shared_ptr<DiagramSet> diagrams = std::make_shared<DiagramSet>();
  features::FeatureRows features;
};

Inputs inputs_of(const Model& model, features::Items items, std::span<const std::size_t> rows,
                 const base::Context& context) {
  Inputs inputs;
  inputs.features = model.preparation.features(items, rows, context);
  auto& set = *inputs.diagrams;
  set.groups = std::move(items.groups);
  for (std::size_t g = 0; g < set.groups.size() && !model.preparation.scales.empty(); ++g)
    set.groups[g].diagrams = model.preparation.scales.at(g)(set.groups[g].diagrams);
  set.labels = std::move(items.labels);
  set.classes = std::move(items.classes);
  return inputs;
}

py::array matrix(features::FeatureRows&& features) {
  const std::vector<std::size_t> shape{features.rows, features.columns};
  return take(std::move(features.values), shape);
}

py::tuple inputs(const Model& model, const py::object& data, Threads threads) {
  const auto dataset = dataset_of(data, *model.content);
  auto found = run(make_context(threads), [&](const base::Context& context) {
    auto items = dataset->items(learn::load_request(model), context);
    const auto rows = learn::all_rows(items.count());
    return inputs_of(model, std::move(items), rows, context);
  });
  return py::make_tuple(found.diagrams, matrix(std::move(found.features)));
}

/// One tuple (net, epoch, loss, accuracy) for each epoch.
py::list history(const Model& model) {
  py::list epochs;
  for (const auto& epoch : model.history)
    epochs.append(py::make_tuple(epoch.net, epoch.epoch, epoch.loss, epoch.accuracy));
  return epochs;
}

py::dict arrays(const Model& model) {
  py::dict all;
  for (const auto& array : model.arrays) {
    const std::vector<std::size_t> shape(array.shape.begin(), array.shape.end());
    all[py::str(array.name)] = array.doubles.empty() ? take(std::vector(array.values), shape)
                                                     : take(std::vector(array.doubles), shape);
  }
  return all;
}

/// Whether a text is TOML, and not the name of settings or of a file: it is empty, or has a '=' or several lines.
bool is_toml(const std::string& text) {
  const bool lines = text.find('\n') != std::string::npos;
  return lines || text.empty() || (text.find('=') != std::string::npos && !text.ends_with(".toml"));
}

/// The default for the kind, a dictionary, a file, TOML, or a name.
learn::Settings basic_settings(const py::object& source, const features::InputKind& kind) {
  if (source.is_none()) return learn::default_settings(kind);
  if (py::isinstance<py::dict>(source)) {
    const auto toml = py::module_::import("perslay._convert").attr("as_toml")(source);
    return learn::parse_settings(toml.cast<std::string>(), "");
  }
  if (!py::isinstance<py::str>(source)) return learn::read_settings(source.cast<std::filesystem::path>());
  const auto text = source.cast<std::string>();
  return is_toml(text) ? learn::parse_settings(text, "settings") : learn::settings_by_name(text);
}

/// The file that basic_settings reads, if it does.
std::optional<std::filesystem::path> settings_file(const py::object& source) {
  if (source.is_none() || py::isinstance<py::dict>(source)) return std::nullopt;
  if (!py::isinstance<py::str>(source)) return source.cast<std::filesystem::path>();
  const auto text = source.cast<std::string>();
  return !is_toml(text) && learn::is_settings_file(text) ? std::optional<std::filesystem::path>(text)
                                                         : std::nullopt;
}

learn::Settings settings_of(const features::InputKind& kind, const py::object& source,
                            const std::optional<std::string>& model,
                            const std::vector<std::string>& overrides) {
  auto settings = basic_settings(source, kind);
  if (model) settings = learn::with_model(settings, learn::with_default_argument(*model, kind));
  for (const auto& assignment : overrides) settings = learn::with_override(std::move(settings), assignment);
  return settings;
}

/// The model that is asked for: none if the settings or one of the overrides name it, else `ridge`.
std::optional<std::string> chosen_model(const std::optional<std::string>& model, const py::object& settings,
                                        const std::vector<std::string>& overrides) {
  const auto named = std::ranges::find_if(overrides, learn::names_model);
  if (model && named != overrides.end())
    throw base::user_error(
        fmt::format("model='{}' and the override '{}' both name a model; say it once.", *model, *named));
  if (model || named != overrides.end() || !settings.is_none()) return model;
  return "ridge";
}

/// Tells a Python function of each epoch, and keeps what it raises.
class Report {
 public:
  /// For models without epochs `nets` is 0 and `steps` counts candidates; otherwise it counts the epochs of a net.
  /// `choosing` is the number of trainings that choose a channel.
  Report(py::object function, std::size_t nets, std::size_t steps, std::size_t choosing)
      : function_(std::move(function)), nets_(nets), steps_(steps), choosing_(choosing) {}

  void operator()(const learn::Epoch& epoch) {
    if (is_finalizing()) throw base::Error(base::Fault::cancelled, "Python is ending.");
    const py::gil_scoped_acquire lock;
    try {
      function_(epoch.net, epoch.epoch, epoch.loss, epoch.accuracy, nets_, steps_, epoch.choosing, choosing_);
    } catch (const py::error_already_set&) {
      raised_ = std::current_exception();
      throw base::Error(base::Fault::cancelled, "The function that is told of progress raised an exception.");
    }
  }

  /// Throws what the function raised, if it did.
  void rethrow() const {
    if (raised_) std::rethrow_exception(raised_);
  }

 private:
  /// Whoever asks for the interpreter's lock then is ended by it, in the middle of C++.
  static bool is_finalizing() {
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing() != 0;
#else
    return _Py_IsFinalizing() != 0;
#endif
  }

  py::object function_;
  std::size_t nets_, steps_, choosing_;
  std::exception_ptr raised_;
};

/// Throws if a state of training could replace the settings, or a file of vertex values that they name.
void refuse_overwriting(const py::object& settings, const features::LoadRequest& request,
                        const std::filesystem::path& checkpoint) {
  auto read = features::files_named(request);
  if (auto file = settings_file(settings)) read.push_back(*std::move(file));
  auto choice = checkpoint;
  choice += ".choice";
  for (const auto& target : {checkpoint, choice})
    if (!target.empty()) io::refuse_overwriting(read, target);
}

/// `checkpoint` is where training keeps its state, if anywhere.
learn::FitOptions fit_options(const std::optional<std::filesystem::path>& checkpoint, double seconds,
                              bool fresh, std::uint64_t seed) {
  if (!(seconds >= 0))
    throw base::user_error(fmt::format("checkpoint_seconds must be 0 or more, not {}.", seconds));
  learn::FitOptions options;
  options.seed = seed;
  if (!checkpoint) return options;
  if (checkpoint->empty()) throw base::user_error("checkpoint must be the name of a file, not ''.");
  const io::AtomicFile writable(*checkpoint);  // says so before anything is learned if it is not
  options.checkpoint = *checkpoint;
  options.keep_other_checkpoint = true;
  options.fresh = fresh;
  options.checkpoint_seconds = seconds;
  return options;
}

ModelPointer train(const py::object& data, const py::object& source, const std::optional<std::string>& model,
                   const std::vector<std::string>& overrides, Seed seed, Threads threads,
                   const std::optional<std::filesystem::path>& checkpoint, double checkpoint_seconds,
                   bool fresh, const py::object& progress) {
  const auto& kind = kind_of(data);
  const auto dataset = dataset_of(data, kind);
  const auto settings = settings_of(kind, source, chosen_model(model, source, overrides), overrides);
  const bool network = model_kind(settings).has_epochs;
  const auto make_learner = learn::all_learners();
  if (checkpoint && !network)
    throw base::user_error(
        fmt::format("checkpoint is for networks, and the model is {}, which keeps none.", settings.model));
  if (checkpoint) refuse_overwriting(source, learn::load_request(settings), *checkpoint);
  auto options = fit_options(checkpoint, checkpoint_seconds, fresh, seed);
  Report report(
      progress, network ? settings.training.nets : 0,
      network ? effective_epochs(settings.training) : make_learner(settings)->steps(dataset->size()),
      settings.network.candidates.size() * choice_folds(settings.network, dataset->size()));
  if (!progress.is_none()) options.report = std::ref(report);
  auto trained = [&] {
    try {
      return run(make_context(threads, seed), [&](const base::Context& context) {
        return learn::train(dataset->items(learn::load_request(settings), context), settings, make_learner,
                            options, context);
      });
    } catch (const base::Error&) {
      report.rethrow();
      throw;
    }
  }();
  std::error_code ignored;
  if (network && !options.checkpoint.empty()) std::filesystem::remove(options.checkpoint, ignored);
  return std::make_shared<Model>(
      Model{std::move(trained.model), std::move(trained.history), trained.accuracy});
}

// ---- networks, which perslay.torch makes of this

/// Everything about a network but what is learned, that is its settings and what is fitted to the data before
/// training; and what it reads of the data.
py::tuple prepare_network(const py::object& data, const py::object& source,
                          const std::vector<std::string>& overrides, Seed seed, Threads threads) {
  const auto& kind = kind_of(data);
  const auto dataset = dataset_of(data, kind);
  const auto settings = settings_of(kind, source, "network", overrides);
  if (!settings.network.candidates.empty())
    throw base::user_error(
        "network.channel is a list to choose from, which perslay.train does; prepare_network needs one "
        "channel.");
  if (learn::trains_filtrations(settings))
    throw base::user_error(
        "network.train_filtration trains times together with the network, which perslay.train does; "
        "prepare_network leaves filtrations as they are.");
  ModelPointer model;
  auto found = run(make_context(threads, seed), [&](const base::Context& context) {
    auto items = dataset->items(learn::load_request(settings), context);
    const auto rows = learn::all_rows(items.count());
    model = std::make_shared<Model>(Model{learn::model_for(items, settings, context.seed)});
    model->preparation = learn::Preparation::fit(items, rows, settings, context);
    return inputs_of(*model, std::move(items), rows, context);
  });
  return py::make_tuple(model, found.diagrams, matrix(std::move(found.features)));
}

/// A model with other arrays: those of float64 as they are, all else as float32.
ModelPointer with_arrays(const Model& model, const py::dict& arrays) {
  auto other = std::make_shared<Model>(model);
  other->arrays.clear();
  other->history.clear();
  other->accuracy.reset();
  for (const auto& [name, values] : arrays) {
    io::NamedArray array;
    array.name = name.cast<std::string>();
    const auto given = py::array::ensure(values);
    if (!given) throw base::user_error(fmt::format("{} is not an array.", array.name));
    array.shape.assign(given.shape(), given.shape() + given.ndim());
    if (given.dtype().kind() == 'f' && given.dtype().itemsize() == sizeof(double)) {
      const auto numbers = to_array<double>(given, array.name);
      array.doubles.assign(span_of(numbers).begin(), span_of(numbers).end());
    } else {
      const auto numbers = to_array<float>(given, array.name);
      array.values.assign(span_of(numbers).begin(), span_of(numbers).end());
    }
    other->arrays.push_back(std::move(array));
  }
  return other;
}

/// A table of the settings, with all its keys.
py::dict table_of(const Model& model, const char* name) {
  return py::module_::import("json").attr("loads")(learn::to_json(model.settings))[name];
}

/// A short form, or a dictionary of the parts.
py::object channel_of(const learn::ChannelSettings& channel) {
  if (!channel.paper.empty()) return py::str(channel.paper);
  py::dict parts;
  parts["phi"] = channel.phi;
  if (!channel.equivariant.empty()) parts["equivariant"] = channel.equivariant;
  if (!channel.convolution.empty()) parts["convolution"] = channel.convolution;
  parts["weight"] = channel.weight;
  parts["op"] = channel.op;
  return parts;
}

/// The channels of each group that the model reads, by the group's title.
py::dict channels_of(const Model& model) {
  const auto settings = learn::with_chosen_channel(model);
  py::dict all;
  for (const auto& group : model.groups) {
    py::list own;
    for (const auto& channel : learn::channels_of(settings.network, group)) own.append(channel_of(channel));
    all[py::str(fmt::format("{} {}", group.filtration, diagram::kind_name(group.kind)))] = own;
  }
  return all;
}

/// Features that follow a trained time.
py::list quantiles_of(const Model& model) {
  py::list all;
  if (!learn::trains_filtrations(model.settings)) return all;
  for (const auto& quantiles : learn::architecture_of(model).times.quantiles) {
    py::dict entry;
    entry["filtration"] = quantiles.filtration;
    entry["column"] = quantiles.column;
    entry["count"] = quantiles.count;
    entry["means"] = quantiles.means;
    entry["deviations"] = quantiles.deviations;
    entry["clip"] = quantiles.clip;
    all.append(entry);
  }
  return all;
}

/// The table [network], and what else decides how the network looks.
py::dict network_settings(const Model& model) {
  auto all = table_of(model, "network");
  all["channel"] = channel_of(learn::with_chosen_channel(model).network.channel);
  all["channels"] = channels_of(model);
  py::list trained;
  for (const auto& group : model.groups)
    trained.append(learn::is_trained_filtration(model.settings, group.filtration));
  all["trained"] = trained;
  all["quantiles"] = quantiles_of(model);
  all["drop_diagonal"] = model.settings.data.drop_diagonal;
  all["prominent"] = learn::trains_filtrations(model.settings)
                         ? py::cast(learn::prominent_points(model.settings.data))
                         : py::object(py::none());
  all["features"] = std::accumulate(model.preparation.features.widths.begin(),
                                    model.preparation.features.widths.end(), std::size_t{0});
  return all;
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<Model, ModelPointer>(module, "Model", R"(A trained model, as a model file holds it.

`data` is what it was trained on: graphs, clouds or diagrams in any form that `Graphs`, `Clouds` or `DiagramSet` are made
of, or a path.

>>> import numpy as np, perslay
>>> model = perslay.train(perslay.shapes(per_class=10), "svm:sw")
>>> model.classes, model.groups[0]
(['0', '1', '2'], ('hks:0.1', 'ord0'))
>>> np.allclose(model.predict_proba(perslay.shapes(per_class=2, seed=1)).sum(axis=1), 1)
True
)")
      .def_property_readonly(
          "kind", [](const Model& self) { return self.settings.model; },
          "What it is: 'network', 'svm:...', 'ridge:...'.")
      .def_property_readonly(
          "settings", [](const Model& self) { return learn::to_toml(self.settings); },
          "How it was trained, as TOML.")
      .def_readonly("classes", &Model::classes, "The names of the classes.")
      .def_readonly("seed", &Model::seed)
      .def_readonly("version", &Model::version, "The version of perslay that wrote it.")
      .def_property_readonly(
          "content", [](const Model& self) { return self.content->name; },
          "What it was trained on: 'graphs', 'clouds' or 'diagrams'.")
      .def_property_readonly(
          "groups",
          [](const Model& self) {
            std::vector<std::pair<std::string, std::string>> groups;
            for (const auto& group : self.groups)
              groups.emplace_back(group.filtration, diagram::kind_name(group.kind));
            return groups;
          },
          "The diagrams that it reads, as (filtration, kind).")
      .def_property_readonly(
          "scales",
          [](const Model& self) {
            py::list scales;
            for (const auto& [births, deaths] : self.preparation.scales) {
              py::tuple range = py::make_tuple(births.min, births.max);
              if (self.settings.network.scale == learn::Scaling::apart)
                range = py::make_tuple(range, py::make_tuple(deaths.min, deaths.max));
              scales.append(range);
            }
            return scales;
          },
          "For each group what is mapped to 0 and to 1: two numbers, or, where births and deaths are scaled "
          "apart, two for births and two for deaths; empty if diagrams are not scaled.")
      .def_property_readonly("history", &history,
                             "How training went: (net, epoch, loss, accuracy) after each epoch of a network, "
                             "or for each candidate "
                             "of another model; empty if the model comes from a file.")
      .def_readonly("accuracy", &Model::accuracy,
                    "On the items that it was trained on; None if the model comes from a file.")
      .def_property_readonly("arrays", &arrays, "Everything learned, by name.")
      .def("with_arrays", &with_arrays, py::arg("arrays"), "The same model with something else learned.")
      .def_property_readonly("network", &network_settings, "What a network looks like, as a dictionary.")
      .def_property_readonly(
          "training", [](const Model& self) { return table_of(self, "training"); },
          "How a network is trained, as a dictionary.")
      .def("inputs", &inputs, py::arg("data"), py::kw_only(), py::arg("threads") = py::none(),
           "What the model reads of items: their diagrams, transformed and scaled, and the matrix of their "
           "features.")
      .def("predict", &predicted_classes, py::arg("data"), py::kw_only(), py::arg("threads") = py::none(),
           "The name of the most probable class for each item.")
      .def("predict_proba", &probabilities, py::arg("data"), py::kw_only(), py::arg("threads") = py::none(),
           "The probability of each class for each item.")
      .def(
          "write",
          [](const Model& self, const std::filesystem::path& path) {
            run(make_context(1), [&](const base::Context&) { learn::write_model(path, self); });
          },
          py::arg("path"), "Writes a model file (.safetensors) that the program reads, too.")
      .def("__repr__", [](const Model& self) {
        return fmt::format("Model('{}', {} classes)", self.settings.model, self.classes.size());
      });
  module.def(
      "load_model",
      [](const std::filesystem::path& path) {
        return run(make_context(1), [&](const base::Context&) {
          return std::make_shared<Model>(Model{learn::read_model(path)});
        });
      },
      py::arg("path"));
  // Whether the name of the model, and not the settings, says what it reads.
  module.def(
      "chooses_data",
      [](const std::string& model) {
        const auto& kind = learn::parse_model(model).kind;
        return kind.own_data != nullptr && !kind.takes_features;
      },
      py::arg("model"));
  module.def("prepare_network", &prepare_network, py::arg("data"), py::arg("settings"), py::arg("overrides"),
             py::arg("seed"), py::arg("threads"));
  module.def("train", &train, py::arg("data"), py::arg("settings"), py::arg("model"), py::arg("overrides"),
             py::arg("seed"), py::arg("threads"), py::arg("checkpoint"), py::arg("checkpoint_seconds"),
             py::arg("fresh"), py::arg("progress"));
}

}  // namespace perslay::python
