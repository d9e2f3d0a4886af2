"""Graphs from everything that people have."""

import pathlib
import pickle
import shutil
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import graphs_with_values
from hypothesis import given

import perslay

TRIANGLE = [(0, 1), (1, 2), (2, 0)]


def edges_of(graphs):
    return [graph.edges.tolist() for graph in graphs]


def test_from_arrays_of_any_layout():
    plain = np.array(TRIANGLE)
    read_only = plain.copy()
    read_only.setflags(write=False)
    layouts = [plain, plain.astype(np.uint8), plain.astype(np.int32), np.asfortranarray(plain), read_only,
               np.repeat(plain, 2, axis=1)[:, ::2], plain[::-1], TRIANGLE]
    graphs = perslay.Graphs(layouts)
    assert edges_of(graphs) == [[[0, 1], [0, 2], [1, 2]]] * len(layouts)


def test_sizes_self_loops_and_repeated_edges():
    graphs = perslay.Graphs([([(0, 1), (1, 0), (1, 1), (0, 1)], 4), np.empty((0, 2), int), ([], 2)])
    assert graphs.num_nodes.tolist() == [4, 0, 2]
    assert graphs.num_edges.tolist() == [1, 0, 0]
    assert graphs.beta0.tolist() == [3, 0, 2]
    assert (graphs.self_loops_dropped, graphs.duplicate_edges_merged) == (1, 1)
    assert perslay.Graphs([TRIANGLE, [(0, 1)]], num_nodes=[5, 2]).num_nodes.tolist() == [5, 2]
    assert perslay.Graphs(np.array(TRIANGLE), num_nodes=4).num_nodes.tolist() == [4]


def test_from_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.array([[0, 2, 0], [2, 0, 3], [0, 3, 0]])
    for make in (sparse.csr_matrix, sparse.coo_matrix, sparse.csc_array):
        graphs = perslay.Graphs([make(dense)])
        assert edges_of(graphs) == [[[0, 1], [1, 2]]]
        assert graphs[0].weights is None
    assert perslay.Graphs([sparse.csr_matrix(dense)], weights=True)[0].weights.tolist() == [2, 3]
    with pytest.raises(ValueError, match=r"not square: its shape is \(2, 3\)"):
        perslay.Graphs([sparse.csr_matrix(np.ones((2, 3)))])


def test_from_networkx():
    nx = pytest.importorskip("networkx")
    path = nx.path_graph(["c", "a", "b"])
    nx.set_node_attributes(path, {"a": 5, "b": 6, "c": 7}, "atom")
    path.edges["a", "b"]["weight"] = 2.5
    graphs = perslay.Graphs([path, path], labels=[1, 0], node_labels="atom", weights=True)
    assert edges_of(graphs) == [[[0, 1], [1, 2]]] * 2
    assert graphs.node_labels.tolist() == [7, 5, 6] * 2
    assert graphs[0].weights.tolist() == [1.0, 2.5]
    assert perslay.Graphs(nx.DiGraph([(0, 1), (1, 0)]))[0].num_edges == 1
    with pytest.raises(ValueError, match="without the attribute 'colour'"):
        perslay.Graphs([path], node_labels="colour")


def test_from_objects_like_those_of_geometric():
    data = SimpleNamespace(edge_index=np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=4, y=np.array([3]))
    graphs = perslay.Graphs([data, data])
    assert edges_of(graphs) == [[[0, 1], [1, 2]]] * 2
    assert graphs.num_nodes.tolist() == [4, 4]
    assert graphs.labels.tolist() == [0, 0] and graphs.classes == ["3"]
    torch = pytest.importorskip("torch")
    data = SimpleNamespace(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3, y=torch.tensor([1]))
    assert edges_of(perslay.Graphs(data)) == [[[0, 1], [1, 2]]]


