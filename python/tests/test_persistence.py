"""Diagrams beside GUDHI's."""

import numpy as np
import pytest
from conftest import graphs_with_values
from hypothesis import given
from hypothesis import strategies as st

import perslay

EXTENDED = ["ord0", "rel1", "ext0", "ext1"]


def rows(points):
    return sorted(map(tuple, np.asarray(points).reshape(-1, 2).tolist()))


def gudhi_extended(edges, values):
    """The four diagrams, with all points of zero persistence that GUDHI keeps."""
    gudhi = pytest.importorskip("gudhi")
    tree = gudhi.SimplexTree()
    for vertex, value in enumerate(values):
        tree.insert([vertex], value)
    for a, b in edges:
        tree.insert([int(a), int(b)], max(values[a], values[b]))
    tree.extend_filtration()
    return [rows([interval for _, interval in kind]) for kind in tree.extended_persistence(min_persistence=-1)]


def off_diagonal(points):
    return [point for point in points if point[0] != point[1]]


@given(graphs_with_values())
def test_extended_persistence_is_gudhis(graph):
    edges, values = graph
    ours = perslay.extended_persistence([(edges, len(values))], values)
    theirs = gudhi_extended(edges, values)
    # GUDHI scales values to [-2, -1] and back, and so rounds them.
    for kind, expected in zip(EXTENDED, theirs):
        found = off_diagonal(rows(ours[kind][0]))
        expected = rows(np.round(off_diagonal(expected), 9))
        assert found == off_diagonal(expected)


@given(st.lists(graphs_with_values(), max_size=5))
def test_points_are_values_of_vertices(batch):
    graphs = perslay.Graphs([(edges, len(values)) for edges, values in batch])
    values = np.concatenate([values for _, values in batch]) if batch else np.empty(0)
    found = perslay.extended_persistence(graphs, values)
    for kind in EXTENDED:
        assert np.array_equal(values[perslay.vertex_indices(found[kind], graphs)], found[kind].points)
    assert found["ext0"].counts.tolist() == graphs.beta0.tolist()
    assert found["ext1"].counts.tolist() == graphs.beta1.tolist()


@given(graphs_with_values())
def test_cycles_are_cycles_between_the_points_values(graph):
    edges, values = graph
    found = perslay.extended_persistence([(edges, len(values))], values, cycles=True)
    there = {frozenset(edge) for edge in edges}
    points, vertices = found["ext1"][0], found["ext1"].vertices
    for point, ends, cycle in zip(points, vertices, found.cycles("ext1")[0]):
        assert len(set(cycle.tolist())) == len(cycle) >= 3
        assert all(frozenset((int(a), int(b))) in there for a, b in zip(cycle, np.roll(cycle, -1)))
        assert (values[cycle].max(), values[cycle].min()) == tuple(point)
        assert set(ends.tolist()) <= set(cycle.tolist())


@given(graphs_with_values())
def test_ordinary_persistence_is_gudhis(graph):
    gudhi = pytest.importorskip("gudhi")
    edges, values = graph
    tree = gudhi.SimplexTree()
    for vertex, value in enumerate(values):
        tree.insert([vertex], value)
    for a, b in edges:
        tree.insert([a, b], max(values[a], values[b]))
    tree.compute_persistence(min_persistence=0, persistence_dim_max=True)
    top = values.max()
    found = perslay.ordinary_persistence([(edges, len(values))], values, essential=99.0)
    for kind, dimension in (("sub0", 0), ("sub1", 1)):
        theirs = np.nan_to_num(tree.persistence_intervals_in_dimension(dimension), posinf=99.0)
        assert rows(found[kind][0]) == rows(theirs)
    dropped = perslay.ordinary_persistence([(edges, len(values))], values)["sub0"][0]
    assert rows(dropped) == [point for point in rows(found["sub0"][0]) if point[1] != 99.0]
    clipped = perslay.ordinary_persistence([(edges, len(values))], values, essential="clip", keep_diagonal=True)
    assert clipped["sub0"][0].max() == top


