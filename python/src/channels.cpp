#include "arrays.h"
#include "module.h"
#include "run.h"

#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <perslay/base/error.h>
#include <perslay/layer/channel.h>
#include <perslay/layer/initialise.h>
#include <perslay/layer/perslay.h>

namespace perslay::python {
namespace {

using layer::Channel;

// ---- making channels

using EquivariantName = std::pair<std::size_t, std::string>;

Channel make_channel(const std::string& phi, const std::string& weight, const std::string& op,
                     const std::vector<EquivariantName>& equivariant) {
  Channel channel{
      layer::parse_point_transform(phi), {}, layer::parse_weight(weight), layer::parse_operation(op)};
  for (const auto& [size, pool] : equivariant) channel.equivariant.push_back({size, layer::parse_pool(pool)});
  return channel;
}

/// Features and weights that the caller computes have no name.
Channel make_given_channel(std::optional<std::size_t> features, const std::optional<std::string>& phi,
                           const std::optional<std::string>& weight, const std::string& op,
                           const std::vector<EquivariantName>& equivariant) {
  auto channel = make_channel(phi.value_or("line:1"), weight.value_or("one"), op, equivariant);
  if (features) channel.phi = {.type = layer::PointTransform::Type::given, .count = *features};
  if (!weight) channel.weight = {.type = layer::Weight::Type::given};
  return channel;
}

py::dict shapes(const Channel& channel) {
  py::dict all;
  for (const auto& parameter : channel.parameters())
    all[py::str(parameter.name)] = py::tuple(py::cast(parameter.shape));
  return all;
}

py::dict initial_parameters(const Channel& channel, const std::string& init, Seed seed) {
  auto values = layer::initial_parameters(channel, layer::parse_initialisation(init), seed);
  const auto parameters = channel.parameters();
  py::dict all;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    all[py::str(parameters[i].name)] =
        take(std::move(values[i]), {parameters[i].shape.begin(), parameters[i].shape.end()});
  return all;
}

// ---- packed batches

std::size_t checked_count(const Array<std::int64_t>& offsets, std::size_t points) {
  const auto places = span_of(offsets);
  if (places.empty() || places.front() != 0 || !std::ranges::is_sorted(places) ||
      places.back() != static_cast<std::int64_t>(points))
    throw base::user_error(
        fmt::format("offsets must begin with 0, ascend, and end with the number of points, {}.", points));
  return places.size() - 1;
}

template <class T>
Array<T> shaped(const py::object& object, const std::vector<std::size_t>& shape, const std::string& what) {
  auto array = to_array<T>(object, what);
  if (!std::ranges::equal(std::span(array.shape(), static_cast<std::size_t>(array.ndim())), shape,
                          [](py::ssize_t a, std::size_t b) { return std::cmp_equal(a, b); }))
    throw base::user_error(fmt::format("{} must have the shape ({}{}), not {}.", what, fmt::join(shape, ", "),
                                       shape.size() == 1 ? "," : "", shape_text(array)));
  return array;
}

/// What both directions read, checked.
template <class T>
struct Input {
  Array<T> points;
  Array<std::int64_t> offsets;
  std::vector<Array<T>> parameters;
  std::vector<std::span<const T>> parameter_spans;
  std::optional<Array<T>> features, weights;
  std::size_t diagrams = 0;

  Input(const Channel& channel, const py::object& given_points, const py::object& given_offsets,
        const py::sequence& given_parameters, const py::object& given_features,
        const py::object& given_weights)
      : points(to_pairs<T>(given_points, "points")),
        offsets(to_vector<std::int64_t>(given_offsets, "offsets")) {
    const auto count = static_cast<std::size_t>(points.shape(0));
    diagrams = checked_count(offsets, count);
    const auto shapes = channel.parameters();
    if (given_parameters.size() != shapes.size())
      throw base::user_error(fmt::format("{} has {} parameters, not {}.", channel.name(), shapes.size(),
                                         given_parameters.size()));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const auto& shape = shapes[i].shape;
      parameters.push_back(shaped<T>(given_parameters[i], {shape.begin(), shape.end()}, shapes[i].name));
      parameter_spans.push_back(span_of(parameters[i]));
    }
    const bool needs_features = channel.phi.type == layer::PointTransform::Type::given;
    const bool needs_weights = channel.weight.type == layer::Weight::Type::given;
    if (needs_features == given_features.is_none() || needs_weights == given_weights.is_none())
      throw base::user_error(
          "Features and weights of points are given if, and only if, the channel was made so.");
    if (needs_features) features = shaped<T>(given_features, {count, channel.phi.size()}, "features");
    if (needs_weights) weights = shaped<T>(given_weights, {count}, "weights");
  }