@pytest.mark.parametrize(
    "items, options, sentence",
    [
        ([[(0, 1, 2)]], {}, r"edges of graph 0 must have the shape \(N, 2\), not \(1, 3\)"),
        ([TRIANGLE, [(0.5, 1.0)]], {}, "edges of graph 1 must be integers, not float64"),
        ([[("a", "b")]], {}, "edges of graph 0 must be integers"),
        ([[(0, 1), (2,)]], {}, "edges of graph 0 must be integers"),
        ([[(0, -1)]], {}, "Graph 0 has a vertex -1"),
        ([([(0, 5)], 3)], {}, "Graph 0: .*5"),
        ([[(0, 1 << 40)]], {}, "1099511627776"),
        ([TRIANGLE], {"labels": [0, 1]}, "2 labels for 1 items"),
        ([TRIANGLE], {"labels": [[0]]}, "labels must have one axis"),
        ([TRIANGLE], {"node_labels": [[1, 2]]}, r"node labels of graph 0 have the shape \(2,\), and it has 3"),
        ([TRIANGLE], {"weights": [[1, 2]]}, r"weights of graph 0 have the shape \(2,\), and it has 3 edges"),
        ([TRIANGLE], {"weights": [[1, 2, -3]]}, "Graph 0: "),
        ([TRIANGLE], {"num_nodes": [1, 2]}, "num_nodes must be an integer or one for each of 1 graphs"),
        (5, {}, "not int"),
        ("MUTAG.zip", {}, "read by perslay.read_graphs"),
    ],
)
def test_mistakes_are_answered(items, options, sentence):
    with pytest.raises(ValueError, match=sentence):
        perslay.Graphs(items, **options)


def test_choosing():
    graphs = perslay.shapes(per_class=3)
    assert graphs[-1].num_nodes == graphs.num_nodes[-1]
    assert graphs[2:5].labels.tolist() == [0, 1, 1]
    assert graphs[[4, 0]].num_nodes.tolist() == graphs.num_nodes[[4, 0]].tolist()
    assert len(graphs[graphs.labels == 1]) == 3
    assert [graph.num_nodes for graph in graphs] == graphs.num_nodes.tolist()
    with pytest.raises(IndexError):
        graphs[9]
    with pytest.raises(IndexError):
        graphs[[True, False]]


def test_arrays_are_views_that_cannot_be_written():
    graphs = perslay.shapes(per_class=1)
    for array in (graphs.labels, graphs.vertex_offsets):
        assert array.base is not None
        with pytest.raises(ValueError):
            array[0] = 1
    labels = graphs.labels
    del graphs
    assert labels.tolist() == [0, 1, 2]


@given(graphs_with_values(), graphs_with_values())
def test_pickles(first, second):
    graphs = perslay.Graphs([(first[0], len(first[1])), (second[0], len(second[1]))], labels=["x", "y"])
    again = pickle.loads(pickle.dumps(graphs))
    assert edges_of(again) == edges_of(graphs)
    assert again.num_nodes.tolist() == graphs.num_nodes.tolist()
    assert again.labels.tolist() == [0, 1] and again.classes == ["x", "y"]


@given(graphs_with_values())
def test_betti_numbers_agree_with_networkx(graph):
    nx = pytest.importorskip("networkx")
    edges, values = graph
    theirs = nx.Graph(edges)
    theirs.add_nodes_from(range(len(values)))
    graphs = perslay.Graphs([(edges, len(values)), theirs])
    components = nx.number_connected_components(theirs)
    assert graphs.beta0.tolist() == [components] * 2
    assert graphs.beta1.tolist() == [len(edges) - len(values) + components] * 2


