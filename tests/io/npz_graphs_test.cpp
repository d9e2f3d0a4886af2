#include "archive_writer.h"
#include "graph_parsing.h"

#include <cstring>

#include <gtest/gtest.h>

namespace perslay::test {
namespace {

using std::string_literals::operator""s;
using Strings = std::vector<std::string>;

// ---- files of the other programs, in base 64

/// scipy.sparse.save_npz of a matrix with the entries (0, 1), (1, 0) = 0.5 and (2, 2) = 2.
constexpr auto csr_by_scipy =
    "UEsDBC0AAAAIAAAAIQBBtF/F//////////"
    "8LABQAaW5kaWNlcy5ucHkBABAAmAAAAAAAAABKAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG6loG"
    "6TaaGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GsY6mjoKtQoUAC5GBlTABKUBUEsDBC0AAAAIAAAAIQDDw9rR//////////"
    "8KABQA"
    "aW5kcHRyLm5weQEAEACgAAAAAAAAAE8AAAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgbpNpoa6joJ6WX1RSlJgXn1+"
    "UkgoSd0vMKU4FihdnJB"
    "akAvkaJjqaOgq1ChQALgYoYITSTFCaGUoDAFBLAwQtAAAACAAAACEAo8N0l///////////"
    "CgAUAGZvcm1hdC5ucHkBABAAgwAAAAAAAABFAAAA"
    "AAAAAJvsF+"
    "obEMnIUMZQrZ6SWpxcpG6loF4TbKyuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5Gpo6CrUKFAGu5OIiAFBLAwQtAAAACA"
    "AAACEA8dkWov//////////"
    "CQAUAHNoYXBlLm5weQEAEACQAAAAAAAAAEkAAAAAAAAAm+wX6hsQychQxlCtnpJanFykbqWgbpNpoa6joJ6WX1RS"
    "lJgXn1+UkgoSd0vMKU4FihdnJBakAvkaRjqaOgq1ChQALmYGCIDRAFBLAwQtAAAACAAAACEATxafuv//////////"
    "CAAUAGRhdGEubnB5AQAQAJ"
    "gAAAAAAAAATQAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBuk2ahrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+"
    "RrGOpo6CrUKFAAu"
    "BjB4YI9KMzgAAFBLAwQtAAAACAAAACEAgi340///////////"
    "DQAUAF9pc19hcnJheS5ucHkBABAAgQAAAAAAAABDAAAAAAAAAJvsF+obEMnIUM"
    "ZQrZ6SWpxcpG6loF6TZKiuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5Gpo6CrUKFAEuRgBQSwECLQMtAAAACAAAACEAQbRfxU"
    "oAAACY"
    "AAAACwAAAAAAAAAAAAAAgAEAAAAAaW5kaWNlcy5ucHlQSwECLQMtAAAACAAAACEAw8Pa0U8AAACgAAAACgAAAAAAAAAAAAAAgAGHAAAA"
    "aW5kcH"
    "RyLm5weVBLAQItAy0AAAAIAAAAIQCjw3SXRQAAAIMAAAAKAAAAAAAAAAAAAACAARIBAABmb3JtYXQubnB5UEsBAi0DLQAAAAgAAAAhAP"
    "HZFqJJ"
    "AAAAkAAAAAkAAAAAAAAAAAAAAIABkwEAAHNoYXBlLm5weVBLAQItAy0AAAAIAAAAIQBPFp+"
    "6TQAAAJgAAAAIAAAAAAAAAAAAAACAARcCAABkYX"
    "RhLm5weVBLAQItAy0AAAAIAAAAIQCCLfjTQwAAAIEAAAANAAAAAAAAAAAAAACAAZ4CAABfaXNfYXJyYXkubnB5UEsFBgAAAAAGAAYAUQ"
    "EAACAD"
    "AAAAAA==";

/// numpy.savez_compressed of edge_index (int64, in Fortran order), num_nodes, y and x (float32).
constexpr auto arrays_by_numpy =
    "UEsDBC0AAAAIAAAAIQAMRV1p//////////"
    "8OABQAZWRnZV9pbmRleC5ucHkBABAAsAAAAAAAAABPAAAAAAAAAJvsF+obEMnIUMZQrZ6SWpxcpG"
    "6loG6TaaGuo6Cell9UUpSYF59flJIKEg8pKk0FChdnJBakArkaRjoKxpo6CrUK5AMuBihgRKOZ0GgYAABQSwMELQAAAAgAAAAhAMC/"
    "f+L/////"
    "/////"
    "w0AFABudW1fbm9kZXMubnB5AQAQAIgAAAAAAAAARgAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBuk2mhrqOgnpZfVFKUmBefX5SSC"
    "h"
    "J3S8wpTgWKF2ckFqQC+RqaOgq1ChQBLhYGCAAAUEsDBC0AAAAIAAAAIQA+mhRe//////////"
    "8FABQAeS5ucHkBABAAiAAAAAAAAABIAAAAAAAA"
    "AJvsF+"
    "obEMnIUMZQrZ6SWpxcpG6loG6TaaGuo6Cell9UUpSYF59flJIKEndLzClOBYoXZyQWpAL5GoY6mjoKtQoUAC5GBggAAFBLAwQtAAAACA"
    "AAACEAF0fBVv//////////"
    "BQAUAHgubnB5AQAQAKAAAAAAAAAAXgAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBuk2airqOgnpZfVFKUmBef"
    "X5SSChJ3S8wpTgWKF2ckFqQC+"
    "RomOgpGmjoKtQpkAy4GhgZ7BgYGByAC4gYgXgDEB4D4ARAzOAIAUEsBAi0DLQAAAAgAAAAhAAxFXWlPAAAAsA"
    "AAAA4AAAAAAAAAAAAAAIABAAAAAGVkZ2VfaW5kZXgubnB5UEsBAi0DLQAAAAgAAAAhAMC/"
    "f+JGAAAAiAAAAA0AAAAAAAAAAAAAAIABjwAAAG51"
    "bV9ub2Rlcy5ucHlQSwECLQMtAAAACAAAACEAPpoUXkgAAACIAAAABQAAAAAAAAAAAAAAgAEUAQAAeS5ucHlQSwECLQMtAAAACAAAACEA"
    "F0fBVl"
    "4AAACgAAAABQAAAAAAAAAAAAAAgAGTAQAAeC5ucHlQSwUGAAAAAAQABADdAAAAKAIAAAAA";

/// numpy.savez_compressed of edges and an array y of Python objects.
constexpr auto pickle_by_numpy =
    "UEsDBC0AAAAIAAAAIQA/T35c//////////"
    "8JABQAZWRnZXMubnB5AQAQALAAAAAAAAAAUAAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBuk2"
    "mhrqOgnpZfVFKUmBefX5SSChJ3S8wpTgWKF2ckFqQC+RrGOgpGmjoKtQpkAy4GKGBEo5nQaBgAAFBLAwQtAAAACAAAACEAgIkvaP////"
    "//////"
    "BQAUAHkubnB5AQAQABgBAAAAAAAAxgAAAAAAAACb7BfqGxDJyFDGUK2eklqcXKRupaBe46+"
    "uo6Cell9UUpSYF59flJIKEnZLzClOBYoXZyQWpA"
    "L5GkY6mjoKtQqUAK4Glqm9DBDQI5ZXmltQqRefnF+UqpdbmlOSmVhUlFg5pYcnvig1OT+vuKSoNLlkyuQpPaxglVN62PNSIEomT/"
    "FmaJ3izJg0"
    "pX1K0BQNb0ZvptYpGcw9rCkllQWpIC1M/hZTOjsgssw9jDVT/"
    "Pz8vP4DAZjwti+ZktQZO0XDr3ZKKpCpBwBQSwECLQMtAAAACAAAACEAP09+XF"
    "AAAACwAAAACQAAAAAAAAAAAAAAgAEAAAAAZWRnZXMubnB5UEsBAi0DLQAAAAgAAAAhAICJL2jGAAAAGAEAAAUAAAAAAAAAAAAAAIABiw"
    "AAAHku"
    "bnB5UEsFBgAAAAACAAIAagAAAIgBAAAAAA==";

std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t value = 0;
  int bits = 0;
  for (const char c : text) {
    if (c == '=') break;
    value = value << 6U | static_cast<std::uint32_t>(digits.find(c));
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(value >> static_cast<unsigned>(bits) & 0xFFU);
  }
  return bytes;
}

// ---- files made byte by byte

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  if (!numbers.empty()) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n";
  return "\x93NUMPY\x01\0"s + static_cast<char>(header.size()) + '\0' + header + data;
}
std::string integers(const std::string& shape, const std::vector<std::int64_t>& numbers) {
  return npy("<i8", shape, bytes_of(numbers));
}
std::string reals(const std::string& shape, const std::vector<double>& numbers) {
  return npy("<f8", shape, bytes_of(numbers));
}

