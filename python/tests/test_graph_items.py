"""Graphs of PyTorch Geometric and NetworkX: batches and datasets are split, labels and attributes are read."""

from types import SimpleNamespace

import numpy as np
import pytest

import perslay

EDGES = [[(0, 1), (1, 2), (2, 0)], [], [(0, 1)], [(2, 3), (0, 1), (1, 3)]]
SIZES = [3, 2, 2, 4]
CLASSES = [7, 5, 7, 5]


def data(place, **more):
    """One graph as PyTorch Geometric's Data shows it."""
    edges = np.array(EDGES[place], int).reshape(-1, 2)
    return SimpleNamespace(
        **{
            "edge_index": edges.T,
            "num_nodes": SIZES[place],
            "x": np.arange(2 * SIZES[place], dtype=np.float32).reshape(-1, 2) + 100 * place,
            "y": np.array([CLASSES[place]]),
            "edge_weight": np.arange(len(edges)) + 10.0 * place + 1,
            "atom": np.arange(SIZES[place]) + 10 * place,
            **more,
        }
    )


ITEMS = [data(place) for place in range(4)]


def batch(items, begin=True, **more):
    """The same as one Batch: vertices of all graphs, one after the other."""
    begins = np.cumsum([0] + [item.num_nodes for item in items])
    joined = {
        name: np.concatenate([getattr(item, name) for item in items]) for name in ("x", "y", "edge_weight", "atom")
    }
    pairs = [item.edge_index + begin for item, begin in zip(items, begins)]
    own = {"ptr": begins} if begin else {"batch": np.repeat(np.arange(len(items)), np.diff(begins))}
    index = np.concatenate(pairs, axis=1).astype(int)
    return SimpleNamespace(**{"edge_index": index, "num_nodes": begins[-1], "ptr": None, **joined, **own, **more})


class Dataset:
    """As InMemoryDataset: one Data with everything, attributes of which it shows as its own."""

    def __init__(self, items):
        self._items, self.slices = items, {}
        self._data = batch(items)

    def __getattr__(self, name):
        return getattr(self.__dict__["_data"], name)

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        return Dataset(self._items[index]) if isinstance(index, slice) else self._items[index]


class Subset:
    """As torch.utils.data.Subset, which has no iterator."""

    def __init__(self, dataset, places):
        self.dataset, self.places = dataset, places

    def __len__(self):
        return len(self.places)

    def __getitem__(self, place):
        return self.dataset[self.places[place]]


def everything(graphs):
    return [
        (graph.num_nodes, graph.edges.tolist(), [] if graph.weights is None else graph.weights.tolist(),
         graph.node_labels.tolist(), graph.node_attributes.tolist(), str(name))
        for graph, name in zip(graphs, perslay.class_names(graphs))
    ]  # fmt: skip


