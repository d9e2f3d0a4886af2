"""Filtrations that a network was trained with: times of the heat kernel signature, and learned functions on vertices."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from ._persistence import HeatTimes, extended_persistence, signature
from ._ragged import RaggedBatch

LABEL_PLACES = 64
LEARNED_RESOLUTION = 2.0**-30  # far below what moves a diagram and far above rounding errors


class TrainedFiltrations(nn.Module):
    """Diagrams of graphs by functions on vertices that have parameters, as model files of the program hold them.

    `groups` are pairs of a filtration (`hks:T` or `learned:AxB`) and a kind. Diagrams of heat kernel signatures are scaled
    to the unit square by `scales`, numbers in the file that fit the times it was trained to.
    """

    scales: Tensor

    def __init__(
        self,
        groups: list[tuple[str, str]],
        *,
        scale: bool = True,
        pace: float = 1.0,
        keep_diagonal: bool = True,
        prominent: int | None = None,
    ) -> None:
        super().__init__()
        self.groups, self.scale = groups, scale
        self._diagonal, self._prominent = "keep" if keep_diagonal else "drop", prominent
        self._sources = list(dict.fromkeys(filtration for filtration, _ in groups))
        start = []
        for place, filtration in enumerate(self._sources):
            head, _, argument = filtration.partition(":")
            if head == "learned":
                widths = [int(width) for width in argument.split("x")]
                self.add_module(f"network{place}", VertexNetwork(widths))
            else:
                start.append(float(argument))
        self.heat = HeatTimes(start, pace) if start else None
        self.register_buffer("scales", torch.tensor([0.0, 1.0], dtype=torch.float64).repeat(len(groups), 1))

    def forward(self, graphs: _core.Graphs, dtype: torch.dtype) -> list[RaggedBatch]:
        """The diagrams of each group."""
        signatures = iter(() if self.heat is None else signature(self.heat.times, graphs))
        found: dict[tuple[str, str], RaggedBatch] = {}
        for place, filtration in enumerate(self._sources):
            learned = filtration.startswith("learned")
            values = self.get_submodule(f"network{place}")(graphs) if learned else next(signatures)
            kinds = [kind for source, kind in self.groups if source == filtration]
            diagrams = extended_persistence(
                graphs,
                values,
                kinds=kinds,
                diagonal=self._diagonal,
                prominent=self._prominent,
                resolution=LEARNED_RESOLUTION if learned else 0.0,
            )
            found.update({(filtration, kind): batch for kind, batch in diagrams.items()})
        batches = []
        for place, group in enumerate(self.groups):
            points = found[group].points
            if self.scale and not group[0].startswith("learned"):
                points = self._scaled(points, place)
            batches.append(RaggedBatch(points.to(dtype), found[group].offsets))
        return batches

    def _scaled(self, points: Tensor, place: int) -> Tensor:
        low, high = self.scales[place].double()
        return (points - low) / (high - low) if high > low else points * 0


class VertexNetwork(nn.Module):
    """A function on vertices by message passing: a number between 0 and 1 for each vertex of all graphs, in float64.

    A vertex starts with log(1 + degree) and its label, one-hot in 64 places. A layer adds to the features of a vertex those
    of its neighbours, divided by the root of both degrees, and puts the sum through two dense layers with ReLU. What comes
    out is normalised by the training data's mean and variance, and squashed.
    """

    mean: Tensor
    variance: Tensor

    def __init__(self, widths: list[int]) -> None:
        super().__init__()
        self.widths = widths
        self.input = nn.Linear(1 + LABEL_PLACES, widths[0])
        for place, (before, after) in enumerate(zip([widths[0], *widths], widths)):
            self.add_module(f"layer{place}a", nn.Linear(before, after))
            self.add_module(f"layer{place}b", nn.Linear(after, after))
        self.output = nn.Linear(widths[-1], 1)
        self.register_buffer("mean", torch.zeros(1, dtype=torch.float64))
        self.register_buffer("variance", torch.ones(1, dtype=torch.float64))

    def forward(self, graphs: _core.Graphs) -> Tensor:
        device = self.output.weight.device
        vertices = int(graphs.vertex_offsets[-1])
        edges = _edges(graphs)
        to, source = (torch.from_numpy(ends).to(device) for ends in (edges[:, 0].copy(), edges[:, 1].copy()))
        degree = torch.zeros(vertices, dtype=torch.float64, device=device).index_add(0, to, torch.ones_like(to).double())
        factors = (degree[to] * degree[source]).rsqrt().unsqueeze(1)
        values = _dense(self.input, _features(graphs, degree))
        for place in range(len(self.widths)):
            together = values + torch.zeros_like(values).index_add(0, to, values[source] * factors)
            first, second = (self.get_submodule(f"layer{place}{part}") for part in "ab")
            values = _dense(second, _dense(first, together).relu()).relu()
        numbers = _dense(self.output, values).squeeze(1)
        return torch.sigmoid(2 * (numbers - self.mean.double()) / (self.variance.double() + 1e-5).sqrt())


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
