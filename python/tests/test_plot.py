"""Pictures show what they were given."""

import doctest

import numpy as np
import pytest

import perslay

matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import perslay.plot as plot  # noqa: E402


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def graphs():
    return perslay.shapes(per_class=2)


def scattered(ax):
    """The points of each scatter, by its label."""
    return {part.get_label(): np.asarray(part.get_offsets()) for part in ax.collections}


def test_examples():
    failed, tried = doctest.testmod(plot, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert tried > 20 and failed == 0


@pytest.mark.parametrize(
    "draw",
    [
        lambda ax: plot.diagrams([(0, 1)], ax=ax),
        lambda ax: plot.barcode([(0, 1)], ax=ax),
        lambda ax: plot.weight(np.eye(3), ax=ax),
        lambda ax: plot.graph([(0, 1)], [1, 2], ax=ax),
        lambda ax: plot.cloud([(0, 1)], ax=ax),
    ],
)
def test_axes_are_returned_and_drawn(draw):
    figure, ax = plt.subplots()
    assert draw(ax) is ax
    assert draw(None) is not ax
    figure.canvas.draw()


# ---- diagrams


def test_diagrams_by_kind(graphs):
    found = perslay.diagrams(graphs, "degree")
    ax = plot.diagrams(found, item=2)
    points = scattered(ax)
    assert list(points) == ["ord0", "rel1", "ext0", "ext1"]
    for kind in points:
        assert np.array_equal(points[kind], found[kind][2])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(points)
    colours = {tuple(part.get_facecolor()[0]) for part in ax.collections if len(part.get_offsets())}
    assert len(colours) == sum(len(part) > 0 for part in points.values())


def test_all_items_and_chosen_kinds(graphs):
    found = perslay.diagrams(graphs, ["hks:1", "degree"])
    points = scattered(plot.diagrams(found, kinds=["ext1"], legend=False))
    assert list(points) == ["hks:1 ext1", "degree ext1"]
    assert len(points["degree ext1"]) == graphs.beta1.sum()
    with pytest.raises(ValueError, match="no h1"):
        plot.diagrams(found, kinds=["h1"])


def test_diagrams_of_arrays():
    points = np.array([[0.0, 2.0], [1.0, 3.0]])
    for given, item in [
        (points, None),
        ([points], None),
        ([points, points[:1]], 0),
        (perslay.DiagramBatch([points]), 0),
    ]:
        (drawn,) = scattered(plot.diagrams(given, item)).values()
        assert np.array_equal(drawn, points)
    with pytest.raises(ValueError, match="kinds"):
        plot.diagrams(points, kinds=["h0"])


def test_nothing_to_draw():
    ax = plot.diagrams([[]])
    assert ax.get_xlim()[0] < ax.get_xlim()[1]
    plot.diagrams([(1.0, 1.0)]).figure.canvas.draw()


# ---- weights


def test_weight_has_births_along_x():
    grid = np.zeros((4, 4))
    grid[0, 3] = 5  # born early, dead late
    ax = plot.weight(grid)
    mesh = ax.collections[0]
    cells = mesh.get_array().reshape(4, 4)  # rows are deaths
    assert cells[3, 0] == 5
    assert np.ma.getmaskarray(cells).sum() == 6  # below the diagonal


def test_weight_in_original_units():
    ax = plot.weight(np.ones((2, 2)), bounds=(0, 1), scale=(10.0, 30.0), colorbar=False)
    assert ax.get_xlim() == (10, 30) and ax.get_ylim() == (10, 30)
    apart = plot.weight(np.ones((2, 2)), bounds=(0, 1), scale=((10.0, 30.0), (20.0, 40.0)), colorbar=False)
    assert apart.get_xlim() == (10, 30) and apart.get_ylim() == (20, 40)
    flat = plot.weight(np.ones((2, 2)), bounds=(0, 1), scale=((0.0, 0.0), (0.0, 4.0)), colorbar=False)
    assert flat.get_xlim() == (0, 1) and flat.get_ylim() == (0, 4)
    assert np.ma.getmaskarray(apart.collections[0].get_array()).sum() == 0  # the last cell touches the diagonal


def test_weight_of_a_layer():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from perslay.torch import PersLay

    layer = PersLay("gaussian:3x3", weight="grid:5x5", op="sum")
    assert plot.weight(layer.weight.cells).collections[0].get_array().size == 25
    assert isinstance(layer.weight.cells, torch.nn.Parameter)
    with pytest.raises(ValueError, match="two axes"):
        plot.weight(np.ones(3))


# ---- graphs


def test_graph_with_a_loop():
    ring = perslay.Graphs([[(0, 1), (1, 2), (2, 3), (3, 0), (1, 3), (3, 4)]])
    values = np.array([0.0, 1.0, 3.0, 2.0, 4.0])
    cycle = perslay.extended_persistence(ring, values, cycles=True).cycles("ext1")[0][0]
    places = np.arange(10.0).reshape(5, 2)
    ax = plot.graph(ring[0], values, cycle=cycle, positions=places)
    edges, loop, vertices = ax.collections
    assert len(edges.get_segments()) == 6 and len(loop.get_segments()) == len(cycle)
    drawn = {frozenset(map(tuple, segment)) for segment in loop.get_segments()}
    wanted = {frozenset((tuple(places[a]), tuple(places[b]))) for a, b in zip(cycle, np.roll(cycle, -1))}
    assert drawn == wanted
    assert np.array_equal(vertices.get_offsets(), places) and np.array_equal(vertices.get_array(), values)


def test_graphs_of_all_sorts():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    ring = networkx.cycle_graph(5)
    for given in (
        ring,
        perslay.Graphs([ring]),
        perslay.Graphs([ring])[0],
        np.array(ring.edges),
        list(ring.edges),
        [ring],
    ):
        assert len(plot.graph(given).collections[0].get_segments()) == 5
    places = networkx.circular_layout(ring)
    assert np.allclose(plot.graph(ring, positions=places).collections[1].get_offsets(), [places[v] for v in ring])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"values": [1.0]}, "4 vertices"),
        ({"cycle": [0, 1]}, "three"),
        ({"cycle": [0, 1, 3]}, "no such edge"),
        ({"positions": np.zeros((2, 2))}, r"\(4, 2\)"),
    ],
)
def test_graph_refuses(options, says):
    with pytest.raises(ValueError, match=says):
        plot.graph([(0, 1), (1, 2), (2, 0), (2, 3)], **options)


