"""Filtrations that a network was trained with: times of the heat kernel signature."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from .. import _core
from ._persistence import HeatTimes, extended_persistence, signature
from ._ragged import RaggedBatch


class TrainedFiltrations(nn.Module):
    """Diagrams of graphs by heat kernel signatures whose times are parameters, as model files hold them.

    `groups` are pairs of a filtration (`hks:T`, T the time that training began with) and a kind. Diagrams are scaled to
    the unit square by `scales`, numbers in the file that fit the times it was trained to.
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
    ) -> None:
        super().__init__()
        self.groups, self.scale = groups, scale
        self._diagonal, self._prominent = "drop" if drop_diagonal else "keep", prominent
        self._sources = list(dict.fromkeys(filtration for filtration, _ in groups))
        self.heat = HeatTimes([float(filtration.partition(":")[2]) for filtration in self._sources], pace)
        self.register_buffer("scales", torch.tensor([0.0, 1.0], dtype=torch.float64).repeat(len(groups), 1))

    def forward(self, graphs: _core.Graphs, dtype: torch.dtype) -> list[RaggedBatch]:
        """The diagrams of each group."""
        found: dict[tuple[str, str], RaggedBatch] = {}
        for filtration, values in zip(self._sources, signature(self.heat.times, graphs)):
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
        return batches

    def _scaled(self, points: Tensor, place: int) -> Tensor:
        low, high = self.scales[place].double()
        return (points - low) / (high - low) if high > low else points * 0
