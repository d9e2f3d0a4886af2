"""Filtrations that a network was trained with: times of the heat kernel signature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from ._persistence import HeatTimes, extended_persistence, signature
from ._ragged import RaggedBatch


class TrainedFiltrations(nn.Module):
    """Diagrams of graphs by heat kernel signatures whose times are parameters, as model files hold them.

    `groups` are pairs of a filtration (`hks:T`, T the time that training began with) and a kind. Diagrams are scaled to
    the unit square by `scales`, numbers in the file that fit the times it was trained to. `quantiles` are the features
    that follow these times, as `Model.network` describes them.
    """

    scales: Tensor

    def __init__(
        self,
        groups: list[tuple[str, str]],
        *,
        scale: bool = True,
        pace: float = 1.0,
        drop_diagonal: bool = False,
        prominent: int | None = None,
        quantiles: Sequence[dict[str, Any]] = (),
    ) -> None:
        super().__init__()
        self.groups, self.scale, self.quantiles = groups, scale, list(quantiles)
        self._diagonal, self._prominent = "drop" if drop_diagonal else "keep", prominent
        self._sources = list(dict.fromkeys(filtration for filtration, _ in groups))
        self.heat = HeatTimes([float(filtration.partition(":")[2]) for filtration in self._sources], pace)
        self.register_buffer("scales", torch.tensor([0.0, 1.0], dtype=torch.float64).repeat(len(groups), 1))

    def forward(
        self, graphs: _core.Graphs, dtype: torch.dtype, features: Tensor | None = None
    ) -> tuple[list[RaggedBatch], Tensor | None]:
        """The diagrams of each group, and the features with the columns that follow filled in."""
        found: dict[tuple[str, str], RaggedBatch] = {}
        if self.quantiles and features is not None:
            features = features.clone()
        for filtration, values in zip(self._sources, signature(self.heat.times, graphs)):
            for quantiles in self.quantiles:
                if quantiles["filtration"] == filtration and features is not None:
                    first, count = quantiles["column"], quantiles["count"]
                    features[:, first : first + count] = _quantiles(graphs, values, quantiles).to(dtype)
            kinds = [kind for source, kind in self.groups if source == filtration]
            diagrams = extended_persistence(
                graphs, values, kinds=kinds, diagonal=self._diagonal, prominent=self._prominent
            )
            found.update({(filtration, kind): batch for kind, batch in diagrams.items()})
        batches = []
        for place, group in enumerate(self.groups):
            points = found[group].points
            if self.scale:
                points = self._scaled(points, place)
            batches.append(RaggedBatch(points.to(dtype), found[group].offsets))
        return batches, features

    def _scaled(self, points: Tensor, place: int) -> Tensor:
        low, high = self.scales[place].double()
        return (points - low) / (high - low) if high > low else points * 0


def _quantiles(graphs: _core.Graphs, values: Tensor, described: dict[str, Any]) -> Tensor:
    """The quantiles of the values on each graph, [graphs, count], standardised as described."""
    at = torch.linspace(0, 1, described["count"], dtype=values.dtype)
    nothing = values.new_zeros(described["count"])
    parts = values.split(np.diff(graphs.vertex_offsets).tolist())
    rows = torch.stack([torch.quantile(part, at) if len(part) else nothing for part in parts])
    if not described["means"]:
        return rows
    deviations = values.new_tensor(described["deviations"])
    rows = torch.where(deviations > 0, (rows - values.new_tensor(described["means"])) / deviations, 0)
    return rows.clamp(-described["clip"], described["clip"]) if described["clip"] > 0 else rows
