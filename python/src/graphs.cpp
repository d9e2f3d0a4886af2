#include "arrays.h"
#include "items.h"
#include "module.h"
#include "run.h"
#include "warnings.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <perslay/base/error.h>
#include <perslay/base/parallel.h>
#include <perslay/data/concatenate.h>
#include <perslay/data/generators.h>
#include <perslay/data/part_of.h>
#include <perslay/data/word_number.h>
#include <perslay/features/graph_diagrams.h>
#include <perslay/filtration/heat_kernel_signature.h>
#include <perslay/filtration/heat_spectrum.h>
#include <perslay/io/graph_dataset.h>

namespace perslay::python {
namespace {

using data::Graph;
using data::GraphDataset;
using data::Vertex;
using GraphsPointer = std::shared_ptr<GraphDataset>;

/// One graph of a dataset, with what belongs to its vertices.
struct Item {
  Graph graph;
  std::vector<std::int32_t> node_labels;  // empty if there are none
  std::vector<double> node_attributes;    // [vertex][attribute]
  std::size_t attribute_count = 0;
  std::vector<std::string> vertex_names;  // empty if there are none
};

Item item(const GraphDataset& graphs, std::size_t place) {
  Item one{graphs.graphs[place], {}, {}, graphs.attribute_count, {}};
  const auto take_own = [&](const auto& all, auto& own, std::size_t columns = 1) {
    const auto width = static_cast<std::ptrdiff_t>(columns);
    if (!all.empty())
      own.assign(all.begin() + graphs.vertex_offsets[place] * width,
                 all.begin() + graphs.vertex_offsets[place + 1] * width);
  };
  take_own(graphs.node_labels, one.node_labels);
  take_own(graphs.node_attributes, one.node_attributes, graphs.attribute_count);
  take_own(graphs.vertex_names, one.vertex_names);
  return one;
}

// ---- packed arrays, which is how graphs come from Python and go through a pickle

/// Edges of all graphs, one graph after the other; ids count within a graph.
struct PackedGraphs {
  Array<std::int64_t> edges;    // [edge][2]
  Array<std::int64_t> offsets;  // of edges, one more than there are graphs
  Array<std::int64_t> sizes;    // vertices of each graph
  std::optional<Array<double>> weights;
};

Vertex to_vertex(std::int64_t id, std::size_t graph) {
  if (id < 0 || id > std::numeric_limits<Vertex>::max())
    throw base::user_error(fmt::format("Graph {} has a vertex {}; vertices are numbered from 0 to {}.", graph,
                                       id, std::numeric_limits<Vertex>::max()));
  return static_cast<Vertex>(id);
}

Graph make_graph(const PackedGraphs& packed, std::size_t g, std::vector<data::Edge>& edges,
                 Graph::Cleaning& cleaning) {
  const auto begin = static_cast<std::size_t>(span_of(packed.offsets)[g]);
  const auto end = static_cast<std::size_t>(span_of(packed.offsets)[g + 1]);
  const auto ids = span_of(packed.edges);
  edges.clear();
  for (std::size_t e = begin; e < end; ++e)
    edges.push_back({to_vertex(ids[2 * e], g), to_vertex(ids[2 * e + 1], g),
                     packed.weights ? span_of(*packed.weights)[e] : 1.0});
  try {
    return Graph::from_edges(to_vertex(span_of(packed.sizes)[g], g), edges, packed.weights.has_value(),
                             &cleaning);
  } catch (const base::Error& error) {
    throw base::Error(error.fault(), fmt::format("Graph {}: {}", g, error.what()));
  }
}

void require_packed(const PackedGraphs& packed) {
  const auto offsets = span_of(packed.offsets);
  const bool good = offsets.size() == static_cast<std::size_t>(packed.sizes.size()) + 1 &&
                    offsets.front() == 0 && std::ranges::is_sorted(offsets) &&
                    offsets.back() == packed.edges.shape(0) &&
                    (!packed.weights || packed.weights->size() == packed.edges.shape(0));
  if (!good) throw base::user_error("The packed arrays of graphs do not fit each other.");
}

void add_graphs_to(GraphDataset& dataset, const PackedGraphs& packed) {
  require_packed(packed);
  std::vector<data::Edge> edges;
  for (std::size_t g = 0; g < static_cast<std::size_t>(packed.sizes.size()); ++g) {
    Graph::Cleaning cleaning;
    dataset.graphs.push_back(make_graph(packed, g, edges, cleaning));
    dataset.vertex_offsets.push_back(dataset.vertex_offsets.back() + dataset.graphs.back().vertex_count());
    dataset.cleaning.self_loops_dropped += cleaning.self_loops_dropped;
    dataset.cleaning.duplicate_edges_merged += cleaning.duplicate_edges_merged;
  }
}

void add_node_labels(GraphDataset& dataset, const Array<std::int32_t>& labels) {
  if (labels.size() != dataset.vertex_offsets.back())
    throw base::user_error(fmt::format("There are {} node labels for {} vertices.", labels.size(),
                                       dataset.vertex_offsets.back()));
  dataset.node_labels.assign(span_of(labels).begin(), span_of(labels).end());
}

/// From what perslay._convert.pack_graphs makes, and from a pickle's state.
GraphsPointer graphs_from(const py::dict& packed) {
  const auto given = [&](const char* key) { return packed.contains(key) && !packed[key].is_none(); };
  PackedGraphs arrays{to_pairs<std::int64_t>(packed["edges"], "edges"),
                      to_vector<std::int64_t>(packed["offsets"], "offsets"),
                      to_vector<std::int64_t>(packed["sizes"], "num_nodes"),
                      {}};
  if (given("weights")) arrays.weights = to_vector<double>(packed["weights"], "weights");
  auto dataset = std::make_shared<GraphDataset>();
  add_graphs_to(*dataset, arrays);
  if (given("name")) dataset->name = packed["name"].cast<std::string>();
  if (given("labels"))
    set_labels(*dataset, dataset->size(), packed["labels"].cast<std::vector<int>>(),
               packed["classes"].cast<std::vector<std::string>>());
  if (given("node_labels"))
    add_node_labels(*dataset, to_vector<std::int32_t>(packed["node_labels"], "node_labels"));
  if (given("vertex_names")) {
    dataset->vertex_names = packed["vertex_names"].cast<std::vector<std::string>>();
    if (dataset->vertex_names.size() != static_cast<std::size_t>(dataset->vertex_offsets.back()))
      throw base::user_error(fmt::format("There are {} names for {} vertices.", dataset->vertex_names.size(),
                                         dataset->vertex_offsets.back()));
  }
  if (given("notes")) dataset->notes = packed["notes"].cast<std::vector<std::string>>();
  if (given("attribute_names"))
    dataset->attribute_names = packed["attribute_names"].cast<std::vector<std::string>>();
  if (given("node_attributes")) {
    const auto attributes = to_array<double>(packed["node_attributes"], "node_attributes");
    if (attributes.ndim() != 2 || attributes.shape(0) != dataset->vertex_offsets.back())
      throw base::user_error(fmt::format("node_attributes of {} vertices cannot have the shape {}.",
                                         dataset->vertex_offsets.back(), shape_text(attributes)));
    dataset->node_attributes.assign(span_of(attributes).begin(), span_of(attributes).end());
    dataset->attribute_count = static_cast<std::size_t>(attributes.shape(1));
  }
  return dataset;
}

/// Each edge once, the lower vertex first, in ascending order.
template <class Take>
void for_each_edge(const Graph& graph, const Take& take_edge) {
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const auto neighbours = graph.neighbours(v);
    for (std::size_t i = 0; i < neighbours.size(); ++i)
      if (v < neighbours[i]) take_edge(v, neighbours[i], graph.weighted() ? graph.weights(v)[i] : 1.0);
  }
}

py::array edges_of(const Graph& graph) {
  std::vector<std::int32_t> edges;
  edges.reserve(2 * static_cast<std::size_t>(graph.edge_count()));
  for_each_edge(graph, [&](Vertex a, Vertex b, double) { edges.insert(edges.end(), {a, b}); });
  const std::size_t rows = edges.size() / 2;
  return take(std::move(edges), {rows, 2});
}

py::object weights_of(const Graph& graph) {
  if (!graph.weighted()) return py::none();
  std::vector<double> weights;
  for_each_edge(graph, [&](Vertex, Vertex, double weight) { weights.push_back(weight); });
  return take(std::move(weights));
}

py::object list_or_none(const std::vector<std::string>& names) {
  return names.empty() ? py::object(py::none()) : py::cast(names);
}

/// Of a graph or of all graphs: an array (vertices, attributes), or None.
template <class Owner>
py::object node_attributes(const py::object& self) {
  const auto& owner = self.cast<const Owner&>();
  if (owner.attribute_count == 0) return py::none();
  return view(owner.node_attributes.data(),
              {owner.node_attributes.size() / owner.attribute_count, owner.attribute_count}, self);
}

py::dict packed_state(const py::object& self) {
  const auto& graphs = self.cast<const GraphDataset&>();
  std::vector<std::int64_t> edges, offsets{0}, sizes;
  std::vector<double> weights;
  bool weighted = false;
  for (const Graph& graph : graphs.graphs) {
    weighted = weighted || graph.weighted();
    for_each_edge(graph, [&](Vertex a, Vertex b, double weight) {
      edges.insert(edges.end(), {a, b});
      weights.push_back(weight);
    });
    offsets.push_back(static_cast<std::int64_t>(edges.size() / 2));
    sizes.push_back(graph.vertex_count());
  }
  const std::size_t rows = edges.size() / 2;
  py::dict state;
  state["name"] = graphs.name;
  state["edges"] = take(std::move(edges), {rows, 2});
  state["offsets"] = take(std::move(offsets));
  state["sizes"] = take(std::move(sizes));
  if (weighted) state["weights"] = take(std::move(weights));
  if (!graphs.labels.empty()) state["labels"] = graphs.labels;
  state["classes"] = graphs.classes;
  state["vertex_names"] = list_or_none(graphs.vertex_names);
  state["attribute_names"] = list_or_none(graphs.attribute_names);
  state["node_labels"] = view_or_none(graphs.node_labels, self);
  state["node_attributes"] = node_attributes<GraphDataset>(self);
  return state;
}

// ---- choosing

GraphsPointer choose(const GraphDataset& graphs, py::handle index) {
  return std::make_shared<GraphDataset>(data::part_of(graphs, chosen(index, graphs.size())));
}

template <class Count>
py::array counts(const GraphDataset& graphs, const Count& count) {
  std::vector<std::int64_t> numbers;
  numbers.reserve(graphs.size());
  for (const Graph& graph : graphs.graphs) numbers.push_back(count(graph));
  return take(std::move(numbers));
}

py::list split(const GraphDataset& graphs, const py::object& values) {
  const auto array = py::array::ensure(values);
  const std::int64_t vertices = graphs.vertex_offsets.back();
  if (!array || array.ndim() == 0 || array.shape(array.ndim() - 1) != vertices)
    throw base::user_error(fmt::format("The last axis of values must have {} places, one for each vertex{}.",
                                       vertices, array ? ", but their shape is " + shape_text(array) : ""));
  py::list parts;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    parts.append(array[py::make_tuple(py::ellipsis(),
                                      py::slice(graphs.vertex_offsets[g], graphs.vertex_offsets[g + 1], 1))]);
  return parts;
}

// ---- functions on vertices

py::array vertex_values(const GraphDataset& graphs, const std::vector<std::string>& names, Threads threads) {
  std::vector<filtration::Filtration> filtrations;
  for (const auto& name : names) {
    filtrations.push_back(filtration::parse_filtration(name));
    if (filtrations.back().edge_weights)
      throw base::user_error(
          fmt::format("{} is a function of edges, not of vertices.", filtrations.back().name));
  }
  auto values = run(make_context(threads), [&](const base::Context& context) {
    return features::vertex_values(graphs, filtrations, context);
  });
  warn(features::absent_labels(graphs, filtrations));
  auto rows = make_array<double>({names.size(), static_cast<std::size_t>(graphs.vertex_offsets.back())});
  auto out = writable(rows).begin();
  for (const auto& row : values) out = std::ranges::copy(row, out).out;
  return rows;
}

/// Arrays [time][vertex of all graphs].
py::tuple heat_kernel_signature(const GraphDataset& graphs, const py::object& times, bool snap,
                                double tolerance, bool derivatives, Threads threads) {
  const auto wanted = to_vector<double>(times, "times");
  const auto vertices = static_cast<std::size_t>(graphs.vertex_offsets.back());
  const auto rows = static_cast<std::size_t>(wanted.size());
  auto values = make_array<double>({rows, vertices});
  auto slopes = make_array<double>({derivatives ? rows : 0, vertices});
  const auto all_values = writable(values), all_slopes = writable(slopes);
  struct Buffer {
    filtration::HeatKernelSignature signature;
    std::vector<double> values, slopes;
  };
  run(make_context(threads), [&](const base::Context& context) {
    const filtration::HeatKernelOptions options{.snap = snap, .tolerance = tolerance};
    base::parallel_for(
        context, "heat kernel signatures", graphs.size(),
        [&] {
          return Buffer{filtration::HeatKernelSignature(options), {}, {}};
        },
        [&](std::size_t g, Buffer& buffer) {
          const auto n = static_cast<std::size_t>(graphs.graphs[g].vertex_count());
          buffer.values.resize(rows * n);
          buffer.slopes.resize(derivatives ? rows * n : 0);
          buffer.signature.compute(graphs.graphs[g], span_of(wanted), buffer.values, buffer.slopes, context);
          for (std::size_t i = 0; i < rows; ++i) {
            const std::size_t to = i * vertices + static_cast<std::size_t>(graphs.vertex_offsets[g]);
            std::ranges::copy(std::span(buffer.values).subspan(i * n, n), all_values.subspan(to).begin());
            if (derivatives)
              std::ranges::copy(std::span(buffer.slopes).subspan(i * n, n), all_slopes.subspan(to).begin());
          }
        });
  });
  return py::make_tuple(values, derivatives ? py::object(slopes) : py::none());
}

/// As many eigenvalues as vertices, so they are packed alike.
py::array laplacian_eigenvalues(const GraphDataset& graphs, Threads threads) {
  auto values = make_array<double>({static_cast<std::size_t>(graphs.vertex_offsets.back())});
  const auto packed = writable(values);
  run(make_context(threads), [&](const base::Context& context) {
    base::parallel_for(context, "eigenvalues", graphs.size(), [&](std::size_t g) {
      std::ranges::copy(filtration::laplacian_eigenvalues(graphs.graphs[g]),
                        packed.subspan(static_cast<std::size_t>(graphs.vertex_offsets[g])).begin());
    });
  });
  return values;
}

/// Heat kernel signatures of the same graphs, again and again.
struct HeatSpectra {
  std::shared_ptr<const GraphDataset> graphs;  // from which a pickle computes them again
  std::vector<std::shared_ptr<const filtration::HeatSpectrum>> spectra;

