"""Functions of one's own where a filtration is expected: callables, arrays, dictionaries of both."""

import pickle

import numpy as np
import pytest

import perslay

GRAPHS = perslay.Graphs([[(0, 1), (1, 2), (2, 0)], [(0, 1)], ([], 2)], labels=[1, 0, 1])


def degree(graph):
    """The same as the library's."""
    return np.bincount(graph.edges.reshape(-1), minlength=graph.num_nodes)


def same(one, other):
    return all(one[key] == other[key] for key in one.groups) and list(one.groups) == list(other.groups)


def test_a_callable_is_a_filtration():
    graphs = perslay.shapes(per_class=3)
    expected = perslay.diagrams(graphs, "degree", kinds=["ord0", "ext1", "sub1"], cycles=True)
    found = perslay.diagrams(graphs, degree, kinds=["ord0", "ext1", "sub1"], cycles=True)
    assert same(found, expected) and found.labels.tolist() == graphs.labels.tolist()
    assert all(np.array_equal(a, b) for one, two in zip(found.cycles(), expected.cycles()) for a, b in zip(one, two))
    degrees = perslay.vertex_function(graphs, "degree")
    for form in (degree, {"mine": degree}, degrees, graphs.split(degrees)):
        assert np.array_equal(perslay.vertex_function(graphs, form), degrees)
    with pytest.raises(ValueError, match="one function at a time, not 2"):
        perslay.vertex_function(graphs, ["hks:1", degree])
    assert same(perslay.extended_persistence(graphs, degree), perslay.extended_persistence(graphs, "degree"))
    assert same(perslay.ordinary_persistence(graphs, degree, essential="clip"),
                perslay.ordinary_persistence(graphs, "degree", essential="clip"))  # fmt: skip


def test_what_a_callable_gets_and_gives():
    seen = []

    def labels_then_weights(graph):
        seen.append((graph.num_nodes, graph.node_labels.tolist(), graph.node_attributes.tolist()))
        return {vertex: 2.0 * vertex for vertex in range(graph.num_nodes)}

    graphs = perslay.Graphs([[(0, 1)], ([], 1)], node_labels=[[3, 4], [5]], node_attributes=[[0, 1], [2]])
    assert perslay.vertex_function(graphs, labels_then_weights).tolist() == [0, 2, 0]
    assert seen == [(2, [3, 4], [[0], [1]]), (1, [5], [[2]])]
    torch = pytest.importorskip("torch", reason="torch is not installed")
    assert perslay.vertex_function(GRAPHS[:2], lambda graph: torch.ones(graph.num_nodes)).tolist() == [1] * 5


def test_names_stay_in_order():
    degrees = perslay.vertex_function(GRAPHS, "degree")
    mixed = ["hks:1", degree, "hks:10", lambda graph: np.zeros(graph.num_nodes), "closeness"]
    with pytest.raises(ValueError, match="several different ones"):
        perslay.diagrams(GRAPHS, [degree, "degree"])
    named = {"mine": degree, "packed": degrees, "split": GRAPHS.split(degrees)}
    found = perslay.diagrams(GRAPHS, named, kinds=["ext0", "ext1"])
    names = ["mine", "packed", "split"]
    assert list(found.groups) == [(name, kind) for name in names for kind in ("ext0", "ext1")]
    expected = perslay.diagrams(GRAPHS, "degree")["ext1"]
    assert all(found[name, "ext1"] == expected for name in names)

    class Mine:
        def __call__(self, graph):
            return degree(graph)

    found = perslay.diagrams(GRAPHS, [*mixed, Mine()], kinds="ext1")
    assert [name for name, _ in found.groups] == ["hks:1", "degree", "hks:10", "function", "closeness", "Mine"]
    for name in ("hks:1", "hks:10", "closeness", "degree"):
        assert found[name, "ext1"] == perslay.diagrams(GRAPHS, name)["ext1"]
    assert found["function", "ext1"].points.tolist() == [[0, 0]]


def test_values_are_a_filtration():
    values = [np.array([0.0, 2.0, 1.0]), np.array([1.0, 0.0]), np.array([4.0, 5.0])]
    expected = perslay.extended_persistence(GRAPHS, values)
    for form in (values, np.concatenate(values), np.concatenate(values).tolist(), {"values": values}):
        assert same(perslay.diagrams(GRAPHS, form), expected)
    assert list(expected.groups)[0] == ("values", "ord0")


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (lambda graph: np.zeros(3), r"values of 'function' of graph 1 have the shape \(3,\), and it has 2 vertices"),
        (lambda graph: 1.0, r"of graph 0 have the shape \(\), and it has 3 vertices"),
        (lambda graph: [0.0, np.nan, 1.0][: graph.num_nodes], "of graph 0 must be finite, and vertex 1 has nan"),
        (lambda graph: ["a"] * graph.num_nodes, "of graph 0 must be real numbers, not <U1"),
        (lambda graph: {0: 1.0, 1: 2.0}, "'function' fails at graph 0: KeyError: 2"),
        (lambda graph: 1 // (graph.num_nodes - 2), "'function' fails at graph 1: ZeroDivisionError"),
        ({"mine": lambda graph: None}, "values of 'mine' of graph 0"),
        ({"mine": "degree"}, "'degree' has its own"),
        ({"mine": np.zeros(4)}, "4 values for 7 vertices"),
        ({}, "one name or several"),
        ([np.zeros(3)], "values for 1 graphs, but there are 3"),
        (5, "a function of a graph or numbers for its vertices, not 5"),
        (None, "a function of a graph or numbers for its vertices, not None"),
    ],
)
def test_mistakes_name_the_graph(function, says):
    with pytest.raises(ValueError, match=says):
        perslay.diagrams(GRAPHS, function)


def test_estimators_with_functions():
    ours = pytest.importorskip("perslay.sklearn", reason="scikit-learn is not installed")
    from sklearn.base import clone
    from sklearn.linear_model import RidgeClassifier
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import make_pipeline

    graphs = perslay.shapes(per_class=6)
    estimator = ours.GraphDiagrams(degree, kinds=["ext1", "ord0"])
    copies = [clone(estimator), pickle.loads(pickle.dumps(estimator)), pickle.loads(pickle.dumps(estimator.fit(graphs)))]
    expected = perslay.diagrams(graphs, "degree", kinds=["ext1", "ord0"])
    for other in copies:
        assert other.filtration is degree and same(other.fit_transform(graphs), expected)
    named = clone(ours.GraphDiagrams({"mine": degree})).fit_transform(graphs)
    assert named["mine", "ext1"] == expected["ext1"]
    pipeline = make_pipeline(estimator, ours.DiagramVectorizer("betti:5"), RidgeClassifier())
    assert cross_val_score(pipeline, graphs, graphs.labels, cv=3).shape == (3,)
    search = GridSearchCV(pipeline, {"graphdiagrams__filtration": [degree, "hks:1"]}, cv=2).fit(graphs, graphs.labels)
    assert search.best_params_["graphdiagrams__filtration"] in (degree, "hks:1")
    with pytest.raises(ValueError, match="numbers for its vertices, not 5"):
        ours.GraphDiagrams(5).fit(graphs)
    for wrong in (np.zeros(4), [np.zeros(3)], {"mine": np.zeros(3)}):
        with pytest.raises(ValueError, match="a name or a function of a graph"):
            ours.GraphDiagrams(wrong).fit(graphs)
    for wrong in (degree, ["hks:1", degree]):
        with pytest.raises(ValueError, match="a model file holds names"):
            ours.PersLayClassifier("svm:sw", filtration=wrong).fit(graphs, graphs.labels)
