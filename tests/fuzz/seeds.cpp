#include "fuzz/seeds.h"

#include "fuzz/small.h"
#include "io/archive_writer.h"

#include <cstring>
#include <filesystem>
#include <set>

#include <hdf5.h>

#include <perslay/base/hasher.h>
#include <perslay/base/registry.h>
#include <perslay/data/build_graphs.h>
#include <perslay/diagram/transforms.h>
#include <perslay/features/cache.h>
#include <perslay/features/item_features.h>
#include <perslay/filtration/filtration.h>
#include <perslay/io/diagram_file.h>
#include <perslay/io/diagram_writer.h>
#include <perslay/io/safetensors.h>
#include <perslay/kernel/kernel.h>
#include <perslay/layer/channel.h>
#include <perslay/layer/vectorization.h>
#include <perslay/learn/built_in_settings.h>
#include <perslay/learn/evaluation.h>
#include <perslay/learn/model_file.h>
#include <perslay/learn/models.h>
#include <perslay/learn/training.h>

namespace perslay::test {
namespace {

using std::string_literals::operator""s;

/// Also without its checksum, as files of earlier versions are: with it, every change is refused before anything is
/// read.
void add_unchecked(std::vector<std::string>& inputs, std::string file) {
  constexpr std::string_view key = "\"checksum\"", other = "\"nothing!\"";
  static_assert(key.size() == other.size());
  inputs.push_back(file);
  for (auto at = file.find(key); at != std::string::npos; at = file.find(key, at))
    file.replace(at, key.size(), other);
  if (file != inputs.back()) inputs.push_back(std::move(file));
}

// ---- graphs

const std::map<std::string, std::string>& tu_files() {
  static const std::map<std::string, std::string> files{
      {"D/D_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n4, 4\n5, 6\n"},
      {"D/D_graph_indicator.txt", "1\n1\n1\n3\n4\n4\n"},
      {"D/D_graph_labels.txt", "1\n-1\n5\n1\n"},
      {"D/D_node_labels.txt", "0, 1\n3, 2\n0, 1\n0, 1\n-4, 0\n7, 7\n"},
      {"D/D_node_attributes.txt", "0.5, 1e-3\n1, 2\n-3, 4\n5, 6\n7, 8\n9, 1e300\n"}};
  return files;
}

std::vector<std::string> tu_texts() {
  std::string all;
  for (const auto* const name : {"A", "graph_indicator", "graph_labels", "node_labels", "node_attributes"})
    all += tu_files().at(std::string("D/D_") + name + ".txt") + '\0';
  return {all, "1, 2\r\n\0001\r\n1\r\n"s, "1 1\n\0001\n\0007\n"s};
}

std::vector<std::string> archives() {
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  auto minimal = tu_files();
  for (const auto* const optional :
       {"D/D_graph_labels.txt", "D/D_node_labels.txt", "D/D_node_attributes.txt"})
    minimal.erase(optional);
  for (const auto* const name : {"d.zip", "d.tar", "d.tar.gz", "d.tar.xz", "d.tar.bz2", "d.7z"})
    for (const auto& files : {tu_files(), minimal}) {
      write_archive(folder / name, files);
      inputs.push_back(read_bytes(folder / name));
    }
  return inputs;
}

std::vector<std::string> graphml_files() {
  return {
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n<key id=\"d0\" for=\"node\" "
      "attr.name=\"age\" "
      "attr.type=\"long\"><default>3</default></key><key id=\"w\" for=\"edge\" attr.name=\"weight\" "
      "attr.type=\"double\"/><key id=\"y\" for=\"graph\" attr.name=\"label\"/><graph><node id=\"a\"><data "
      "key=\"d0\">7</data></node><node id=\"b\"/><edge source=\"a\" target=\"b\"><data "
      "key=\"w\">0.5</data></edge>"
      "<data key=\"y\">1</data></graph></graphml>",
      "<?xml version='1.0'?><graphml><key id='n' for='node' attr.name='name'/><desc>x<b/></desc><graph><node "
      "id='n0'>"
      "<data key='n'>x&amp;&#65;</data></node><edge source='n0' target='n0'/></graph><graph/></graphml>"};
}

std::vector<std::string> gml_files() {
  return {
      "Creator \"x\"\nVersion 1\ngraph [\n  label \"1\"\n  node [ id 0 label \"a&#246;&quot;\" age 3 ]\n  "
      "node [ id 1 "
      "label \"b\" age -1.5e3 ]\n  edge [ source 0 target 1 weight 0.5 graphics [ x [ y 1 ] ] ]\n]\n",
      "# comment\ngraph\n[\n directed 1\n node\n [\n id 7\n name \"x\"\n v NaN\n ]\n edge [ source 7 target "
      "7 ] ]"};
}

std::vector<std::string> node_link_files() {
  return {
      R"({"directed": false, "multigraph": false, "graph": {"label": 1}, "nodes": [{"age": 31, "id": "a\u00e9"},
          {"age": 4.5, "id": "b"}], "edges": [{"weight": 0.5, "color": "red", "source": "a\u00e9", "target": "b"}]})",
      R"([{"links": [{"source": 0, "target": 1, "key": 0}], "nodes": [{"id": 0, "x": null}, {"id": 1, "x": [true]}],
           "graph": {"y": [3]}}, {"nodes": [], "links": []}])"};
}

