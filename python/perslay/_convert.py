"""From what people have to what the core reads; `_graph_items` does so for graphs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._graph_items import is_dataset, is_graph
from ._labels import classes_of


def as_graphs(graphs: Any) -> _core.Graphs:
    """Graphs as they are, anything else as `Graphs(...)` reads it."""
    return graphs if isinstance(graphs, _core.Graphs) else _core.Graphs(graphs)


def as_clouds(clouds: Any) -> _core.Clouds:
    """Clouds as they are, anything else as `Clouds(...)` reads it."""
    return clouds if isinstance(clouds, _core.Clouds) else _core.Clouds(clouds)


def as_diagrams(diagrams: Any) -> _core.DiagramBatch | _core.DiagramSet:
    """A set or batch as it is, a list of arrays as a batch."""
    if isinstance(diagrams, (_core.DiagramBatch, _core.DiagramSet)):
        return diagrams
    return as_batch(diagrams)


def as_batch(diagrams: Any) -> _core.DiagramBatch:
    """A batch as it is, a list of arrays as a batch."""
    if isinstance(diagrams, _core.DiagramBatch):
        return diagrams
    if isinstance(diagrams, _core.DiagramSet):
        raise ValueError("Here one batch is needed; choose it from the set by its kind, such as diagrams['ext1'].")
    if isinstance(diagrams, np.ndarray) and diagrams.ndim == 2:
        raise ValueError("Here a batch is needed, and an array (N, 2) is one diagram; put it into a list.")
    return _core.DiagramBatch(diagrams)


class DataKind(NamedTuple):
    """How a kind of data is held, made of what people have, and read from a path."""

    held: tuple[type, ...]
    make: Callable[[Any], Any]
    read: Callable[[str], Any]


DATA_KINDS = {
    "graphs": DataKind((_core.Graphs,), as_graphs, lambda path: _core.read_graphs(path, False, [], None, None)),
    "clouds": DataKind((_core.Clouds,), as_clouds, lambda path: _core.read_clouds(path, None)),
    "diagrams": DataKind((_core.DiagramSet, _core.DiagramBatch), as_diagrams, _core.read_diagrams),
}


def kind_of(data: Any) -> str | None:
    """The kind of data that is held already; None for all else."""
    return next((name for name, kind in DATA_KINDS.items() if isinstance(data, kind.held)), None)


def as_data(data: Any, content: str) -> Any:
    """What a model trained on `content`, a name of DATA_KINDS, reads; paths are read as that."""
    if kind_of(data) is not None:
        return data
    kind = DATA_KINDS[content]
    return kind.read(os.fspath(data)) if isinstance(data, (str, os.PathLike)) else kind.make(data)


def as_labelled(data: Any) -> Any:
    """What can be learned from: a list or dataset of graphs becomes `Graphs`, whose labels are the graphs' own."""
    listed = isinstance(data, (list, tuple)) and data and all(is_graph(item) for item in data)
    return _core.Graphs(data) if listed or is_graph(data) or is_dataset(data) else data


def as_count(number: Any, what: str) -> int:
    """A whole number, not negative."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 0:
        raise ValueError(f"{what} must be a whole number from 0 on, not {number!r}.")
    return int(number)


def as_range(ends: Any) -> tuple[float, float] | None:
    """Two numbers, or None as it is."""
    if ends is None:
        return None
    numbers = np.asarray(ends)
    if numbers.shape != (2,) or numbers.dtype.kind not in "iuf":
        raise ValueError(f"range is a pair of numbers, one for births and deaths alike, not {ends!r}.")
    return float(numbers[0]), float(numbers[1])


def assignments(overrides: Any) -> list[str]:
    """Changes of settings as the library reads them, from a dictionary or from texts such as "svm.folds=3"."""
    if isinstance(overrides, str):
        raise ValueError(f"overrides is a dictionary or a list of texts such as 'svm.folds=3', not '{overrides}'.")
    if isinstance(overrides, Mapping):
        return [f"{key}={value if isinstance(value, str) else _toml(value)}" for key, value in overrides.items()]
    return list(overrides or ())


def as_toml(settings: Mapping[str, Any]) -> str:
    """Settings as TOML, from keys such as "training.epochs" or "training" with a dictionary.

    >>> print(as_toml({"model": "svm:sw", "svm": {"costs": [1, 10]}, "data.filtrations": ["degree"]}))
    "model" = "svm:sw"
    "svm" = {"costs" = [1, 10]}
    "data"."filtrations" = ["degree"]
    """
    return "\n".join(f"{'.'.join(map(_quoted, str(key).split('.')))} = {_toml(value)}" for key, value in settings.items())


def _quoted(text: str) -> str:
    """A TOML string, which is one of JSON but for the last control character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _toml(value: Any) -> str:
    """A value of the settings."""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(str(key))} = {_toml(item)}" for key, item in value.items()) + "}"
    return repr(value.item() if isinstance(value, np.generic) else value)


def pack_clouds(items: Any, labels: Any) -> tuple[Iterable[Any], list[int] | None, list[str]]:
    if isinstance(items, np.ndarray) and items.ndim == 2:
        items = [items]
    if not isinstance(items, Iterable) or isinstance(items, (str, bytes)):
        raise ValueError(f"Clouds are a list of arrays (N, 2) or an array (clouds, N, 2), not {type(items).__name__}.")
    return items, *classes_of(labels)


def pack_groups(groups: Any, labels: Any) -> tuple[dict[tuple[str, str], Any], list[int] | None, list[str]]:
    if not isinstance(groups, Mapping):
        raise ValueError(f"Groups are a dictionary from pairs such as ('hks:10', 'ext1') to batches, not {groups!r}.")
    named = {}
    for key, diagrams in groups.items():
        if not (isinstance(key, tuple) and len(key) == 2):
            raise ValueError(f"Groups have keys such as ('hks:10', 'ext1'), not {key!r}.")
        named[key] = as_batch(diagrams)
    return named, *classes_of(labels)