def test_one_graph_at_a_time(graphs):
    with pytest.raises(ValueError, match="there are 6"):
        plot.graph(graphs)


def test_layout_keeps_friends_together():
    """Two groups of friends with one edge between them, numbered by turns."""
    friends = [(a, b) for a in range(16) for b in range(a) if (a - b) % 2 == 0] + [(0, 1)]
    places = plot.layout(friends)
    assert np.array_equal(places, plot.layout(friends))
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    assert max(apart[::2, ::2].max(), apart[1::2, 1::2].max()) < apart[::2, 1::2].min() + apart[0, 1]
    assert apart[::2, ::2].mean() < 0.5 * apart[::2, 1::2].mean()
    assert apart[1::2, 1::2].mean() < 0.5 * apart[::2, 1::2].mean()
    assert apart[np.triu_indices(16, 1)].min() > 0.01
    assert plot.layout(([], 3)).shape == (3, 2)


# ---- clouds


def test_clouds():
    clouds = perslay.orbits(1, points=50)
    ax = plot.cloud(clouds, item=3)
    assert np.array_equal(ax.collections[0].get_offsets(), clouds[3]) and ax.get_title() == clouds.classes[3]
    assert np.array_equal(plot.cloud(clouds.to_list(), 2).collections[0].get_offsets(), clouds[2])
    assert np.array_equal(plot.cloud(clouds[1]).collections[0].get_offsets(), clouds[1])
    with pytest.raises(ValueError, match="shape"):
        plot.cloud(np.zeros((4, 3)))