std::vector<std::string> graph_lines() {
  return {
      "{\"edge_index\":[[0,1],[1,0]],\"edge_attr\":[[1.0],[1.0]],\"y\":[1],\"num_nodes\":2,\"node_feat\":[[1,"
      "2],[3,4]]}\n"
      "{\"edge_index\":[[],[]],\"num_nodes\":1,\"y\":[[null,1]],\"node_feat\":[5],\"edge_weight\":[]}\n",
      "[{\"edge_index\":[[0],[1]],\"num_nodes\":[2],\"edge_weight\":[[0.5]],\"y\":\"a\"}]"};
}

std::vector<std::string> matrix_market_files() {
  return {"%%MatrixMarket matrix coordinate real general\n% x\n3 3 2\n1 2 0.5\n3 1 2\n",
          "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n",
          "%%MatrixMarket matrix coordinate integer general\n2 2 2\n2 1 1\n1 2 1\n"};
}

// ---- points and diagrams

std::string npy(const std::string& dictionary, const std::string& data, char version = 1) {
  const std::string header = dictionary + '\n';
  std::string file = "\x93NUMPY"s + version + '\0' + static_cast<char>(header.size()) + '\0';
  if (version > 1) file += "\0\0"s;
  return file + header + data;
}

std::string zeros(std::size_t count) { return std::string(count, '\0'); }

std::vector<std::string> npy_files() {
  const auto dictionary = [](const std::string& type, const std::string& shape,
                             const char* fortran = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
  };
  std::vector<std::string> files{npy(dictionary("<f8", "(2, 3, 2)"), zeros(96)),
                                 npy(dictionary("<f8", "(2, 3, 2)", "True"), zeros(96), 2)};
  for (const auto* const type : {"<f4", ">f8", "<i8", "|u1", "<u2", ">i4", "|i1"})
    files.push_back(npy(dictionary(type, "(2, 2)"), zeros(4 * static_cast<std::size_t>(type[2] - '0'))));
  return files;
}

