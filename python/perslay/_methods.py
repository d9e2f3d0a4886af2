"""Methods of the compiled classes that are written in Python."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from . import _core
from ._html import batch_html, clouds_html, graphs_html, set_html
from ._networks import graph_to_networkx, graphs_to_networkx
from ._tables import batch_to_arrow, batch_to_pandas, set_to_arrow, set_to_pandas

METHODS: dict[type, dict[str, Callable[..., Any]]] = {
    _core.Graph: {"to_networkx": graph_to_networkx},
    _core.Graphs: {"to_networkx": graphs_to_networkx, "_repr_html_": graphs_html},
    _core.Clouds: {"_repr_html_": clouds_html},
    _core.DiagramBatch: {"to_pandas": batch_to_pandas, "to_arrow": batch_to_arrow, "_repr_html_": batch_html},
    _core.DiagramSet: {"to_pandas": set_to_pandas, "to_arrow": set_to_arrow, "_repr_html_": set_html},
}

for _type, _methods in METHODS.items():
    for _name, _function in _methods.items():
        _function.__name__ = _name
        _function.__qualname__ = f"{_type.__name__}.{_name}"
        setattr(_type, _name, _function)


def _only(graphs: _core.Graphs) -> _core.Graph:
    return graphs[0]


copyreg.pickle(_core.Graph, lambda graph: (_only, (_core.Graphs([graph]),)))  # a batch of one
