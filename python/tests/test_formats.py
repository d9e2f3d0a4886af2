"""Files that NetworkX, SciPy, NumPy and json write are read as the same graphs."""

import json
import random

import numpy as np
import pytest

import perslay

nx = pytest.importorskip("networkx")
sparse = pytest.importorskip("scipy.sparse")
scipy_io = pytest.importorskip("scipy.io")


def random_graph(seed, named=False, weighted=False):
    """A graph with isolated nodes, a number on each, and a class."""
    draw = random.Random(seed)
    size = draw.randrange(1, 12)
    names = [f"Köln {i} & <\"{draw.randrange(100)}\">" for i in range(size)] if named else list(range(size))
    graph = nx.Graph(label=draw.randrange(3))
    for name in names:
        graph.add_node(name, mark=draw.random() - 0.5)
    for _ in range(draw.randrange(2 * size)):
        graph.add_edge(draw.choice(names), draw.choice(names), **({"weight": 0.5 + draw.random()} if weighted else {}))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    return graph


def expect_same(read, graph):
    """Edges by the places of their nodes, and weights."""
    place = {name: i for i, name in enumerate(graph)}
    expected = sorted((*sorted((place[a], place[b])), data.get("weight")) for a, b, data in graph.edges(data=True))
    assert read.num_nodes == len(graph)
    assert read.edges.tolist() == [[a, b] for a, b, _ in expected]
    if expected and expected[0][2] is not None:
        assert read.weights.tolist() == [weight for _, _, weight in expected]
    else:
        assert read.weights is None


WRITERS = {
    "graphml": nx.write_graphml,
    "gml": nx.write_gml,
    "json": lambda graph, path: path.write_text(json.dumps(nx.node_link_data(graph))),
    "links.json": lambda graph, path: path.write_text(json.dumps(nx.node_link_data(graph, edges="links"), indent=1)),
}


@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_networkx_writes(tmp_path, ending, named, weighted):
    for seed in range(20):
        graph = random_graph(seed, named, weighted)
        path = tmp_path / f"graph.{ending}"
        WRITERS[ending](graph, path)
        read = perslay.read_graphs(path)
        assert len(read) == 1
        expect_same(read[0], graph)
        assert read.classes == [str(graph.graph["label"])]
        marks = [mark for _, mark in graph.nodes(data="mark")]
        assert read.node_attributes.ravel().tolist() == marks


@pytest.mark.parametrize("write", [nx.write_weighted_edgelist, nx.write_edgelist])
def test_networkx_writes_edge_lists(tmp_path, write):
    graph = nx.convert_node_labels_to_integers(nx.les_miserables_graph())
    write(graph, tmp_path / "graph.edgelist")
    read = perslay.read_graphs(tmp_path / "graph.edgelist")[0]
    assert sorted(nx.Graph(read.edges.tolist()).degree) == sorted(graph.degree)
    assert sorted(read.weights) == sorted(weight for _, _, weight in graph.edges(data="weight"))


def test_several_graphs_in_a_list(tmp_path):
    graphs = [random_graph(seed) for seed in range(10)]
    (tmp_path / "graphs.json").write_text(json.dumps([nx.node_link_data(graph) for graph in graphs]))
    read = perslay.read_graphs(tmp_path / "graphs.json")
    assert len(read) == 10
    for found, graph in zip(read, graphs):
        expect_same(found, graph)
    assert [read.classes[label] for label in read.labels] == [str(graph.graph["label"]) for graph in graphs]


@pytest.mark.parametrize("weighted", [False, True])
def test_scipy_writes(tmp_path, weighted):
    for seed in range(20):
        graph = random_graph(seed, weighted=weighted)
        matrix = nx.to_scipy_sparse_array(graph)
        scipy_io.mmwrite(tmp_path / "graph.mtx", matrix)
        expect_same(perslay.read_graphs(tmp_path / "graph.mtx")[0], graph)
        for make in (matrix.tocsr, matrix.tocsc, matrix.tocoo, matrix.todia):
            for compressed in (False, True):
                sparse.save_npz(tmp_path / "graph.npz", make(), compressed=compressed)
                expect_same(perslay.read_graphs(tmp_path / "graph.npz")[0], graph)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_numpy_writes(tmp_path, save):
    graph = random_graph(5)
    edges = np.array(graph.edges).reshape(-1, 2)
    x = np.array([[mark, 1] for _, mark in graph.nodes(data="mark")])
    save(tmp_path / "graph.npz", edge_index=edges.T, num_nodes=len(graph), x=x, y=7)
    read = perslay.read_graphs(tmp_path / "graph.npz")
    expect_same(read[0], graph)
    assert read.node_attributes.tolist() == x.tolist()
    assert read.classes == ["7"]
    save(tmp_path / "graph.npz", edge_index=edges.T, num_nodes=len(graph), x=np.array([None] * len(graph)))
    with pytest.raises(ValueError, match="pickles can run code and are not read"):
        perslay.read_graphs(tmp_path / "graph.npz")


def test_json_lines(tmp_path):
    graphs = [random_graph(seed) for seed in range(10)]
    with open(tmp_path / "graphs.jsonl", "w") as file:
        for graph in graphs:
            marks = [[mark] for _, mark in graph.nodes(data="mark")]
            edges = np.array(graph.to_directed().edges).reshape(-1, 2).T.tolist()
            row = {"edge_index": edges, "num_nodes": len(graph), "y": [graph.graph["label"]], "node_feat": marks}
            file.write(json.dumps(row) + "\n")
    read = perslay.read_graphs(tmp_path / "graphs.jsonl")
    for found, graph in zip(read, graphs, strict=True):
        expect_same(found, graph)
    assert [int(read.classes[label]) for label in read.labels] == [graph.graph["label"] for graph in graphs]
