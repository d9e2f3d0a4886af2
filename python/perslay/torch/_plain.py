"""Equation (3) in torch's own operations: for any device, type and order of derivatives.

The results are those of the fused kernels. Time and memory are O(N q), sorting aside. Where there is no derivative, the
gradient is 0: at the samples of `betti` and `entropy`, at the tips and feet of tents, at the centres of rational
elements, on the diagonal.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .. import _core
from ._segments import Segments

Parameters = dict[str, Any]
"""Tensors by name; the parts of a mixture are dictionaries of their own."""


def plain_forward(
    channel: _core.Channel,
    points: Tensor,
    offsets: Tensor,
    parameters: list[Tensor],
    features: Tensor | None = None,
    weights: Tensor | None = None,
    op: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> Tensor:
    """[B, channel.size], or what `op` makes of the weighted features; `parameters` in the order of the channel's."""
    segments = Segments(offsets, points.device)
    named = _nested(dict(zip(channel.parameters, parameters)))
    if features is None:
        features = phi(channel.phi, points, segments, named["phi"])
    for place, (_, pool) in enumerate(channel.equivariant):
        features = equivariant(pool, features, segments, named["equivariant"][str(place)])
    if weights is None:
        weights = weight(channel.weight, points, named.get("weight", {}))
    weighted = weights.unsqueeze(1) * features
    return segments.reduce(weighted, channel.op) if op is None else op(weighted, offsets)


def equivariant(pool: str, features: Tensor, segments: Segments, parameters: Parameters) -> Tensor:
    """x lambda - pool(x) gamma + bias."""
    own = features @ parameters["lambda"] + parameters["bias"]
    if pool == "none":
        return own
    return own - segments.spread(segments.reduce(features, pool) @ parameters["gamma"])


def _nested(flat: dict[str, Tensor]) -> Parameters:
    """{"phi.0.samples": x} as {"phi": {"0": {"samples": x}}}."""
    tree: Parameters = {}
    for name, tensor in flat.items():
        *path, last = name.split(".")
        branch = tree
        for step in path:
            branch = branch.setdefault(step, {})
        branch[last] = tensor
    return tree


def _option(name: str, key: str, default: float) -> float:
    """V in `head:...:key=V`."""
    values = [field.partition("=")[2] for field in name.split(":") if field.startswith(key + "=")]
    return float(values[0]) if values else default


def _safe_sqrt(x: Tensor) -> Tensor:
    """With gradient 0 at 0."""
    positive = x > 0
    return torch.where(positive, torch.where(positive, x, 1).sqrt(), 0)


# ---- what phi reads of the points


class _Coordinates:
    """Columns [N, 1]."""

    def __init__(self, points: Tensor, segments: Segments) -> None:
        self.points = points
        self.segments = segments
        self.birth, self.death = points[:, :1], points[:, 1:]
        self.persistence = self.death - self.birth

    def depth(self, samples: Tensor) -> Tensor:
        """h - |t - m|: how far inside the bar the samples lie."""
        return self.persistence / 2 - (samples - (self.birth + self.death) / 2).abs()

    def holds(self, samples: Tensor) -> Tensor:
        """1 or 0, with gradients, which are 0."""
        inside = (self.birth <= samples) & (samples < self.death)
        return inside + 0 * self.depth(samples)

    def softly_holds(self, samples: Tensor, steepness: Tensor) -> Tensor:
        return torch.sigmoid(steepness * self.depth(samples))

    def entropy(self) -> Tensor:
        """-(y/Y) log(y/Y); points on the diagonal and below it count for nothing."""
        total = self.segments.spread(self.segments.sum(self.persistence.relu()))
        counts = (self.persistence > 0) & (total > 0)
        share = torch.where(counts, self.persistence, 1) / torch.where(counts, total, 1)
        return -share * share.log() * counts

    def stretched(self, nu: float) -> Tensor:
        """Hofer's logarithm of the persistence below nu, for positive ones."""
        positive = torch.where(self.persistence > 0, self.persistence, nu)
        return torch.where(self.persistence < nu, nu * (positive / nu).log() + nu, self.persistence)

    def from_centres(self, centres: Tensor) -> tuple[Tensor, Tensor]:
        return self.birth - centres[:, 0], self.persistence - centres[:, 1]


# ---- point transformations


def phi(name: str, points: Tensor, segments: Segments, parameters: Parameters) -> Tensor:
    """The features of points, [N, q]."""
    head, _, rest = name.partition(":")
    if head == "mixture":
        shares = parameters["logits"].softmax(0)
        parts = enumerate(rest.split("+"))
        return sum(shares[i] * phi(part, points, segments, parameters[str(i)]) for i, part in parts)
    if head not in _TYPES:
        raise ValueError(f"{name} has no plain path; take path='fused'.")
    return _TYPES[head](_Coordinates(points, segments), name, parameters)


