"""From what people have (arrays, SciPy, NetworkX, PyTorch Geometric) to the packed arrays that the core reads.

Nothing is imported for it: objects are known by what they can do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

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


def as_data(data: Any, content: str) -> Any:
    """What a model trained on `content` ('graphs', 'clouds' or 'diagrams') reads; paths are read as that."""
    if isinstance(data, (_core.Graphs, _core.Clouds, _core.DiagramSet)):
        return data
    if isinstance(data, (str, os.PathLike)):
        path = os.fspath(data)
        if content == "graphs":
            return _core.read_graphs(path, False, None)
        return _core.read_clouds(path, None) if content == "clouds" else _core.read_diagrams(path)
    if content == "diagrams":
        return as_diagrams(data)
    return _core.Graphs(data) if content == "graphs" else _core.Clouds(data)


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


def classes_of(labels: Any) -> tuple[list[int] | None, list[str]]:
    """Labels of any kind as numbers from 0, and the names of their classes in ascending order."""
    if labels is None:
        return None, []
    array = np.asarray(labels)
    if array.ndim != 1:
        raise ValueError(f"labels must have one axis, but their shape is {array.shape}.")
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
    items = _as_list(items)
    sizes = _sizes(num_nodes, len(items))
    parts = [_parts(item, node_labels, weights, sizes[i], i) for i, item in enumerate(items)]
    edges = [part[0] for part in parts]
    own_labels = [part[4] for part in parts]
    if labels is None and own_labels and all(label is not None for label in own_labels):
        labels = own_labels
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
    }


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
        return item.edges.astype(np.int64), item.num_nodes, item.weights, None, None
    if hasattr(item, "edge_index"):
        return _of_geometric(item, node_labels, weights, place)
    if hasattr(item, "tocoo"):
        return _of_sparse(item, weights, place)
    if hasattr(item, "nodes") and hasattr(item, "edges"):
        return _of_networkx(item, node_labels, weights, place)
    if isinstance(item, tuple) and len(item) == 2 and np.ndim(item[1]) == 0:
        item, size = item[0], int(item[1])
    edges = _edge_array(item, place)
    return edges, int(edges.max()) + 1 if size is None and len(edges) else size or 0, None, None, None


def _edge_array(edges: Any, place: int) -> np.ndarray:
    try:
        array = np.asarray(edges)
    except ValueError:
        array = np.empty(1, object)
    if array.size == 0:
        return np.empty((0, 2), np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"The edges of graph {place} must be integers, not {array.dtype}.")
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"The edges of graph {place} must have the shape (N, 2), not {array.shape}.")
    return array.astype(np.int64, copy=False)


def _of_sparse(matrix: Any, weights: Any, place: int) -> _Parts:
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"The adjacency matrix of graph {place} is not square: its shape is {tuple(matrix.shape)}.")
    entries = matrix.tocoo()
    there = entries.data != 0
    edges = np.stack([entries.row[there], entries.col[there]], axis=1).astype(np.int64)
    return edges, matrix.shape[0], entries.data[there] if weights is True else None, None, None


def _of_networkx(graph: Any, node_labels: Any, weights: Any, place: int) -> _Parts:
    ids = {node: i for i, node in enumerate(graph.nodes)}
    edges = np.array([(ids[a], ids[b]) for a, b in graph.edges()], np.int64).reshape(-1, 2)
    edge_weights = labels = None
    if weights is True or isinstance(weights, str):
        name = "weight" if weights is True else weights
        edge_weights = [data.get(name, 1.0) for _, _, data in graph.edges(data=True)]
    if isinstance(node_labels, str):
        labels = [data.get(node_labels) for _, data in graph.nodes(data=True)]
        if any(label is None for label in labels):
            raise ValueError(f"Graph {place} has nodes without the attribute '{node_labels}'.")
    return edges, len(ids), edge_weights, labels, None


def _of_geometric(data: Any, node_labels: Any, weights: Any, place: int) -> _Parts:
    pairs = np.asarray(data.edge_index)
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        raise ValueError(f"The edge_index of graph {place} must have the shape (2, N), not {pairs.shape}.")
    edges = _edge_array(pairs.T, place)
    size = getattr(data, "num_nodes", None)
    if size is None:
        size = int(edges.max()) + 1 if len(edges) else 0
    edge_weights = labels = None
    if weights is True or isinstance(weights, str):
        edge_weights = np.asarray(getattr(data, "edge_weight" if weights is True else weights)).reshape(-1)
    if isinstance(node_labels, str):
        labels = np.asarray(getattr(data, node_labels)).reshape(-1)
    target = getattr(data, "y", None)
    label = np.asarray(target).reshape(-1)[0].item() if target is not None and np.size(target) == 1 else None
    return edges, int(size), edge_weights, labels, label


def _joined(given: Any, own: list[Any], counts: list[int], what: str, of: str) -> np.ndarray | None:
    """Numbers of all graphs, from an argument with an array for each graph, or from the graphs themselves."""
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
    return np.concatenate(parts) if parts else None
