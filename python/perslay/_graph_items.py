"""From graphs that people have (arrays, SciPy, NetworkX, PyTorch Geometric) to the packed arrays that the core reads.

Nothing is imported for it: objects are known by what they can do.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core
from ._core import number_of_word
from ._labels import as_numpy, classes_of, vertex_labels


class Wanted(NamedTuple):
    """What is read of each graph beside its edges: names of attributes, or arguments of `Graphs` that are no names."""

    labels: Any
    node_labels: Any
    node_attributes: Any
    weights: Any


class Item(NamedTuple):
    """One graph in arrays; None where it has nothing, or where nothing is wanted."""

    edges: np.ndarray
    num_nodes: int
    weights: Any = None
    node_labels: Any = None
    node_attributes: Any = None
    label: Any = None


def pack_graphs(
    items: Any, labels: Any, node_labels: Any, node_attributes: Any, weights: Any, num_nodes: Any
) -> dict[str, Any]:
    """The dictionary that the core makes a batch of."""
    if labels is None and isinstance(items, _core.Graphs) and items.labels is not None:
        labels = np.array(items.classes)[items.labels]
    units = _units(items)
    wanted = Wanted(labels, node_labels, _names(node_attributes), weights)
    graphs: list[Item] = []
    for unit, size in zip(units, _sizes(num_nodes, len(units))):
        graphs += _read(unit, wanted, size, len(graphs))
    own_labels = [graph.label for graph in graphs]
    if isinstance(labels, str) or (labels is None and graphs and all(label is not None for label in own_labels)):
        labels = own_labels
    numbers, classes = classes_of(labels)
    edges = [graph.edges for graph in graphs]
    edge_counts, node_counts = [len(part) for part in edges], [graph.num_nodes for graph in graphs]
    return {
        "edges": np.concatenate(edges) if edges else np.empty((0, 2), np.int64),
        "offsets": np.cumsum([0, *edge_counts]),
        "sizes": np.array(node_counts, np.int64),
        "weights": _joined(weights, [graph.weights for graph in graphs], edge_counts, "weights", "edges"),
        "node_labels": _node_labels(node_labels, [graph.node_labels for graph in graphs], node_counts),
        "node_attributes": _attributes(
            wanted.node_attributes, [graph.node_attributes for graph in graphs], node_counts
        ),
        "labels": numbers,
        "classes": classes,
    }


def is_graph(item: Any) -> bool:
    """Whether it is one graph, or a batch of PyTorch Geometric, which looks like one."""
    return (
        isinstance(item, _core.Graph)
        or hasattr(item, "tocoo")
        or (hasattr(item, "edge_index") and not is_dataset(item))
        or (hasattr(item, "nodes") and hasattr(item, "edges"))
    )


def is_dataset(item: Any) -> bool:
    """Whether it is a dataset that holds graphs in one piece and gives them by number: one of PyTorch Geometric."""
    return hasattr(item, "slices") and hasattr(item, "__len__") and hasattr(item, "__getitem__")


# ---- one by one


def _units(items: Any) -> list[Any]:
    """What `items` is a list of, with the graphs of datasets in their place. A single graph is a list of one."""
    if is_graph(items) or (isinstance(items, np.ndarray) and items.ndim == 2 and items.dtype != object):
        return [items]
    if isinstance(items, (str, bytes, os.PathLike)):
        raise ValueError("A path is read by perslay.read_graphs(path).")
    if hasattr(items, "edge_index_dict"):
        raise ValueError(
            "A heterogeneous graph has several kinds of vertices; data.to_homogeneous() makes one of them."
        )
    indexed = hasattr(items, "__len__") and hasattr(items, "__getitem__")
    if is_dataset(items) or (indexed and not isinstance(items, Iterable)):
        return [items[place] for place in range(len(items))]
    if not isinstance(items, Iterable):
        raise ValueError(f"Graphs are a list of graphs, not {type(items).__name__}.")
    units: list[Any] = []
    for item in items:
        units += _units(item) if is_dataset(item) or hasattr(item, "edge_index_dict") else [item]
    return units


def _sizes(num_nodes: Any, count: int) -> Sequence[Any]:
    if num_nodes is None:
        return [None] * count
    sizes = np.broadcast_to(np.asarray(num_nodes), (count,)) if np.ndim(num_nodes) == 0 else np.asarray(num_nodes)
    if sizes.shape != (count,) or sizes.dtype.kind not in "iu":
        raise ValueError(f"num_nodes must be an integer or one for each of {count} graphs.")
    return sizes.tolist()


def _read(unit: Any, wanted: Wanted, size: int | None, place: int) -> list[Item]:
    """The graphs of one object; several if it is a batch."""
    if isinstance(unit, _core.Graph):
        _no_label(wanted, place)
        return [Item(unit.edges.astype(np.int64), unit.num_nodes, unit.weights, unit.node_labels, unit.node_attributes)]
    if hasattr(unit, "edge_index"):
        return _of_geometric(unit, wanted, place)
    if hasattr(unit, "tocoo"):
        _no_label(wanted, place)
        return [_of_sparse(unit, wanted, place)]
    if hasattr(unit, "nodes") and hasattr(unit, "edges"):
        return [_of_networkx(unit, wanted, place)]
    _no_label(wanted, place)
    if isinstance(unit, tuple) and len(unit) == 2 and np.ndim(unit[1]) == 0:
        unit, size = unit[0], int(unit[1])
    edges = _edge_array(unit, place)
    count = int(edges.max()) + 1 if size is None and len(edges) else size or 0
    return [Item(edges, _plausible(count, len(edges), place))]


def _no_label(wanted: Wanted, place: int) -> None:
    """Refuses a label by name where there are no names."""
    if isinstance(wanted.labels, str):
        raise ValueError(f"Graph {place} has no attribute '{wanted.labels}' with one value, which is to be its label.")


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


def _of_sparse(matrix: Any, wanted: Wanted, place: int) -> Item:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"The adjacency matrix of graph {place} is not square: its shape is {tuple(matrix.shape)}.")
    entries = matrix.tocoo(copy=True)
    entries.sum_duplicates()
    there = entries.data != 0
    edges = np.stack([entries.row[there], entries.col[there]], axis=1).astype(np.int64)
    return Item(edges, matrix.shape[0], entries.data[there] if wanted.weights is True else None)


# ---- NetworkX


def _of_networkx(graph: Any, wanted: Wanted, place: int) -> Item:
    ids = {node: i for i, node in enumerate(graph.nodes)}
    edges = np.array([(ids[a], ids[b]) for a, b in graph.edges()], np.int64).reshape(-1, 2)
    weights = labels = attributes = label = None
    if wanted.weights is True or isinstance(wanted.weights, str):
        name = "weight" if wanted.weights is True else wanted.weights
        if len(edges) and not any(name in data for _, _, data in graph.edges(data=True)):
            raise ValueError(f"No edge of graph {place} has the attribute '{name}'.")
        weights = [data.get(name, 1.0) for _, _, data in graph.edges(data=True)]  # 1 as NetworkX has it
    if isinstance(wanted.node_labels, str):
        labels = _of_nodes(graph, wanted.node_labels, place)
    if wanted.node_attributes is True:
        raise ValueError("Nodes of NetworkX have attributes by name; node_attributes is a name or a list of names.")
    if _are_names(wanted.node_attributes):
        attributes = _columns({name: _of_nodes(graph, name, place) for name in wanted.node_attributes}, len(ids), place)
    if isinstance(wanted.labels, str):
        label = _one_label(graph.graph.get(wanted.labels), wanted.labels, place)
    return Item(edges, len(ids), weights, labels, attributes, label)


def _of_nodes(graph: Any, name: str, place: int) -> list[Any]:
    """An attribute of all nodes."""
    values = []
    for node, data in graph.nodes(data=True):
        if data.get(name) is None:
            raise ValueError(f"Graph {place} has nodes without the attribute '{name}', such as {node!r}.")
        values.append(data[name])
    return values


def _one_label(found: Any, name: str, place: int) -> Any:
    """A graph's own label."""
    if found is None or np.size(as_numpy(found)) != 1:
        raise ValueError(f"Graph {place} has no attribute '{name}' with one value, which is to be its label.")
    return as_numpy(found).reshape(-1)[0].item()


