"""From what people have (arrays, SciPy, NetworkX, PyTorch Geometric) to the packed arrays that the core reads.

Nothing is imported for it: objects are known by what they can do.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core


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
    """What can be learned from: a list of graphs becomes `Graphs`, whose labels are the graphs' own."""
    if isinstance(data, (list, tuple)) and data and all(_is_graph(item) for item in data):
        return _core.Graphs(data)
    return data


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


def in_node_order(values: Any, graphs: Any) -> Any:
    """Numbers by node, as NetworkX's functions give them, in the order of each graph's nodes; all else as it is."""
    if isinstance(values, Mapping):
        values = [values]
    if not (isinstance(values, (list, tuple)) and values and all(isinstance(one, Mapping) for one in values)):
        return values
    items = [] if isinstance(graphs, _core.Graphs) else _as_list(graphs)
    if len(items) != len(values) or not all(hasattr(item, "nodes") for item in items):
        raise ValueError("Values by node need a NetworkX graph for each dictionary; otherwise give arrays.")
    ordered = []
    for place, (item, own) in enumerate(zip(items, values)):
        missing = [node for node in item.nodes if node not in own]
        if missing:
            raise ValueError(f"Node {missing[0]!r} of graph {place} has no value.")
        ordered.append([own[node] for node in item.nodes])
    return ordered


def as_values(values: Any, graphs: _core.Graphs) -> np.ndarray:
    """One number per vertex of all graphs: packed already, or an array for each graph."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype != object:
        return values
    parts = [np.asarray(part) for part in values]
    if parts and all(part.ndim == 0 for part in parts):  # a list of numbers
        return np.asarray(values)
    if len(parts) != len(graphs):
        raise ValueError(f"There are values for {len(parts)} graphs, but there are {len(graphs)} graphs.")
    for i, (part, nodes) in enumerate(zip(parts, graphs.num_nodes)):
        if part.shape != (nodes,):
            raise ValueError(f"The values of graph {i} have the shape {part.shape}, and it has {nodes} vertices.")
    return np.concatenate(parts) if parts else np.empty(0)


def measured_label(labels: Any) -> float | None:
    """The first of these numbers that is not whole, if they are numbers: then they are no classes."""
    array = np.asarray(labels)
    if array.dtype == object and all(isinstance(label, (int, float, np.number)) for label in array):
        array = array.astype(float)
    if array.dtype.kind != "f":
        return None
    fractions = array[~(np.isfinite(array) & (np.trunc(array) == array))]
    return float(fractions[0]) if fractions.size else None


def classes_of(labels: Any) -> tuple[list[int] | None, list[str]]:
    """Labels of any kind as numbers from 0, and the names of their classes in ascending order."""
    if labels is None:
        return None, []
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"labels must have one axis, but their shape is {array.shape}.")
    if array.dtype == object and any(label is None for label in array):
        raise ValueError(f"Item {[label is None for label in array].index(True)} has None for a label.")
    measured = measured_label(array)
    if measured is not None:
        raise ValueError(f"The labels are numbers such as {measured!r}, not classes; classes are whole numbers or words.")
    if array.dtype.kind == "f":
        array = array.astype(np.int64)  # 1.0 is the class 1
    classes, numbers = np.unique(array, return_inverse=True)
    return numbers.tolist(), [str(name) for name in classes.tolist()]


def pack_clouds(items: Any, labels: Any) -> tuple[Iterable[Any], list[int] | None, list[str]]:
    if isinstance(items, np.ndarray) and items.ndim == 2:
        items = [items]
    if not isinstance(items, Iterable) or isinstance(items, (str, bytes)):
        raise ValueError(f"Clouds are a list of arrays (N, 2) or an array (clouds, N, 2), not {type(items).__name__}.")
    return items, *classes_of(labels)


def pack_groups(groups: Any, labels: Any) -> tuple[dict[tuple[str, str], Any], list[int] | None, list[str]]:
    named = {}
    for key, diagrams in groups.items():
        if not (isinstance(key, tuple) and len(key) == 2):
            raise ValueError(f"Groups have keys such as ('hks:10', 'ext1'), not {key!r}.")
        named[key] = as_batch(diagrams)
    return named, *classes_of(labels)


# ---- graphs

_Parts = tuple[np.ndarray, int, Any, Any, Any]
"""Edges, number of vertices, weights, node labels and the graph's label; the last three may be None."""