using Members = std::map<std::string, std::string>;

std::string npz(const Members& arrays) {
  std::vector<ZipMember> members;
  for (const auto& [name, bytes] : arrays) members.push_back({name + ".npy", bytes});
  return stored_zip(members);
}
/// `more` takes the place of arrays of the same name.
std::string npz(Members arrays, const Members& more) {
  for (const auto& [name, bytes] : more) arrays.insert_or_assign(name, bytes);
  return npz(arrays);
}

/// The rows 0: {1: 2}, 1: {0: 2}.
Members csr() {
  return {{"format", npy("|S3", "()", "csr")},
          {"shape", integers("(2,)", {2, 2})},
          {"data", reals("(2,)", {2, 2})},
          {"indices", integers("(2,)", {1, 0})},
          {"indptr", integers("(3,)", {0, 1, 2})}};
}
Members edges() { return {{"edge_index", integers("(2, 3)", {0, 1, 2, 1, 2, 2})}}; }

io::ParsedGraph read(const std::string& content) { return only_graph(io::parse_npz, content); }

TEST(Npz, SparseMatricesAsScipyWritesThem) {
  const auto graph = read(from_base64(csr_by_scipy));
  EXPECT_EQ(graph.vertices, 3);
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1}, {1, 0}, {2, 2}}));
  EXPECT_EQ(graph.weights, (std::vector<double>{0.5, 0.5, 2}));
  EXPECT_TRUE(graph.left_out.empty());
}