# ---- PyTorch Geometric


def _of_geometric(data: Any, wanted: Wanted, place: int) -> list[Item]:
    """The graphs of a `Batch`, or the one of a `Data`."""
    if data.edge_index is None:
        raise ValueError(f"Graph {place} has no edge_index.")
    pairs = as_numpy(data.edge_index)
    if pairs.ndim != 2 or pairs.shape[0] != 2:
        raise ValueError(f"The edge_index of graph {place} must have the shape (2, N), not {pairs.shape}.")
    edges = _edge_array(pairs.T, place)
    bounds = _bounds(data, edges, place)
    count, vertices = len(bounds) - 1, int(bounds[-1])
    if len(edges) and edges.max() >= vertices:
        raise ValueError(f"Graph {place}: an edge has the vertex {edges.max()}, and there are {vertices} vertices.")
    ends = np.searchsorted(bounds, edges, side="right") - 1
    if (ends[:, 0] != ends[:, 1]).any():
        a, b = ends[np.argmax(ends[:, 0] != ends[:, 1])]
        raise ValueError(f"An edge of the batch joins graphs {place + a} and {place + b}.")
    order = np.argsort(ends[:, 0], kind="stable")
    cuts = np.searchsorted(ends[order, 0], np.arange(count + 1))

    weights = labels = attributes = None
    if wanted.weights is True or isinstance(wanted.weights, str):
        weights = _column(data, "edge_weight" if wanted.weights is True else wanted.weights, len(edges), "edges", place)
    if isinstance(wanted.node_labels, str):
        labels = _column(data, wanted.node_labels, vertices, "vertices", place)
    if wanted.node_attributes in (None, True):
        found = getattr(data, "x", None)
        attributes = None if found is None else _columns({"x": found}, vertices, place)
    elif _are_names(wanted.node_attributes):
        attributes = _columns({name: _known(data, name, place) for name in wanted.node_attributes}, vertices, place)
    targets = _targets(data, wanted.labels, count, place)

    graphs = []
    for g in range(count):
        own, nodes = order[cuts[g] : cuts[g + 1]], slice(bounds[g], bounds[g + 1])
        graphs.append(
            Item(
                edges[own] - bounds[g],
                int(bounds[g + 1] - bounds[g]),
                None if weights is None else weights[own],
                None if labels is None else labels[nodes],
                None if attributes is None else attributes[nodes],
                targets[g],
            )
        )
    return graphs