def pack_graphs(items: Any, labels: Any, node_labels: Any, weights: Any, num_nodes: Any) -> dict[str, Any]:
    """The dictionary that the core makes a batch of."""
    if labels is None and isinstance(items, _core.Graphs) and items.labels is not None:
        labels = np.array(items.classes)[items.labels]
    items = _as_list(items)
    if isinstance(labels, str):
        labels = [_attribute(item, labels, place) for place, item in enumerate(items)]
    sizes = _sizes(num_nodes, len(items))
    parts = [_parts(item, node_labels, weights, sizes[i], i) for i, item in enumerate(items)]
    edges = [part[0] for part in parts]
    own_labels = [part[4] for part in parts]
    notes = []
    if labels is None and own_labels and all(label is not None for label in own_labels):
        measured = measured_label(own_labels)
        labels = own_labels if measured is None else None
        if measured is not None:
            notes.append(f"The labels y are numbers such as {measured!r}, not classes, so the graphs have no labels.")
    numbers, classes = classes_of(labels)
    return {
        "edges": np.concatenate(edges) if edges else np.empty((0, 2), np.int64),
        "offsets": np.cumsum([0] + [len(part) for part in edges]),
        "sizes": np.array([part[1] for part in parts], np.int64),
        "weights": _joined(weights, [part[2] for part in parts], [len(part) for part in edges], "weights", "edges"),
        "node_labels": _joined(node_labels, [part[3] for part in parts], [part[1] for part in parts],
                               "node labels", "vertices"),
        "labels": numbers,
        "classes": classes,
        "notes": notes,
    }


def _attribute(graph: Any, name: str, place: int) -> Any:
    """A graph's own label."""
    found = graph.graph.get(name) if isinstance(getattr(graph, "graph", None), dict) else getattr(graph, name, None)
    if found is None or np.size(_numpy(found)) != 1:
        raise ValueError(f"Graph {place} has no attribute '{name}' with one value, which is to be its label.")
    return _numpy(found).reshape(-1)[0].item()


def _numpy(values: Any) -> np.ndarray:
    """Also of tensors, wherever they are."""
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)


def _as_list(items: Any) -> list[Any]:
    """A single graph is a batch of one."""
    if _is_graph(items) or (isinstance(items, np.ndarray) and items.ndim == 2 and items.dtype != object):
        return [items]
    if isinstance(items, (str, bytes, os.PathLike)):
        raise ValueError("A path is read by perslay.read_graphs(path).")
    if not isinstance(items, Iterable):
        raise ValueError(f"Graphs are a list of graphs, not {type(items).__name__}.")
    return list(items)


def _is_graph(item: Any) -> bool:
    return (
        isinstance(item, _core.Graph)
        or hasattr(item, "tocoo")
        or hasattr(item, "edge_index")
        or (hasattr(item, "nodes") and hasattr(item, "edges"))
    )


def _sizes(num_nodes: Any, count: int) -> Sequence[Any]:
    if num_nodes is None:
        return [None] * count
    sizes = np.broadcast_to(np.asarray(num_nodes), (count,)) if np.ndim(num_nodes) == 0 else np.asarray(num_nodes)
    if sizes.shape != (count,) or sizes.dtype.kind not in "iu":
        raise ValueError(f"num_nodes must be an integer or one for each of {count} graphs.")
    return sizes.tolist()


def _parts(item: Any, node_labels: Any, weights: Any, size: int | None, place: int) -> _Parts:
    if isinstance(item, _core.Graph):
        return item.edges.astype(np.int64), item.num_nodes, item.weights, item.node_labels, None
    if hasattr(item, "edge_index"):
        return _of_geometric(item, node_labels, weights, place)
    if hasattr(item, "tocoo"):
        return _of_sparse(item, weights, place)
    if hasattr(item, "nodes") and hasattr(item, "edges"):
        return _of_networkx(item, node_labels, weights, place)
    if isinstance(item, tuple) and len(item) == 2 and np.ndim(item[1]) == 0:
        item, size = item[0], int(item[1])
    edges = _edge_array(item, place)
    count = int(edges.max()) + 1 if size is None and len(edges) else size or 0
    return edges, _plausible(count, len(edges), place), None, None, None


def _edge_array(edges: Any, place: int) -> np.ndarray:
    try:
        array = np.asarray(edges)
    except ValueError:
        array = np.empty(1, object)
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"The edges of graph {place} must be integers, not {array.dtype}.")
    if array.max() >= 2**31 - 1:
        raise ValueError(f"Graph {place} has a vertex {array.max()}; vertices are numbered from 0 to {2**31 - 2}.")
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"The edges of graph {place} must have the shape (N, 2), not {array.shape}{_hint(array)}.")
    return array.astype(np.int64, copy=False)