  HeatSpectra() = default;
  HeatSpectra(const GraphDataset& of, Threads threads)
      : graphs(std::make_shared<const GraphDataset>(of)), spectra(of.size()) {
    run(make_context(threads), [&](const base::Context& context) {
      base::parallel_for(context, "spectra", graphs->size(), [&](std::size_t g) {
        spectra[g] = std::make_shared<const filtration::HeatSpectrum>(graphs->graphs[g]);
      });
    });
  }

  [[nodiscard]] HeatSpectra choose(py::handle index) const {
    const auto places = chosen(index, spectra.size());
    HeatSpectra some;
    some.graphs = std::make_shared<const GraphDataset>(data::part_of(*graphs, places));
    for (const std::size_t g : places) some.spectra.push_back(spectra[g]);
    return some;
  }

  [[nodiscard]] py::tuple at(double time, Threads threads) const {
    const auto& offsets = graphs->vertex_offsets;
    const auto vertices = static_cast<std::size_t>(offsets.back());
    auto values = make_array<double>({vertices}), slopes = make_array<double>({vertices});
    const auto all_values = writable(values), all_slopes = writable(slopes);
    run(make_context(threads), [&](const base::Context& context) {
      base::parallel_for(
          context, "heat kernel signatures", spectra.size(),
          [] { return filtration::HeatSpectrum::Buffer(); },
          [&](std::size_t g, filtration::HeatSpectrum::Buffer& buffer) {
            const auto begin = static_cast<std::size_t>(offsets[g]), n = spectra[g]->vertex_count();
            spectra[g]->compute(time, all_values.subspan(begin, n), all_slopes.subspan(begin, n), buffer);
          });
    });
    return py::make_tuple(values, slopes);
  }
};

GraphsPointer read_graphs(const std::filesystem::path& path, bool one_based,
                          const std::vector<std::string>& columns, std::optional<std::uint64_t> unpack_limit,
                          Threads threads) {
  return run(make_context(threads), [&](const base::Context& context) {
    return std::make_shared<GraphDataset>(io::read_graph_dataset(
        path, context, {.one_based = one_based, .columns = columns, .unpack_limit = unpack_limit}));
  });
}

GraphsPointer shapes(std::size_t per_class, Seed seed, Threads threads) {
  return run(make_context(threads, seed), [&](const base::Context& context) {
    return std::make_shared<GraphDataset>(data::shapes_dataset(per_class, context));
  });
}

void add_graph_class(py::module_& module) {
  const auto of = [](const auto& compute) {
    return [=](const Item& self) { return std::invoke(compute, self.graph); };
  };
  py::class_<Item>(module, "Graph",
                   R"(One graph of a batch: undirected, without self loops and multiple edges.

>>> import perslay
>>> perslay.Graphs([[(0, 1), (1, 2), (2, 0)]])[0]
Graph(num_nodes=3, num_edges=3)
)")
      .def_property_readonly("num_nodes", of(&Graph::vertex_count), "The number of vertices.")
      .def_property_readonly("num_edges", of(&Graph::edge_count), "The number of edges.")
      .def_property_readonly("edges", of(&edges_of),
                             "An int32 array (edges, 2), each edge once, in ascending order.")
      .def_property_readonly("weights", of(&weights_of), "The weights of `edges`, or None.")
      .def_property_readonly(
          "node_labels",
          [](const py::object& self) { return view_or_none(self.cast<const Item&>().node_labels, self); },
          "One label per vertex, or None.")
      .def_property_readonly("node_attributes", &node_attributes<Item>,
                             "An array (vertices, attributes), or None.")
      .def_property_readonly(
          "vertex_names", [](const Item& self) { return list_or_none(self.vertex_names); },
          "What the source calls the vertices, a list of texts, or None if it numbers them from 0.")
      .def_property_readonly("beta0", of(&data::component_count), "The number of connected components.")
      .def_property_readonly("beta1", of(&data::cycle_rank), "The number of independent loops.")
      .def("__repr__", [](const Item& self) {
        return fmt::format("Graph(num_nodes={}, num_edges={})", self.graph.vertex_count(),
                           self.graph.edge_count());
      });
}

void add_graphs_class(py::module_& module) {
  const auto graphs = [](const py::object& self) -> const GraphDataset& {
    return self.cast<const GraphDataset&>();
  };
  py::class_<GraphDataset, GraphsPointer> type(
      module, "Graphs",
      R"(Graphs with labels where they are known: undirected, without self loops and multiple edges.

`items` is a list (or a single one) of
  - arrays of edges, of shape (edges, 2), or pairs (edges, num_nodes);
  - SciPy sparse adjacency matrices, of which entries other than 0 are edges;
  - NetworkX graphs, whose nodes are numbered in their order;
  - PyTorch Geometric's `Data`, or what looks like it: `edge_index`, `num_nodes`, `x`, `y`. A `Batch`, a dataset and a
    loader of batches are split into their graphs.

`labels` are classes of any kind, or the name of an attribute of the graphs (NetworkX's `graph.graph`); `classes` has
their names in ascending order. Without `labels` the `y` of PyTorch Geometric is taken; False takes none.

`node_labels` is the name of an attribute of the nodes, or a list with an array for each graph. Labels are integers, which
stay as they are, or words. A word becomes a negative number that is made of its letters, the same in all data.

`node_attributes` is the name of a numeric attribute of the nodes or a list of such names, or a list with an array
(vertices, attributes) for each graph. Without it the `x` of PyTorch Geometric is taken; False takes none.

`weights` of edges are True, the name of an attribute, or a list with an array for each graph. True stands for a matrix's
entries, for NetworkX's attribute `weight` and for `edge_weight`. Graphs have no weights unless they are asked for; heat
kernel signatures and spectra read them, and most other functions do not.

`num_nodes` is needed if the last vertices of an array of edges are isolated.

Indices choose a `Graph`, slices and arrays a batch.

>>> import perslay
>>> graphs = perslay.Graphs([[(0, 1), (1, 2), (2, 0)], ([(0, 1)], 4)], labels=["ring", "rest"])
>>> graphs
Graphs(2 graphs, 2 classes, 7 vertices)
>>> graphs.labels, graphs.classes
(array([1, 0], dtype=int32), ['rest', 'ring'])
>>> graphs.beta0, graphs.beta1
(array([1, 3]), array([1, 0]))
>>> graphs[0].edges.tolist()
[[0, 1], [0, 2], [1, 2]]
>>> graphs[graphs.beta1 > 0]
Graphs(1 graphs, 2 classes, 3 vertices)
)");
  add_sequence(module, type, &GraphDataset::size);
  add_labels(type);
  type.def(py::init([](const py::object& items, const py::object& labels, const py::object& node_labels,
                       const py::object& node_attributes, const py::object& weights,
                       const py::object& num_nodes) {
             const auto pack = py::module_::import("perslay._graph_items").attr("pack_graphs");
             return graphs_from(
                 pack(items, labels, node_labels, node_attributes, weights, num_nodes).cast<py::dict>());
           }),
           py::arg("items"), py::arg("labels") = py::none(), py::kw_only(),
           py::arg("node_labels") = py::none(), py::arg("node_attributes") = py::none(),
           py::arg("weights") = py::none(), py::arg("num_nodes") = py::none())
      .def(py::pickle([](const py::object& self) { return packed_state(self); },
                      [](const py::dict& state) { return graphs_from(state); }))
      .def("__getitem__",
           [](const GraphDataset& self, py::ssize_t index) { return item(self, place(index, self.size())); })
      .def("__getitem__", &choose)
      .def_readwrite("name", &GraphDataset::name, "What the source is called.")
      .def_property_readonly(
          "vertex_offsets",
          [=](const py::object& self) {
            const auto& offsets = graphs(self).vertex_offsets;
            return view(offsets.data(), {offsets.size()}, self);
          },
          "Where the vertices of each graph begin in arrays of all vertices; one more than there are graphs.")
      .def_property_readonly(
          "node_labels", [=](const py::object& self) { return view_or_none(graphs(self).node_labels, self); },
          "One label per vertex of all graphs, or None.")
      .def_property_readonly("node_attributes", &node_attributes<GraphDataset>,
                             "An array (vertices of all graphs, attributes), or None.")
      .def_property_readonly(
          "attribute_names", [](const GraphDataset& self) { return list_or_none(self.attribute_names); },
          "The names of the attributes, or None.")
      .def_property_readonly(
          "vertex_names", [](const GraphDataset& self) { return list_or_none(self.vertex_names); },
          "What the source calls the vertices of all graphs, a list of texts, or None if it numbers them "
          "from 0.")
      .def_property_readonly(
          "num_nodes",
          [](const GraphDataset& self) { return counts(self, std::mem_fn(&Graph::vertex_count)); },
          "The number of vertices of each graph.")
      .def_property_readonly(
          "num_edges", [](const GraphDataset& self) { return counts(self, std::mem_fn(&Graph::edge_count)); },
          "The number of edges of each graph.")
      .def_property_readonly(
          "beta0", [](const GraphDataset& self) { return counts(self, data::component_count); },
          "The number of components of each graph.")
      .def_property_readonly(
          "beta1", [](const GraphDataset& self) { return counts(self, data::cycle_rank); },
          "The number of independent loops of each graph.")
      .def_readonly("notes", &GraphDataset::notes, "Sentences about how the source was read.")
      .def_property_readonly(
          "self_loops_dropped", [](const GraphDataset& self) { return self.cleaning.self_loops_dropped; },
          "How many edges of the source had both ends at one vertex.")
      .def_property_readonly(
          "duplicate_edges_merged",
          [](const GraphDataset& self) { return self.cleaning.duplicate_edges_merged; },
          "How many edges of the source stood there before.")
      .def("split", &split, py::arg("values"),
           "Views of an array whose last axis runs over all vertices, one for each graph.")
      .def(
          "write",
          [](const GraphDataset& self, const std::filesystem::path& path) {
            run(make_context(1), [&](const base::Context&) { io::write_tu_dataset(path, self); });
          },
          py::arg("path"), "Writes a new folder in the format of the TU Dortmund collection.")
      .def("__repr__", [](const GraphDataset& self) {
        return fmt::format("Graphs({}{} graphs, {} classes, {} vertices)",
                           self.name.empty() ? "" : self.name + ": ", self.size(), self.classes.size(),
                           self.vertex_offsets.back());
      });
}

}  // namespace

void add_graphs(py::module_& module) {
  add_graph_class(module);
  add_graphs_class(module);
  module.def("read_graphs", &read_graphs, py::arg("path"), py::arg("one_based"), py::arg("columns"),
             py::arg("unpack_limit"), py::arg("threads"));
  module.def("number_of_word", &data::number_of_word, py::arg("word"));
  module.def("shapes", &shapes, py::arg("per_class"), py::arg("seed"), py::arg("threads"));
  module.def("vertex_values", &vertex_values, py::arg("graphs"), py::arg("names"), py::arg("threads"));
  module.def("heat_kernel_signature", &heat_kernel_signature, py::arg("graphs"), py::arg("times"),
             py::arg("snap"), py::arg("tolerance"), py::arg("derivatives"), py::arg("threads"));
  module.def("laplacian_eigenvalues", &laplacian_eigenvalues, py::arg("graphs"), py::arg("threads"));
  py::class_<HeatSpectra>(module, "HeatSpectra",
                          R"(What the heat kernel signatures of graphs at all times have in common.

Costs an eigendecomposition of each graph once; then a signature is quick. `at(time)` gives the values of all vertices and
their derivatives with respect to the time. A pickle holds the graphs alone; whoever reads it computes the spectra again.

>>> import numpy as np, perslay
>>> graphs = perslay.shapes(per_class=1)
>>> values, slopes = perslay.HeatSpectra(graphs).at(2.0)
>>> np.allclose(values, perslay.heat_kernel_signature(graphs, 2.0), rtol=0, atol=1e-12)
True
)")
      .def(py::init<const GraphDataset&, Threads>(), py::arg("graphs"), py::arg("threads") = py::none())
      .def(py::pickle([](const HeatSpectra& self) { return std::make_shared<GraphDataset>(*self.graphs); },
                      [](const GraphsPointer& graphs) { return HeatSpectra(*graphs, {}); }))
      .def("__len__", [](const HeatSpectra& self) { return self.spectra.size(); })
      .def_property_readonly(
          "shape", [](const HeatSpectra& self) { return py::make_tuple(self.spectra.size()); },
          "The number of graphs, as a tuple.")
      .def("__getitem__", &HeatSpectra::choose, "Those of some graphs, by a slice or a list of places.")
      .def("at", &HeatSpectra::at, py::arg("time"), py::arg("threads") = py::none());
}

}  // namespace perslay::python
