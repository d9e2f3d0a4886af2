#include "arrays.h"
#include "items.h"
#include "module.h"
#include "run.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <perslay/base/error.h>
#include <perslay/base/forks.h>
#include <perslay/diagram/concatenate.h>
#include <perslay/diagram/part_of.h>
#include <perslay/diagram/transforms.h>
#include <perslay/io/diagram_file.h>

namespace perslay::python {
namespace {

using diagram::DiagramBatch;
using diagram::DiagramGroup;
using diagram::DiagramSet;
using diagram::Point;
using diagram::VertexPair;
using BatchPointer = std::shared_ptr<DiagramBatch>;
using SetPointer = std::shared_ptr<DiagramSet>;

static_assert(sizeof(Point) == 2 * sizeof(double) && sizeof(VertexPair) == 2 * sizeof(std::int32_t));

// ---- batches from arrays

BatchPointer batch_of_list(const py::iterable& diagrams) {
  std::vector<Point> points;
  std::vector<std::int64_t> offsets{0};
  for (const py::handle item : diagrams) {
    append_pairs<double>(points, item, fmt::format("Diagram {}", offsets.size() - 1), with_dimensions);
    offsets.push_back(static_cast<std::int64_t>(points.size()));
  }
  return run(make_context(1), [&](const base::Context&) {
    return std::make_shared<DiagramBatch>(std::move(points), std::move(offsets));
  });
}

BatchPointer batch_of_packed(const py::object& points, const py::object& offsets,
                             const py::object& vertices) {
  std::vector<Point> packed;
  append_pairs<double>(packed, points, "points", with_dimensions);
  const auto places = to_vector<std::int64_t>(offsets, "offsets");
  std::vector<VertexPair> pairs;
  if (!vertices.is_none()) {
    append_pairs<std::int32_t>(pairs, vertices, "vertices");
    if (pairs.size() != packed.size())
      throw base::user_error(
          fmt::format("There are {} pairs of vertices for {} points.", pairs.size(), packed.size()));
  }
  return run(make_context(1), [&](const base::Context&) {
    return std::make_shared<DiagramBatch>(
        std::move(packed), std::vector(span_of(places).begin(), span_of(places).end()), std::move(pairs));
  });
}

// ---- arrays of batches

const DiagramBatch& batch(const py::object& self) { return self.cast<const DiagramBatch&>(); }

py::array points_of(const py::object& self, std::span<const Point> points) {
  return view(reinterpret_cast<const double*>(points.data()), {points.size(), 2}, self);
}

py::object vertices_of(const py::object& self, std::span<const VertexPair> vertices) {
  if (!batch(self).has_vertices()) return py::none();
  return view(reinterpret_cast<const std::int32_t*>(vertices.data()), {vertices.size(), 2}, self);
}

py::array offsets_of(const py::object& self) {
  const auto offsets = batch(self).offsets();
  return view(offsets.data(), {offsets.size()}, self);
}

py::list list_of(const py::object& self) {
  py::list list;
  for (std::size_t i = 0; i < batch(self).size(); ++i) list.append(points_of(self, batch(self)[i]));
  return list;
}

py::array counts_of(const DiagramBatch& all) {
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < all.size(); ++i) counts.push_back(static_cast<std::int64_t>(all[i].size()));
  return take(std::move(counts));
}

// ---- sets

/// The group of a kind, `("hks:10", "ext1")`, or of a kind alone if there is one filtration only.
std::size_t find_group(const DiagramSet& set, const std::optional<std::string>& filtration,
                       const std::string& kind) {
  std::vector<std::size_t> found;
  for (std::size_t g = 0; g < set.groups.size(); ++g)
    if (diagram::kind_name(set.groups[g].kind) == kind &&
        (!filtration || set.groups[g].filtration == *filtration))
      found.push_back(g);
  const std::string wanted = filtration ? *filtration + ' ' + kind : kind;
  if (found.empty())
    throw py::key_error(fmt::format("There is no {}; there is {}.", wanted, diagram::titles(set.groups)));
  if (found.size() > 1)
    throw py::key_error(
        fmt::format("{} stands for several groups; say which of {}.", wanted, diagram::titles(set.groups)));
  return found.front();
}

std::size_t find_group(const DiagramSet& set, const py::object& key) {
  if (py::isinstance<py::tuple>(key)) {
    const auto [filtration, kind] = key.cast<std::pair<std::string, std::string>>();
    return find_group(set, filtration, kind);
  }
  return find_group(set, std::nullopt, key.cast<std::string>());
}

BatchPointer shared_batch(const SetPointer& set, std::size_t group) {
  return {set, &set->groups[group].diagrams};  // keeps the set alive
}

SetPointer choose_items(const DiagramSet& set, py::handle index) {
  return std::make_shared<DiagramSet>(diagram::part_of(set, chosen(index, set.item_count())));
}

/// For each diagram a list with an array of vertices for each of its points.
py::list cycles_of(const py::object& self, const py::object& key) {
  const auto& set = self.cast<const DiagramSet&>();
  const auto& group = set.groups[find_group(set, key)];
  if (group.cycles.size() != group.diagrams.points().size())
    throw base::user_error(fmt::format("{} has no cycles; ask for them with cycles=True.", group.title()));
  py::list all;
  for (std::size_t item = 0; item < group.diagrams.size(); ++item) {
    py::list cycles;
    for (auto p = group.diagrams.offsets()[item]; p < group.diagrams.offsets()[item + 1]; ++p) {
      const auto begin = static_cast<std::size_t>(group.cycles.offsets[static_cast<std::size_t>(p)]);
      const auto end = static_cast<std::size_t>(group.cycles.offsets[static_cast<std::size_t>(p) + 1]);
      cycles.append(view(group.cycles.vertices.data() + begin, {end - begin}, self));
    }
    all.append(cycles);
  }
  return all;
}

SetPointer make_set(const py::dict& groups, const std::optional<std::vector<int>>& labels,
                    const std::vector<std::string>& classes) {
  auto set = std::make_shared<DiagramSet>();
  for (const auto& [key, diagrams] : groups) {
    const auto [filtration, kind] = key.cast<std::pair<std::string, std::string>>();
    set->groups.push_back({filtration, diagram::parse_kind(kind), diagrams.cast<const DiagramBatch&>(), {}});
    if (set->groups.back().diagrams.size() != set->groups.front().diagrams.size())
      throw base::user_error(fmt::format("{} has {} diagrams, but {} has {}.", set->groups.front().title(),
                                         set->groups.front().diagrams.size(), set->groups.back().title(),
                                         set->groups.back().diagrams.size()));
  }
  set_labels(*set, set->item_count(), labels, classes);
  return set;
}

SetPointer with_diagrams(const DiagramSet& set, const py::object& groups) {
  const auto pack = py::module_::import("perslay._convert").attr("pack_groups");
  const auto batches = pack(groups, py::none()).cast<py::tuple>()[0].cast<py::dict>();
  auto other = make_set(batches, std::nullopt, {});
  if (!other->groups.empty() && other->item_count() != set.item_count())
    throw base::user_error(
        fmt::format("There are diagrams of {} items for {} items.", other->item_count(), set.item_count()));
  other->labels = set.labels;
  other->classes = set.classes;
  return other;
}

/// Whether there are diagrams of a kind, or of a pair (filtration, kind).
bool has_group(const DiagramSet& set, const py::object& key) {
  const auto is_it = [&](const DiagramGroup& group) {
    const py::str kind{std::string(diagram::kind_name(group.kind))};
    return key.equal(kind) || key.equal(py::make_tuple(group.filtration, kind));
  };
  return std::ranges::any_of(set.groups, is_it);
}

/// From (filtration, kind) to batches.
py::dict groups_of(const SetPointer& set) {
  py::dict groups;
  for (std::size_t g = 0; g < set->groups.size(); ++g)
    groups[py::make_tuple(set->groups[g].filtration, diagram::kind_name(set->groups[g].kind))] =
        shared_batch(set, g);
  return groups;
}

/// A method that a set had when it was half a mapping.
auto former(const char* method) {
  return [method](const SetPointer& self) {
    const std::string sentence = fmt::format(
        "A DiagramSet is a sequence of items; the mapping to its batches is diagrams.groups: write "
        "diagrams.groups.{}() instead of diagrams.{}().",
        method, method);
    if (PyErr_WarnEx(PyExc_DeprecationWarning, sentence.c_str(), 1) != 0) throw py::error_already_set();
    return py::list(groups_of(self).attr(method)());
  };
}

// ---- files

std::mutex hdf5_mutex;

SetPointer read_diagrams(const std::filesystem::path& path) {
  return run(make_context(1), [&](const base::Context&) {
    const std::scoped_lock lock(file_mutex());
    return std::make_shared<DiagramSet>(io::read_diagrams(path));
  });
}

/// CSV has a line for each point, and no other.
bool is_more_than_points(const DiagramSet& set) {
  return !set.labels.empty() || std::ranges::any_of(set.groups, [](const DiagramGroup& group) {
    const auto offsets = group.diagrams.offsets();
    return std::ranges::adjacent_find(offsets) != offsets.end();  // a diagram that ends where it begins
  });
}

void write_diagrams(const DiagramSet& set, const std::filesystem::path& path) {
  if (path.extension() == ".csv" && is_more_than_points(set) &&
      PyErr_WarnEx(PyExc_UserWarning,
                   "A .csv file holds points alone: labels and items without points are not in it; .h5 keeps "
                   "them.",
                   1) != 0)
    throw py::error_already_set();
  run(make_context(1), [&](const base::Context&) {
    const std::scoped_lock lock(file_mutex());
    io::write_diagrams(path, set);
  });
}

// ---- transforms

using diagram::Transform;

Transform fit(const Transform& transform, const DiagramBatch& diagrams) {
  Transform fitted = transform;
  if (transform.type == Transform::Type::scale)
    fitted.fitted =
        run(make_context(1), [&](const base::Context&) { return diagram::UnitScale::fit(diagrams); });
  return fitted;
}

/// What `scale` was fitted to, or None.
py::object scale_of(const Transform& transform) {
  if (!transform.fitted) return py::none();
  return py::make_tuple(transform.fitted->min, transform.fitted->max);
}

void add_transform_class(py::module_& module) {
  py::class_<Transform>(module, "Transform", R"(A function from diagrams to diagrams, by name.

>>> import perslay
>>> scale = perslay.Transform("scale").fit(perslay.DiagramBatch([[(0, 4)]]))
>>> scale(perslay.DiagramBatch([[(1, 2)]]))[0]
array([[0.25, 0.5 ]])
)")
      .def(py::init(&diagram::parse_transform), py::arg("name"))
      .def(py::pickle([](const Transform& self) { return py::make_tuple(self.name, scale_of(self)); },
                      [](const py::tuple& state) {
                        auto transform = diagram::parse_transform(state[0].cast<std::string>());
                        if (!state[1].is_none()) {
                          const auto [min, max] = state[1].cast<std::pair<double, double>>();
                          transform.fitted = diagram::UnitScale{min, max};
                        }
                        return transform;
                      }))
      .def_readonly("name", &Transform::name)
      .def_property_readonly("needs_fit", &Transform::needs_fit,
                             "Whether it has to be fitted before it is applied.")
      .def_property_readonly("scale", &scale_of,
                             "What `scale` was fitted to: the smallest and the largest coordinate, or None.")
      .def("fit", &fit, py::arg("diagrams"), "The transform, fitted to a batch.")
      .def(
          "__call__",
          [](const Transform& self, const DiagramBatch& diagrams) {
            return run(make_context(1), [&](const base::Context&) {
              return std::make_shared<DiagramBatch>(diagram::apply(self, diagrams));
            });
          },
          py::arg("diagrams"))
      .def("__repr__", [](const Transform& self) { return fmt::format("Transform('{}')", self.name); });
}

void add_batch_class(py::module_& module) {
  py::class_<DiagramBatch, BatchPointer> type(
      module, "DiagramBatch",
      R"(Diagrams of one kind, packed one after the other; there is no padding, and diagrams may be empty.

`diagrams` is a list of arrays (N, 2) of births and deaths. Points are kept sorted by birth, then death. Indices choose a
diagram, a read-only view; slices and arrays choose a batch.

>>> import perslay
>>> batch = perslay.DiagramBatch([[(1, 2), (0, 4)], []])
>>> batch
DiagramBatch(2 diagrams, 2 points)
>>> batch[0]
array([[0., 4.],
       [1., 2.]])
>>> batch.offsets
array([0, 2, 2])
)");
  add_sequence(module, type, &DiagramBatch::size);
  type.def(py::init(&batch_of_list), py::arg("diagrams") = py::list())
      .def_static("from_packed", &batch_of_packed, py::arg("points"), py::arg("offsets"),
                  py::arg("vertices") = py::none(),
                  "From all points, one diagram after the other, and the places where diagrams begin.")
      .def(py::pickle(
          [](const py::object& self) {
            return py::make_tuple(points_of(self, batch(self).points()), offsets_of(self),
                                  vertices_of(self, batch(self).vertices()));
          },
          [](const py::tuple& state) { return batch_of_packed(state[0], state[1], state[2]); }))
      .def("__getitem__",
           [](const py::object& self, py::ssize_t index) {
             return points_of(self, batch(self)[place(index, batch(self).size())]);
           })
      .def("__getitem__",
           [](const DiagramBatch& self, const py::object& index) {
             return std::make_shared<DiagramBatch>(diagram::part_of(self, chosen(index, self.size())));
           })
      .def_property_readonly(
          "points", [](const py::object& self) { return points_of(self, batch(self).points()); },
          "All points, one diagram after the other: a read-only view (N, 2), births and deaths.")
      .def_property_readonly("offsets", &offsets_of,
                             "Where each diagram begins in `points`; one more than there are diagrams.")
      .def_property_readonly(
          "vertices", [](const py::object& self) { return vertices_of(self, batch(self).vertices()); },
          "The two vertices behind each of `points`, counted within their graph, or None.")
      .def_property_readonly("counts", &counts_of, "The number of points of each diagram.")
      .def("to_list", &list_of, "The diagrams as arrays (points, 2), read-only views.")
      .def("__eq__",
           [](const DiagramBatch& self, const DiagramBatch& other) {
             return std::ranges::equal(self.points(), other.points()) &&
                    std::ranges::equal(self.offsets(), other.offsets()) &&
                    std::ranges::equal(self.vertices(), other.vertices());
           })
      .def("__eq__", [](const DiagramBatch&, const py::object&) { return false; })
      .def("__repr__", [](const DiagramBatch& self) {
        return fmt::format("DiagramBatch({} diagrams, {} points)", self.size(), self.points().size());
      });
}

void add_set_class(py::module_& module) {
  py::class_<DiagramSet, SetPointer> type(
      module, "DiagramSet",
      R"(All diagrams of a set of items, one batch for each filtration and kind, and labels where known.

`groups` is a dictionary from (filtration, kind) to batches, with `labels` of any kind.

A set is a sequence of items, as `Graphs` and `Clouds` are: it has the length of its items, and is iterated over item by
item. A number chooses the set of one item; slices and arrays choose several. `groups` is a mapping from (filtration,
kind) to batches. A filtration and a kind as an index choose one of them, `diagrams["hks:10", "ext1"]`, and so does the
kind alone if there is one such group.

>>> import perslay
>>> diagrams = perslay.diagrams(perslay.shapes(per_class=2), ["hks:1", "hks:10"], kinds=["ext1"])
>>> list(diagrams.groups)
[('hks:1', 'ext1'), ('hks:10', 'ext1')]
>>> diagrams["hks:10", "ext1"]
DiagramBatch(6 diagrams, 214 points)
>>> diagrams[:2]
DiagramSet(2 items: hks:1 ext1, hks:10 ext1)
>>> len(diagrams), [item["hks:1", "ext1"].counts.tolist() for item in diagrams[:3]]
(6, [[0], [0], [4]])
)");
  add_sequence(module, type, &DiagramSet::item_count);
  add_labels(type);
  type.def(py::init([](const py::object& groups, const py::object& labels) {
             const auto [batches, numbers, classes] =
                 py::module_::import("perslay._convert")
                     .attr("pack_groups")(groups, labels)
                     .cast<std::tuple<py::dict, std::optional<std::vector<int>>, std::vector<std::string>>>();
             return make_set(batches, numbers, classes);
           }),
           py::arg("groups"), py::arg("labels") = py::none())
      .def(py::pickle(
          [](const SetPointer& self) {
            py::list cycles;
            for (const auto& group : self->groups)
              cycles.append(py::make_tuple(group.cycles.vertices, group.cycles.offsets));
            return py::make_tuple(groups_of(self), self->labels.empty() ? py::none() : py::cast(self->labels),
                                  self->classes, cycles);
          },
          [](const py::tuple& state) {
            auto set = make_set(state[0], state[1].cast<std::optional<std::vector<int>>>(),
                                state[2].cast<std::vector<std::string>>());
            const auto cycles = state[3].cast<py::list>();
            for (std::size_t g = 0; g < set->groups.size(); ++g) {
              const auto packed = cycles[g].cast<py::tuple>();
              set->groups[g].cycles = {packed[0].cast<std::vector<std::int32_t>>(),
                                       packed[1].cast<std::vector<std::int64_t>>()};
            }
            return set;
          }))
      .def("__getitem__",
           [](const SetPointer& self, const std::string& kind) {
             return shared_batch(self, find_group(*self, std::nullopt, kind));
           })
      .def("__getitem__",
           [](const SetPointer& self, const std::pair<std::string, std::string>& key) {
             return shared_batch(self, find_group(*self, key.first, key.second));
           })
      .def("__contains__", &has_group)
      .def("__getitem__",  // one item, as scikit-learn takes items out of a sequence
           [](const SetPointer& self, py::ssize_t index) {
             const auto item = static_cast<py::ssize_t>(place(index, self->item_count()));
             return choose_items(*self, py::slice(item, item + 1, 1));
           })
      .def("__getitem__",
           [](const SetPointer& self, const py::object& index) { return choose_items(*self, index); })
      .def_property_readonly(
          "groups",
          [](const SetPointer& self) {
            return py::reinterpret_steal<py::object>(PyDictProxy_New(groups_of(self).ptr()));
          },
          "A read-only mapping from (filtration, kind) to DiagramBatch, one for each group.")
      .def("keys", former("keys"), "Now `list(groups)`.")
      .def("items", former("items"), "Now `groups.items()`.")
      .def("values", former("values"), "Now `groups.values()`.")
      .def("cycles", &cycles_of, py::arg("key") = "ext1",
           "For each diagram a list with the vertices of a representative cycle of each point.")
      .def("write", &write_diagrams, py::arg("path"),
           "Writes a diagram file: .h5 or .hdf5 with everything, or .csv with a line for each point and "
           "nothing else.")
      .def("with_diagrams", &with_diagrams, py::arg("groups"),
           "The same items and labels with other diagrams: a dictionary as for `DiagramSet`.")
      .def("__repr__", [](const DiagramSet& self) {
        return fmt::format("DiagramSet({} items: {})", self.item_count(), diagram::titles(self.groups));
      });
}

}  // namespace

std::mutex& file_mutex() { return hdf5_mutex; }

std::shared_ptr<const DiagramSet> to_set(py::handle diagrams) {
  if (py::isinstance<DiagramSet>(diagrams)) return diagrams.cast<SetPointer>();
  const py::object batch = py::module_::import("perslay._convert").attr("as_batch")(diagrams);
  auto set = std::make_shared<DiagramSet>();
  set->groups.push_back({"diagrams", diagram::Kind::h0, batch.cast<const DiagramBatch&>(), {}});
  return set;
}

void add_diagrams(py::module_& module) {
  // Here and not where the mutex is made: by now the library has done so for its own, which are locked within it.
  [[maybe_unused]] static const bool forks = base::free_after_fork<hdf5_mutex>();
  add_batch_class(module);
  add_set_class(module);
  add_transform_class(module);
  module.def("read_diagrams", &read_diagrams, py::arg("path"));
}

}  // namespace perslay::python