TEST(Npz, ArraysAsNumpyWritesThem) {
  const auto graph = read(from_base64(arrays_by_numpy));
  EXPECT_EQ(graph.vertices, 4);
  EXPECT_EQ(arcs_of(graph), (Arcs{{0, 1}, {1, 2}, {2, 0}}));
  EXPECT_EQ(graph.label, "1");
  EXPECT_EQ(columns_of(graph), (Strings{"x_0: 1 3 5 7", "x_1: 2 4 6 8"}));
  EXPECT_TRUE(graph.left_out.empty());
}

TEST(Npz, SparseFormats) {
  const Members common{{"shape", npy("<i4", "(2,)", bytes_of<std::int32_t>({3, 3}))}};
  const auto format = [](const std::string& name) { return npy("|S3", "()", name); };
  const auto csc = read(npz(common, {{"format", npy("<U3", "()", "c\0\0\0s\0\0\0c\0\0\0"s)},
                                     {"data", reals("(3,)", {5, 6, 7})},
                                     {"indices", integers("(3,)", {2, 0, 1})},
                                     {"indptr", integers("(4,)", {0, 1, 1, 3})}}));
  EXPECT_EQ(arcs_of(csc), (Arcs{{2, 0}, {0, 2}, {1, 2}}));
  EXPECT_EQ(csc.weights, (std::vector<double>{5, 6, 7}));
  const auto coo = read(npz(common, {{"format", format("coo")},
                                     {"data", npy("|b1", "(2,)", "\x01\x01")},
                                     {"row", integers("(2,)", {2, 0})},
                                     {"col", integers("(2,)", {1, 0})},
                                     {"other", "what is not needed is not read"}}));
  EXPECT_EQ(arcs_of(coo), (Arcs{{2, 1}, {0, 0}}));
  EXPECT_TRUE(coo.weights.empty());
  EXPECT_EQ(coo.left_out, (Strings{"array 'other'"}));
  // Above the diagonal: (0, 1) = 8, (1, 2) = 9; below it: (1, 0) = 4; zeros and what lies outside are no entries.
  const auto dia = read(npz(common, {{"format", format("dia")},
                                     {"data", integers("(2, 3)", {1, 8, 9, 4, 0, 2})},
                                     {"offsets", integers("(2,)", {1, -1})}}));
  EXPECT_EQ(arcs_of(dia), (Arcs{{0, 1}, {1, 2}, {1, 0}}));
  EXPECT_EQ(dia.weights, (std::vector<double>{8, 9, 4}));
}