std::string integers(const std::string& shape, const std::vector<std::int64_t>& numbers) {
  std::string bytes(8 * numbers.size(), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return npy("{'descr': '<i8', 'fortran_order': False, 'shape': " + shape + ", }", bytes);
}

/// The arrays of .npz files: sparse matrices, and edges.
std::vector<std::map<std::string, std::string>> array_sets() {
  const auto format = [](const std::string& name) {
    return npy("{'descr': '|S3', 'fortran_order': False, 'shape': (), }", name);
  };
  const auto shape = integers("(2,)", {2, 2}), data = integers("(2,)", {3, 3}),
             pair = integers("(2,)", {1, 0});
  const auto ends = integers("(3,)", {0, 1, 2});
  const auto csr = [&](const std::string& name) {
    return std::map<std::string, std::string>{
        {"format", format(name)}, {"shape", shape}, {"data", data}, {"indices", pair}, {"indptr", ends}};
  };
  return {csr("csr"),
          csr("csc"),
          {{"format", format("coo")},
           {"shape", shape},
           {"data", data},
           {"row", pair},
           {"col", integers("(2,)", {0, 1})}},
          {{"format", format("dia")},
           {"shape", shape},
           {"data", integers("(1, 2)", {0, 5})},
           {"offsets", integers("(1,)", {1})}},
          {{"edge_index", integers("(2, 3)", {0, 1, 2, 1, 2, 0})},
           {"num_nodes", integers("()", {4})},
           {"x", integers("(4, 1)", {1, 2, 3, 4})},
           {"edge_weight", integers("(3,)", {5, 6, 7})},
           {"y", integers("(4,)", {0, 1, 1, 0})}},
          {{"edges", integers("(1, 2)", {0, 1})}, {"y", integers("()", {1})}}};
}

std::vector<std::string> npz_files() {
  std::vector<std::string> files;
  for (const auto& arrays : array_sets()) {
    std::vector<ZipMember> members;
    for (const auto& [name, bytes] : arrays) members.push_back({name + ".npy", bytes});
    files.push_back(stored_zip(members));
  }
  return files;
}

/// As the target `npz_arrays` takes them.
std::vector<std::string> npz_arrays() {
  std::vector<std::string> inputs;
  for (const auto& arrays : array_sets()) {
    std::string input;
    for (const auto& [name, bytes] : arrays)
      input += name + '\0' + static_cast<char>(bytes.size() & 0xFFU) + static_cast<char>(bytes.size() >> 8U) +
               bytes;
    inputs.push_back(input);
  }
  return inputs;
}

std::string bytes_of(std::initializer_list<double> numbers) {
  std::string bytes;
  for (const double number : numbers) {
    bytes.resize(bytes.size() + sizeof number);
    std::memcpy(bytes.data() + bytes.size() - sizeof number, &number, sizeof number);
  }
  return bytes;
}

/// Two groups of three diagrams, with vertices and cycles.
diagram::DiagramSet small_set(bool with_vertices) {
  diagram::DiagramSet set{{}, {0, 1, 0}, {"a", "b"}};
  for (const auto kind : {diagram::Kind::ord0, diagram::Kind::ext1}) {
    std::vector<diagram::Diagram> diagrams(3);
    diagrams[0].points = {{0, 0.5}, {0.25, 1e-3}};
    diagrams[2].points = {{-1, 2}};
    if (with_vertices) {
      diagrams[0].vertices = {{0, 1}, {2, 3}};
      diagrams[2].vertices = {{4, 5}};
    }
    set.groups.push_back({"hks:10", kind, diagram::DiagramBatch(diagrams), {}});
  }
  if (with_vertices) set.groups[1].cycles = {{0, 1, 2, 3, 4, 5, 6}, {0, 3, 3, 7}};
  return set;
}

std::vector<std::string> diagrams_as_text() {
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  for (const bool with_vertices : {false, true}) {
    io::write_diagrams(folder / "d.csv", small_set(with_vertices));
    inputs.push_back(read_bytes(folder / "d.csv"));
  }
  return inputs;
}

/// The groups and datasets of a file as other programs write them: in the oldest format of HDF5, which has no checksums
/// of its own, and without the root's word that there are some of ours.
std::string by_another_program(const std::filesystem::path& file) {
  const TemporaryFolder folder;
  const auto path = folder / "copy.h5";
  const hid_t from = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t to = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* const name : {"alpha", "hks_10", "clouds", "labels", "classes"})
    if (H5Lexists(from, name, H5P_DEFAULT) > 0) H5Ocopy(from, name, to, name, H5P_DEFAULT, H5P_DEFAULT);
  for (const char* const name : {"format", "version"}) {
    const hid_t attribute = H5Aopen(from, name, H5P_DEFAULT), type = H5Aget_type(attribute),
                space = H5Aget_space(attribute);
    const hid_t copy = H5Acreate2(to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    std::vector<char> value(H5Tget_size(type));
    H5Aread(attribute, type, value.data());
    H5Awrite(copy, type, value.data());
    H5Aclose(copy);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
  }
  H5Fclose(to);
  H5Fclose(from);
  return read_bytes(path);
}

std::vector<std::string> diagrams_as_hdf5() {
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  for (const bool with_vertices : {false, true}) {
    io::write_diagrams(folder / "d.h5", small_set(with_vertices));
    inputs.push_back(read_bytes(folder / "d.h5"));
    inputs.push_back(by_another_program(folder / "d.h5"));
  }
  diagram::DiagramSet set{{}, {0, 1}, {"a", "b"}};
  set.groups.push_back({"alpha", diagram::Kind::h0, diagram::DiagramBatch({{0, 1}}, {0, 1, 1}), {}});
  data::PointCloudDataset clouds;
  clouds.points = {{0, 0}, {1, 0}, {2, 3}};
  clouds.offsets = {0, 2, 3};
  io::DiagramWriter writer(
      folder / "d.h5", {.groups = {{"alpha", diagram::Kind::h0}}, .classes = set.classes, .clouds = true});
  writer.append(set, &clouds);
  writer.finish();
  inputs.push_back(read_bytes(folder / "d.h5"));
  inputs.push_back(by_another_program(folder / "d.h5"));
  return inputs;
}

// ---- learning

std::vector<std::string> models() {
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  for (const auto* const model : {"network", "svm:sw", "svm:pwg-linear"}) {
    auto items = toy_items(12);
    if (model != std::string("network")) items.blocks.clear();
    learn::write_model(folder / "m.safetensors",
                       learn::train(items, small_settings(model), learn::all_learners(), {}).model);
    add_unchecked(inputs, read_bytes(folder / "m.safetensors"));
  }
  return inputs;
}

std::vector<std::string> tensors() {
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  const std::vector<io::NamedArray> arrays{{"a", {2, 1}, {1, 2}}, {"b", {1}, {}, {3}}, {"c", {0, 7}, {}}};
  io::write_safetensors(folder / "t.safetensors", arrays, {{"key", "value"}});
  add_unchecked(inputs, read_bytes(folder / "t.safetensors"));
  return inputs;
}

std::vector<std::string> results() {
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  learn::EvaluationTask task;
  task.dataset = "toy";
  task.settings = small_settings("network");
  task.protocol.folds = 2;
  task.protocol.repeats = 1;
  (void)learn::evaluate(toy_items(12), task, learn::all_learners(), {.folder = folder / "results"});
  std::string all;
  for (const auto* const file : {"results.json", "folds/r1-f1.json", "folds/r1-f2.json"})
    all += read_bytes(folder / "results" / file) + '\0';
  add_unchecked(inputs, all);
  return inputs;
}

std::vector<std::string> checkpoints() {
  const auto items = toy_items(6);
  const auto settings = two_nets();
  return {left_by_training(items, settings, 0), left_by_training(items, settings, 2)};
}

std::vector<std::string> choices() {
  const auto items = toy_items(6);
  const auto settings = two_channels();
  return {left_by_training(items, settings, 1, ".choice"), left_by_training(items, settings, 4, ".choice")};
}

/// Without their digests.
std::vector<std::string> cache_entries() {
  const TemporaryFolder folder;
  std::vector<std::string> inputs;
  features::CachedItems cached{toy_items(6), {}};
  const auto add = [&] {
    features::write_cached_items(folder / "entry", cached);
    auto entry = read_bytes(folder / "entry");
    entry.resize(entry.size() - sizeof(base::Hasher::Digest));
    inputs.push_back(std::move(entry));
  };
  add();
  cached.items.groups.clear();
  cached.items.keyed = {{"wl:1", 1, {3, 5, 5}, {1, 2, 1}, {0, 2, 2, 2, 2, 2, 3}}};
  cached.remarks = {"Something was dropped."};
  add();
  return inputs;
}

std::vector<std::string> evaluations() {
  const TemporaryFolder folder;
  (void)small_evaluation(folder / "results");
  std::vector<std::string> files;
  for (const auto* const file : {"evaluation.json", "folds/r1-f1.json", "folds/r1-f2.json", "results.json"})
    files.push_back(read_bytes(folder / "results" / file) + '\0');
  return {files[0] + files[1] + files[2] + files[3], files[0] + files[1], files[0] + "\0\0"s + files[3]};
}

std::vector<std::string> settings_files() {
  std::vector<std::string> inputs{
      learn::to_toml({}), learn::to_toml(small_settings("svm:pwg")),
      learn::to_toml(small_settings("ridge:labelled")),
      "[network.channels]\next1 = [\"Pm(25,25,10,top-5)\", { phi = \"triangle:5\", op = \"max\" }]\n"};
  for (const auto& built_in : learn::built_in_settings()) inputs.emplace_back(built_in.toml);
  return inputs;
}

// ---- names

/// The first letter of an input of the target `names` for a family, by its place in the target's list.
std::string in_family(std::size_t place, std::string_view name) {
  return static_cast<char>('a' + place) + std::string(name);
}

std::vector<std::string> names() {
  const std::vector<std::vector<const char*>> examples{
      {"triangle:5", "betti:5", "flat:5", "entropy:5", "gaussian:20x20:sigma=0.1:axes=birth-death",
       "gaussian:5:widths=each", "hofer:5:nu=0.1:sigma=2", "exponential:5", "rational:5",
       "rational-hat:4:norm=2", "line:25", "mixture:triangle+gaussian+line:25"},
      {"one", "power:2", "grid:10x10"},
      {"sum", "mean", "max", "min", "kth:3", "topk:5", "top-5"},
      {"25:max", "5:none", "25"},
      {"landscape:5x60", "silhouette:60:power=2", "image:20x20:sigma=0.1:power=1", "hofer:50",
       "projections:10x20", "betti:60", "entropy:60"},
      {"10x2"},
      {"sw:20:sigma=1", "pf:0.1:t=2", "pwg:0.1:c=1:p=2:tau=1", "pwg-linear:1", "pss:0.1~grid:1e-3"},
      {"eigenvalues", "spectrum:20", "deciles:hks:10", "returns:256@0.2", "ext1/quantiles:80",
       "landscape:5x60@0..0.15", "log-top:10", "projection-quantiles:8x40", "wl:4"},
      {"prom:500", "scale", "birth-persistence", "sqrt", "reorder", "clip:0:1"},
      {"hks:10", "degree", "file:values.txt"},
      {"ord0", "h1"},
      {"max", "none"},
      {"Im(20,(10,2),10,sum)", "Pm(25,25,10,top-5)"},
      {"ours"},
      {"bottleneck", "wasserstein:2"},
      {"drop", "clip", "clip:3"},
      {"clip:3"},
      {"network", "svm:sw", "ridge:labelled+mlp"},
      {"alpha", "alpha:radii"},
      {"training.epochs=20", "network.channel=Pm(25,25,10,sum)",
       "data.filtrations=[\"hks:10\", \"degree\"]"}};
  std::vector<std::string> inputs;
  for (std::size_t family = 0; family < examples.size(); ++family)
    for (const auto* const name : examples[family]) inputs.push_back(in_family(family, name));
  return inputs;
}

}  // namespace

