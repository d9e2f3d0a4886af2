"""Pictures with matplotlib: diagrams, what a layer has learned to look at, graphs with their loops, point clouds.

Every function draws into `ax`, or into a new figure, and returns the Axes.

>>> import matplotlib
>>> matplotlib.use("Agg")
>>> import perslay, perslay.plot
>>> graphs = perslay.shapes(per_class=1)
>>> axes = perslay.plot.diagrams(perslay.diagrams(graphs), item=1)
>>> axes.get_xlabel()
'birth'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    import matplotlib.pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.collections import LineCollection
except ImportError as error:
    raise ImportError("perslay.plot needs matplotlib; install it with: pip install 'perslay[plot]'") from error

from . import _core
from ._colours import COLOURS

__all__ = ["barcode", "cloud", "diagrams", "graph", "layout", "weight"]

MARKERS = "o^sDvP*X"
"""Of filtrations, where there are several."""

LINE_STYLES = ("solid", "dashed", "dotted", "dashdot")
"""Of filtrations in barcodes."""

_GREY = "#888888"


# ---- diagrams


def diagrams(
    diagrams: Any,
    item: int | None = None,
    *,
    kinds: str | Sequence[str | tuple[str, str]] | None = None,
    ax: Axes | None = None,
    size: float = 16,
    legend: bool = True,
) -> Axes:
    """Draws the points of diagrams, each kind in its colour, and the diagonal.

    `diagrams` is a set, a batch, a list of arrays (N, 2) or one such array. `item` chooses one item; otherwise the
    points of all are drawn. `kinds` chooses from a set: kinds, filtrations, or pairs of both. The filtrations of a set
    have markers of their own. Coordinates are as they are: points of `rel1` and `ext1` lie below the diagonal.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import perslay.plot
    >>> axes = perslay.plot.diagrams([(0, 4), (1, 2)])
    >>> axes.collections[0].get_offsets().tolist()
    [[0.0, 4.0], [1.0, 2.0]]
    """
    ax = _axes(ax)
    groups = _groups(diagrams, item, kinds)
    for title, kind, marker, points in groups:
        ax.scatter(
            points[:, 0],
            points[:, 1],
            s=size,
            color=COLOURS.get(kind),
            marker=marker,
            alpha=0.7,
            linewidths=0,
            label=title,
            zorder=2,
        )
    _diagonal(ax, [points for *_, points in groups])
    if legend and any(title for title, *_ in groups):
        ax.legend(frameon=False)
    return ax


def barcode(
    diagrams: Any,
    item: int | None = None,
    *,
    kinds: str | Sequence[str | tuple[str, str]] | None = None,
    ax: Axes | None = None,
    width: float = 2,
    legend: bool = True,
) -> Axes:
    """Draws the points of diagrams as intervals between birth and death, one above the other.

    `diagrams`, `item` and `kinds` are those of `perslay.plot.diagrams`. Each kind has its colour and follows the one
    before, its intervals in the order of their lower ends; the filtrations of a set have line styles of their own.
    Infinite intervals run to the border, where they have an arrowhead.
    """
    ax = _axes(ax)
    groups = _groups(diagrams, item, kinds)
    border = _border([points for *_, points in groups])
    count = 0
    for title, kind, marker, points in groups:
        intervals = np.sort(points, axis=1)
        intervals = intervals[np.lexsort((intervals[:, 1], intervals[:, 0]))]
        rows = np.arange(count, count + len(intervals))
        count += len(intervals)
        colour = COLOURS.get(kind)
        style = LINE_STYLES[MARKERS.index(marker) % len(LINE_STYLES)]
        ax.hlines(rows, *np.clip(intervals, *border).T, colors=colour, linewidth=width, linestyle=style, label=title)
        for side, head in enumerate("<>"):
            endless = np.isinf(intervals[:, side])
            if endless.any():
                places = np.full(endless.sum(), border[side])
                ax.plot(places, rows[endless], head, color=colour, markersize=3 * width, clip_on=False)
    ax.set(xlim=border, ylim=(-1, max(count, 1)), xlabel="birth to death", yticks=[])
    if legend and any(title for title, *_ in groups):
        ax.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4)
    return ax


def _groups(found: Any, item: int | None, kinds: Any) -> list[tuple[str | None, str, str, np.ndarray]]:
    """Title, kind, marker and points of all that is to be drawn."""
    if not isinstance(found, _core.DiagramSet):
        if kinds is not None:
            raise ValueError("Only the diagrams of a set have kinds to choose from.")
        return [(None, "ord0", "o", _points(found, item))]
    filtrations = list(dict.fromkeys(filtration for filtration, _ in found.groups))
    wanted = [kinds] if isinstance(kinds, str) else kinds
    groups: list[tuple[str | None, str, str, np.ndarray]] = [
        (
            f"{filtration} {kind}" if len(filtrations) > 1 else kind,
            kind,
            MARKERS[filtrations.index(filtration) % len(MARKERS)],
            _points(batch, item),
        )
        for (filtration, kind), batch in found.groups.items()
        if wanted is None or kind in wanted or filtration in wanted or (filtration, kind) in wanted
    ]
    if wanted is not None and not groups:
        there = ", ".join(f"{filtration} {kind}" for filtration, kind in found.groups)
        raise ValueError(f"There is no {', '.join(map(str, wanted))}; there are {there}.")
    return groups


def _points(found: Any, item: int | None) -> np.ndarray:
    if not isinstance(found, _core.DiagramBatch):
        one = isinstance(found, np.ndarray) and found.ndim == 2 or (
            len(found) > 0 and np.ndim(found[0]) == 1 and len(found[0]) == 2
        )
        found = _core.DiagramBatch([found] if one else found)
    return found.points if item is None else found[item]


def _border(points: list[np.ndarray]) -> tuple[float, float]:
    """The ends of an axis for all finite coordinates."""
    numbers = np.concatenate([np.ravel(part) for part in points]) if points else np.empty(0)
    numbers = numbers[np.isfinite(numbers)]
    low, high = (numbers.min(), numbers.max()) if len(numbers) else (0.0, 1.0)
    margin = 0.04 * (high - low) or 0.5
    return low - margin, high + margin


def _diagonal(ax: Axes, points: list[np.ndarray]) -> None:
    ends = _border(points)
    ax.plot(ends, ends, color=_GREY, linewidth=0.8, zorder=1)
    ax.set(xlim=ends, ylim=ends, xlabel="birth", ylabel="death", aspect="equal")


# ---- learned weights


def weight(
    grid: Any,
    *,
    bounds: tuple[float, float] = (-0.001, 1.001),
    scale: tuple[float, float] | tuple[tuple[float, float], tuple[float, float]] = (0.0, 1.0),
    ax: Axes | None = None,
    cmap: str = "viridis",
    colorbar: bool = True,
) -> Axes:
    """Draws a weight on a grid (`grid:10x10`), learned or not: how much points of each region count.

    `grid` is an array, the first axis for births, as `model.arrays` and layers hold it; NumPy or torch. Cells cover
    `bounds` in both directions. `scale` says what diagrams were scaled from (`model.scales`), and then the axes show
    original numbers; where births and deaths were scaled apart, it has two numbers for each. Below the diagonal
    there are no points, so cells there stay empty.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import numpy as np, perslay.plot
    >>> perslay.plot.weight(np.ones((10, 10)), colorbar=False).get_ylabel()
    'death'
    """
    cells = _numbers(grid)
    if cells.ndim != 2:
        raise ValueError(f"A weight on a grid has two axes, births and deaths, not the shape {cells.shape}.")
    ax = _axes(ax)
    ranges = np.broadcast_to(np.asarray(scale, float), (2, 2))
    births, deaths = (_edges(low, high, bounds, count) for (low, high), count in zip(ranges, cells.shape))
    below = births[:-1, None] >= deaths[None, 1:]
    image = ax.pcolormesh(births, deaths, np.ma.masked_array(cells, below).T, cmap=cmap)
    ends = (min(births[0], deaths[0]), max(births[-1], deaths[-1]))
    ax.plot(ends, ends, color=_GREY, linewidth=0.8)
    aspect = "equal" if np.array_equal(ranges[0], ranges[1]) else "auto"
    ax.set(xlim=births[[0, -1]], ylim=deaths[[0, -1]], xlabel="birth", ylabel="death", aspect=aspect)
    if colorbar:
        ax.figure.colorbar(image, ax=ax, label="weight")
    return ax


def _edges(low: float, high: float, bounds: tuple[float, float], count: int) -> np.ndarray:
    """The edges of `count` cells in original numbers. All the same number, which is mapped to 0: a width of one."""
    width = high - low if high > low else 1.0
    return np.linspace(low + bounds[0] * width, low + bounds[1] * width, count + 1)


def _numbers(values: Any) -> np.ndarray:
    """An array of an array or a tensor, wherever it lives."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


