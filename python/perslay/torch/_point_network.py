"""A PersLay whose phi is a small network of its own for each point."""

from __future__ import annotations

import math
import re
from typing import Any

import torch
from torch import Tensor, nn

from .. import _core
from ._fused import fused_forward
from ._layer import drawn_seed, fill_uniform, widened
from ._ragged import RaggedBatch, as_ragged
from ._segments import Segments

COORDINATES = 5
LOG_OFFSET = 1e-3


class PointNetwork(nn.Module):
    """A multilayer perceptron on each point, then one or several operations over the points of each diagram (DeepSets).

    `phi` names the sizes of its layers, such as mlp:64x64, with ReLU after each. A point is read as b, p, d, log(b +
    1e-3) and log(p + 1e-3), p = d - b, normalised over the batch. `op` may be several operations joined by +, and among
    them attention:H with H heads: each gives the sum of phi over the points, weighed by the softmax of a linear form of
    phi. An empty diagram gives 0.

    >>> import perslay.torch
    >>> network = perslay.torch.PointNetwork("mlp:16x8", "sum+attention:4")
    >>> network([[(0, 1), (0, 2)], []]).shape
    torch.Size([2, 40])
    """

    attention: nn.Linear | None

    def __init__(
        self, phi: str = "mlp:64x64", op: str = "sum", *, seed: int | None = None, threads: int | None = None
    ) -> None:
        super().__init__()
        if not re.fullmatch(r"mlp:[1-9]\d*(x[1-9]\d*)*", phi):
            raise ValueError(f"mlp needs the sizes of its layers such as mlp:64x64, not '{phi}'.")
        widths = [int(width) for width in phi.removeprefix("mlp:").split("x")]
        operations = op.split("+")
        plain = [name for name in operations if not name.startswith("attention")]
        heads = sum(_heads(name) for name in operations if name.startswith("attention"))
        self.phi, self.op, self.threads = phi, op, threads
        self._pools = [_core.Channel.given(features=widths[-1], op=name) for name in plain]
        self.size = sum(pool.size for pool in self._pools) + widths[-1] * heads

        generator = torch.Generator().manual_seed(drawn_seed(seed))
        self.norm = nn.BatchNorm1d(COORDINATES)
        self._depth = len(widths)
        for place, (before, after) in enumerate(zip([COORDINATES, *widths], widths)):
            self.add_module(f"layer{place}", _linear(before, after, generator))
        self.attention = _linear(widths[-1], heads, generator) if heads else None

    def forward(self, diagrams: Any) -> Tensor:
        batch = widened(as_ragged(diagrams, self.norm.weight), [self.norm.weight])
        features = _coordinates(batch.points)
        if len(features) > 1 or not self.training:
            features = self.norm(features)
        for place in range(self._depth):
            features = widened(self.get_submodule(f"layer{place}")(features).relu(), [self.norm.weight])
        pooled = [self._pool(pool, features, batch) for pool in self._pools]
        if self.attention is not None:
            pooled.append(_attend(features, self.attention(features), batch))
        return torch.cat(pooled, 1)

    def _pool(self, channel: _core.Channel, features: Tensor, batch: RaggedBatch) -> Tensor:
        if features.device.type == "cpu" and features.dtype in (torch.float32, torch.float64):
            return fused_forward(channel, batch.points, batch.offsets, [], features, threads=self.threads)
        return Segments(batch.offsets, features.device).reduce(features, channel.op)

    def extra_repr(self) -> str:
        return f"phi={self.phi}, op={self.op}, size={self.size}"


def _heads(name: str) -> int:
    if not re.fullmatch(r"attention:[1-9]\d*", name):
        raise ValueError(f"attention needs a number of heads such as attention:4, not '{name}'.")
    return int(name.partition(":")[2])


def _linear(before: int, after: int, generator: torch.Generator) -> nn.Linear:
    layer = nn.Linear(before, after)
    for parameter in (layer.weight, layer.bias):
        fill_uniform(parameter, 1 / math.sqrt(before), generator)
    return layer


def _coordinates(points: Tensor) -> Tensor:
    birth, death = points.unbind(1)
    persistence = death - birth
    logs = [(value.clamp_min(0) + LOG_OFFSET).log() for value in (birth, persistence)]
    return torch.stack([birth, persistence, death, *logs], 1)


def _attend(features: Tensor, scores: Tensor, batch: RaggedBatch) -> Tensor:
    """For each head the mean of the features with weights softmax(scores), [B, heads features]."""
    segments = Segments(batch.offsets, features.device)
    highest = segments.reduce(scores.detach(), "max")
    shares = (scores - segments.spread(highest)).exp()
    shares = shares / segments.spread(segments.sum(shares))
    return torch.cat([segments.sum(features * share.unsqueeze(1)) for share in shares.unbind(1)], 1)