def _bounds(data: Any, edges: np.ndarray, place: int) -> np.ndarray:
    """Where the vertices of each graph begin; one more than there are graphs."""
    if (begins := getattr(data, "ptr", None)) is not None:
        bounds = as_numpy(begins).astype(np.int64)
        if bounds.ndim != 1 or not (len(bounds) and bounds[0] == 0 and (np.diff(bounds) >= 0).all()):
            raise ValueError(f"The batch at graph {place} has a ptr that does not ascend from 0.")
        return bounds
    size = getattr(data, "num_nodes", None)
    if (owners := getattr(data, "batch", None)) is not None:
        owners = as_numpy(owners)
        if owners.ndim != 1 or (np.diff(owners) < 0).any() or (len(owners) and owners[0] < 0):
            raise ValueError(f"The batch at graph {place} has a vector batch that does not ascend; sort its vertices.")
        count = getattr(data, "num_graphs", None) or (int(owners[-1]) + 1 if len(owners) else 0)
        return np.searchsorted(owners, np.arange(count + 1))
    if size is None:
        size = int(edges.max()) + 1 if len(edges) else 0
    return np.array([0, int(size)])


def _targets(data: Any, labels: Any, count: int, place: int) -> list[Any]:
    """The label of each graph; None if there is none, or if labels are given otherwise."""
    if not (labels is None or isinstance(labels, str)):
        return [None] * count
    name = labels or "y"
    found = getattr(data, name, None)
    if found is None:
        if labels is not None:
            _one_label(None, name, place)
        return [None] * count
    values = as_numpy(found)
    if values.size == 0 and labels is None:
        return [None] * count
    if values.size != count:
        where = f"Graph {place} has" if count == 1 else f"The batch of {count} graphs at graph {place} has"
        raise ValueError(
            f"{where} {values.size} values in {name}, and a label is one value for each graph. Give labels=[...], name "
            "another attribute, or read none with labels=False."
        )
    return values.reshape(-1).tolist()


def _known(data: Any, name: str, place: int) -> Any:
    found = getattr(data, name, None)
    if found is None:
        raise ValueError(f"Graph {place} has no attribute '{name}'.")
    return found


def _column(data: Any, name: str, count: int, of: str, place: int) -> np.ndarray:
    """An attribute with one value for each edge or vertex."""
    array = as_numpy(_known(data, name, place))
    array = array.reshape(-1) if array.ndim == 2 and array.shape[1] == 1 else array
    if array.shape != (count,):
        raise ValueError(
            f"'{name}' of graph {place} must hold one value for each of {count} {of}, and its shape is {array.shape}."
        )
    return array


# ---- what belongs to vertices and edges, of all graphs