  [[nodiscard]] layer::Batch<T> batch() const {
    layer::Batch<T> all{.points = span_of(points), .offsets = span_of(offsets)};
    if (features) all.features = span_of(*features);
    if (weights) all.weights = span_of(*weights);
    return all;
  }
};

/// Calls `work` with a number of the precision in which to compute: single if the points have it.
template <class Work>
py::tuple in_precision_of(const py::object& points, const Work& work) {
  const bool single = py::isinstance<py::array>(points) &&
                      py::reinterpret_borrow<py::array>(points).dtype().is(py::dtype::of<float>());
  if (single) return work(float{});
  return work(double{});
}

py::tuple forward(const Channel& channel, const py::object& points, const py::object& offsets,
                  const py::sequence& parameters, const py::object& features, const py::object& weights,
                  bool selection, Threads threads) {
  return in_precision_of(points, [&]<class T>(T) {
    const Input<T> input(channel, points, offsets, parameters, features, weights);
    auto out = make_array<T>({input.diagrams, channel.size()});
    const auto numbers = writable(out);
    std::vector<std::int32_t> chosen_points;
    run(make_context(threads), [&](const base::Context& context) {
      layer::forward<T>(context, channel, input.batch(), input.parameter_spans, numbers,
                        selection ? &chosen_points : nullptr);
    });
    return py::make_tuple(out, take(std::move(chosen_points)));
  });
}

/// An array like this one for a gradient; None without one.
template <class T>
py::object gradient_place(const Array<T>* like, std::span<T>& place) {
  if (like == nullptr) return py::none();
  Array<T> array(std::vector<py::ssize_t>(like->shape(), like->shape() + like->ndim()));
  place = writable(array);
  return array;
}

py::tuple backward(const Channel& channel, const py::object& points, const py::object& offsets,
                   const py::sequence& parameters, const py::object& selection,
                   const py::object& out_gradient, bool need_points,
                   const std::optional<std::vector<bool>>& need_parameters, const py::object& features,
                   const py::object& weights, Threads threads) {
  return in_precision_of(points, [&]<class T>(T) {
    const Input<T> input(channel, points, offsets, parameters, features, weights);
    const auto chosen_points = to_vector<std::int32_t>(selection, "selection");
    const auto gradient = shaped<T>(out_gradient, {input.diagrams, channel.size()}, "out_gradient");
    if (need_parameters && need_parameters->size() != input.parameters.size())
      throw base::user_error("need_parameters must have one truth value for each parameter.");

    layer::BatchGradient<T> to;
    const auto of_points = gradient_place(need_points ? &input.points : nullptr, to.points);
    const auto of_features = gradient_place(input.features ? &*input.features : nullptr, to.features);
    const auto of_weights = gradient_place(input.weights ? &*input.weights : nullptr, to.weights);
    std::vector<std::span<T>> places(input.parameters.size());
    py::list of_parameters;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const bool needed = !need_parameters || (*need_parameters)[i];
      of_parameters.append(gradient_place(needed ? &input.parameters[i] : nullptr, places[i]));
    }
    run(make_context(threads), [&](const base::Context& context) {
      layer::backward<T>(context, channel, input.batch(), input.parameter_spans, span_of(chosen_points),
                         span_of(gradient), places, to);
    });
    return py::make_tuple(of_points, of_parameters, of_features, of_weights);
  });
}

std::vector<EquivariantName> equivariant_names(const Channel& channel) {
  std::vector<EquivariantName> names;
  for (const auto& part : channel.equivariant) names.emplace_back(part.size, layer::pool_name(part.pool));
  return names;
}

/// What make_given_channel makes the same channel of.
py::tuple state_of(const Channel& channel) {
  const bool given_features = channel.phi.type == layer::PointTransform::Type::given;
  const bool given_weights = channel.weight.type == layer::Weight::Type::given;
  return py::make_tuple(given_features ? py::cast(channel.phi.size()) : py::none(),
                        given_features ? py::none() : py::cast(channel.phi.name()),
                        given_weights ? py::none() : py::cast(channel.weight.name()), channel.op.name(),
                        equivariant_names(channel));
}

Channel from_state(const py::tuple& state) {
  return make_given_channel(state[0].cast<std::optional<std::size_t>>(),
                            state[1].cast<std::optional<std::string>>(),
                            state[2].cast<std::optional<std::string>>(), state[3].cast<std::string>(),
                            state[4].cast<std::vector<EquivariantName>>());
}

}  // namespace

