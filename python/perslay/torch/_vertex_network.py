"""A function on the vertices of graphs that is learned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from .._convert import as_graphs
from ._layer import drawn_seed, fill_uniform

LABEL_PLACES = 64
EPSILON = 1e-5
MOMENTUM = 0.1
SPREAD = 2.0  # two deviations lie within 0.02 ... 0.98


class VertexNetwork(nn.Module):
    """A function on vertices by message passing: a number between 0 and 1 for each vertex of all graphs, in float64.

    A vertex starts with log(1 + degree) and its label, one-hot in 64 places. Each of the layers, whose sizes are
    `widths`, adds to the features of a vertex those of its neighbours, divided by the root of both degrees, and puts
    the sum through two dense layers with ReLU, in the manner of graph isomorphism networks. Weights of edges are not
    read. The number at the end is normalised over the vertices of the batch, and squashed. In evaluation mode it is
    normalised by running averages, as in batch norm; they lag behind a training of few steps, so `fit` sets them.

    `extended_persistence(graphs, network(graphs), resolution=2**-30)` gives diagrams that are learned: gradients go
    back through them to the network's parameters. Vertices that an automorphism exchanges agree only up to rounding
    errors, and with that resolution these pair nothing.

    >>> import torch, perslay, perslay.torch
    >>> graphs = perslay.shapes(per_class=2)
    >>> network = perslay.torch.VertexNetwork([8, 8], seed=0)
    >>> values = network(graphs)
    >>> values.shape == (graphs.num_nodes.sum(),), values.dtype
    (True, torch.float64)
    >>> loops = perslay.torch.extended_persistence(graphs, values, resolution=2**-30)["ext1"]
    >>> loops.points.square().sum().backward()
    >>> bool(network.input.weight.grad.any())
    True
    """

    mean: Tensor
    variance: Tensor

    def __init__(self, widths: Sequence[int] = (16, 16), *, seed: int | None = None) -> None:
        super().__init__()
        self.widths = [_width(width) for width in widths]
        if not self.widths:
            raise ValueError("A VertexNetwork needs the widths of its layers, such as [16, 16].")
        generator = torch.Generator().manual_seed(drawn_seed(seed))
        self.input = _linear(1 + LABEL_PLACES, self.widths[0], generator)
        for place, (before, after) in enumerate(zip([self.widths[0], *self.widths], self.widths)):
            self.add_module(f"layer{place}a", _linear(before, after, generator))
            self.add_module(f"layer{place}b", _linear(after, after, generator))
        self.output = _linear(self.widths[-1], 1, generator)
        self.register_buffer("mean", torch.zeros(1, dtype=torch.float64))
        self.register_buffer("variance", torch.ones(1, dtype=torch.float64))

    def forward(self, graphs: Any) -> Tensor:
        """A tensor [vertices of all graphs]; `graphs` in any form that `perslay.Graphs` reads."""
        numbers = self._before_squashing(as_graphs(graphs))
        mean, variance = self.mean.double(), self.variance.double()
        if self.training and len(numbers) > 0:
            mean, variance = numbers.mean(), numbers.var(unbiased=False)
            with torch.no_grad():
                self.mean.lerp_(mean.detach().to(self.mean.dtype), MOMENTUM)
                self.variance.lerp_(variance.detach().to(self.variance.dtype), MOMENTUM)
        return torch.sigmoid(SPREAD * (numbers - mean) / (variance + EPSILON).sqrt())

    def fit(self, graphs: Any) -> VertexNetwork:
        """Takes mean and variance of these graphs, those of training, for evaluation mode."""
        with torch.no_grad():
            numbers = self._before_squashing(as_graphs(graphs))
            if len(numbers) > 0:
                self.mean.fill_(numbers.mean())
                self.variance.fill_(numbers.var(unbiased=False))
        return self

    def _before_squashing(self, graphs: _core.Graphs) -> Tensor:
        device = self.output.weight.device
        edges = torch.from_numpy(_edges(graphs)).to(device)
        to, source = edges.unbind(1)
        degree = torch.bincount(to, minlength=int(graphs.vertex_offsets[-1])).double()
        factors = (degree[to] * degree[source]).rsqrt().unsqueeze(1)
        values = _dense(self.input, _features(graphs, degree))
        for place in range(len(self.widths)):
            together = values + torch.zeros_like(values).index_add(0, to, values[source] * factors)
            first, second = (self.get_submodule(f"layer{place}{part}") for part in "ab")
            values = _dense(second, _dense(first, together).relu()).relu()
        return _dense(self.output, values).squeeze(1)

    def extra_repr(self) -> str:
        return f"widths={self.widths}"


def _width(width: Any) -> int:
    if isinstance(width, bool) or not isinstance(width, (int, np.integer)) or width < 1:
        raise ValueError(f"The width of a layer is a whole number from 1 on, not {width!r}.")
    return int(width)


def _linear(before: int, after: int, generator: torch.Generator) -> nn.Linear:
    """A dense layer with He's initial weights."""
    layer = nn.Linear(before, after)
    fill_uniform(layer.weight, math.sqrt(6 / before), generator)
    fill_uniform(layer.bias, 0.1, generator)
    return layer


def _dense(layer: Any, values: Tensor) -> Tensor:
    """In float64, so that vertices that an automorphism exchanges agree to 1e-14."""
    return torch.addmm(layer.bias.double(), values, layer.weight.double().t())


def _edges(graphs: _core.Graphs) -> np.ndarray:
    """All edges in both directions, vertices counted over all graphs."""
    parts = [graph.edges.astype(np.int64) + first for graph, first in zip(graphs, graphs.vertex_offsets)]
    edges = np.concatenate([np.empty((0, 2), np.int64), *parts])
    return np.concatenate([edges, edges[:, ::-1]])


def _features(graphs: _core.Graphs, degree: Tensor) -> Tensor:
    features = torch.zeros(len(degree), 1 + LABEL_PLACES, dtype=torch.float64, device=degree.device)
    features[:, 0] = degree.log1p()
    if graphs.node_labels is not None:
        labels = torch.tensor(graphs.node_labels, dtype=torch.int64, device=degree.device)
        features[torch.arange(len(degree), device=degree.device), 1 + labels % LABEL_PLACES] = 1
    return features