def test_heat_kernel_signature_is_that_of_the_spectrum():
    graphs = perslay.shapes(per_class=2)
    times = [0.1, 10.0]
    values, slopes = perslay.heat_kernel_signature(graphs, times, derivatives=True)
    assert values.shape == slopes.shape == (2, graphs.vertex_offsets[-1])
    eigenvalues = graphs.split(perslay.laplacian_eigenvalues(graphs))
    for i, graph in enumerate(graphs):
        adjacency = np.zeros((graph.num_nodes,) * 2)
        adjacency[tuple(graph.edges.T)] = 1
        adjacency += adjacency.T
        root = 1 / np.sqrt(adjacency.sum(axis=0))
        rates, modes = np.linalg.eigh(np.eye(graph.num_nodes) - root[:, None] * adjacency * root)
        np.testing.assert_allclose(eigenvalues[i], rates, atol=1e-10)
        for k, t in enumerate(times):
            np.testing.assert_allclose(graphs.split(values)[i][k], modes**2 @ np.exp(-t * rates), atol=1e-10)
            np.testing.assert_allclose(graphs.split(slopes)[i][k], modes**2 @ (-rates * np.exp(-t * rates)), atol=1e-9)
    at, slope = perslay.HeatSpectra(graphs).at(10.0)
    np.testing.assert_allclose(at, values[1], atol=1e-12)
    np.testing.assert_allclose(slope, slopes[1], atol=1e-12)


def test_vertex_functions():
    graphs = perslay.shapes(per_class=1)
    degrees = np.concatenate([np.bincount(g.edges.ravel(), minlength=g.num_nodes) for g in graphs])
    assert np.array_equal(perslay.vertex_function(graphs, "degree"), degrees)
    with pytest.raises(ValueError, match="degre"):
        perslay.vertex_function(graphs, "degre")
    with pytest.raises(ValueError, match="one for each vertex"):
        graphs.split(np.zeros(3))


def test_files(tmp_path):
    graphs = perslay.shapes(per_class=2)
    graphs.write(tmp_path / "TOY")
    again = perslay.read_graphs(tmp_path / "TOY")
    assert edges_of(again) == edges_of(graphs) and again.labels.tolist() == graphs.labels.tolist()
    with pytest.raises(ValueError, match="does not exist"):
        perslay.read_graphs(tmp_path / "NONE.zip")
    (tmp_path / "edges.txt").write_text("1 2\n2 three\n")
    with pytest.raises(ValueError, match="edges.txt.*2"):
        perslay.read_graphs(tmp_path / "edges.txt")


def spoiled(content, at):
    """With one bit flipped."""
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


def test_damaged_archives(tmp_path):
    perslay.shapes(per_class=2).write(tmp_path / "TOY")
    (tmp_path / "damaged").mkdir()
    for kind in ("zip", "gztar", "bztar", "xztar"):
        archive = pathlib.Path(shutil.make_archive(str(tmp_path / kind), kind, tmp_path, "TOY"))
        good = perslay.read_graphs(archive)
        damaged = tmp_path / "damaged" / archive.name
        content = archive.read_bytes()
        for at in range(0, len(content), 7):
            damaged.write_bytes(spoiled(content, at))
            try:
                graphs = perslay.read_graphs(damaged)
            except ValueError as error:
                assert archive.name in str(error)
            else:
                assert edges_of(graphs) == edges_of(good)
                assert graphs.labels.tolist() == good.labels.tolist()


def test_damaged_checksum(tmp_path):
    perslay.shapes(per_class=2).write(tmp_path / "TOY")
    archive = pathlib.Path(shutil.make_archive(str(tmp_path / "TOY"), "gztar", tmp_path, "TOY"))
    content = archive.read_bytes()
    archive.write_bytes(spoiled(content, len(content) - 8))
    with pytest.raises(ValueError, match="TOY.tar.gz is damaged or cut short: gzip: incorrect data check"):
        perslay.read_graphs(archive)
    archive.write_bytes(content)
    perslay.read_graphs(archive)


def test_unpack_limit(tmp_path):
    perslay.shapes(per_class=2).write(tmp_path / "TOY")
    archive = shutil.make_archive(str(tmp_path / "TOY"), "zip", tmp_path, "TOY")
    assert len(perslay.read_graphs(archive, unpack_limit=1_000_000)) == 6
    with pytest.raises(ValueError, match="at most 100 are allowed; --unpack-limit allows more"):
        perslay.read_graphs(archive, unpack_limit=100)
    with pytest.raises(ValueError, match="unpack_limit must be a whole number"):
        perslay.read_graphs(archive, unpack_limit=-1)


