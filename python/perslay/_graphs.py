"""Graphs and functions on their vertices."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._convert import as_count, as_graphs
from ._functions import Filtration, as_functions


def read_graphs(
    path: str | os.PathLike[str],
    *,
    one_based: bool = False,
    columns: Sequence[str | int] | str | None = None,
    unpack_limit: int | None = None,
    threads: int | None = None,
) -> _core.Graphs:
    """Reads graphs from a folder, an archive or a file.

    A folder, or an archive of it, is a dataset of the TU Dortmund collection, or holds a file for each graph, perhaps
    with a file `labels.csv` of lines `file,label`. A file is an edge list or of another format of graphs, such as
    GraphML, also compressed.

    `one_based` is for edge lists whose vertices are counted from 1. `columns` says which columns of an edge list are
    source, target and, if there is a third, weight: by their names in the header, or by numbers from 1. `unpack_limit`
    is how many bytes an archive may unpack to, by default 256 MiB, or 200 times the archive if that is more.

    >>> import perslay, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "TOY"
    >>> perslay.shapes(per_class=2).write(folder)
    >>> perslay.read_graphs(folder)
    Graphs(TOY: 6 graphs, 3 classes, 228 vertices)

    Vertices keep the names that the file gives them.

    >>> file = folder.with_name("friends.csv")
    >>> _ = file.write_text("person,friend,since\\nAda,Bob,1999\\nBob,Cyd,2004\\n")
    >>> perslay.read_graphs(file, columns=["person", "friend"])[0].vertex_names
    ['Ada', 'Bob', 'Cyd']
    """
    limit = None if unpack_limit is None else as_count(unpack_limit, "unpack_limit")
    chosen = columns.split(",") if isinstance(columns, str) else [str(column) for column in columns or ()]
    return _core.read_graphs(os.fspath(path), one_based, chosen, limit, threads)


def shapes(per_class: int = 30, *, seed: int = 0, threads: int | None = None) -> _core.Graphs:
    """A labelled dataset to play with: trees with hubs, rings with chords, dense communities.

    >>> import perslay
    >>> graphs = perslay.shapes(per_class=2)
    >>> graphs.labels
    array([0, 0, 1, 1, 2, 2], dtype=int32)
    >>> graphs.beta1[:2]
    array([0, 0])
    """
    return _core.shapes(as_count(per_class, "per_class"), seed, threads)


def vertex_function(graphs: Any, name: Filtration, *, threads: int | None = None) -> np.ndarray:
    """A function on vertices by name, such as `degree`, `closeness` or `hks:10`; one number per vertex of all graphs.

    `perslay.names("filtrations")` lists the names; `weight`, a function of edges, is refused. `attribute:K` and
    `label:NAME` read what the graphs' vertices have; a label that none of them has gives zeros and a warning. A
    function that gets a `perslay.Graph` and returns a number for each vertex is called for each graph, in their order,
    and its numbers are checked; so are numbers themselves. `graphs.split(values)` gives an array for each graph.

    >>> import perslay
    >>> graphs = perslay.Graphs([[(0, 1), (1, 2)], [(0, 1)]], node_labels=[[6, 8, 6], [7, 6]])
    >>> perslay.vertex_function(graphs, "degree")
    array([1., 2., 1., 1., 1.])
    >>> perslay.vertex_function(graphs, "label:6")
    array([1., 0., 1., 0., 1.])
    """
    batch = as_graphs(graphs)
    functions = as_functions(name, graphs, batch)
    if len(functions) > 1:
        raise ValueError(f"vertex_function computes one function at a time, not {len(functions)}.")
    (function,) = functions
    return _core.vertex_values(batch, [function], threads)[0] if isinstance(function, str) else function[1]


def heat_kernel_signature(
    graphs: Any,
    times: float | Sequence[float] | np.ndarray,
    *,
    derivatives: bool = False,
    snap: bool = True,
    tolerance: float = 0.0,
    threads: int | None = None,
) -> Any:
    """The diagonal of exp(-tL), L the normalized Laplacian: one number per vertex of all graphs, for each time.

    The shape is (vertices,) for a single time and (times, vertices) for several. With `derivatives` a pair: the values
    and their derivatives with respect to the time. Vertices whose values agree up to rounding get the same value unless
    `snap` is false. Values are exact to 1e-13, or to `tolerance` if it is not 0.

    >>> import numpy as np, perslay
    >>> triangle = perslay.Graphs([[(0, 1), (1, 2), (2, 0)]])
    >>> hks = perslay.heat_kernel_signature(triangle, 10.0)
    >>> np.allclose(hks, 1 / 3 + 2 / 3 * np.exp(-15))
    True
    """
    wanted = np.atleast_1d(times)
    values, slopes = _core.heat_kernel_signature(as_graphs(graphs), wanted, snap, tolerance, derivatives, threads)
    if np.ndim(times) == 0:
        values, slopes = values[0], None if slopes is None else slopes[0]
    return (values, slopes) if derivatives else values


def laplacian_eigenvalues(graphs: Any, *, threads: int | None = None) -> np.ndarray:
    """The eigenvalues of each graph's normalized Laplacian in ascending order, one graph after the other.

    There are as many as vertices, so `graphs.split(values)` gives those of each graph.

    >>> import perslay
    >>> perslay.laplacian_eigenvalues([[(0, 1)]])
    array([0., 2.])
    """
    return _core.laplacian_eigenvalues(as_graphs(graphs), threads)