void add_channels(py::module_& module) {
  py::class_<Channel>(
      module, "Channel",
      R"(One PersLay, op({ w(p) phi(p) }), on packed diagrams: forward, and backward for those who bring autograd.

`phi`, `weight` and `op` are names (see `perslay.names`); `equivariant` are layers after phi, as (size, pool).
Parameters are arrays in the order of `parameters`; the channel keeps none. The precision is that of the points.

`forward(points, offsets, parameters)` gives the numbers of each diagram and the selection that `backward` needs besides
the same arguments. `backward(..., selection, out_gradient)` gives the gradients of points, of each parameter, and of
given features and weights; None for what is not needed.

>>> import numpy as np, perslay
>>> channel = perslay.Channel("triangle:3", op="max")
>>> channel.parameters
{'phi.samples': (3,)}
>>> points, offsets = np.array([[0.0, 1.0], [0.2, 0.6]]), [0, 2, 2]
>>> parameters = list(channel.initial_parameters().values())
>>> out, selection = channel.forward(points, offsets, parameters)
>>> out
array([[0. , 0.5, 0. ],
       [0. , 0. , 0. ]])
>>> channel.backward(points, offsets, parameters, selection, np.ones_like(out))[0]
array([[-0.5,  0.5],
       [ 0. ,  0. ]])
)")
      .def(py::init(&make_channel), py::arg("phi"), py::arg("weight") = "one", py::arg("op") = "sum",
           py::kw_only(), py::arg("equivariant") = std::vector<EquivariantName>{})
      .def_static(
          "given", &make_given_channel, py::kw_only(), py::arg("features") = py::none(),
          py::arg("phi") = py::none(), py::arg("weight") = "one", py::arg("op") = "sum",
          py::arg("equivariant") = std::vector<EquivariantName>{},
          "A channel whose features (so many per point) or weights (weight=None) the caller computes.")
      .def_static(
          "paper",
          [](const std::string& name) {
            const auto paper = layer::parse_paper_channel(name);
            py::object convolution = py::none();
            if (paper.convolution)
              convolution = py::make_tuple(paper.convolution->filters, paper.convolution->size);
            return py::make_tuple(paper.channel, convolution);
          },
          py::arg("name"),
          "The channel behind a short form of the paper, and its convolution as (filters, size) or None.")
      .def_static(
          "convolution",
          [](const std::string& name, const Channel& channel) {
            const auto convolution = layer::parse_convolution(name);
            layer::require_room(convolution, channel);
            return py::make_tuple(convolution.filters, convolution.size);
          },
          py::arg("name"), py::arg("channel"),
          "What a convolution such as '10x2' over the image of a channel is: (filters, size).")
      .def(py::pickle(&state_of, &from_state))
      .def_property_readonly("name", &Channel::name)
      .def_property_readonly("phi", [](const Channel& self) { return self.phi.name(); })
      .def_property_readonly("weight", [](const Channel& self) { return self.weight.name(); })
      .def_property_readonly("op", [](const Channel& self) { return self.op.name(); })
      .def_property_readonly("equivariant", &equivariant_names, "Size and pool of each equivariant layer.")
      .def_property_readonly("features", &Channel::features,
                             "Features per point that are weighted and reduced.")
      .def_property_readonly(
          "image",
          [](const Channel& self) {
            const auto [rows, columns] = layer::image_of(self);
            return py::make_tuple(rows, columns);
          },
          "Rows and columns of the features, as a convolution sees them: a grid as it is, others as one row.")
      .def_property_readonly("size", &Channel::size, "Numbers per diagram, in the order [feature][rank].")
      .def_property_readonly("parameters", &shapes, "The shape of each trainable array, by name.")
      .def("initial_parameters", &initial_parameters, py::arg("init") = "ours", py::arg("seed") = 0,
           "Where training starts: an array for each parameter, by name.")
      .def("forward", &forward, py::arg("points"), py::arg("offsets"), py::arg("parameters"), py::kw_only(),
           py::arg("features") = py::none(), py::arg("weights") = py::none(), py::arg("selection") = true,
           py::arg("threads") = py::none())
      .def("backward", &backward, py::arg("points"), py::arg("offsets"), py::arg("parameters"),
           py::arg("selection"), py::arg("out_gradient"), py::kw_only(), py::arg("need_points") = true,
           py::arg("need_parameters") = py::none(), py::arg("features") = py::none(),
           py::arg("weights") = py::none(), py::arg("threads") = py::none())
      .def(
          "__eq__", [](const Channel& a, const Channel& b) { return a == b; }, py::is_operator())
      .def("__repr__", [](const Channel& self) { return fmt::format("Channel({})", self.name()); });
}

}  // namespace perslay::python