OPTIONS = {"node_labels": "atom", "weights": True}
WAYS = {
    "batch": lambda: batch(ITEMS),
    "batch without ptr": lambda: batch(ITEMS, begin=False, num_graphs=4),
    "batches": lambda: [batch(ITEMS[:3]), batch(ITEMS[3:])],
    "loader": lambda: iter([batch(ITEMS[:1]), ITEMS[1], batch(ITEMS[2:])]),
    "dataset": lambda: Dataset(ITEMS),
    "datasets": lambda: [Dataset(ITEMS[:2]), Dataset(ITEMS[2:])],
    "part of a dataset": lambda: Dataset(ITEMS + ITEMS)[:4],
    "subset": lambda: Subset(Dataset(ITEMS[::-1]), [3, 2, 1, 0]),
    "unsorted edges": lambda: batch(
        ITEMS, edge_index=batch(ITEMS).edge_index[:, ::-1], edge_weight=batch(ITEMS).edge_weight[::-1]
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_holds_many_graphs_is_split(way):
    graphs = perslay.Graphs(WAYS[way](), **OPTIONS)
    assert everything(graphs) == everything(perslay.Graphs(ITEMS, **OPTIONS))
    one = everything(graphs)[3]
    assert one[0] == 4 and one[1] == [[0, 1], [1, 3], [2, 3]] and one[2] == [32, 33, 31] and one[5] == "5"
    assert one[3] == [30, 31, 32, 33] and one[4][0] == [300, 301]


def test_real_geometric_data():
    geometric = pytest.importorskip("torch_geometric", reason="torch_geometric is not installed")
    import torch
    from torch_geometric.data import Batch, Data, InMemoryDataset
    from torch_geometric.loader import DataLoader

    def real(item):
        arrays = {name: torch.as_tensor(array) for name, array in vars(item).items() if name != "num_nodes"}
        return Data(num_nodes=item.num_nodes, **arrays)

    class Held(InMemoryDataset):
        def __init__(self, items):
            super().__init__(None)
            self.data, self.slices = self.collate(items)

    assert geometric.__version__
    items = [real(item) for item in ITEMS]
    held = Held(items)
    expected = everything(perslay.Graphs(ITEMS, **OPTIONS))
    ways = [items, Batch.from_data_list(items), held, DataLoader(items, batch_size=3), torch.utils.data.Subset(held, range(4))]
    for way in ways:
        assert everything(perslay.Graphs(way, **OPTIONS)) == expected
    assert perslay.diagrams(held, "degree").labels.tolist() == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("make", "options", "says"),
    [
        (lambda: [data(0, y=np.zeros((1, 19)))], {}, "Graph 0 has 19 values in y, and a label is one value"),
        (lambda: [ITEMS[1], data(0, y=np.zeros(3))], {}, "Graph 1 has 3 values in y"),
        (lambda: batch(ITEMS, y=np.zeros((4, 2))), {}, "batch of 4 graphs at graph 0 has 8 values in y"),
        (lambda: [data(0, y=np.array([0.25]))], {}, "labels are classes, but item 0 has 0.25"),
        (lambda: [data(0, y=np.array([np.nan]))], {}, "item 0 has nan"),
        (lambda: batch(ITEMS, edge_index=np.array([[0], [4]]), edge_weight=np.ones(1)), {}, "joins graphs 0 and 1"),
        (lambda: batch(ITEMS, edge_index=np.array([[0], [11]])), {}, "has the vertex 11, and there are 11 vertices"),
        (lambda: batch(ITEMS, begin=False, batch=np.array([1, 0])), {}, "does not ascend"),
        (lambda: batch(ITEMS, ptr=np.array([1, 2])), {}, "does not ascend from 0"),
        (lambda: [data(0, edge_index=None)], {}, "Graph 0 has no edge_index"),
        (lambda: SimpleNamespace(edge_index_dict={}), {}, "to_homogeneous"),
        (lambda: [SimpleNamespace(edge_index_dict={})], {}, "to_homogeneous"),
        (lambda: [ITEMS[0], data(2, x=None)], {}, "Graph 1 has no node attributes"),
        (lambda: [ITEMS[0], data(2, x=np.zeros((2, 3)))], {}, "Graph 1 has 3 node attributes, but graph 0 has 2"),
        (lambda: [data(0, x=np.zeros((4, 2)))], {}, r"'x' of graph 0 must have the shape \(3,\) or \(3, N\)"),
        (lambda: [data(0, x=np.array(["a", "b", "c"]))], {}, "'x' of graph 0 must hold numbers, not <U1"),
        (lambda: ITEMS, {"node_attributes": "pos"}, "Graph 0 has no attribute 'pos'"),
        (lambda: ITEMS, {"node_attributes": [np.zeros((3, 1))]}, "node attributes for 1 graphs, but there are 4"),
        (lambda: ITEMS, {"weights": "atom"}, "'atom' of graph 0 must hold|one value for each of"),
        (lambda: ITEMS, {"node_labels": "x"}, r"'x' of graph 0 must hold one value for each of 3 vertices"),
    ],
)
def test_mistakes_in_geometric_data(make, options, says):
    with pytest.raises(ValueError, match=says):
        perslay.Graphs(make(), **options)


def test_labels_may_be_left_out_or_given():
    many = [data(place, y=np.zeros((1, 19))) for place in range(4)]
    assert perslay.Graphs(many, labels=False).labels is None
    assert perslay.Graphs(many, labels=list("abab")).classes == ["a", "b"]
    assert perslay.Graphs(batch(ITEMS, group=np.array([1, 2, 2, 1])), labels="group").labels.tolist() == [0, 1, 1, 0]
    assert perslay.Graphs(ITEMS, labels=False).labels is None


def test_attributes_of_vertices():
    assert perslay.Graphs(ITEMS).node_attributes.shape == (11, 2)
    assert perslay.Graphs(ITEMS, node_attributes=False).node_attributes is None
    both = perslay.Graphs(ITEMS, node_attributes=["atom", "x"])
    assert both.node_attributes.shape == (11, 3) and both[2].node_attributes.tolist() == [[20, 200, 201], [21, 202, 203]]
    given = perslay.Graphs(EDGES, num_nodes=SIZES, node_attributes=[np.arange(size) for size in SIZES])
    assert given.node_attributes[:, 0].tolist() == [0, 1, 2, 0, 1, 0, 1, 0, 1, 2, 3]
    again = perslay.Graphs(list(both))
    assert np.array_equal(again.node_attributes, both.node_attributes)
    assert perslay.Graphs([data(0, x=None)]).node_attributes is None


def test_attributes_of_networks():
    nx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = nx.Graph(kind="acid")
    graph.add_node("n", element="N", charge=-1, place=(0.5, 2.0))
    graph.add_node("c", element="C", charge=0, place=(1.5, 3.0))
    graph.add_edge("n", "c", bond=2.0)
    found = perslay.Graphs(
        [graph, graph], labels="kind", node_labels="element", node_attributes=["charge", "place"], weights="bond"
    )
    assert found.classes == ["acid"] and found[0].weights.tolist() == [2]
    assert found[1].node_attributes.tolist() == [[-1, 0.5, 2], [0, 1.5, 3]]
    nitrogen, carbon = found[0].node_labels
    assert nitrogen != carbon and nitrogen < 0 and carbon < 0
    other = nx.Graph()
    other.add_node(0, element="C")
    assert perslay.Graphs([other], node_labels="element").node_labels.tolist() == [carbon]  # the same in all data
    assert perslay.Graphs([[(0, 1)]], node_labels=[["N", "C"]]).node_labels.tolist() == [nitrogen, carbon]
    assert perslay.Graphs([[(0, 1)]], node_labels=[np.array(["N", "C"])]).node_labels.tolist() == [nitrogen, carbon]
    for options, says in (
        ({"node_labels": "colour"}, "nodes without the attribute 'colour', such as 'n'"),
        ({"node_attributes": "element"}, "'element' of graph 0 must hold numbers"),
        ({"node_attributes": True}, "a name or a list of names"),
        ({"node_labels": "place"}, "Node labels are integers or words, and graph 0 has|node labels of graph 0 are float64"),
        ({"labels": "year"}, "Graph 0 has no attribute 'year'"),
    ):
        with pytest.raises(ValueError, match=says):
            perslay.Graphs([graph], **options)
    graph.nodes["n"]["element"] = 7
    with pytest.raises(ValueError, match="graph 0 has integers and words"):
        perslay.Graphs([graph], node_labels="element")


def test_words_with_one_number_are_refused(monkeypatch):
    from perslay import _graph_items, _labels

    for module in (_graph_items, _labels):
        monkeypatch.setattr(module, "number_of_word", lambda word: -1)
    with pytest.raises(ValueError, match="'[ab]' and '[ab]' have the same number"):
        perslay.Graphs([[(0, 1)]], node_labels=[["a", "b"]])


def test_targets_are_no_classes():
    with pytest.raises(ValueError, match="item 1 has 0.5: a number to be predicted is no class"):
        perslay.Graphs([[(0, 1)]] * 2, labels=[1.0, 0.5])
    assert perslay.Graphs([[(0, 1)]] * 2, labels=[1.0, 2.0]).classes == ["1", "2"]


def test_a_network_and_back():
    nx = pytest.importorskip("networkx", reason="networkx is not installed")
    graphs = perslay.Graphs(ITEMS, **OPTIONS)
    networks = graphs.to_networkx()
    assert [network.graph["label"] for network in networks] == ["7", "5", "7", "5"]
    attributes = ["attribute:0", "attribute:1"]
    again = perslay.Graphs(networks, "label", node_labels="label", node_attributes=attributes, weights=True)
    assert everything(again) == everything(graphs)
    plain = perslay.Graphs(nx.path_graph(3))[0].to_networkx()
    assert nx.utils.graphs_equal(plain, nx.path_graph(3))


def test_learning_from_datasets():
    ours = pytest.importorskip("perslay.sklearn", reason="scikit-learn is not installed")
    graphs = perslay.shapes(per_class=4)
    items = [
        SimpleNamespace(edge_index=graph.edges.T, num_nodes=graph.num_nodes, y=np.array([label]), x=None, ptr=None,
                        edge_weight=np.ones(graph.num_edges), atom=np.zeros(graph.num_nodes, int))
        for graph, label in zip(graphs, graphs.labels)
    ]  # fmt: skip
    whole = batch([SimpleNamespace(**{**vars(item), "x": np.zeros((item.num_nodes, 1))}) for item in items])
    options = {"svm.folds": 2, "svm.costs": [1]}
    expected = perslay.train(graphs, "svm:sw", overrides=options).predict_proba(graphs)
    for held in (items, whole):
        assert np.array_equal(perslay.train(held, "svm:sw", overrides=options).predict_proba(graphs), expected)
        classifier = ours.PersLayClassifier("svm:sw", overrides=options).fit(held)
        assert np.array_equal(classifier.predict_proba(held), expected)
        assert np.array_equal(classifier.fit(held, graphs.labels).predict_proba(held), expected)
    targets = [SimpleNamespace(**{**vars(item), "y": np.zeros(3)}) for item in items]  # are not read to predict
    assert np.array_equal(classifier.predict_proba(targets), expected)