def _gaussian(at: _Coordinates, name: str, own: Parameters) -> Tensor:
    second = at.death if "axes=birth-death" in name.split(":") else at.persistence
    if "births" in own:
        across = (at.birth - own["births"]).square().unsqueeze(2) + (second - own["persistences"]).square().unsqueeze(1)
        return (-own["sharpness"].square() * across).exp().flatten(1)
    x, y = at.birth - own["centres"][:, 0], second - own["centres"][:, 1]
    return (-own["sharpness"].square() * (x.square() + y.square())).exp()


def _hofer(at: _Coordinates, name: str, own: Parameters) -> Tensor:
    x, y = at.birth - own["centres"][:, 0], at.stretched(_option(name, "nu", 0.1)) - own["centres"][:, 1]
    bells = (-own["sharpness"].square() * (x.square() + y.square())).exp()
    return torch.where(at.persistence > 0, bells, 0)


def _exponential(at: _Coordinates, name: str, own: Parameters) -> Tensor:
    x, y = at.from_centres(own["centres"])
    return (-(own["sharpness"][:, 0] * x).square() - (own["sharpness"][:, 1] * y).square()).exp()


def _rational(at: _Coordinates, name: str, own: Parameters) -> Tensor:
    x, y = at.from_centres(own["centres"])
    sharpness = own["sharpness"].abs()
    return (1 + sharpness[:, 0] * x.abs() + sharpness[:, 1] * y.abs()).pow(-own["exponent"])


def _rational_hat(at: _Coordinates, name: str, own: Parameters) -> Tensor:
    x, y = at.from_centres(own["centres"])
    distance = _safe_sqrt(x.square() + y.square()) if _option(name, "norm", 1) == 2 else x.abs() + y.abs()
    return 1 / (1 + distance) - 1 / (1 + (own["radius"].abs() - distance).abs())


_TYPES: dict[str, Callable[[_Coordinates, str, Parameters], Tensor]] = {
    "triangle": lambda at, name, own: at.depth(own["samples"]).relu(),
    "betti": lambda at, name, own: at.holds(own["samples"]),
    "flat": lambda at, name, own: at.softly_holds(own["samples"], own["steepness"]),
    "entropy": lambda at, name, own: at.entropy() * at.holds(own["samples"]),
    "flat-entropy": lambda at, name, own: at.entropy() * at.softly_holds(own["samples"], own["steepness"]),
    "gaussian": _gaussian,
    "hofer": _hofer,
    "exponential": _exponential,
    "rational": _rational,
    "rational-hat": _rational_hat,
    "line": lambda at, name, own: at.points @ own["directions"].t() + own["bias"],
}


# ---- weights


def weight(name: str, points: Tensor, parameters: Parameters) -> Tensor:
    """The weights of points, [N]."""
    head = name.partition(":")[0]
    if head == "one":
        return points.new_ones(len(points))
    if head == "grid":
        low, high = _option(name, "low", -0.001), _option(name, "high", 1.001)
        births, deaths = parameters["cells"].shape
        at = points.detach()
        if at.device.type != "meta" and not at.isfinite().all():
            raise ValueError("Points must be finite.")
        return parameters["cells"][_cell(at[:, 0], low, high, births), _cell(at[:, 1], low, high, deaths)]
    if head == "gmix":
        away = parameters["sharpness"] * (points.unsqueeze(1) - parameters["centres"])
        return (-away.square().sum(2)).exp() @ parameters["amplitudes"]
    if head not in ("constant", "power"):
        raise ValueError(f"{name} has no plain path; take path='fused'.")
    exponent = 0.0 if head == "constant" else float(name.split(":")[1])
    if exponent == 0:
        return parameters["constant"].expand(len(points))
    distance = (points[:, 1] - points[:, 0]).abs() / math.sqrt(2)
    positive = distance > 0
    return parameters["constant"] * torch.where(positive, torch.where(positive, distance, 1).pow(exponent), 0)


def _cell(coordinate: Tensor, low: float, high: float, count: int) -> Tensor:
    """In the precision of the coordinates: on cell borders rounding decides, and it must decide as in the kernels."""
    real = np.float64 if coordinate.dtype == torch.float64 else np.float32
    if real is np.float32:
        coordinate = coordinate.float()
    start = real(low)
    factor = real(count) / (real(high) - start)
    places = ((coordinate - float(start)) * float(factor)).floor()
    return places.clamp(0, count - 1).to(torch.int64)
