#include "arrays.h"
#include "items.h"
#include "module.h"
#include "run.h"

#include <filesystem>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <perslay/data/concatenate.h>
#include <perslay/data/orbits.h>
#include <perslay/data/part_of.h>
#include <perslay/io/point_clouds.h>

namespace perslay::python {
namespace {

using data::PlanePoint;
using data::PointCloudDataset;
using CloudsPointer = std::shared_ptr<PointCloudDataset>;

static_assert(sizeof(PlanePoint) == 2 * sizeof(double));

CloudsPointer make_clouds(const py::iterable& items, const std::optional<std::vector<int>>& labels,
                          const std::vector<std::string>& classes) {
  auto clouds = std::make_shared<PointCloudDataset>();
  for (const py::handle item : items) {
    append_pairs<double>(
        clouds->points, item, fmt::format("Cloud {}", clouds->size()),
        "; clouds lie in the plane, so choose two coordinates, such as cloud[:, :2], or project "
        "the points");
    clouds->offsets.push_back(static_cast<std::int64_t>(clouds->points.size()));
  }
  set_labels(*clouds, clouds->size(), labels, classes);
  return clouds;
}

const PointCloudDataset& clouds_of(const py::object& self) { return self.cast<const PointCloudDataset&>(); }

py::array view_of(std::span<const PlanePoint> points, const py::object& self) {
  return view(reinterpret_cast<const double*>(points.data()), {points.size(), 2}, self);
}

py::array cloud(const py::object& self, std::size_t item) { return view_of(clouds_of(self)[item], self); }

CloudsPointer choose(const PointCloudDataset& clouds, py::handle index) {
  return std::make_shared<PointCloudDataset>(data::part_of(clouds, chosen(index, clouds.size())));
}

py::list clouds_list(const py::object& self) {
  py::list list;
  for (std::size_t i = 0; i < clouds_of(self).size(); ++i) list.append(cloud(self, i));
  return list;
}

CloudsPointer orbits(std::size_t per_class, std::size_t points, Seed seed, Threads threads) {
  const data::OrbitSet set{per_class, points};
  return run(make_context(threads, seed), [&](const base::Context& context) {
    return std::make_shared<PointCloudDataset>(data::make_orbits(set, 0, set.size(), context));
  });
}

}  // namespace

void add_clouds(py::module_& module) {
  py::class_<PointCloudDataset, CloudsPointer> type(
      module, "Clouds",
      R"(Point clouds in the plane, with labels where they are known.

`items` is a list of arrays (N, 2) or an array (clouds, N, 2). Indices choose a cloud, slices and arrays a batch.

>>> import perslay
>>> clouds = perslay.Clouds([[(0, 0), (1, 0)], [(0, 0)]], labels=["pair", "point"])
>>> clouds
Clouds(2 clouds, 2 classes, 3 points)
>>> clouds[1]
array([[0., 0.]])
)");
  add_sequence(module, type, &PointCloudDataset::size);
  add_labels(type);
  type.def(py::init([](const py::object& items, const py::object& labels) {
             const auto [arrays, numbers, classes] =
                 py::module_::import("perslay._convert")
                     .attr("pack_clouds")(items, labels)
                     .cast<std::tuple<py::iterable, std::optional<std::vector<int>>,
                                      std::vector<std::string>>>();
             return make_clouds(arrays, numbers, classes);
           }),
           py::arg("items"), py::arg("labels") = py::none())
      .def(py::pickle(
          [](const py::object& self) {
            const auto& all = clouds_of(self);
            return py::make_tuple(all.name, clouds_list(self),
                                  all.labels.empty() ? py::none() : py::cast(all.labels), all.classes);
          },
          [](const py::tuple& state) {
            auto all = make_clouds(state[1], state[2].cast<std::optional<std::vector<int>>>(),
                                   state[3].cast<std::vector<std::string>>());
            all->name = state[0].cast<std::string>();
            return all;
          }))
      .def("__getitem__", [](const py::object& self,
                             py::ssize_t index) { return cloud(self, place(index, clouds_of(self).size())); })
      .def("__getitem__", &choose)
      .def("to_list", &clouds_list, "The clouds as arrays (points, 2), read-only views.")
      .def_property_readonly(
          "points", [](const py::object& self) { return view_of(clouds_of(self).points, self); },
          "All points, one cloud after the other.")
      .def_property_readonly(
          "offsets",
          [](const py::object& self) {
            return view(clouds_of(self).offsets.data(), {clouds_of(self).offsets.size()}, self);
          },
          "Where each cloud begins in `points`; one more than there are clouds.")
      .def_readwrite("name", &PointCloudDataset::name)
      .def("__repr__", [](const PointCloudDataset& self) {
        return fmt::format("Clouds({} clouds, {} classes, {} points)", self.size(), self.classes.size(),
                           self.points.size());
      });
  module.def("orbits", &orbits, py::arg("per_class"), py::arg("points"), py::arg("seed"), py::arg("threads"));
  module.def(
      "read_clouds",
      [](const std::filesystem::path& path, Threads threads) {
        return run(make_context(threads), [&](const base::Context& context) {
          const std::scoped_lock lock(file_mutex());
          return std::make_shared<PointCloudDataset>(io::read_point_clouds(path, context));
        });
      },
      py::arg("path"), py::arg("threads"));
}

}  // namespace perslay::python
