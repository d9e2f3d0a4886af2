"""Functions on vertices: by name, as a callable of a graph, or as an array of values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._graph_items import is_graph
from ._labels import as_numpy

VertexFunction = Callable[[_core.Graph], Any]
Filtration = str | VertexFunction | np.ndarray | Sequence[Any] | Mapping[Any, Any]
"""What stands where a filtration is expected: names, functions of a graph, numbers, or a dictionary that names them."""

Asked = str | tuple[str, np.ndarray]
"""A function as the core takes it: a name, or a name and one value per vertex of all graphs."""


def as_functions(given: Any, items: Any, graphs: _core.Graphs) -> list[Asked]:
    """Everything that stands where a filtration is expected; `items` are the graphs as the user has them."""
    if isinstance(given, Mapping) and not (given and all(isinstance(value, _NUMBER) for value in given.values())):
        named = [_named(str(name), function, items, graphs) for name, function in given.items()]
    elif isinstance(given, str) or callable(given) or not _are_functions(given):
        named = [_named(None, given, items, graphs)]
    else:
        named = [_named(None, function, items, graphs) for function in given]
    names = [function if isinstance(function, str) else function[0] for function in named]
    if not names or len(set(names)) < len(names):
        raise ValueError(
            f"filtration needs one name or several different ones, not {names}; functions get names as "
            "{'name': function}."
        )
    return named


def name_of(function: Callable[..., Any]) -> str:
    """What a function is called; 'function' if it has no name."""
    name = getattr(function, "__name__", type(function).__name__)
    return "function" if name == "<lambda>" else name


_NUMBER = (int, float, np.number)


def _are_functions(given: Any) -> bool:
    """Whether it is a list of names and callables, and not one of values."""
    if isinstance(given, np.ndarray):
        return bool(given.dtype.kind == "U")
    return isinstance(given, (list, tuple)) and all(isinstance(one, str) or callable(one) for one in given)


def _named(name: str | None, given: Any, items: Any, graphs: _core.Graphs) -> Asked:
    if isinstance(given, str):
        if name is not None and name != given:
            raise ValueError(f"A dictionary of filtrations gives names to functions and values; '{given}' has its own.")
        return given
    if callable(given):
        name = name or name_of(given)
        values = [_call(given, name, graph, place) for place, graph in enumerate(graphs)]
        return name, _joined(values, graphs, f"values of '{name}'")
    if not isinstance(given, Iterable):
        raise ValueError(f"A filtration is a name, a function of a graph or numbers for its vertices, not {given!r}.")
    return name or "values", packed_values(in_node_order(given, items), graphs)


def _call(function: VertexFunction, name: str, graph: _core.Graph, place: int) -> np.ndarray:
    """The values of a user's function on one graph, in the order of its vertices."""
    try:
        values = function(graph)
        if isinstance(values, Mapping):
            values = [values[vertex] for vertex in range(graph.num_nodes)]
        return as_numpy(values)
    except Exception as error:
        raise ValueError(f"Filtration '{name}' fails at graph {place}: {type(error).__name__}: {error}") from error


def in_node_order(values: Any, graphs: Any) -> Any:
    """Numbers by node, as NetworkX's functions give them, in the order of each graph's nodes; all else as it is."""
    if isinstance(values, Mapping):
        values = [values]
    if not (isinstance(values, (list, tuple)) and values and all(isinstance(one, Mapping) for one in values)):
        return values
    items = [] if isinstance(graphs, _core.Graphs) else [graphs] if is_graph(graphs) else list(graphs)
    if len(items) != len(values) or not all(hasattr(item, "nodes") for item in items):
        raise ValueError("Values by node need a NetworkX graph for each dictionary; otherwise give arrays.")
    ordered = []
    for place, (item, own) in enumerate(zip(items, values)):
        missing = [node for node in item.nodes if node not in own]
        if missing:
            raise ValueError(f"Node {missing[0]!r} of graph {place} has no value.")
        ordered.append([own[node] for node in item.nodes])
    return ordered


def packed_values(values: Any, graphs: _core.Graphs) -> np.ndarray:
    """One number per vertex of all graphs, from an array or list of them or from an array for each graph."""
    packed = values if isinstance(values, np.ndarray) and values.dtype != object else None
    parts = [] if packed is not None else [as_numpy(part) for part in values]
    if parts and all(part.ndim == 0 for part in parts):  # a list of numbers
        packed = np.asarray(values)
    if packed is not None and packed.ndim == 1:
        total = int(graphs.vertex_offsets[-1])
        if len(packed) != total:
            raise ValueError(f"There are {len(packed)} values for {total} vertices of all graphs.")
        parts = graphs.split(packed)
    elif packed is not None:
        parts = list(packed)
    if len(parts) != len(graphs):
        raise ValueError(f"There are values for {len(parts)} graphs, but there are {len(graphs)} graphs.")
    return _joined(parts, graphs, "values")


def _joined(parts: list[np.ndarray], graphs: _core.Graphs, what: str) -> np.ndarray:
    """The values of each graph, one finite number per vertex, one after the other."""
    for place, (part, nodes) in enumerate(zip(parts, graphs.num_nodes)):
        if part.shape != (nodes,):
            raise ValueError(f"The {what} of graph {place} have the shape {part.shape}, and it has {nodes} vertices.")
        if part.dtype.kind not in "iufb" and nodes:
            raise ValueError(f"The {what} of graph {place} must be real numbers, not {part.dtype}.")
        if nodes and not (finite := np.isfinite(part)).all():
            vertex = int(np.argmin(finite))
            raise ValueError(f"The {what} of graph {place} must be finite, and vertex {vertex} has {part[vertex]}.")
    return np.concatenate(parts).astype(np.float64) if parts else np.empty(0)