# ---- graphs


def graph(
    graph: Any,
    values: Any = None,
    *,
    cycle: Any = None,
    positions: Any = None,
    ax: Axes | None = None,
    size: float = 40,
    cmap: str = "viridis",
    colorbar: bool = True,
) -> Axes:
    """Draws a graph, its vertices coloured by a function and a loop of it highlighted.

    `graph` is one graph in any form that `perslay.Graphs` reads; `values` one number per vertex; `cycle` the vertices
    of a loop in their order, as `DiagramSet.cycles` gives them; `positions` an array (vertices, 2), NetworkX's
    dictionary of places, or None for `layout(graph)`.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import perslay, perslay.plot
    >>> square = perslay.Graphs([[(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)]])
    >>> heights = [0.0, 1.0, 3.0, 2.0, 5.0]
    >>> loop = perslay.extended_persistence(square, heights, cycles=True).cycles("ext1")[0][0]
    >>> axes = perslay.plot.graph(square[0], heights, cycle=loop)
    >>> len(axes.collections[1].get_segments())  # the loop's edges
    4
    """
    one = _one_graph(graph)
    places = layout(one) if positions is None else _positions(positions, graph, one.num_nodes)
    ax = _axes(ax)
    ax.add_collection(LineCollection(list(places[one.edges]), colors=_GREY, linewidths=0.8, zorder=1))
    if cycle is not None:
        ax.add_collection(
            LineCollection(list(places[_cycle_edges(cycle, one)]), colors=COLOURS["ext1"], linewidths=3, zorder=2)
        )
    colours = None if values is None else _numbers(values)
    if colours is not None and colours.shape != (one.num_nodes,):
        raise ValueError(f"There are values of the shape {colours.shape}, and the graph has {one.num_nodes} vertices.")
    colour = {"color": COLOURS["ord0"]} if colours is None else {"c": colours, "cmap": cmap}
    vertices = ax.scatter(places[:, 0], places[:, 1], s=size, edgecolors="white", linewidths=0.5, zorder=3, **colour)
    ax.set_aspect("equal")
    ax.set_axis_off()
    if colours is not None and colorbar:
        ax.figure.colorbar(vertices, ax=ax)
    return ax


