#include "arrays.h"
#include "diagrams.h"
#include "module.h"
#include "run.h"

#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <perslay/base/error.h>
#include <perslay/features/load_items.h>
#include <perslay/learn/learner.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/model_name.h>
#include <perslay/learn/prediction.h>
#include <perslay/learn/preparation.h>
#include <perslay/learn/settings.h>
#include <perslay/learn/trained_filtrations.h>
#include <perslay/learn/training.h>

namespace perslay::python {
namespace {

using data::GraphDataset;
using data::PointCloudDataset;
using diagram::DiagramSet;
using learn::ModelFile;
using ModelPointer = std::shared_ptr<ModelFile>;

learn::MakeLearner learners() {
  return learn::all_learners([](const learn::Settings&) -> std::unique_ptr<learn::Learner> {
    throw base::user_error("Networks are not part of perslay._core; perslay.torch has them.");
  });
}

// ---- items of whatever is given

features::Content content_of(py::handle data) {
  if (py::isinstance<GraphDataset>(data)) return features::Content::graphs;
  if (py::isinstance<PointCloudDataset>(data)) return features::Content::clouds;
  if (py::isinstance<DiagramSet>(data)) return features::Content::diagrams;
  throw base::user_error(fmt::format("Training needs labelled Graphs, Clouds or a DiagramSet, not {}.",
                                     Py_TYPE(data.ptr())->tp_name));
}

const char* content_name(features::Content content) {
  constexpr const char* names[] = {"graphs", "clouds", "diagrams"};
  return names[static_cast<std::size_t>(content)];
}

/// Makes items, once the interpreter is left alone.
using MakeItems = std::function<features::Items(const features::LoadRequest&, const base::Context&)>;

MakeItems items_of(const py::object& given, features::Content content) {
  const auto data = py::module_::import("perslay._convert")
                        .attr("as_data")(given, content_name(content))
                        .cast<py::object>();
  if (py::isinstance<GraphDataset>(data))
    return [graphs = data.cast<std::shared_ptr<GraphDataset>>()](const auto& request, const auto& context) {
      return features::make_items(*graphs, request, context);
    };
  if (py::isinstance<PointCloudDataset>(data))
    return
        [clouds = data.cast<std::shared_ptr<PointCloudDataset>>()](const auto& request, const auto& context) {
          return features::make_items(*clouds, request, context);
        };
  return [set = to_set(data)](const auto& request, const auto& context) {
    return features::make_items(*set, request, context);
  };
}

// ---- models

learn::Predictions predictions(const ModelFile& model, const py::object& data, Threads threads) {
  const auto make_items = items_of(data, model.content);
  return run(make_context(threads), [&](const base::Context& context) {
    const auto make_learner = learners();
    (void)make_learner(model.settings);  // what cannot be loaded is said before diagrams are computed
    return learn::predict(model, make_items(learn::load_request(model), context), make_learner, context);
  });
}

py::array probabilities(const ModelFile& model, const py::object& data, Threads threads) {
  auto found = predictions(model, data, threads);
  return take(std::move(found.probabilities), {found.labels.size(), found.classes.size()});
}

py::array predicted_classes(const ModelFile& model, const py::object& data, Threads threads) {
  const auto found = predictions(model, data, threads);
  py::list names;
  for (const int label : found.labels) names.append(found.classes[static_cast<std::size_t>(label)]);
  return py::module_::import("numpy").attr("array")(names, py::dtype("U"));
}

/// What a network reads of items: diagrams as it wants them, and the fitted features [item][column].
py::tuple inputs(const ModelFile& model, const py::object& data, Threads threads) {
  const auto make_items = items_of(data, model.content);
  auto set = std::make_shared<DiagramSet>();
  auto matrix = run(make_context(threads), [&](const base::Context& context) {
    auto items = make_items(learn::load_request(model), context);
    std::vector<std::size_t> rows(items.count());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    auto features = model.preparation.features(items, rows, context);
    set->groups = std::move(items.groups);
    for (std::size_t g = 0; g < set->groups.size() && !model.preparation.scales.empty(); ++g)
      set->groups[g].diagrams = model.preparation.scales.at(g)(set->groups[g].diagrams);
    set->labels = std::move(items.labels);
    set->classes = std::move(items.classes);
    return features;
  });
  return py::make_tuple(set, take(std::move(matrix.values), {matrix.rows, matrix.columns}));
}

py::dict arrays(const ModelFile& model) {
  py::dict all;
  for (const auto& array : model.arrays) {
    const std::vector<std::size_t> shape(array.shape.begin(), array.shape.end());
    all[py::str(array.name)] = array.doubles.empty() ? take(std::vector(array.values), shape)
                                                     : take(std::vector(array.doubles), shape);
  }
  return all;
}

learn::Settings settings_of(features::Content content, const std::optional<std::string>& toml,
                            const std::optional<std::string>& model,
                            const std::vector<std::string>& overrides) {
  auto settings = toml ? learn::parse_settings(*toml, "settings") : learn::default_settings(content);
  if (model)
    settings = learn::with_model(settings, learn::with_pool(*model, content == features::Content::clouds));
  for (const auto& assignment : overrides) settings = learn::with_override(std::move(settings), assignment);
  return settings;
}

py::tuple train(const py::object& data, const std::optional<std::string>& toml,
                const std::optional<std::string>& model, const std::vector<std::string>& overrides, Seed seed,
                Threads threads) {
  const auto content = content_of(data);
  const auto make_items = items_of(data, content);
  const auto settings = settings_of(content, toml, model, overrides);
  auto trained = run(make_context(threads, seed), [&](const base::Context& context) {
    const auto make_learner = learners();
    (void)make_learner(settings);
    learn::FitOptions options;
    options.seed = seed;
    return learn::train(make_items(learn::load_request(settings), context), settings, make_learner, options,
                        context);
  });
  trained.model.content = content;
  trained.model.version = PERSLAY_VERSION;
  return py::make_tuple(std::make_shared<ModelFile>(std::move(trained.model)), trained.accuracy);
}

// ---- networks, which perslay.torch makes of this

/// Everything about a network but what is learned: its settings, and what is fitted to the data before
/// training.
ModelPointer prepare_network(const py::object& data, const std::optional<std::string>& toml,
                             const std::vector<std::string>& overrides, Seed seed, Threads threads) {
  const auto content = content_of(data);
  const auto make_items = items_of(data, content);
  auto model = std::make_shared<ModelFile>();
  model->version = PERSLAY_VERSION;
  model->seed = seed;
  model->content = content;
  model->settings = settings_of(content, toml, "network", overrides);
  run(make_context(threads, seed), [&](const base::Context& context) {
    const auto items = make_items(learn::load_request(model->settings), context);
    std::vector<std::size_t> rows(items.count());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (const auto& group : items.groups) model->inputs.push_back({group.filtration, group.kind});
    model->classes = items.classes;
    model->preparation = learn::Preparation::fit(items, rows, model->settings, context);
  });
  return model;
}

/// A model with other arrays: those of float64 as they are, all else as float32.
ModelPointer with_arrays(const ModelFile& model, const py::dict& arrays) {
  auto other = std::make_shared<ModelFile>(model);
  other->arrays.clear();
  for (const auto& [name, values] : arrays) {
    io::NamedArray array;
    array.name = name.cast<std::string>();
    const auto given = py::array::ensure(values);
    if (!given) throw base::user_error(fmt::format("{} is no array.", array.name));
    array.shape.assign(given.shape(), given.shape() + given.ndim());
    if (given.dtype().is(py::dtype::of<double>())) {
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

/// A short form, or a dictionary of names.
py::object channel_settings(const learn::ChannelSettings& channel) {
  if (!channel.paper.empty()) return py::str(channel.paper);
  py::dict names;
  names["phi"] = channel.phi;
  names["weight"] = channel.weight.empty() ? "one" : channel.weight;
  names["op"] = channel.op.empty() ? "sum" : channel.op;
  return names;
}

/// As settings have it: True, False or "apart".
py::object scaling(learn::Scaling scale) {
  if (scale == learn::Scaling::apart) return py::str("apart");
  return py::bool_(scale == learn::Scaling::together);
}

py::dict network_settings(const ModelFile& model) {
  const auto& network = model.settings.network;
  py::dict channels;
  for (const auto& [kind, channel] : network.channels) channels[py::str(kind)] = channel_settings(channel);
  py::list trained;
  for (const auto& input : model.inputs)
    trained.append(learn::is_trained_filtration(model.settings, input.filtration));
  py::dict all;
  all["channel"] = channel_settings(network.channel);
  all["channels"] = channels;
  all["diagrams"] = network.use_diagrams;
  all["scale"] = scaling(network.scale);
  all["initialisation"] = network.initialisation;
  all["hidden"] = network.hidden;
  all["batch_norm"] = network.batch_norm;
  all["channel_norm"] = network.channel_norm;
  all["input_dropout"] = network.input_dropout;
  all["dropout"] = network.dropout;
  all["filtration_pace"] = network.filtration_pace;
  all["trained"] = trained;
  all["keep_diagonal"] = model.settings.data.keep_diagonal;
  all["prominent"] = learn::trains_filtrations(model.settings)
                         ? py::cast(learn::prominent_points(model.settings.data))
                         : py::object(py::none());
  all["features"] = std::accumulate(model.preparation.features.widths.begin(),
                                    model.preparation.features.widths.end(), std::size_t{0});
  return all;
}

py::dict training_settings(const ModelFile& model) {
  const auto& training = model.settings.training;
  py::dict all;
  all["epochs"] = training.epochs;
  all["batch"] = training.batch;
  all["optimiser"] = training.optimiser;
  all["rate"] = training.rate;
  all["epsilon"] = training.epsilon;
  all["weight_decay"] = training.weight_decay;
  all["schedule"] = training.schedule;
  all["average"] = training.average;
  all["restart_from_average"] = training.restart_from_average;
  all["label_smoothing"] = training.label_smoothing;
  all["nets"] = training.nets;
  return all;
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<ModelFile, ModelPointer>(module, "Model", R"(A trained model, as a model file holds it.

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
          "kind", [](const ModelFile& self) { return self.settings.model; },
          "What it is: 'network', 'svm:...', 'ridge:...'.")
      .def_property_readonly(
          "settings", [](const ModelFile& self) { return learn::to_toml(self.settings); },
          "How it was trained, as TOML.")
      .def_readonly("classes", &ModelFile::classes)
      .def_readonly("seed", &ModelFile::seed)
      .def_readonly("version", &ModelFile::version, "The version of perslay that wrote it.")
      .def_property_readonly(
          "content", [](const ModelFile& self) { return content_name(self.content); },
          "What it was trained on: 'graphs', 'clouds' or 'diagrams'.")
      .def_property_readonly(
          "groups",
          [](const ModelFile& self) {
            std::vector<std::pair<std::string, std::string>> groups;
            for (const auto& input : self.inputs)
              groups.emplace_back(input.filtration, diagram::kind_name(input.kind));
            return groups;
          },
          "The diagrams that it reads, as (filtration, kind).")
      .def_property_readonly(
          "scales",
          [](const ModelFile& self) {
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
      .def_property_readonly("arrays", &arrays, "Everything learned, by name.")
      .def("with_arrays", &with_arrays, py::arg("arrays"), "The same model with something else learned.")
      .def_property_readonly("network", &network_settings, "What a network looks like, as a dictionary.")
      .def_property_readonly("training", &training_settings, "How a network is trained, as a dictionary.")
      .def("inputs", &inputs, py::arg("data"), py::kw_only(), py::arg("threads") = py::none(),
           "What the model reads of items: their diagrams, transformed and scaled, and the matrix of their "
           "features.")
      .def("predict", &predicted_classes, py::arg("data"), py::kw_only(), py::arg("threads") = py::none(),
           "The name of the most probable class for each item.")
      .def("predict_proba", &probabilities, py::arg("data"), py::kw_only(), py::arg("threads") = py::none(),
           "The probability of each class for each item.")
      .def(
          "write",
          [](const ModelFile& self, const std::filesystem::path& path) {
            run(make_context(1), [&](const base::Context&) { learn::write_model(path, self); });
          },
          py::arg("path"), "Writes a model file (.safetensors) that the program reads, too.")
      .def("__repr__", [](const ModelFile& self) {
        return fmt::format("Model('{}', {} classes)", self.settings.model, self.classes.size());
      });
  module.def(
      "load_model",
      [](const std::filesystem::path& path) {
        return run(make_context(1), [&](const base::Context&) {
          return std::make_shared<ModelFile>(learn::read_model(path));
        });
      },
      py::arg("path"));
  module.def("prepare_network", &prepare_network, py::arg("data"), py::arg("settings"), py::arg("overrides"),
             py::arg("seed"), py::arg("threads"));
  module.def("train", &train, py::arg("data"), py::arg("settings"), py::arg("model"), py::arg("overrides"),
             py::arg("seed"), py::arg("threads"));
}

}  // namespace perslay::python