def test_essential_takes_the_words_of_the_program():
    path, values = [[(0, 1), (1, 2)]], [0.0, 2.0, 1.0]
    assert len(perslay.ordinary_persistence(path, values, essential="drop")["sub0"][0]) == 1
    for nine in ("clip:9", 9):
        assert rows(perslay.ordinary_persistence(path, values, essential=nine)["sub0"][0]) == [(0, 9), (1, 2)]
        assert rows(perslay.alpha_persistence([[(0, 0)]], essential=nine)["h0"][0]) == [(0, 9)]
    endless = perslay.ordinary_persistence(path, values, essential=np.inf)["sub0"][0]
    assert rows(endless) == [(0, np.inf), (1, 2)]


def test_values_in_any_form_give_the_same():
    graphs = perslay.shapes(per_class=2)
    packed = perslay.heat_kernel_signature(graphs, 10.0)
    expected = perslay.diagrams(graphs, "hks:10")
    read_only = packed.copy()
    read_only.setflags(write=False)
    forms = [packed, read_only, np.repeat(packed, 2)[::2], packed.tolist(), graphs.split(packed), "hks:10"]
    for form in forms:
        found = perslay.extended_persistence(graphs, form, threads=1)
        assert all(found[kind] == expected[kind] for kind in EXTENDED)
    single = perslay.extended_persistence(graphs, packed.astype(np.float32))
    assert np.array_equal(single["ext1"].points, single["ext1"].points.astype(np.float32))


@pytest.mark.parametrize(
    "values, sentence",
    [
        (np.zeros(4), "4 values for 3 vertices"),
        (np.zeros((3, 1)), "values for 3 graphs, but there are 1"),
        (np.array([0, np.nan, 1]), "values of graph 0 must be finite, and vertex 1 has nan"),
        (np.array([0, np.inf, 1]), "vertex 1 has inf"),
        (np.array([0, 1, 2j]), "real numbers, not complex128"),
        (np.array(["a", "b", "c"]), "no filtration called 'a'"),
        ([np.zeros(3), np.zeros(3)], "values for 2 graphs, but there are 1"),
        ([np.zeros(2)], r"graph 0 have the shape \(2,\), and it has 3"),
        ("hsk:10", "hks"),
    ],
)
def test_mistakes_in_values(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        perslay.extended_persistence([[(0, 1), (1, 2)]], values)


def test_mistakes_in_options():
    graphs = perslay.shapes(per_class=1)
    with pytest.raises(ValueError, match="ext2"):
        perslay.diagrams(graphs, kinds=["ext2"])
    with pytest.raises(ValueError, match="h1 is a kind of point clouds"):
        perslay.diagrams(graphs, kinds="h1")
    with pytest.raises(ValueError, match="not 'sub0'"):
        perslay.extended_persistence(graphs, "degree", kinds=["sub0"])
    with pytest.raises(ValueError, match="takes drop, clip or clip:VALUE with a finite number, not 'extreme'"):
        perslay.diagrams(graphs, kinds=["sub0"], essential="extreme")
    with pytest.raises(ValueError, match="takes drop, clip, clip:VALUE or a number, not None"):
        perslay.diagrams(graphs, kinds=["sub0"], essential=None)
    with pytest.raises(ValueError, match="takes drop or clip:VALUE with a positive number, not 'clip'"):
        perslay.alpha_persistence([[(0, 0)]], essential="clip")
    with pytest.raises(ValueError, match="no cycles"):
        perslay.diagrams(graphs).cycles("ext1")


def test_no_graphs():
    found = perslay.diagrams([])
    assert len(found) == 0 and found["ext1"].points.shape == (0, 2)
    found = perslay.diagrams([[], ([], 1)], "degree")
    assert found["ext0"].counts.tolist() == [0, 1]


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_alpha_persistence_is_gudhis(seed, n):
    gudhi = pytest.importorskip("gudhi")
    points = np.random.default_rng(seed).random((n, 2))
    tree = gudhi.AlphaComplex(points=points).create_simplex_tree()
    tree.compute_persistence(min_persistence=0)
    found = perslay.alpha_persistence([points, points[:1]])
    for kind, dimension in (("h0", 0), ("h1", 1)):
        theirs = tree.persistence_intervals_in_dimension(dimension)
        theirs = theirs[np.isfinite(theirs).all(axis=1)] if len(theirs) else np.empty((0, 2))
        np.testing.assert_allclose(rows(found[kind][0]), rows(theirs), rtol=1e-9, atol=1e-12)
        assert len(found[kind][1]) == 0
    radii = perslay.alpha_persistence(points[None], radii=True, prominent=3)
    assert radii["h0"].counts[0] == min(3, n - 1)
    np.testing.assert_allclose(radii["h0"].points, np.sqrt(perslay.transform(found["h0"][:1], "prom:3").points))


def test_alpha_values_that_vanish():
    triangle = np.array([(0, 0), (3, 0), (0, 4)])
    for unit in (1e-170, 1e-157):
        with pytest.raises(ValueError, match="Squared radii of the point cloud fall below .*alpha:radii"):
            perslay.alpha_persistence([unit * triangle])
        radii = rows(perslay.alpha_persistence([unit * triangle], radii=True)["h0"][0])
        np.testing.assert_allclose(sorted(death / unit for _, death in radii), [1.5, 2])


def test_alpha_simplices_give_the_coordinates():
    clouds = perslay.orbits(1, points=60)
    expected = perslay.alpha_persistence(clouds, radii=True)
    for kind, (points, offsets, births, deaths) in zip(("h0", "h1"), perslay._core.alpha_simplices(clouds, True, None)):
        assert perslay.DiagramBatch.from_packed(points, offsets) == expected[kind]
        two = deaths[:, 2] < 0
        ends = clouds.points[deaths[two][:, :2]]
        np.testing.assert_allclose(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1) / 2, points[two, 1])
        assert births.shape == deaths.shape == (len(points), 3)