Inputs seeds() {
  return {
      {"tu_texts", tu_texts()},
      {"edge_list",
       {"00 1\n1 2\n5\n", "1# comment\n1, 2, 0.5\n2,3,1e-3\n\n% x\n3 1 7\n",
        "0source,target,weight\n\"New York\",b,1\nb,\"a \"\"c\"\"\",2.5\n",
        "0a b {'weight': 3.0, 'color': [1, 'x']}\nb c {'weight': 1}\n", "c9;1;x\n8;2;y\n",
        "n,weight\tsource\ttarget\n0\t1\t007\t99999999999\n", "0source,target\n5,1000000000000\n7.0,5\n"}},
      {"graph_folder",
       {"file,label\n1.csv,a\n2.txt,b\n\0source,target\n0,1\n\0a b\nb c\n"s,
        "2.txt,0.5\n1.csv,1\n\0"
        "0 1\n\0"
        "0 1\n1 2\n"s}},
      {"graphml", graphml_files()},
      {"gml", gml_files()},
      {"node_link", node_link_files()},
      {"graph_lines", graph_lines()},
      {"matrix_market", matrix_market_files()},
      {"npz", npz_files()},
      {"npz_arrays", npz_arrays()},
      {"ogb_tables",
       {"2\n1\n\0001\n0\n\0000,1\n\0001\n0\n\0005,1\n6,2\n7,3\n\0000\n1\n1\n\0x\0"s,
        "1\n\0001\n\0000,0\n\0000.5,1\n"s}},
      {"archive", archives()},
      {"vertex_values", {"\0030.5\n-1e-3\n7\n"s, "\001inf\n"s}},
      {"clouds_text",
       {"x,y\n0,1\n1.5,-2e-3\n", "0 1\n# comment\n\n2\t3\n", "id;x;y\na;1;2\n", ",x,y\n0,1,2\n"}},
      {"clouds_npy", npy_files()},
      {"clouds_folder", {"file,label\na1.csv,2\na2.txt,10\n", "a2.txt,\"x, \"\"y\"\"\"\n./a1.csv, z\r\n"}},
      {"clouds_agree", {bytes_of({0, 1, 0.1, -1e-300, 1e300, 5e-324})}},
      {"diagrams_csv", diagrams_as_text()},
      {"diagrams_hdf5", diagrams_as_hdf5()},
      {"diagrams_agree",
       {"\2\0"s + bytes_of({0, 1}) + '\3' + bytes_of({0.1, -1e300}) + '\1' + bytes_of({1, 0.3})}},
      {"safetensors", tensors()},
      {"model", models()},
      {"settings", settings_files()},
      {"results", results()},
      {"checkpoint", checkpoints()},
      {"channel_choice", choices()},
      {"cache", cache_entries()},
      {"evaluation_taken_up", evaluations()},
      {"names", names()}};
}

