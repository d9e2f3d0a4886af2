"""Diagrams as tables of pandas and Arrow. Neither is needed for anything else, and neither is imported before."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core


def _needed(module: str) -> Any:
    try:
        return __import__(module)
    except ImportError as error:
        raise ImportError(f"This needs {module}; install it with: pip install {module}") from error


def _columns(batch: _core.DiagramBatch, vertices: bool) -> dict[str, np.ndarray]:
    """What is known of each point of a batch, with the vertices behind it or without."""
    columns: dict[str, np.ndarray] = {
        "item": np.repeat(np.arange(len(batch)), batch.counts),
        "birth": batch.points[:, 0],
        "death": batch.points[:, 1],
    }
    if vertices and batch.vertices is not None:
        columns |= {"birth_vertex": batch.vertices[:, 0], "death_vertex": batch.vertices[:, 1]}
    return columns


def batch_to_pandas(self: _core.DiagramBatch) -> Any:
    """A DataFrame with a row for each point: item, birth, death, and the vertices behind them if they are known.

    >>> import perslay
    >>> perslay.DiagramBatch([[(1, 2)], [], [(0, 4)]]).to_pandas()
       item  birth  death
    0     0    1.0    2.0
    1     2    0.0    4.0
    """
    return _needed("pandas").DataFrame(_columns(self, True))


def set_to_pandas(self: _core.DiagramSet) -> Any:
    """A DataFrame with a row for each point: item, filtration, kind, birth, death; class and vertices if known.

    The class is the name of the item's. Items without points have no row.

    >>> import perslay
    >>> square = perslay.Graphs([[(0, 1), (1, 2), (2, 3), (3, 0)]], labels=["square"])
    >>> perslay.diagrams(square, "degree", kinds=["ext0", "ext1"]).to_pandas()
       item filtration  kind   class  birth  death  birth_vertex  death_vertex
    0     0     degree  ext0  square    2.0    2.0             0             3
    1     0     degree  ext1  square    2.0    2.0             3             0
    """
    pandas = _needed("pandas")
    frames = []
    vertices = all(batch.vertices is not None for batch in self.groups.values())
    for (filtration, kind), batch in self.groups.items():
        columns = _columns(batch, vertices)
        item = columns.pop("item")
        named: dict[str, Any] = {"item": item, "filtration": filtration, "kind": kind}
        if self.labels is not None:
            named["class"] = np.array(self.classes, dtype=object)[self.labels[item]]
        frames.append(pandas.DataFrame(named | columns))
    return pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame()


def _lists(batch: _core.DiagramBatch) -> Any:
    """A list array of Arrow: a list of pairs (birth, death) for each item. The points are not copied."""
    arrow = _needed("pyarrow")
    points = arrow.FixedSizeListArray.from_arrays(arrow.array(batch.points.reshape(-1)), 2)
    return arrow.LargeListArray.from_arrays(arrow.array(batch.offsets), points)


def batch_to_arrow(self: _core.DiagramBatch) -> Any:
    """A list array of Arrow: for each item a list of pairs (birth, death).

    >>> import perslay
    >>> perslay.DiagramBatch([[(1, 2)], []]).to_arrow().to_pylist()
    [[[1.0, 2.0]], []]
    """
    return _lists(self)


def set_to_arrow(self: _core.DiagramSet) -> Any:
    """A table of Arrow with a row for each item: a column of lists of pairs (birth, death) for each group, and classes.

    >>> import perslay
    >>> perslay.DiagramSet({("degree", "ext0"): [[(1, 2)], []]}, labels=["a", "b"]).to_arrow().to_pylist()
    [{'class': 'a', 'degree ext0': [[1.0, 2.0]]}, {'class': 'b', 'degree ext0': []}]
    """
    arrow = _needed("pyarrow")
    columns = {}
    if self.labels is not None:
        columns["class"] = arrow.array([self.classes[label] for label in self.labels])
    for (filtration, kind), batch in self.groups.items():
        columns[f"{filtration} {kind}"] = _lists(batch)
    return arrow.table(columns)
