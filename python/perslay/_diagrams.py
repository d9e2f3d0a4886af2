"""What is done with diagrams: transforms, distances, kernels, vectors."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._convert import as_batch, as_diagrams, as_range
from ._names import Family

_Items = TypeVar("_Items", _core.Graphs, _core.Clouds, _core.DiagramBatch, _core.DiagramSet)


def read_diagrams(path: str | os.PathLike[str]) -> _core.DiagramSet:
    """Reads a diagram file (.h5, .hdf5 or .csv), as `DiagramSet.write` and the program write them."""
    return _core.read_diagrams(os.fspath(path))


def names(family: Family) -> dict[str, str]:
    """The names of a family, with what they mean.

    Families are settings, filtrations, graph filtrations, cloud filtrations, kinds (of diagrams), inputs, transforms,
    metrics, kernels, vectorizations, phi, weight, op and models.

    >>> import perslay
    >>> "prom:K" in perslay.names("transforms")
    True
    >>> perslay.names("settings")["mutag"]
    "MUTAG as in the paper's table of settings."
    """
    return dict(_core.names(family))


@overload
def transform(diagrams: _core.DiagramSet, *steps: str | _core.Transform) -> _core.DiagramSet: ...
@overload
def transform(
    diagrams: _core.DiagramBatch | Iterable[ArrayLike], *steps: str | _core.Transform
) -> _core.DiagramBatch: ...
def transform(diagrams: Any, *steps: str | _core.Transform) -> Any:
    """Applies transforms by name, one after the other; `scale` is fitted to the diagrams that reach it.

    A batch gives a batch. A set gives a set without cycles, each of its groups transformed by itself. `Transform` can
    be fitted to some diagrams and applied to others.

    >>> import perslay
    >>> batch = perslay.DiagramBatch([[(0, 4), (1, 2)], [(2, 3)]])
    >>> perslay.transform(batch, "prom:1", "scale").to_list()
    [array([[0., 1.]]), array([[0.5 , 0.75]])]
    """
    diagrams = as_diagrams(diagrams)
    if isinstance(diagrams, _core.DiagramSet):
        return diagrams.with_diagrams({key: transform(batch, *steps) for key, batch in diagrams.groups.items()})
    for step in steps:
        if not isinstance(step, (str, _core.Transform)):
            raise ValueError(f"A transform is a name such as 'prom:50' or a perslay.Transform, not {step!r}.")
        chosen = _core.Transform(step) if isinstance(step, str) else step
        diagrams = (chosen.fit(diagrams) if chosen.needs_fit else chosen)(diagrams)
    return diagrams


def class_names(labelled: _core.DiagramSet | _core.Graphs | _core.Clouds) -> np.ndarray | None:
    """The class of each item by its name, or None if there are no labels.

    >>> import perslay
    >>> perslay.class_names(perslay.Graphs([[(0, 1)], [(0, 1)]], labels=["b", "a"]))
    array(['b', 'a'], dtype='<U1')
    """
    return None if labelled.labels is None else np.array(labelled.classes)[labelled.labels]


def concatenate(parts: Iterable[_Items]) -> _Items:
    """All items of several batches of one type: `Graphs`, `Clouds`, `DiagramBatch` or `DiagramSet`.

    Labels, node labels and attributes are kept, and vertices and cycles if all parts have them. Classes are joined by
    name, in the order in which they appear first. Sets need the same groups. Either all parts have labels or none.

    >>> import perslay
    >>> a, b = perslay.Graphs([[(0, 1)]], labels=["edge"]), perslay.Graphs([[], [(0, 1)]], labels=["dust", "edge"])
    >>> both = perslay.concatenate([a, b])
    >>> both.labels, both.classes
    (array([0, 1, 0], dtype=int32), ['edge', 'dust'])
    """
    batches = list(parts)
    types = {type(batch) for batch in batches}
    if len(types) != 1 or not types <= {_core.Graphs, _core.Clouds, _core.DiagramBatch, _core.DiagramSet}:
        found = " and ".join(sorted(one.__name__ for one in types)) or "nothing"
        raise ValueError(f"concatenate joins Graphs, Clouds, DiagramBatch or DiagramSet, all of one type, not {found}.")
    return _core.concatenate(batches)


@overload
def distance(a: ArrayLike, b: ArrayLike, metric: str = ..., *, matching: Literal[False] = ...) -> float: ...
@overload
def distance(
    a: ArrayLike, b: ArrayLike, metric: str = ..., *, matching: Literal[True]
) -> tuple[float, NDArray[np.int32], NDArray[np.float64]]: ...
def distance(a: ArrayLike, b: ArrayLike, metric: str = "bottleneck", *, matching: bool = False) -> Any:
    """The distance of two diagrams, arrays (N, 2): `bottleneck`, `wasserstein:S`, `wasserstein:S:2`, ...

    With `matching` a triple: the distance; the pairs of an optimal matching as rows of the two arrays, -1 for the
    diagonal; and the distance of each pair.

    >>> import perslay
    >>> perslay.distance([(0, 4), (1, 2)], [(0, 3)])
    1.0
    >>> value, pairs, costs = perslay.distance([(0, 4), (1, 2)], [(0, 3)], "wasserstein:1", matching=True)
    >>> value, pairs.tolist(), costs.tolist()
    (1.5, [[0, 0], [1, -1]], [1.0, 0.5])
    """
    return _core.distance(a, b, metric, matching)


def distance_matrix(a: Any, b: Any = None, metric: str = "bottleneck", *, threads: int | None = None) -> np.ndarray:
    """The distances of all diagrams of a batch with all of another, or with each other.

    >>> import perslay
    >>> perslay.distance_matrix([[(0, 4)], [(0, 3)], []])
    array([[0. , 1. , 2. ],
           [1. , 0. , 1.5],
           [2. , 1.5, 0. ]])
    """
    return _core.distance_matrix(as_batch(a), None if b is None else as_batch(b), metric, threads)


def gram(
    rows: Any,
    kernel: str | _core.Kernel = "sw",
    columns: Any = None,
    *,
    base: bool = False,
    threads: int | None = None,
) -> np.ndarray:
    """The matrix of a kernel between all diagrams of `rows`, or between those of `rows` and of `columns`.

    The kernels of a set's groups are combined: multiplied for `sw`, `pf` and `pwg`, added for `pss` and `pwg-linear`.
    Parameters that the name leaves out are fitted to `rows`; `Kernel(name).fit(...)` fits them to other diagrams.
    With `base` the matrix is what is inside the exponential.

    >>> import perslay
    >>> perslay.gram([[(0, 4)], [(0, 3)]], "sw:10:sigma=1").round(3)
    array([[1.   , 0.619],
           [0.619, 1.   ]])
    """
    chosen = _core.Kernel(kernel) if isinstance(kernel, str) else kernel
    other = None if columns is None else as_diagrams(columns)
    return chosen.gram(as_diagrams(rows), other, base=base, threads=threads)


_Numbers = NDArray[np.float64]
_Frames = list[Sequence[tuple[float, float]]]


@overload
def vectorize(
    diagrams: Any,
    name: str | None = ...,
    *,
    phi: str | None = ...,
    weight: str = ...,
    op: str = ...,
    init: str = ...,
    range: tuple[float, float] | None = ...,
    frames: _Frames | None = ...,
    return_frames: Literal[False] = ...,
    seed: int = ...,
    threads: int | None = ...,
) -> _Numbers: ...
@overload
def vectorize(
    diagrams: Any,
    name: str | None = ...,
    *,
    phi: str | None = ...,
    weight: str = ...,
    op: str = ...,
    init: str = ...,
    range: tuple[float, float] | None = ...,
    frames: _Frames | None = ...,
    return_frames: Literal[True],
    seed: int = ...,
    threads: int | None = ...,
) -> tuple[_Numbers, _Frames]: ...
def vectorize(
    diagrams: Any,
    name: str | None = None,
    *,
    phi: str | None = None,
    weight: str = "one",
    op: str = "sum",
    init: str = "ours",
    range: tuple[float, float] | None = None,
    frames: Any = None,
    return_frames: bool = False,
    seed: int = 0,
    threads: int | None = None,
) -> Any:
    """One row of numbers for each item: a named vectorization, or a PersLay layer with its initial parameters.

    Points are taken as (min, max). Samples are spread over the births and deaths of each group or over `range`; the
    diagrams of a layer are scaled from there to the unit square. With `return_frames` a pair: the matrix, and where the
    groups were taken to lie, which `frames` takes for other diagrams.

    >>> import perslay
    >>> perslay.vectorize([[(0, 4), (1, 3)], []], "landscape:2x5")
    array([[0., 0., 1., 0., 2., 1., 1., 0., 0., 0.],
           [0., 0., 0., 0., 0., 0., 0., 0., 0., 0.]])
    >>> perslay.vectorize([[(0, 4), (1, 3)], []], phi="gaussian:20x20", weight="power:1").shape
    (2, 400)
    """
    matrix, found = _core.vectorize(
        as_diagrams(diagrams), name, phi, weight, op, init, as_range(range), frames, seed, threads
    )
    return (matrix, found) if return_frames else matrix


def column_names(diagrams: Any, name: str | None = None, **options: Any) -> list[str]:
    """The names of the columns that `vectorize` gives for the same arguments.

    >>> import perslay
    >>> perslay.column_names(perslay.diagrams(perslay.shapes(per_class=1), kinds=["ext1"]), "betti:3", range=(0, 1))
    ['hks:10/ext1/t0=0', 'hks:10/ext1/t1=0.5', 'hks:10/ext1/t2=1']
    """
    found = as_diagrams(diagrams)
    frames = vectorize(found, name, return_frames=True, **options)[1]
    chosen = {"phi": None, "weight": "one", "op": "sum", "init": "ours", "seed": 0} | options
    layer = {key: chosen[key] for key in ("phi", "weight", "op", "init", "seed")}
    return _core.column_names(found, name, frames=frames, **layer)