def test_paths_of_which_nothing_is_known(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    for path in (tmp_path / "loop", tmp_path / "loop" / "TOY.zip", tmp_path / ("n" * 300)):
        with pytest.raises(ValueError, match="cannot be read: "):
            perslay.read_graphs(path)


def test_real_dataset(read_dataset):
    graphs = read_dataset("MUTAG")
    assert len(graphs) == 188
    assert graphs.node_labels.shape == (graphs.vertex_offsets[-1],)
    assert np.bincount(graphs.labels).tolist() == [63, 125]


# ---- what people bring


class Data:
    """As PyTorch Geometric has it."""

    def __init__(self, edges, y=None, **more):
        self.edge_index, self.num_nodes = np.array(edges).reshape(-1, 2).T, 3
        self.__dict__.update(more)
        if y is not None:
            self.y = y


@pytest.mark.parametrize("kind", ["number", "array", "tensor"])
def test_labels_of_geometric_data(kind):
    if kind == "tensor":
        torch = pytest.importorskip("torch", reason="torch is not installed")
    wrap = {"number": int, "array": lambda y: np.array([y]), "tensor": lambda y: torch.tensor([y])}[kind]
    graphs = perslay.Graphs([Data([(0, 1)], wrap(y)) for y in (3, 1, 3)])
    assert graphs.labels.tolist() == [1, 0, 1] and graphs.classes == ["1", "3"]
    assert perslay.Graphs([Data([(0, 1)], wrap(1)), Data([(0, 1)])]).labels is None
    assert perslay.Graphs([Data([(0, 1)], group=wrap(y)) for y in (2, 4)], "group").classes == ["2", "4"]
    with pytest.raises(ValueError, match="Graph 1 has no attribute 'y'"):
        perslay.Graphs([Data([(0, 1)], wrap(1)), Data([(0, 1)])], "y")


def test_columns_of_geometric_data():
    graphs = perslay.Graphs([Data([(0, 1)], x=np.array([[4], [5], [6]]))], node_labels="x")
    assert graphs.node_labels.tolist() == [4, 5, 6]
    with pytest.raises(ValueError, match=r"one value for each of 3 vertices, and its shape is \(3, 2\)"):
        perslay.Graphs([Data([(0, 1)], x=np.eye(3)[:, :2])], node_labels="x")
    with pytest.raises(ValueError, match="no attribute 'x'"):
        perslay.Graphs([Data([(0, 1)])], node_labels="x")


def test_attributes_of_networkx_graphs():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = networkx.path_graph(["a", "b", "c"])
    graph.graph["kind"] = "path"
    assert perslay.Graphs([graph], "kind").classes == ["path"]
    with pytest.raises(ValueError, match="No edge of graph 0 has the attribute 'wieght'"):
        perslay.Graphs([graph], weights="wieght")
    values = networkx.closeness_centrality(graph)
    found = perslay.extended_persistence(graph, dict(reversed(values.items())))
    assert found["ext0"] == perslay.extended_persistence(graph, [values[node] for node in graph])["ext0"]
    assert perslay.extended_persistence([graph, graph], [values, values])["ext0"].counts.tolist() == [1, 1]
    with pytest.raises(ValueError, match="Node 'c' of graph 0 has no value"):
        perslay.extended_persistence(graph, {"a": 1.0, "b": 2.0})
    with pytest.raises(ValueError, match="need a NetworkX graph"):
        perslay.extended_persistence(perslay.Graphs([graph]), values)


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([(0, 1), (1, 2)], "a single graph goes into a list"),
        ([np.zeros((2, 5), int)], "has to be transposed"),
        ([np.eye(3, dtype=int)], "an adjacency matrix goes through"),
        ([[(0, 2**31 - 1)]], "a vertex 2147483647; vertices are numbered from 0"),
        ([np.array([(0, 2**64 - 1)], np.uint64)], "a vertex 18446744073709551615"),
        ([[(0, 2**31 - 2)]], "2147483647 vertices and only 1 edges"),
        ([([], 2**31 - 2)], "only 0 edges"),
    ],
)
def test_hints(items, says):
    with pytest.raises(ValueError, match=says):
        perslay.Graphs(items)


