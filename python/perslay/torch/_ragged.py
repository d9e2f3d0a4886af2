"""Diagrams of different sizes as tensors, without padding."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch.utils.data import default_collate

from .. import _core
from .._convert import as_batch


@dataclasses.dataclass(init=False, eq=False, repr=False)
class RaggedBatch:
    """Persistence diagrams as tensors, packed one after the other: no padding, and diagrams may be empty.

    `points` [N, 2] has births and deaths, of a floating type, on any device; it may require gradients. Diagram i is
    rows offsets[i] ... offsets[i + 1] - 1. `offsets` [B + 1] are whole numbers and stay on the CPU. Nothing is copied.

    `reordered` says that `of` has turned the points into (min, max). An index gives a diagram; a slice or a list of
    places gives a batch. `RaggedBatch.of` packs diagrams. It is a dataclass, and has `to`, so that Lightning and others
    move and cast the points within it as they do with tensors.

    >>> import torch, perslay.torch
    >>> batch = perslay.torch.RaggedBatch(torch.tensor([[0.0, 1.0], [0.2, 0.6], [0.0, 0.5]]), [0, 2, 2, 3])
    >>> batch
    RaggedBatch(3 diagrams, 3 points, float32)
    >>> batch[2]
    tensor([[0.0000, 0.5000]])
    >>> len(batch[1:]), batch.double().points.dtype
    (2, torch.float64)
    """

    __slots__ = ("points", "offsets", "reordered")
    points: torch.Tensor
    offsets: torch.Tensor
    reordered: bool

    def __init__(self, points: torch.Tensor, offsets: Any, *, reordered: bool = False) -> None:
        places = torch.as_tensor(offsets).to("cpu")
        if not isinstance(points, torch.Tensor) or points.ndim != 2 or points.shape[1] != 2:
            shape = tuple(points.shape) if hasattr(points, "shape") else type(points).__name__
            raise ValueError(f"points must be a tensor of the shape [N, 2], not {shape}.")
        if not points.is_floating_point():
            raise ValueError(f"points must be of a floating type, not {_short(points.dtype)}.")
        if places.ndim != 1 or places.is_floating_point() or places.dtype == torch.bool:
            raise ValueError("offsets must be a list of whole numbers, one more than there are diagrams.")
        numbers = places.to(torch.int64).numpy()
        if not (numbers.size and numbers[0] == 0 and (np.diff(numbers) >= 0).all() and numbers[-1] == len(points)):
            raise ValueError(f"offsets must begin with 0, ascend, and end with the number of points, {len(points)}.")
        self.points = points
        self.offsets = places.to(torch.int64)
        self.reordered = reordered

    @classmethod
    def of(
        cls, diagrams: Any, *, dtype: torch.dtype | None = None, device: torch.device | str | None = None
    ) -> RaggedBatch:
        """A batch of a perslay `DiagramBatch`, or of a list of arrays or tensors [n, 2].

        Points become (min, max), as the layers want them: those of rel1 and ext1 come as (max, min). Tensors keep their
        type and their gradients; everything else gets torch's default type.

        >>> import perslay.torch
        >>> perslay.torch.RaggedBatch.of([[(0, 1), (3, 2)], []]).points
        tensor([[0., 1.],
                [2., 3.]])
        """
        if isinstance(diagrams, RaggedBatch):
            return diagrams.to(dtype=dtype, device=device)
        if isinstance(diagrams, (_core.DiagramBatch, _core.DiagramSet)):
            batch = _core.Transform("reorder")(as_batch(diagrams))
            points = torch.tensor(batch.points, dtype=dtype or torch.get_default_dtype(), device=device)
            return cls(points, batch.offsets.copy(), reordered=True)
        parts = [_points(part, place, dtype) for place, part in enumerate(_listed(diagrams))]
        if not parts:
            return cls(torch.empty((0, 2), dtype=dtype, device=device), [0], reordered=True)
        offsets = np.cumsum([0] + [len(part) for part in parts])
        points = torch.cat(parts)
        points = torch.where(points[:, :1] > points[:, 1:], points.flip(1), points)
        return cls(points.to(device=device), offsets, reordered=True)

    @staticmethod
    def cat(batches: Iterable[RaggedBatch]) -> RaggedBatch:
        """All diagrams of several batches, in their order.

        >>> import perslay.torch
        >>> batch = perslay.torch.RaggedBatch.of([[(0, 1)], []])
        >>> perslay.torch.RaggedBatch.cat([batch, batch]).offsets
        tensor([0, 1, 1, 2, 2])
        """
        parts = list(batches)
        if not parts:
            raise ValueError("There are no batches to put together.")
        counts = torch.cat([part.counts for part in parts])
        reordered = any(part.reordered for part in parts)
        return RaggedBatch(torch.cat([part.points for part in parts]), _offsets(counts), reordered=reordered)

    @property
    def counts(self) -> torch.Tensor:
        """The number of points of each diagram, [B], on the CPU."""
        return self.offsets.diff()

    @property
    def dtype(self) -> torch.dtype:
        return self.points.dtype

    @property
    def device(self) -> torch.device:
        return self.points.device

    def to_list(self) -> list[torch.Tensor]:
        """The diagrams as tensors [n, 2], views of `points`."""
        return list(self.points.split(self.counts.tolist()))

    # ---- elsewhere, in another precision

    def to(self, *args: Any, **options: Any) -> RaggedBatch:
        """The same with the points on another device or of another type, as `torch.Tensor.to`; gradients flow back."""
        options = {key: value for key, value in options.items() if value is not None}
        return self._with(self.points.to(*args, **options)) if args or options else self

    def cpu(self) -> RaggedBatch:
        return self._with(self.points.cpu())

    def cuda(self, *args: Any, **options: Any) -> RaggedBatch:
        return self._with(self.points.cuda(*args, **options))

    def float(self) -> RaggedBatch:
        return self._with(self.points.float())

    def double(self) -> RaggedBatch:
        return self._with(self.points.double())

    def half(self) -> RaggedBatch:
        return self._with(self.points.half())

    def bfloat16(self) -> RaggedBatch:
        return self._with(self.points.bfloat16())

    def detach(self) -> RaggedBatch:
        return self._with(self.points.detach())

    def requires_grad_(self, requires_grad: bool = True) -> RaggedBatch:
        self.points.requires_grad_(requires_grad)
        return self

    def pin_memory(self) -> RaggedBatch:
        """For DataLoader(pin_memory=True)."""
        return self._with(self.points.pin_memory())

    def _with(self, points: torch.Tensor) -> RaggedBatch:
        return RaggedBatch(points, self.offsets, reordered=self.reordered)

    # ---- choosing

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (int, np.integer)):
            place = int(index) + (len(self) if index < 0 else 0)
            if not 0 <= place < len(self):
                raise IndexError(f"There is no diagram {index} among {len(self)}.")
            return self.points[int(self.offsets[place]) : int(self.offsets[place + 1])]
        chosen = torch.arange(len(self))[_as_index(index)]
        counts = self.counts[chosen]
        offsets = _offsets(counts)
        rows = torch.repeat_interleave(self.offsets[chosen] - offsets[:-1], counts) + torch.arange(int(offsets[-1]))
        return RaggedBatch(self.points[rows.to(self.device)], offsets, reordered=self.reordered)

    def __iter__(self) -> Any:
        return iter(self.to_list())

    def __repr__(self) -> str:
        where = "" if self.device.type == "cpu" else f" on {self.device}"
        return f"RaggedBatch({len(self)} diagrams, {len(self.points)} points, {_short(self.dtype)}{where})"

    def __getstate__(self) -> tuple[torch.Tensor, torch.Tensor, bool]:
        return self.points, self.offsets, self.reordered

    def __setstate__(self, state: tuple[torch.Tensor, torch.Tensor, bool]) -> None:
        self.points, self.offsets, self.reordered = state


def collate(samples: Sequence[Any]) -> Any:
    """What a DataLoader makes of its samples: arrays and tensors [n, 2] become a `RaggedBatch`, the rest as torch does.

    Samples may be diagrams, or tuples, lists and dictionaries that hold diagrams beside labels and features.

    >>> import torch, perslay.torch
    >>> graphs = perslay.shapes(per_class=4)
    >>> loops = perslay.diagrams(graphs)["ext1"]
    >>> samples = list(zip(loops.to_list(), graphs.labels.tolist()))
    >>> loader = torch.utils.data.DataLoader(samples, batch_size=6, collate_fn=perslay.torch.collate)
    >>> diagrams, labels = next(iter(loader))
    >>> diagrams, labels
    (RaggedBatch(6 diagrams, 12 points, float32), tensor([0, 0, 0, 0, 1, 1]))
    """
    first = samples[0]
    if isinstance(first, (np.ndarray, torch.Tensor)) and first.ndim == 2 and first.shape[1] == 2:
        return RaggedBatch.of(samples)
    if isinstance(first, Mapping):
        return {key: collate([sample[key] for sample in samples]) for key in first}
    if isinstance(first, (tuple, list)):
        parts = [collate(part) for part in zip(*samples, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    return default_collate(list(samples))


def as_ragged(diagrams: Any, like: torch.Tensor | None) -> RaggedBatch:
    """A batch as it is; anything else in the type and at the place of `like`."""
    if isinstance(diagrams, RaggedBatch):
        return diagrams
    if like is None:
        return RaggedBatch.of(diagrams)
    return RaggedBatch.of(diagrams, dtype=like.dtype, device=like.device)


def _listed(diagrams: Any) -> list[Any]:
    if isinstance(diagrams, (str, bytes, Mapping)) or not isinstance(diagrams, Iterable):
        raise ValueError(f"Diagrams are a DiagramBatch or a list of arrays [n, 2], not {type(diagrams).__name__}.")
    if getattr(diagrams, "ndim", 3) == 2:
        raise ValueError("Here a batch is needed, and an array [n, 2] is one diagram; put it into a list.")
    return list(diagrams)


def _points(diagram: Any, place: int, dtype: torch.dtype | None) -> torch.Tensor:
    if isinstance(diagram, torch.Tensor) and diagram.is_floating_point():
        points = diagram.to(dtype or diagram.dtype)
    else:
        points = torch.tensor(np.asarray(constant(diagram), np.float64), dtype=dtype or torch.get_default_dtype())
    if points.numel() == 0:
        return points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise ValueError(f"Diagram {place} must have the shape [n, 2], not {tuple(points.shape)}{_instead(points.shape)}.")
    return points


def _instead(shape: Sequence[int]) -> str:
    """What to do with a third column."""
    if len(shape) != 2 or shape[1] != 3:
        return ""
    return (
        "; if its columns are birth, death and dimension, as giotto-tda has them, choose a dimension first, such as "
        "diagram[diagram[:, 2] == 1, :2]"
    )


def constant(numbers: Any) -> Any:
    """What is about to become an array: no tensor in it may require gradients, which would be lost silently."""
    if isinstance(numbers, torch.Tensor):
        if numbers.requires_grad:
            raise ValueError(
                "A list holds a tensor that requires gradients, which would be lost; make one tensor of the list, by "
                "torch.stack."
            )
    elif isinstance(numbers, (list, tuple)):
        for part in numbers:
            constant(part)
    return numbers


def _as_index(index: Any) -> Any:
    if isinstance(index, slice):
        return index
    places = torch.as_tensor(index, device="cpu")
    return places.to(torch.int64) if places.numel() == 0 else places


def _offsets(counts: torch.Tensor) -> torch.Tensor:
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)])


def _short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