def test_two_filtrations_are_told_apart():
    found = perslay.diagrams(perslay.shapes(1), ["hks:1", "degree"])
    axes = perslay.plot.diagrams(found, item=1)
    assert len(axes.collections) == 8
    outlines = {len(collection.get_paths()[0].vertices) for collection in axes.collections}
    assert len(outlines) == 2  # circles and triangles
    for kinds, count in (("hks:1", 4), (["ext1"], 2), ([("degree", "ext1")], 1), (["hks:1", ("degree", "ext0")], 5)):
        assert len(perslay.plot.diagrams(found, kinds=kinds).collections) == count
    with pytest.raises(ValueError, match="There is no sub0; there are hks:1 ord0"):
        perslay.plot.diagrams(found, kinds=["sub0"])


def test_positions_by_node():
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    graph = networkx.Graph([(0, "a"), (1, "a"), (2, "b"), (0, "b")])
    positions = networkx.bipartite_layout(graph, [0, 1, 2])
    axes = perslay.plot.graph(graph, positions=positions)
    assert np.allclose(axes.collections[-1].get_offsets(), [positions[node] for node in graph])
    with pytest.raises(ValueError, match="Node 'b' has no position"):
        perslay.plot.graph(graph, positions={node: positions[node] for node in graph if node != "b"})


def test_empty_diagrams_first():
    axes = perslay.plot.diagrams([[], [(0, 1)]])
    assert len(axes.collections[0].get_offsets()) == 1


# ---- barcodes


def drawn_intervals(ax):
    """The intervals of each kind, by its label."""
    return {part.get_label(): [segment[:, 0].tolist() for segment in part.get_segments()] for part in ax.collections}


def test_barcode_by_kind(graphs):
    found = perslay.diagrams(graphs, "degree")
    ax = plot.barcode(found, item=2)
    intervals = drawn_intervals(ax)
    assert list(intervals) == ["ord0", "rel1", "ext0", "ext1"]
    for kind, drawn in intervals.items():
        assert np.allclose(sorted(drawn), sorted(np.sort(found[kind][2], axis=1).tolist()))
    rows = [row for part in ax.collections for (_, row), _ in part.get_segments()]
    assert rows == list(range(len(rows)))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(intervals)
    alone = plot.barcode(found, kinds="ext1", legend=False)
    assert len(drawn_intervals(alone)["ext1"]) == graphs.beta1.sum()


def test_barcode_of_points():
    ax = plot.barcode([(1, 2), (0, 4), (3, 0.5)])
    assert [part.tolist() for part in ax.collections[0].get_segments()] == [
        [[0, 0], [4, 0]],
        [[0.5, 1], [3, 1]],
        [[1, 2], [2, 2]],
    ]
    assert ax.get_legend() is None
    assert len(plot.barcode([]).collections[0].get_segments()) == 0


def test_infinite_intervals_run_to_the_border():
    ax = plot.barcode([(0, 1), (0.5, np.inf), (-np.inf, 1)])
    low, high = ax.get_xlim()
    assert [part[:, 0].tolist() for part in ax.collections[0].get_segments()] == [[low, 1], [0, 1], [0.5, high]]
    heads = {line.get_marker(): line.get_xydata().tolist() for line in ax.lines}
    assert heads == {"<": [[low, 0]], ">": [[high, 2]]}


def test_barcodes_of_two_filtrations_are_told_apart():
    axes = plot.barcode(perslay.diagrams(perslay.shapes(1), ["hks:1", "degree"]), item=1, kinds="ext1")
    one, other = (part.get_linestyle() for part in axes.collections)
    assert one != other