TEST(Npz, PlainArrays) {
  const auto pairs = read(npz({{"edges", integers("(3, 2)", {0, 1, 1, 2, 3, 2})},
                               {"edge_weight", reals("(3, 1)", {1, 2, 3})},
                               {"y", integers("(4,)", {7, 8, 9, 7})}}));
  EXPECT_EQ(pairs.vertices, 4);
  EXPECT_EQ(arcs_of(pairs), (Arcs{{0, 1}, {1, 2}, {3, 2}}));
  EXPECT_EQ(pairs.weights, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(columns_of(pairs), (Strings{"label: 7 8 9 7"}));
  EXPECT_FALSE(pairs.label.has_value());
  const auto label = [](const std::string& y) { return read(npz(edges(), {{"y", y}})).label; };
  EXPECT_EQ(label(reals("()", {2})), "2.0");
  EXPECT_EQ(label(reals("(1,)", {0.25})), "0.25");
  EXPECT_EQ(label(npy("<u8", "()", "\xff\xff\xff\xff\xff\xff\xff\xff")), "18446744073709551615");
  EXPECT_EQ(label(npy("<U2", "()", "a\0\0\0\xe9\0\0\0"s)), "a\xC3\xA9");
  EXPECT_EQ(label(reals("(2,)", {1, 2})), std::nullopt);
  EXPECT_EQ(read(npz(edges(), {{"y", reals("(2,)", {1, 2})}})).left_out,
            (Strings{"array 'y' of shape (2,)"}));
  EXPECT_EQ(arcs_of(read(npz({{"edge_index", integers("(2, 2)", {0, 1, 2, 3})}}))), (Arcs{{0, 2}, {1, 3}}));
  EXPECT_EQ(read(npz({{"edges", reals("(0, 2)", {})}, {"num_nodes", integers("(1,)", {5})}})).vertices, 5);
  EXPECT_EQ(read(npz(edges(), {{"x", integers("(5,)", {1, 2, 3, 4, 5})}})).vertices, 5);
}

TEST(Npz, WhatIsRefused) {
  const auto sparse = [](const Members& more) { return npz(csr(), more); };
  const auto plain = [](const Members& more) { return npz(edges(), more); };
  auto without_indices = csr();
  without_indices.erase("indices");
  auto coo = csr();
  coo["format"] = npy("|S3", "()", "coo");
  coo["row"] = integers("(2,)", {0, 0});
  coo["col"] = integers("(2,)", {1, 1});
  expect_refusals(
      io::parse_npz,
      {{from_base64(pickle_by_numpy),
        ":y.npy: The array holds Python objects, which are pickled; pickles can run code and are not read."},
       {npz({{"a", ""}, {"b", ""}}),
        " holds no graph but the arrays 'a', 'b'; a sparse matrix of SciPy or an array 'edge_index' is "
        "expected."},
       {npz(without_indices), " has no array 'indices', which belongs to a sparse matrix of SciPy."},
       {sparse({{"format", npy("|S3", "()", "bsr")}}),
        ": The sparse matrix has the format 'bsr'; csr, csc, coo and dia are read."},
       {sparse({{"format", integers("()", {1})}}),
        ": The sparse matrix has the format '?'; csr, csc, coo and dia are read."},
       {sparse({{"format", npy("|S0", "()", "")}}), ":format.npy: The texts of type '|S0' are empty."},
       {sparse({{"format", npy("<U1", "()", "\xff\xff\xff\xff")}}),
        ":format.npy: 4294967295 is no character."},
       {sparse({{"shape", integers("(2,)", {2, 3})}}),
        ": The matrix has 2 rows and 3 columns; the matrix of a graph is square."},
       {sparse({{"shape", integers("(3,)", {2, 2, 2})}}),
        ":shape.npy: The array has the shape (3,); (2) is expected."},
       {sparse({{"shape", reals("(2,)", {2, 2})}}),
        ":shape.npy: The array holds values of the type '<f8'; integers are expected."},
       {sparse({{"shape", integers("(2,)", {-1, -1})}}),
        ": -1 rows are no number of vertices for arrays of 413 bytes."},
       {sparse({{"shape", integers("(2,)", {2000000, 2000000})}}),
        ": 2000000 rows are no number of vertices for arrays of 413 bytes."},
       {sparse({{"data", npy("<c16", "(1,)", std::string(16, '\0'))}}),
        ":data.npy: The array holds values of the type '<c16'; float64, float32 and integers are read."},
       {sparse({{"data", npy("|S1", "(2,)", "ab")}}),
        ":data.npy: The array holds values of the type '|S1'; numbers are expected."},
       {sparse({{"data", npy("|S1", "(1152921504606846976,)", "")}}),
        ":data.npy: An array of shape (1152921504606846976,) is too large for a file of 86 bytes."},
       {sparse({{"data", reals("(2,)", {2, 0})}}),
        ": Entry (1, 0) is 0; weights of edges are positive and finite."},
       {sparse({{"indices", integers("(2,)", {1, 2})}}),
        ":indices.npy: Element 1, counted from 0, is 2; it should be 0 to 1."},
       {sparse({{"indices", integers("(2,)", {-1, 0})}}),
        ":indices.npy: Element 0, counted from 0, is -1; it should be 0 to 1."},
       {sparse({{"indptr", integers("(2,)", {0, 2})}}),
        ":indptr.npy: The array has the shape (2,); (3) is expected."},
       {sparse({{"indptr", integers("(3,)", {1, 1, 2})}}),
        ":indptr.npy: Element 0, counted from 0, is 1; it should be 0 to 0."},
       {sparse({{"indptr", integers("(3,)", {0, 2, 1})}}),
        ":indptr.npy: Element 2, counted from 0, is 1, less than the one before."},
       {sparse({{"indptr", integers("(3,)", {0, 1, 1})}}),
        ":indptr.npy: The last element is 1, but there are 2 entries."},
       {npz(coo), ": Entry (0, 1) is given twice; it could be the sum of both, or one of them."},
       {plain({{"edges", integers("(3, 2)", {0, 1, 1, 2, 3, 2})}}),
        " has both arrays 'edges' and 'edge_index'; one is expected."},
       {npz({{"edges", integers("(2, 2)", {0, 1, 1, 2})}}),
        ":edges.npy: The two edges could be the rows or the columns; an array 'edge_index' has them as "
        "columns."},
       {npz({{"edges", integers("(4,)", {0, 1, 1, 2})}}),
        ":edges.npy: The array has the shape (4,); (2, edges) or (edges, 2) is expected."},
       {npz({{"edges", reals("(1, 2)", {0, 1})}}),
        ":edges.npy: The array holds values of the type '<f8'; integers are expected."},
       {npz({{"edges", integers("(1, 2)", {0, -1})}}),
        ":edges.npy: Edge 0, counted from 0, ends at vertex -1; vertices are numbered 0 to 2147483646."},
       {npz({{"edges", integers("(1, 2)", {0, 1999999})}}),
        ": 2000000 vertices are no number of vertices for arrays of 86 bytes."},
       {plain({{"num_nodes", integers("()", {2})}}), ": An edge ends at vertex 2, but there are 2 vertices."},
       {plain({{"num_nodes", integers("(2,)", {2, 3})}}),
        ":num_nodes.npy: The array has the shape (2,); one number is expected."},
       {plain({{"x", reals("(3,)", {1, 2, 3})}, {"num_nodes", integers("()", {4})}}),
        ": 'num_nodes' is 4, but 'x' has 3 rows."},
       {plain({{"x", reals("()", {1})}}),
        ":x.npy: The array has the shape (); (vertices, numbers) is expected."},
       {plain({{"x", reals("(3,)", {1, INFINITY, 2})}}),
        ":x.npy: Row 1, counted from 0, has the number inf; numbers of vertices are finite."},
       {plain({{"edge_weight", reals("(2,)", {1, 2})}}),
        ":edge_weight.npy: The array has the shape (2,); (3) is expected."},
       {plain({{"edge_weight", reals("(3,)", {1, -2, 3})}}),
        ":edge_weight.npy: Edge 1, counted from 0, has the weight -2; weights are positive and finite."},
       {npz(csr()).substr(0, 300), " is damaged or cut short: it has no directory."}});
}

/// A small file of zeros must not fill the memory.
TEST(Npz, UnpacksWithinALimit) {
  const io::Text text{"graph.txt", npz(csr())};
  EXPECT_EQ(
      user_error_of([&] { (void)io::parse_npz(text, {.unpack_limit = 200}, {}); }),
      "graph.txt unpacks to 237 bytes or more, and at most 200 are allowed; --unpack-limit allows more.");
}

TEST(Npz, IsRecognised) {
  EXPECT_TRUE(io::recognises_npz(npz(csr())));
  EXPECT_FALSE(io::recognises_npz("PK"));
}

}  // namespace
}  // namespace perslay::test