def test_labels_and_weights_of_single_graphs_survive():
    weighted = perslay.Graphs([[(0, 1), (1, 2)], ([], 3)], weights=[[1.0, 5.0], []])
    assert perslay.Graphs(list(weighted))[0].weights.tolist() == [1, 5]
    labelled = perslay.Graphs([[(0, 1)], [(0, 1)]], labels=["b", "a"], node_labels=[[1, 2], [3, 4]])
    assert labelled[1].node_labels.tolist() == [3, 4] and perslay.shapes(1)[0].node_labels is None
    again = perslay.Graphs(labelled)
    assert again.node_labels.tolist() == [1, 2, 3, 4] and again.labels.tolist() == [1, 0]
    assert perslay.Graphs(labelled, labels=["x", "y"]).classes == ["x", "y"]
    assert pickle.loads(pickle.dumps(labelled[1])).node_labels.tolist() == [3, 4]


def test_integers_are_not_wrapped():
    with pytest.raises(ValueError, match="between -2147483648 and 2147483647, and there is 4294967297"):
        perslay.Graphs([[(0, 1)]], node_labels=[[1, 2**32 + 1]])
    with pytest.raises(ValueError, match="vertices must lie between"):
        perslay.DiagramBatch.from_packed([(0, 1)], [0, 1], [(2**40, -5)])