def _names(node_attributes: Any) -> Any:
    """One name as a list of one."""
    return [node_attributes] if isinstance(node_attributes, str) else node_attributes


def _are_names(node_attributes: Any) -> bool:
    return isinstance(node_attributes, (list, tuple)) and all(isinstance(name, str) for name in node_attributes)


def _columns(named: dict[str, Any], nodes: int, place: int) -> np.ndarray:
    """Attributes side by side: an array (nodes, numbers)."""
    parts = []
    for name, values in named.items():
        try:
            array = as_numpy(values)
        except ValueError:  # rows of different lengths
            array = np.empty(1, object)
        if nodes == 0 and array.size == 0:
            array = array.reshape(0, array.shape[1] if array.ndim == 2 else 0)
        if array.dtype.kind not in "iufb":
            raise ValueError(f"'{name}' of graph {place} must hold numbers, not {array.dtype}; words are node_labels.")
        if array.ndim not in (1, 2) or len(array) != nodes:
            raise ValueError(
                f"'{name}' of graph {place} must have the shape ({nodes},) or ({nodes}, N), not {array.shape}; "
                "node_attributes=False reads none."
            )
        parts.append(array.reshape(nodes, array.size // nodes if nodes else array.shape[-1]))
    return np.concatenate(parts, axis=1) if parts else np.empty((nodes, 0))


def _attributes(given: Any, own: list[Any], counts: list[int]) -> np.ndarray | None:
    """Numbers of all vertices, from an argument with an array for each graph, or from the graphs themselves."""
    if given is False:
        return None
    if not (given is None or given is True or _are_names(given)):
        own = list(given)
        if len(own) != len(counts):
            raise ValueError(f"There are node attributes for {len(own)} graphs, but there are {len(counts)} graphs.")
        own = [_columns({"node_attributes": part}, count, i) for i, (part, count) in enumerate(zip(own, counts))]
    parts = [(i, part) for i, (part, count) in enumerate(zip(own, counts)) if count]
    missing = [i for i, part in parts if part is None]
    if len(missing) == len(parts) and not (given is True and parts):
        return None
    if missing:
        raise ValueError(
            f"Graph {missing[0]} has no node attributes (x), but others have; node_attributes=False reads none."
        )
    (first, model), *_ = parts
    for i, part in parts:
        if part.shape[1] != model.shape[1]:
            raise ValueError(f"Graph {i} has {part.shape[1]} node attributes, but graph {first} has {model.shape[1]}.")
    return np.concatenate([part for _, part in parts]).astype(np.float64) if model.shape[1] else None


def _node_labels(given: Any, own: list[Any], counts: list[int]) -> np.ndarray | None:
    """Labels of all vertices as integers. Two words with one number are refused."""
    known: dict[int, str] = {}
    parts = list(own if given is None or isinstance(given, str) else given)
    for part in parts:
        words = part if isinstance(part, (list, tuple)) else part.tolist() if isinstance(part, np.ndarray) else []
        for word in set(words) if words and all(isinstance(word, str) for word in words) else ():
            other = known.setdefault(number_of_word(word), word)
            if other != word:
                raise ValueError(
                    f"The node labels '{other}' and '{word}' have the same number; give numbers of your own."
                )
    numbers = [None if part is None else vertex_labels(part, i) for i, part in enumerate(parts)]
    if given is None or isinstance(given, str):
        return _joined(given, numbers, counts, "node labels", "vertices")
    return _joined(numbers, own, counts, "node labels", "vertices")


def _joined(given: Any, own: list[Any], counts: list[int], what: str, of: str) -> np.ndarray | None:
    """Numbers of all graphs, from an argument with an array for each graph, or from the graphs themselves."""
    own = [np.empty(0, np.int64) if part is None and not count else part for part, count in zip(own, counts)]
    if all(count == 0 for count in counts) and given is None:
        return None
    if given is None or given is True or isinstance(given, str):
        if given is None and any(part is None for part in own):
            return None
        if any(part is None for part in own):
            raise ValueError(f"Graph {[part is None for part in own].index(True)} has no {what}.")
        parts = [np.asarray(part) for part in own]
    else:
        parts = [np.asarray(part) for part in given]
        if len(parts) != len(counts):
            raise ValueError(f"There are {what} for {len(parts)} graphs, but there are {len(counts)} graphs.")
    for i, (part, count) in enumerate(zip(parts, counts)):
        if part.shape != (count,):
            raise ValueError(f"The {what} of graph {i} have the shape {part.shape}, and it has {count} {of}.")
    return np.concatenate(parts) if parts else None
