"""Graphs of NetworkX from ours."""

from __future__ import annotations

from typing import Any

from . import _core


def graph_to_networkx(self: _core.Graph) -> Any:
    """The same as a `networkx.Graph` with nodes 0, 1, 2, ...

    A node has its label as `label` and its attributes as `attribute:0`, `attribute:1`, ..., an edge its `weight`, as
    far as there are any. `perslay.Graphs(..., node_labels="label", node_attributes=["attribute:0"], weights=True)`
    reads them again.

    >>> import perslay
    >>> perslay.Graphs([[(0, 1)]], node_labels=[[5, 6]])[0].to_networkx().nodes(data=True)
    NodeDataView({0: {'label': 5}, 1: {'label': 6}})
    """
    try:
        import networkx
    except ImportError as error:
        raise ImportError("This needs NetworkX; install it with: pip install 'perslay[networkx]'") from error
    graph = networkx.Graph()
    graph.add_nodes_from(range(self.num_nodes))
    if self.weights is None:
        graph.add_edges_from(self.edges.tolist())
    else:
        graph.add_weighted_edges_from((a, b, w) for (a, b), w in zip(self.edges.tolist(), self.weights.tolist()))
    if self.node_labels is not None:
        networkx.set_node_attributes(graph, dict(enumerate(self.node_labels.tolist())), "label")
    if self.node_attributes is not None:
        for column, values in enumerate(self.node_attributes.T.tolist()):
            networkx.set_node_attributes(graph, dict(enumerate(values)), f"attribute:{column}")
    return graph


def graphs_to_networkx(self: _core.Graphs) -> list[Any]:
    """A `networkx.Graph` for each graph, see `Graph.to_networkx`; its class is `graph.graph["label"]`.

    >>> import perslay
    >>> networks = perslay.shapes(per_class=1).to_networkx()
    >>> [(len(network), network.graph["label"]) for network in networks]
    [(36, '0'), (49, '1'), (20, '2')]
    """
    networks = [graph_to_networkx(graph) for graph in self]
    if self.labels is not None:
        for network, label in zip(networks, self.labels):
            network.graph["label"] = self.classes[label]
    return networks
