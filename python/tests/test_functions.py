"""Functions of vertices and edges, against NetworkX, SciPy and their definitions."""

import numpy as np
import pytest

import perslay
from perslay.sklearn import GraphDiagrams

nx = pytest.importorskip("networkx")


def random_graphs():
    """Sparse and dense, with several components and isolated vertices."""
    graphs = [nx.empty_graph(1), nx.empty_graph(3), nx.path_graph(2), nx.barbell_graph(4, 2), nx.star_graph(5)]
    for seed in range(30):
        n = 3 + 2 * seed % 23
        graphs.append(nx.gnp_random_graph(n, (0.5 + seed % 7) / n, seed=seed))
    graphs.append(nx.disjoint_union(nx.barabasi_albert_graph(40, 3, seed=1), nx.cycle_graph(7)))
    return graphs


def values_of(graphs, name):
    packed = perslay.Graphs(graphs)
    return packed.split(perslay.vertex_function(packed, name))


def mean_over_edges(graph, curvature):
    means = np.zeros(len(graph))
    for u, v in graph.edges:
        of_edge = curvature(u, v)
        for end in (u, v):
            means[end] += of_edge / graph.degree[end]
    return means


def test_betweenness_agrees_with_networkx():
    graphs = random_graphs()
    for graph, values in zip(graphs, values_of(graphs, "betweenness")):
        np.testing.assert_allclose(values, list(nx.betweenness_centrality(graph).values()), rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("damping", [0.85, 0.5, 0.95])
def test_pagerank_agrees_with_networkx(damping):
    graphs = random_graphs()
    for graph, values in zip(graphs, values_of(graphs, f"pagerank:{damping}")):
        expected = nx.pagerank(graph, alpha=damping, weight=None, tol=2e-15, max_iter=10_000)
        np.testing.assert_allclose(values, list(expected.values()), atol=4e-12)


def test_forman_agrees_with_its_formula():
    graphs = random_graphs()
    for graph, values in zip(graphs, values_of(graphs, "forman")):
        expected = mean_over_edges(graph, lambda u, v: 4 - graph.degree[u] - graph.degree[v]
                                   + 3 * len(list(nx.common_neighbors(graph, u, v))))
        np.testing.assert_allclose(values, expected, atol=1e-12)


def ollivier_ricci(graph, u, v, laziness):
    """1 - W(m_u, m_v) by a linear program over all transports."""
    linprog = pytest.importorskip("scipy.optimize").linprog
    def measure(x):
        masses = dict.fromkeys(graph[x], (1 - laziness) / graph.degree[x])
        return list({**masses, x: laziness}), list({**masses, x: laziness}.values())
    (sources, supplies), (sinks, demands) = measure(u), measure(v)
    costs = np.array([[nx.shortest_path_length(graph, s, t) for t in sinks] for s in sources], float)
    leaving = np.kron(np.eye(len(sources)), np.ones(len(sinks)))
    arriving = np.kron(np.ones(len(sources)), np.eye(len(sinks)))
    found = linprog(costs.ravel(), A_eq=np.vstack([leaving, arriving]), b_eq=supplies + demands, method="highs")
    return 1 - found.fun


@pytest.mark.parametrize("name, laziness", [("ollivier", 0.5), ("ollivier:0", 0), ("ollivier:0.3", 0.3)])
def test_ollivier_agrees_with_linear_programs(name, laziness):
    graphs = random_graphs()[:15]
    for graph, values in zip(graphs, values_of(graphs, name)):
        expected = mean_over_edges(graph, lambda u, v: ollivier_ricci(graph, u, v, laziness))
        np.testing.assert_allclose(values, expected, atol=1e-9)


def weighted_graphs(count):
    rng = np.random.default_rng(5)
    graphs = []
    for seed in range(count):
        graph = nx.gnp_random_graph(15, 0.25, seed=seed)
        for u, v in graph.edges:
            graph.edges[u, v]["weight"] = float(rng.integers(1, 6 + 100 * (seed % 2)))
        graphs.append(graph)
    return graphs


def test_weights_agree_with_minimum_spanning_trees():
    graphs = weighted_graphs(20)
    found = perslay.diagrams(perslay.Graphs(graphs, weights=True), "weight", cycles=True)
    for place, graph in enumerate(graphs):
        forest = nx.minimum_spanning_edges(graph, data=True)
        in_forest = {frozenset(edge[:2]) for edge in forest}
        outside = [w for u, v, w in graph.edges(data="weight") if {u, v} not in in_forest]
        assert sorted(found["ext1"][place][:, 0]) == sorted(outside)
        components = [graph.subgraph(c) for c in nx.connected_components(graph) if len(c) > 1]
        weights = [[w for *_, w in part.edges(data="weight")] for part in components]
        assert sorted(map(tuple, found["ext0"][place])) == sorted((min(w), max(w)) for w in weights)
        inside = sorted(w for u, v, w in graph.edges(data="weight") if {u, v} in in_forest)
        deaths = sorted(found["ord0"][place][:, 1])
        assert all(inside.count(w) >= deaths.count(w) for w in deaths)
        for (birth, _), cycle in zip(found["ext1"][place], found.cycles("ext1")[place]):
            along = [graph.edges[u, v]["weight"] for u, v in zip(cycle, np.roll(cycle, -1))]
            assert max(along) == birth


def test_the_vertex_of_a_weight_is_none():
    graph = nx.Graph()
    graph.add_weighted_edges_from([(0, 1, 1), (1, 2, 2), (2, 0, 3)])
    found = perslay.diagrams(perslay.Graphs([graph], weights=True), "weight")
    assert found["ext1"][0].tolist() == [[3, 1]]
    assert found["ext1"].vertices.tolist() == [[-1, 0]]
    assert found["ext0"].vertices.tolist() == [[0, -1]]


def described(folder, attributes=True):
    """A path of three vertices and one of two."""
    folder.mkdir()
    files = {"A": "1, 2\n2, 3\n4, 5\n", "graph_indicator": "1\n1\n1\n2\n2\n", "graph_labels": "0\n1\n",
             "node_labels": "7\n-1\n7\n0\n-1\n"}
    if attributes:
        files["node_attributes"] = "0.5, 10\n1.5, 11\n2.5, 12\n3.5, 13\n4.5, 14\n"
    for name, text in files.items():
        (folder / f"{folder.name}_{name}.txt").write_text(text)
    return perslay.read_graphs(folder)


def test_attributes_and_labels(tmp_path):
    graphs = described(tmp_path / "some")
    assert perslay.vertex_function(graphs, "attribute:1").tolist() == [10, 11, 12, 13, 14]
    assert perslay.vertex_function(graphs, "label:7").tolist() == [1, 0, 1, 0, 0]
    found = GraphDiagrams(["attribute:0", "label:-1"], kinds=["ext0"]).fit_transform(graphs)
    assert found["attribute:0", "ext0"].to_list()[1].tolist() == [[3.5, 4.5]]
    assert found["label:-1", "ext0"].to_list()[1].tolist() == [[0, 1]]
    with pytest.warns(UserWarning, match="No vertex has the label of label:9; the node labels are -1, 0, 7."):
        assert not perslay.vertex_function(graphs, "label:9").any()
    with pytest.warns(UserWarning, match="label:9"):
        perslay.diagrams(graphs, "label:9")


def test_what_graphs_lack_is_said(tmp_path):
    bare = perslay.shapes(per_class=2)
    plain = described(tmp_path / "plain", attributes=False)
    for graphs, name, sentence in [
        (bare, "label:0", "label:0 reads node labels, and the vertices of these graphs have none."),
        (plain, "attribute:0", "attribute:0 reads node attributes, and the vertices of these graphs have none."),
        (described(tmp_path / "some"), "attribute:2", "column 2 of the node attributes, and these graphs have columns"),
        (bare, "weight", "weight reads edge weights, and the edges of these graphs have none."),
    ]:
        with pytest.raises(ValueError, match=sentence):
            perslay.diagrams(graphs, name)
    with pytest.raises(ValueError, match="weight is a function of edges, not of vertices."):
        perslay.vertex_function(bare, "weight")
    with pytest.raises(ValueError, match="deciles needs a function of vertices, and weight is one of edges."):
        perslay.train(bare, settings={"features": {"names": ["deciles:weight"]}})


def weights_by_class(count, seed):
    """Cycles of twelve; in the second class a heavy edge closes them. A classifier of weights can be perfect."""
    rng = np.random.default_rng(seed)
    graphs, labels = [], []
    for place in range(count):
        graph = nx.cycle_graph(12)
        for u, v in graph.edges:
            graph.edges[u, v]["weight"] = rng.uniform(1, 2)
        if place % 2:
            graph.edges[0, 11]["weight"] = rng.uniform(4, 5)
        graphs.append(graph)
        labels.append(place % 2)
    return perslay.Graphs(graphs, labels=labels, weights=True)


def test_a_model_of_weights_trains_and_predicts(tmp_path):
    model = perslay.train(weights_by_class(100, 1), settings={"data": {"filtrations": ["weight"]}},
                          overrides={"training.epochs": 60})
    model.write(tmp_path / "weights.safetensors")
    for loaded in (model, perslay.load_model(tmp_path / "weights.safetensors")):
        assert loaded.predict(weights_by_class(20, 2)).tolist() == ["0", "1"] * 10
    with pytest.raises(ValueError, match="weight reads edge weights, and the edges of these graphs have none."):
        model.predict(perslay.shapes(per_class=1))