def test_mistakes_in_clouds():
    with pytest.raises(ValueError, match=r"Cloud 1 must have the shape \(N, 2\), not \(4, 3\)"):
        perslay.alpha_persistence([np.zeros((4, 2)), np.zeros((4, 3))])
    with pytest.raises(ValueError, match="nan"):
        perslay.alpha_persistence([[(0, np.nan), (1, 1)]])
    with pytest.raises(ValueError, match="not int"):
        perslay.alpha_persistence(3)


def test_orbits_do_not_depend_on_threads():
    one, two = perslay.orbits(3, points=50, seed=5, threads=1), perslay.orbits(3, points=50, seed=5, threads=2)
    assert np.array_equal(one.points, two.points) and one.labels.tolist() == sorted([*range(5)] * 3)
    assert not np.array_equal(one.points, perslay.orbits(3, points=50, seed=6).points)
    assert one[[0, -1]].labels.tolist() == [0, 4]


def test_real_dataset_is_gudhis(read_dataset):
    graphs = read_dataset("MUTAG")[:60]
    values = perslay.heat_kernel_signature(graphs, 10.0)
    found = perslay.extended_persistence(graphs, values)
    for i, (graph, function) in enumerate(zip(graphs, graphs.split(values))):
        for kind, expected in zip(EXTENDED, gudhi_extended(graph.edges, function)):
            ours = off_diagonal(rows(found[kind][i]))
            theirs = [point for point in expected if abs(point[0] - point[1]) > 1e-12]
            np.testing.assert_allclose(ours, theirs, atol=1e-12)


def test_ranges_of_times():
    graphs = perslay.shapes(per_class=2)
    found = perslay.diagrams(graphs, ["degree", "hks:0.1..10x3"], kinds="ext1")
    assert [filtration for filtration, _ in found.groups] == ["degree", "hks:0.1", "hks:1", "hks:10"]
    one = perslay.diagrams(graphs, "hks:1", kinds="ext1")
    np.testing.assert_allclose(found["hks:1", "ext1"].points, one["ext1"].points, atol=1e-12)
    with pytest.raises(ValueError, match="stands for several times, and one is needed here"):
        perslay.vertex_function(graphs, "hks:0.1..10x3")
    with pytest.raises(ValueError, match="from a lower to a higher one"):
        perslay.diagrams(graphs, "hks:10..1x3")
