#include "io/temporary_folder.h"

#include <array>
#include <cstddef>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <perslay/io/diagram_file.h>

// The linker leads calls of these functions of HDF5 to the second of each pair (see CMakeLists.txt).
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
hid_t __real_H5Gopen2(hid_t parent, const char* name, hid_t access);
hid_t __wrap_H5Gopen2(hid_t parent, const char* name, hid_t access);
hid_t __real_H5Oopen(hid_t parent, const char* name, hid_t access);
hid_t __wrap_H5Oopen(hid_t parent, const char* name, hid_t access);
hid_t __real_H5Dopen2(hid_t parent, const char* name, hid_t access);
hid_t __wrap_H5Dopen2(hid_t parent, const char* name, hid_t access);
htri_t __real_H5Lexists(hid_t parent, const char* name, hid_t access);
htri_t __wrap_H5Lexists(hid_t parent, const char* name, hid_t access);
ssize_t __real_H5Lget_name_by_idx(hid_t, const char*, H5_index_t, H5_iter_order_t, hsize_t, char*, size_t,
                                  hid_t);
ssize_t __wrap_H5Lget_name_by_idx(hid_t, const char*, H5_index_t, H5_iter_order_t, hsize_t, char*, size_t,
                                  hid_t);
}

namespace perslay::io {
namespace {

/// Calls so far: of H5Gopen2, H5Oopen, H5Dopen2, H5Lexists, H5Lget_name_by_idx.
std::array<std::size_t, 5> calls;

}  // namespace
}  // namespace perslay::io

hid_t __wrap_H5Gopen2(hid_t parent, const char* name, hid_t access) {
  ++perslay::io::calls[0];
  return __real_H5Gopen2(parent, name, access);
}
hid_t __wrap_H5Oopen(hid_t parent, const char* name, hid_t access) {
  ++perslay::io::calls[1];
  return __real_H5Oopen(parent, name, access);
}
hid_t __wrap_H5Dopen2(hid_t parent, const char* name, hid_t access) {
  ++perslay::io::calls[2];
  return __real_H5Dopen2(parent, name, access);
}
htri_t __wrap_H5Lexists(hid_t parent, const char* name, hid_t access) {
  ++perslay::io::calls[3];
  return __real_H5Lexists(parent, name, access);
}
ssize_t __wrap_H5Lget_name_by_idx(hid_t group, const char* name, H5_index_t index, H5_iter_order_t order,
                                  hsize_t place, char* text, size_t size, hid_t access) {
  ++perslay::io::calls[4];
  return __real_H5Lget_name_by_idx(group, name, index, order, place, text, size, access);
}
// NOLINTEND(bugprone-reserved-identifier)

namespace perslay::io {
namespace {

/// The calls for reading a file of so many filtrations with two kinds each.
std::array<std::size_t, 5> calls_for(std::size_t filtrations) {
  const test::TemporaryFolder folder;
  diagram::DiagramSet set;
  for (std::size_t f = 0; f < filtrations; ++f)
    for (const auto kind : {diagram::Kind::ord0, diagram::Kind::ext1})
      set.groups.push_back({fmt::format("f{}", f), kind, diagram::DiagramBatch({{0, 1}}, {0, 1}), {}});
  write_diagrams(folder / "d.h5", set);
  calls.fill(0);
  EXPECT_EQ(read_diagrams(folder / "d.h5").groups.size(), 2 * filtrations);
  return calls;
}

/// Each group and dataset is opened so many times, however many there are. Asking for links by their number is left
/// alone, because HDF5 walks to them from the first one on.
TEST(Hdf5Calls, AreProportionalToTheGroups) {
  const auto none = calls_for(0), few = calls_for(10), many = calls_for(70);
  for (std::size_t i = 0; i < none.size(); ++i) EXPECT_EQ(many[i] - none[i], 7 * (few[i] - none[i])) << i;
  EXPECT_GE(many[0], 3 * 70U);  // they are counted
  EXPECT_EQ(many[4], 0U);
}

}  // namespace
}  // namespace perslay::io
