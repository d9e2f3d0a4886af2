"""Graphs from everything that people have."""

import pickle
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
        ([TRIANGLE], {"labels": [0, 1]}, "2 labels for 1 graphs"),
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


def test_real_dataset(read_dataset):
    graphs = read_dataset("MUTAG")
    assert len(graphs) == 188
    assert graphs.node_labels.shape == (graphs.vertex_offsets[-1],)
    assert np.bincount(graphs.labels).tolist() == [63, 125]