def _plausible(vertices: int, edges: int, place: int) -> int:
    """Vertices cost memory, and a graph with few edges and that many vertices is a mistake."""
    if vertices > 10**8 and vertices > 64 * (edges + 1):
        raise ValueError(f"Graph {place} would have {vertices} vertices and only {edges} edges; number the vertices anew.")
    return vertices


def _hint(edges: np.ndarray) -> str:
    """What was meant, perhaps."""
    if edges.shape in ((), (2,)):
        return "; a single graph goes into a list"
    if edges.ndim == 2 and edges.shape[0] == 2:
        return "; an array (2, N) has to be transposed"
    if edges.ndim == 2 and edges.shape[0] == edges.shape[1]:
        return "; an adjacency matrix goes through scipy.sparse.coo_array"
    return ""


def _of_sparse(matrix: Any, weights: Any, place: int) -> _Parts:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"The adjacency matrix of graph {place} is not square: its shape is {tuple(matrix.shape)}.")
    entries = matrix.tocoo(copy=True)
    entries.sum_duplicates()
    there = entries.data != 0
    edges = np.stack([entries.row[there], entries.col[there]], axis=1).astype(np.int64)
    return edges, matrix.shape[0], entries.data[there] if weights is True else None, None, None


def _of_networkx(graph: Any, node_labels: Any, weights: Any, place: int) -> _Parts:
    ids = {node: i for i, node in enumerate(graph.nodes)}
    edges = np.array([(ids[a], ids[b]) for a, b in graph.edges()], np.int64).reshape(-1, 2)
    edge_weights = labels = None
    if weights is True or isinstance(weights, str):
        name = "weight" if weights is True else weights
        if len(edges) and not any(name in data for _, _, data in graph.edges(data=True)):
            raise ValueError(f"No edge of graph {place} has the attribute '{name}'.")
        edge_weights = [data.get(name, 1.0) for _, _, data in graph.edges(data=True)]  # 1 as NetworkX has it
    if isinstance(node_labels, str):
        labels = [data.get(node_labels) for _, data in graph.nodes(data=True)]
        if any(label is None for label in labels):
            raise ValueError(f"Graph {place} has nodes without the attribute '{node_labels}'.")
    return edges, len(ids), edge_weights, labels, None


def _of_geometric(data: Any, node_labels: Any, weights: Any, place: int) -> _Parts:
    pairs = _numpy(data.edge_index)
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        raise ValueError(f"The edge_index of graph {place} must have the shape (2, N), not {pairs.shape}.")
    edges = _edge_array(pairs.T, place)
    size = getattr(data, "num_nodes", None)
    if size is None:
        size = int(edges.max()) + 1 if len(edges) else 0
    edge_weights = labels = None
    if weights is True or isinstance(weights, str):
        edge_weights = _column(data, "edge_weight" if weights is True else weights, place)
    if isinstance(node_labels, str):
        labels = _column(data, node_labels, place)
    target = getattr(data, "y", None)
    numbers = _numpy([] if target is None else target).reshape(-1)
    label = numbers[0].item() if numbers.size == 1 else None
    return edges, int(size), edge_weights, labels, label


def _column(data: Any, name: str, place: int) -> np.ndarray:
    """An attribute with one number for each edge or vertex."""
    found = getattr(data, name, None)
    if found is None:
        raise ValueError(f"Graph {place} has no attribute '{name}'.")
    array = _numpy(found)
    return array.reshape(-1) if array.ndim == 2 and array.shape[1] == 1 else array


def _joined(given: Any, own: list[Any], counts: list[int], what: str, of: str) -> np.ndarray | None:
    """Numbers of all graphs, from an argument with an array for each graph, or from the graphs themselves."""
    own = [np.empty(0, np.int64) if part is None and not count else part for part, count in zip(own, counts)]
    if all(count == 0 for count in counts) and given is None:
        return None
    if given is None or given is True or isinstance(given, str):
        if given is None and any(part is None for part in own):
            return None
        if any(part is None for part in own):
            raise ValueError(f"Graph {own.index(None)} has no {what}.")
        parts = [np.asarray(part) for part in own]
    else:
        parts = [np.asarray(part) for part in given]
        if len(parts) != len(counts):
            raise ValueError(f"There are {what} for {len(parts)} graphs, but there are {len(counts)} graphs.")
    for i, (part, count) in enumerate(zip(parts, counts)):
        if part.shape != (count,):
            raise ValueError(f"The {what} of graph {i} have the shape {part.shape}, and it has {count} {of}.")
        if of == "vertices" and part.dtype.kind not in "iu" and part.size > 0:
            raise ValueError(f"The node labels of graph {i} are {part.dtype}; number them, alike in all your data.")
    return np.concatenate(parts) if parts else None