def layout(graph: Any, *, steps: int = 100) -> np.ndarray:
    """Places for the vertices of a graph, an array (vertices, 2): near if there is an edge, apart if there is none.

    Vertices start on a circle, in order, and are moved by springs and repulsion (Fruchterman and Reingold 1991); the
    same graph gets the same places. A step costs a number of operations quadratic in the number of vertices.

    >>> import perslay.plot
    >>> perslay.plot.layout([(0, 1), (1, 2)]).shape
    (3, 2)
    """
    one = _one_graph(graph)
    count = one.num_nodes
    angles = 2 * np.pi * np.arange(count) / max(count, 1)
    places = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    first, second = one.edges.T
    spacing = 2 / np.sqrt(max(count, 1))
    for step in range(steps):
        apart = places[:, None] - places[None]
        squares = (apart**2).sum(axis=2) + 1e-9
        force = (apart * (spacing**2 / squares)[:, :, None]).sum(axis=1)
        pull = (places[first] - places[second]) * np.sqrt(squares[first, second])[:, None] / spacing
        np.add.at(force, first, -pull)
        np.add.at(force, second, pull)
        force -= places * spacing  # keeps components together
        length = np.linalg.norm(force, axis=1, keepdims=True) + 1e-9
        places = places + force / length * np.minimum(length, 0.3 * (1 - step / steps))
    return places - places.mean(axis=0) if count else places