def test_sparse_duplicates_are_summed():
    sparse = pytest.importorskip("scipy.sparse", reason="SciPy is not installed")
    ones = sparse.coo_array(([1.0, -1.0, 2.0, 1.0], ([0, 0, 1, 1], [1, 1, 2, 2])), shape=(3, 3))
    graphs = perslay.Graphs([ones], weights=True)
    assert graphs[0].edges.tolist() == [[1, 2]] and graphs[0].weights.tolist() == [3]


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: perslay.shapes(-1), "per_class must be a whole number from 0 on, not -1"),
        (lambda: perslay.shapes(1, seed=-1), "A seed must be a whole number from 0"),
        (lambda: perslay.shapes(1, threads="2"), "threads must be the number of threads, or -1 for one per processor, not '2'"),
        (lambda: perslay.shapes(1, threads=2**31), "threads must be"),
        (lambda: perslay.orbits(1, points=2.5), "points must be"),
        (lambda: perslay.alpha_persistence([], prominent=-1), "prominent must be"),
        (lambda: perslay.diagrams([], []), "one name or several different ones"),
        (lambda: perslay.diagrams([], ["degree", "degree"]), "several different ones"),
        (lambda: perslay.diagrams([], kinds=["ext1", "ext1"]), "different names"),
        (lambda: perslay.vectorize([[(0, 1)]], "betti:3", range=(0, 1, 0, 1)), "a pair of numbers"),
        (lambda: perslay.transform([[(0, 1)]], None), "A transform is a name"),
        (lambda: perslay.Graphs([[(0, 1)]], labels=[None]), "Item 0 has None for a label"),
        (lambda: perslay.train(perslay.shapes(2), overrides="svm.folds=3"), "a dictionary or a list"),
    ],
)
def test_sentences(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def test_many_threads_do_no_harm():
    assert perslay.diagrams(perslay.shapes(2), threads=20_000)["ext1"] == perslay.diagrams(perslay.shapes(2))["ext1"]


def test_training_takes_lists_and_dictionaries():
    graphs = perslay.shapes(per_class=6)
    items = [Data(graph.edges, y, num_nodes=graph.num_nodes) for graph, y in zip(graphs, graphs.labels)]
    one = perslay.train(items, "svm:sw", overrides={"svm.folds": 3, "svm.costs": [1, 10]})
    other = perslay.train(graphs, "svm:sw", overrides=["svm.folds=3", "svm.costs=[1, 10]"])
    assert np.array_equal(one.predict_proba(graphs), other.predict_proba(graphs))
    assert one.version == perslay.__version__
    assert "ridge:diagrams-only" in perslay.names("models")


def test_heat_spectra_pickle():
    graphs = perslay.shapes(per_class=2)
    for spectra in (perslay.HeatSpectra(graphs), perslay.HeatSpectra(graphs)[[4, 1]], perslay.HeatSpectra(graphs)[:0]):
        again = pickle.loads(pickle.dumps(spectra))
        assert len(again) == len(spectra) and again.shape == spectra.shape
        for one, other in zip(again.at(2.5), spectra.at(2.5)):
            assert np.array_equal(one, other)
    graphs.name = "changed"  # spectra have their own
    assert perslay.HeatSpectra(graphs)[1:2].at(1.0)[0].size == graphs.num_nodes[1]


@pytest.mark.parametrize("threads", [0, True, False, 1.5, "all", 2**40, -(2**40)])
def test_what_is_no_number_of_threads(threads):
    for call in (perslay.shapes, lambda per_class, threads: perslay.orbits(per_class, points=3, threads=threads)):
        with pytest.raises(ValueError, match="threads must be the number of threads, or -1 for one per processor, not"):
            call(1, threads=threads)


def test_names_survive_reading_choosing_and_pickling(tmp_path):
    file = tmp_path / "friends.csv"
    file.write_text('person,friend,since\n"Ada L.",Bob,1999\nBob,007,2004\n')
    with pytest.raises(ValueError, match="The columns are person, friend and since; --columns"):
        perslay.read_graphs(file)
    graphs = perslay.read_graphs(file, columns=["person", "friend"])
    names = ["Ada L.", "Bob", "007"]
    assert graphs.vertex_names == names and graphs[0].vertex_names == names
    assert graphs[[0, 0]].vertex_names == 2 * names
    assert pickle.loads(pickle.dumps(graphs)).vertex_names == names
    assert perslay.read_graphs(file, columns=(1, 2)).vertex_names == names
    assert perslay.read_graphs(file, columns="person,friend,since")[0].weights.tolist() == [1999, 2004]
    assert perslay.Graphs([[(0, 1)]]).vertex_names is None and perslay.shapes(1)[0].vertex_names is None


def test_edge_lists_of_networkx(tmp_path):
    networkx = pytest.importorskip("networkx")
    graph = networkx.les_miserables_graph()
    plain = networkx.convert_node_labels_to_integers(graph)
    file = tmp_path / "edges.txt"
    writers = {
        "data": networkx.write_edgelist,
        "no data": lambda graph, path, **how: networkx.write_edgelist(graph, path, data=False, **how),
        "weights": networkx.write_weighted_edgelist,
    }
    for what, write in writers.items():
        for own, delimiter in ((graph, ","), (graph, "\t"), (plain, " "), (plain, ";")):
            write(own, file, delimiter=delimiter)
            read = perslay.read_graphs(file)
            names = read.vertex_names or [str(node) for node in range(read.num_nodes[0])]
            weights = read[0].weights if what != "no data" else np.ones(len(own.edges))
            found = {frozenset((names[a], names[b])): w for (a, b), w in zip(read[0].edges, weights)}
            expected = {
                frozenset((str(a), str(b))): data["weight"] if what != "no data" else 1
                for a, b, data in own.edges(data=True)
            }
            assert found == expected, (what, delimiter)


def test_numbers_that_are_not_whole_are_no_classes():
    edges = [[(0, 1)], [(0, 1), (1, 2)]]
    for labels in ([0.37, 1.0], np.array([0.37, 1]), [float("nan"), 1], np.array([0.37, 1], object)):
        with pytest.raises(ValueError, match="labels are classes, but item 0 has (0.37|nan): a number to be predicted"):
            perslay.Graphs(edges, labels=labels)
    with pytest.raises(ValueError, match="labels are classes, but item 0 has 0.5"):
        perslay.Clouds(np.zeros((2, 3, 2)), labels=[0.5, 1])
    assert perslay.Graphs(edges, labels=[1.0, -2.0]).classes == ["-2", "1"]
