"""Persistence as a step of a network: gradients go back to values of vertices and to points of clouds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from .._convert import as_graphs
from .._names import Kind
from .._persistence import EXTENDED, vertex_indices
from .._persistence import extended_persistence as pair
from ._fused import once
from ._ragged import RaggedBatch, constant

LONGEST_TIME = 1000.0


def extended_persistence(
    graphs: Any,
    values: Tensor | Sequence[Tensor],
    *,
    kinds: Kind | Sequence[Kind] = EXTENDED,
    diagonal: str = "keep",
    prominent: int | None = None,
    resolution: float = 0.0,
    return_vertices: bool = False,
    threads: int | None = None,
) -> dict[str, Any]:
    """Extended persistence as a differentiable function of the vertices' values: a `RaggedBatch` for each kind.

    `values` is a tensor with a number per vertex of all graphs, or a list with a tensor for each graph. Every
    coordinate of a diagram is the value of a vertex. The points are therefore a selection of the values, lower ones
    first, and gradients go back to the selected vertices. Vertices of a graph with tied values are ordered by their
    numbers.

    `diagonal="drop"` leaves out points of ext0 and ext1 on the diagonal; ord0 and rel1 never have any. `prominent` is
    the most points to keep of each diagram, those farthest from the diagonal. With a `resolution`, vertices are paired
    as if values were rounded to its multiples, so that rounding errors pair nothing. With `return_vertices`, the result
    has pairs of a batch and the places of its points among the vertices, [points, 2].

    Values [N, k] are k functions at once; each kind then has a list with what one function would give for each of them.

    >>> import torch, perslay, perslay.torch
    >>> square = perslay.Graphs([[(0, 1), (1, 2), (2, 3), (3, 0)]])
    >>> values = torch.tensor([0.0, 1.0, 3.0, 2.0], requires_grad=True)
    >>> loop = perslay.torch.extended_persistence(square, values)["ext1"]
    >>> loop.points.detach()
    tensor([[0., 3.]])
    >>> (loop.points[:, 1] - loop.points[:, 0]).sum().backward()
    >>> values.grad
    tensor([-1.,  0.,  1.,  0.])
    """
    if not resolution >= 0:
        raise ValueError(f"resolution must be 0 or more, not {resolution}.")
    if diagonal not in ("keep", "drop"):
        raise ValueError(f"diagonal must be 'keep' or 'drop', not '{diagonal}'.")
    batch = as_graphs(graphs)
    packed = values if isinstance(values, Tensor) else torch.cat(list(values)) if len(values) else torch.empty(0)
    vertices = int(batch.vertex_offsets[-1])
    if packed.ndim not in (1, 2) or len(packed) != vertices or not packed.is_floating_point():
        turned = "; these must be transposed" if packed.ndim == 2 and packed.shape[1] == vertices else ""
        raise ValueError(
            f"values must be {vertices} floating numbers, one for each vertex, or of the shape [{vertices}, k] for k "
            f"functions, not {packed.dtype} of shape {tuple(packed.shape)}{turned}."
        )
    if packed.ndim == 2:
        each = [
            extended_persistence(
                batch, column, kinds=kinds, diagonal=diagonal, prominent=prominent, resolution=resolution,
                return_vertices=return_vertices, threads=threads,
            )
            for column in packed.unbind(1)
        ]  # fmt: skip
        return {kind: [found[kind] for found in each] for kind in ([kinds] if isinstance(kinds, str) else kinds)}
    deciding = packed.detach().to("cpu", torch.float64).numpy()
    if resolution > 0:
        deciding = np.round(deciding / resolution) * resolution
    kinds = [kinds] if isinstance(kinds, str) else list(dict.fromkeys(kinds))
    found = pair(batch, deciding, kinds=kinds, threads=_threads(threads))
    result: dict[str, Any] = {}
    for kind in kinds:
        diagrams = _core.Transform("reorder")(found[kind])
        if prominent is not None:
            diagrams = _core.Transform(f"prom:{prominent}")(diagrams)
        if diagonal == "drop":
            diagrams = _without_diagonal(diagrams)
        places = torch.from_numpy(vertex_indices(diagrams, batch).astype(np.int64))
        points = RaggedBatch(packed[places.to(packed.device)], diagrams.offsets.copy())
        result[kind] = (points, places) if return_vertices else points
    return result


def _without_diagonal(diagrams: _core.DiagramBatch) -> _core.DiagramBatch:
    kept = diagrams.points[:, 0] != diagrams.points[:, 1]
    offsets = np.concatenate([[0], np.cumsum(kept)])[diagrams.offsets]
    vertices = None if diagrams.vertices is None else diagrams.vertices[kept]
    return _core.DiagramBatch.from_packed(diagrams.points[kept], offsets, vertices)


# ---- clouds


def alpha_persistence(clouds: Any, *, radii: bool = False, threads: int | None = None) -> dict[str, RaggedBatch]:
    """Alpha persistence as a differentiable function of the points of clouds in the plane: batches `h0` and `h1`.

    `clouds` is a list of tensors [n, 2], a tensor [clouds, n, 2], or a `RaggedBatch` of points. Every coordinate of a
    diagram is the squared radius (with `radii`, the radius) of the smallest circle through two or three points of the
    cloud, and gradients go back to these. The component that never dies is left out.

    >>> import torch, perslay.torch
    >>> corners = torch.tensor([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.5]], requires_grad=True)
    >>> found = perslay.torch.alpha_persistence([corners])
    >>> found["h0"].points.detach()
    tensor([[0.0000, 1.0000],
            [0.0000, 1.0000],
            [0.0000, 1.0625]])
    >>> found["h0"].points.sum().backward()
    >>> corners.grad[0]
    tensor([-1., -1.])
    """
    batch = clouds if isinstance(clouds, RaggedBatch) else _clouds(clouds)
    if batch.reordered:
        raise ValueError(
            "The batch was made of diagrams, with the lower coordinate first (by RaggedBatch.of or collate); clouds are a "
            "list of tensors [n, 2] or RaggedBatch(points, offsets)."
        )
    numbers = batch.points.detach().to("cpu", torch.float64).numpy()
    packed = _core.Clouds(np.split(numbers, batch.offsets[1:-1].numpy()) if len(batch) else [])
    groups = _core.alpha_simplices(packed, radii, _threads(threads))
    return {kind: _circles(batch.points, *group, radii) for kind, group in zip(("h0", "h1"), groups)}


def _clouds(clouds: Any) -> RaggedBatch:
    parts = [cloud if isinstance(cloud, Tensor) else torch.as_tensor(constant(cloud)) for cloud in clouds]
    if not parts:
        return RaggedBatch(torch.empty(0, 2), [0])
    return RaggedBatch(torch.cat(parts), np.cumsum([0] + [len(part) for part in parts]))


def _circles(
    points: Tensor, values: np.ndarray, offsets: np.ndarray, births: np.ndarray, deaths: np.ndarray, radii: bool
) -> RaggedBatch:
    """The coordinates again, as functions of the points behind them, in the order of batches."""
    diagram = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort([*deaths.T[::-1], *births.T[::-1], values[:, 1], values[:, 0], diagram])
    corners = torch.from_numpy(np.stack([births, deaths], axis=1)[order].reshape(-1, 3).astype(np.int64))
    coordinates = torch.from_numpy(values[order].reshape(-1))
    exact = points.to("cpu", torch.float64)
    for count, radius in ((2, _edge_radius), (3, _triangle_radius)):
        places = ((corners >= 0).sum(1) == count).nonzero().squeeze(1)
        found = radius(*(exact[corners[places, corner]] for corner in range(count)))
        coordinates = coordinates.index_copy(0, places, found if radii else found.square())
    return RaggedBatch(coordinates.reshape(-1, 2).to(points.device, points.dtype), offsets.copy())


def _edge_radius(a: Tensor, b: Tensor) -> Tensor:
    return (a - b).norm(dim=1) / 2


def _triangle_radius(a: Tensor, b: Tensor, c: Tensor) -> Tensor:
    """The circumradius: the product of the sides by four times the area."""
    u, v = b - a, c - a
    doubled_area = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).abs()
    return u.norm(dim=1) * v.norm(dim=1) * (u - v).norm(dim=1) / (2 * doubled_area)


# ---- the heat kernel signature


class HeatTimes(nn.Module):
    """Times that are trained: t = start exp(pace shift), cut off at 1000."""

    start: Tensor

    def __init__(self, times: float | Sequence[float], pace: float = 1.0) -> None:
        super().__init__()
        given = times if isinstance(times, Tensor) else constant(times)
        start = torch.as_tensor(given, dtype=torch.float64).reshape(-1)
        for time in start.tolist():
            if not 0 < time <= LONGEST_TIME:
                raise ValueError(
                    f"A time that is trained starts above 0 and at most at {LONGEST_TIME:g}, not at {time:g}."
                )
        self.pace = pace
        self.shift = nn.Parameter(torch.zeros(len(start)))
        self.register_buffer("start", start, persistent=False)

    @property
    def times(self) -> Tensor:
        """The times as they are now, in float64."""
        start = self.start.double()
        return (start * (self.pace * self.shift.double()).exp()).clamp_max(LONGEST_TIME)

    def extra_repr(self) -> str:
        return f"times {', '.join(f'{time:g}' for time in self.times.tolist())}"


class HeatKernelSignature(HeatTimes):
    """The heat kernel signature of graphs, with times that are trained: [times, vertices of all graphs], in float64.

    t = start exp(pace shift), with one parameter in `shift` for each time, which is 0 at first. So times stay above 0,
    and an optimiser whose steps have the size of its rate moves log t by pace times the rate. Times never exceed 1000.
    The spectra of the graphs are computed once, when they are first needed; after that a signature is quick.

    Call it with places of graphs to get the vertices of these graphs alone.

    >>> import torch, perslay, perslay.torch
    >>> graphs = perslay.shapes(per_class=2)
    >>> signature = perslay.torch.HeatKernelSignature(graphs, [1.0, 10.0])
    >>> signature
    HeatKernelSignature(6 graphs, times 1, 10)
    >>> values = signature()
    >>> loops = perslay.torch.extended_persistence(graphs, values[1])["ext1"]
    >>> loops.points.sum().backward()
    >>> signature.shift.grad[0], signature.shift.grad[1] < 0
    (tensor(0.), tensor(True))
    """

    def __init__(
        self, graphs: Any, times: float | Sequence[float], *, pace: float = 1.0, threads: int | None = None
    ) -> None:
        super().__init__(times, pace)
        self.graphs = as_graphs(graphs)
        self.threads = threads
        self._spectra: Any = None

    def forward(self, items: Any = None) -> Tensor:
        if self._spectra is None:
            self._spectra = _core.HeatSpectra(self.graphs, _threads(self.threads))
        spectra = self._spectra if items is None else self._spectra[np.asarray(items)]

        def compute(times: list[float]) -> tuple[np.ndarray, np.ndarray]:
            found = [spectra.at(time, threads=_threads(self.threads)) for time in times]
            return np.stack([values for values, _ in found]), np.stack([slopes for _, slopes in found])

        return _Signature.apply(self.times, compute)

    def extra_repr(self) -> str:
        return f"{len(self.graphs)} graphs, {super().extra_repr()}"

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_spectra": None}  # they are computed again


def signature(times: Tensor, graphs: _core.Graphs, threads: int | None = None) -> Tensor:
    """The heat kernel signature of graphs that are seen once, [times, vertices], as a function of the times."""
    return _Signature.apply(
        times, lambda wanted: _core.heat_kernel_signature(graphs, wanted, True, 0.0, True, _threads(threads))
    )


class _Signature(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, times: Tensor, compute: Any) -> Tensor:
        values, slopes = (torch.from_numpy(array).to(times.device) for array in compute(times.tolist()))
        ctx.save_for_backward(times, slopes)
        return values

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, None]:
        times, slopes = ctx.saved_tensors
        return once((gradient.detach() * slopes).sum(1), [gradient, times], "the heat kernel signature"), None


def _threads(threads: int | None) -> int:
    return torch.get_num_threads() if threads is None else threads