def _one_graph(given: Any) -> _core.Graph:
    if isinstance(given, _core.Graph):
        return given
    many = given if isinstance(given, _core.Graphs) else _core.Graphs(given if _is_batch(given) else [given])
    if len(many) != 1:
        raise ValueError(f"One graph is drawn at a time, and there are {len(many)}; choose one, such as graphs[0].")
    return many[0]


def _is_batch(given: Any) -> bool:
    """Whether it is a list of graphs rather than a graph or a list of edges."""
    return (
        isinstance(given, (list, tuple))
        and len(given) > 0
        and (not isinstance(given[0], (list, tuple)) or np.ndim(given[0]) > 1)
    )


def _positions(given: Any, graph: Any, count: int) -> np.ndarray:
    """An array as it is; a dictionary, as NetworkX's layouts are, in the order of the graph's nodes."""
    if isinstance(given, dict):
        nodes = list(getattr(graph, "nodes", range(count)))
        missing = [node for node in nodes if node not in given]
        if missing:
            raise ValueError(f"Node {missing[0]!r} has no position.")
        given = [given[node] for node in nodes]
    places = np.asarray(given, dtype=float)
    if places.shape != (count, 2):
        raise ValueError(f"positions must have the shape ({count}, 2), not {places.shape}.")
    return places


def _cycle_edges(cycle: Any, one: _core.Graph) -> np.ndarray:
    vertices = np.asarray(cycle)
    if vertices.ndim != 1 or len(vertices) < 3:
        raise ValueError("A cycle is a list of three or more vertices in their order.")
    edges = np.stack([vertices, np.roll(vertices, -1)], axis=1)
    known = set(map(tuple, one.edges.tolist()))
    for a, b in np.sort(edges, axis=1).tolist():
        if (a, b) not in known:
            raise ValueError(f"The cycle runs from {a} to {b}, and the graph has no such edge.")
    return edges


# ---- clouds


def cloud(points: Any, item: int = 0, *, ax: Axes | None = None, size: float = 1, color: str = "black") -> Axes:
    """Draws a point cloud in the plane, such as an orbit.

    `points` is an array (N, 2), or clouds of which `item` is drawn; its class becomes the title.

    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import perslay, perslay.plot
    >>> perslay.plot.cloud(perslay.orbits(1, points=100), item=4).get_title()
    '4.3'
    """
    title = ""
    if isinstance(points, _core.Clouds):
        if points.labels is not None:
            title = points.classes[points.labels[item]]
        points = points[item]
    elif np.ndim(points[0] if len(points) else [0]) == 2:
        points = points[item]
    places = _numbers(points)
    if places.ndim != 2 or places.shape[1] != 2:
        raise ValueError(f"A cloud has the shape (N, 2), not {places.shape}.")
    ax = _axes(ax)
    ax.scatter(places[:, 0], places[:, 1], s=size, color=color, linewidths=0)
    ax.set(aspect="equal", title=title)
    return ax


def _axes(ax: Axes | None) -> Axes:
    return plt.subplots()[1] if ax is None else ax
