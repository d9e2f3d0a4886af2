"""From graphs and point clouds to persistence diagrams."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._convert import as_clouds, as_count, as_graphs
from ._functions import Filtration, as_functions
from ._names import Kind

EXTENDED: tuple[Kind, ...] = ("ord0", "rel1", "ext0", "ext1")
ORDINARY: tuple[Kind, ...] = ("sub0", "sup0", "sub1")


def diagrams(
    graphs: Any,
    filtration: Filtration = "hks:10",
    *,
    kinds: Kind | Sequence[Kind] = EXTENDED,
    keep_diagonal: bool = False,
    cycles: bool = False,
    essential: str | float = "drop",
    threads: int | None = None,
) -> _core.DiagramSet:
    """The persistence diagrams of a whole dataset: graphs, functions on vertices, diagrams.

    `filtration` is one name or several (see `perslay.names("filtrations")`). In the place of a name may stand a
    function that gets a `perslay.Graph` and returns a number for each vertex (`graph.to_networkx()` serves those of
    NetworkX), or the numbers themselves as in `extended_persistence`. A dictionary {"name": function or numbers} names
    the result.

    In diagrams of `weight`, a function of edges, the vertex of a coordinate is -1 where it is the weight of an edge.

    The extended kinds are `ord0`, `rel1`,
    `ext0` and `ext1`, the ordinary ones `sub0`, `sup0` and `sub1`; for these `essential` says what becomes of classes
    that never die: "drop" leaves them out, "clip" lets them die at the function's last value, "clip:VALUE" or a number
    there. Points of zero persistence are left out of `ord0`, `rel1` and the ordinary kinds unless `keep_diagonal`. With
    `cycles`, each ext1 point gets a representative cycle.

    >>> import perslay
    >>> found = perslay.diagrams(perslay.shapes(per_class=10), ["hks:10", "degree"], kinds=["ord0", "ext1"])
    >>> found
    DiagramSet(30 items: hks:10 ord0, hks:10 ext1, degree ord0, degree ext1)
    >>> found["hks:10", "ext1"][0].shape  # trees have no loop
    (0, 2)
    >>> def height(graph):
    ...     return range(graph.num_nodes)
    >>> perslay.diagrams([[(0, 1), (1, 2)]], [height, "degree"], kinds="ext0")
    DiagramSet(1 items: height ext0, degree ext0)
    """
    batch = as_graphs(graphs)
    functions = as_functions(filtration, graphs, batch)
    return _core.graph_diagrams(batch, functions, _kinds(kinds), keep_diagonal, cycles, essential, threads)


def extended_persistence(
    graphs: Any,
    values: Filtration,
    *,
    kinds: Kind | Sequence[Kind] = EXTENDED,
    keep_diagonal: bool = False,
    cycles: bool = False,
    threads: int | None = None,
) -> _core.DiagramSet:
    """Extended persistence of graphs with a function on their vertices.

    `values` is one array with a number per vertex of all graphs, a list with an array for each graph, a name, or a
    function that gets a `perslay.Graph`; for NetworkX graphs also what NetworkX's functions give, a dictionary from
    nodes to numbers (for several graphs, a list of them). Births and deaths are values of the function, bit for bit,
    and `vertices` tells whose.

    >>> import perslay
    >>> square = perslay.Graphs([[(0, 1), (1, 2), (2, 3), (3, 0)]])
    >>> found = perslay.extended_persistence(square, [0.0, 1.0, 3.0, 2.0], cycles=True)
    >>> found["ext1"][0], found["ext1"].vertices
    (array([[3., 0.]]), array([[2, 0]], dtype=int32))
    >>> found.cycles("ext1")[0]
    [array([0, 3, 2, 1], dtype=int32)]
    """
    chosen = _kinds_among(EXTENDED, "Extended persistence", kinds)
    return diagrams(graphs, values, kinds=chosen, keep_diagonal=keep_diagonal, cycles=cycles, threads=threads)


def ordinary_persistence(
    graphs: Any,
    values: Filtration,
    *,
    kinds: Kind | Sequence[Kind] = ORDINARY,
    keep_diagonal: bool = False,
    essential: str | float = "drop",
    threads: int | None = None,
) -> _core.DiagramSet:
    """Persistence of sublevel graphs (components `sub0`, loops `sub1`) and superlevel graphs (components `sup0`).

    `values` as in `extended_persistence`, `essential` as in `diagrams`.

    >>> import perslay
    >>> found = perslay.ordinary_persistence([[(0, 1), (1, 2)]], [0.0, 2.0, 1.0], essential="clip")
    >>> found["sub0"][0]
    array([[0., 2.],
           [1., 2.]])
    """
    chosen = _kinds_among(ORDINARY, "Ordinary persistence", kinds)
    return diagrams(graphs, values, kinds=chosen, keep_diagonal=keep_diagonal, essential=essential, threads=threads)


def alpha_persistence(
    clouds: Any,
    *,
    kinds: Kind | Sequence[Kind] = ("h0", "h1"),
    radii: bool = False,
    prominent: int | None = None,
    essential: str | float = "drop",
    threads: int | None = None,
) -> _core.DiagramSet:
    """Alpha complex persistence of point clouds in the plane: components `h0` and holes `h1`.

    `clouds` is a list of arrays (N, 2), an array (clouds, N, 2) or `Clouds`. Values are squared radii unless `radii`.
    `prominent` keeps that many points of each diagram, those farthest from the diagonal. The component that never dies
    is left out, or dies at VALUE with `essential="clip:VALUE"` or a number.

    >>> import numpy as np, perslay
    >>> angles = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    >>> circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    >>> perslay.alpha_persistence([circle], radii=True)["h1"][0].round(3)
    array([[0.259, 1.   ]])
    """
    name = "alpha:radii" if radii else "alpha"
    kept = None if prominent is None else as_count(prominent, "prominent")
    return _core.cloud_diagrams(as_clouds(clouds), name, _kinds(kinds), kept, essential, threads)


def vertex_indices(diagrams: _core.DiagramBatch, graphs: _core.Graphs) -> np.ndarray:
    """The vertices behind each point as places in arrays of all vertices: values[indices] are the points again.

    -1 where a coordinate is no vertex's value.

    >>> import numpy as np, perslay
    >>> graphs = perslay.shapes(per_class=1)
    >>> values = perslay.vertex_function(graphs, "closeness")
    >>> loops = perslay.extended_persistence(graphs, values)["ext1"]
    >>> np.array_equal(values[perslay.vertex_indices(loops, graphs)], loops.points)
    True
    """
    if diagrams.vertices is None:
        raise ValueError("The diagrams do not know their vertices.")
    if len(diagrams) != len(graphs):
        raise ValueError(f"There are {len(diagrams)} diagrams, but {len(graphs)} graphs.")
    first = np.repeat(graphs.vertex_offsets[:-1], diagrams.counts)
    return np.where(diagrams.vertices < 0, -1, diagrams.vertices + first[:, None])


def orbits(
    per_class: int = 1000, *, points: int = 1000, seed: int = 0, threads: int | None = None
) -> _core.Clouds:
    """The paper's ORBIT dataset: five classes of orbits of a linked twist map, as labelled point clouds.

    >>> import perslay
    >>> perslay.orbits(2, points=100)
    Clouds(10 clouds, 5 classes, 1000 points)
    """
    return _core.orbits(as_count(per_class, "per_class"), as_count(points, "points"), seed, threads)


def read_clouds(path: str | os.PathLike[str], *, threads: int | None = None) -> _core.Clouds:
    """Reads point clouds in the plane: a text or .npy file, a folder of such files, or a diagram file with clouds."""
    return _core.read_clouds(os.fspath(path), threads)


def _kinds(kinds: str | Sequence[str]) -> list[Kind]:
    names: list[Any] = [kinds] if isinstance(kinds, str) else list(kinds)
    if len(set(names)) < len(names):
        raise ValueError(f"kinds needs different names, not {names}.")
    return names


def _kinds_among(known: Sequence[str], family: str, kinds: str | Sequence[str]) -> list[Kind]:
    names = _kinds(kinds)
    for name in names:
        if name not in known:
            raise ValueError(f"{family} has the kinds {', '.join(known)}, not '{name}'.")
    return names