Inputs words() {
  std::set<std::string> heads;
  const auto take = [&](std::span<const base::NameHelp> names) {
    for (const auto& [usage, text] : names) heads.insert(usage.substr(0, usage.find_first_of(":[")));
  };
  take(layer::point_transform_help());
  take(layer::weight_help());
  take(layer::operation_help());
  take(layer::vectorization_help());
  take(kernel::kernel_help());
  take(features::item_features().help());
  take(diagram::transforms().help());
  take(filtration::filtrations().help());
  take(learn::model_help());
  std::vector<std::string> names(heads.begin(), heads.end());
  for (const auto* const option : {":sigma=", ":nu=", ":power=", ":widths=each", ":axes=", ":norm=2", ":p=",
                                   ":c=", ":tau=", ":t=", "~grid:", "@", "..", "1e-6", "1e300", "0x", "+"})
    names.emplace_back(option);
  auto settings = names;
  for (const auto* const word :
       {"[data]", "[features]", "[network]", "[training]", "[svm]",       "[ridge]", "[network.channels]",
        " = ",    "{ ",         " }",        "[",          "]",           "\"",      "true",
        "inf",    "phi",        "weight",    "op",         "equivariant", "channel", "filtrations",
        "kinds"})
    settings.emplace_back(word);
  return {{"names", names},
          {"settings", settings},
          {"graphml",
           {"<graphml>", "<graph>", "</graph>", "<node id='a'/>", "<edge source='a' target='b'/>",
            "<key id='k'>", "<default>", "</default>", "</key>", "<data key='k'>", "</data>",
            "attr.name='weight'", "attr.type='int'", "for='node'", "<![CDATA[", "]]>", "<!DOCTYPE", "&amp;",
            "<?xml version='1.0' encoding='UTF-16'?>"}},
          {"gml",
           {"graph [", "node [", "edge [", "id 0", "source 0", "target 0", "label \"a\"", "name \"a\"",
            "weight 1", "]", "&#65;", "nan"}},
          {"node_link",
           {"\"nodes\": [", "\"links\": [", "\"edges\": [", "{\"id\": 0}", "{\"source\": 0, \"target\": 0}",
            "\"weight\": 1", "\"graph\": {", "\\u0041", "null", "true", "NaN"}},
          {"graph_lines",
           {"\"edge_index\": [[0], [0]]", "\"num_nodes\": 1", "\"y\": [1]", "\"node_feat\": [[1]]",
            "\"edge_weight\": [1]", "null", "true", "NaN"}},
          {"npz_arrays",
           {"'descr'", "'fortran_order'", "'shape'", "<f8", "|b1", "<U3", "|O", "(2,)", "(2, 2)", "True",
            "num_nodes"}},
          {"clouds_npy", {"'descr'", "'fortran_order'", "'shape'", "<f8", "(", ")"}}};
}

}  // namespace perslay::test
