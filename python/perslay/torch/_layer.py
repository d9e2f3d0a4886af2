"""PersLay as torch modules."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from ._fused import fused_forward
from ._plain import equivariant as plain_equivariant
from ._plain import plain_forward
from ._plain import weight as plain_weight
from ._ragged import RaggedBatch, as_ragged
from ._segments import Segments

PATHS = ("auto", "fused", "plain")
CENTRES = ("births", "persistences", "samples", "centres", "means")  # parameters that are places of points


class PersLay(nn.Module):
    """op({ w(p) phi(p) : p in the diagram }), equation (3) of the paper: diagrams of any size become vectors.

    `phi`, `weight` and `op` are names (`perslay.names("phi")` lists them). `equivariant` are permutation-equivariant
    layers after phi, as pairs (size, pool) with a pool of max, min, sum, mean or none.

    Each of the three may be your own. phi is then a module from points [N, 2] to [N, features] (set `features`), weight
    one from points to [N]. op is a module or a function that gets the weighted features [N, q] and the batch's offsets
    [B + 1] (on the CPU; diagram i is rows offsets[i] ... offsets[i + 1] - 1) and gives [B, size]. `size` may be left
    out; the first call then finds it. Whether an op depends on the order of points is up to you: `order_dependence`
    measures it.

    The input is a `RaggedBatch`, or anything that `RaggedBatch.of` reads; the output is [B, size], in the order
    [feature][rank]. An empty diagram gives 0, and so does a missing k-th place; ties go to the first point. Gradients
    go to the parameters and to the points.

    Training starts at `init` ("ours" or "authors"); its random numbers come from `seed`, or from torch's generator.
    Parameters have the library's names: phi.births, weight.cells, equivariant.0.lambda, ...

    phi and weights on a grid begin in the unit square. A layer warns, once, if most points of its first diagrams lie
    far outside; `perslay.transform(diagrams, "scale")` brings them there. Under `torch.autocast`, points of half
    precision are taken to that of the parameters, and so is what modules in the place of phi and weight give.

    On the CPU, the library's kernels compute float32 and float64, with `threads` threads (None: as many as torch uses);
    they have first derivatives. Everything else uses torch's own operations; path="plain" selects these everywhere.

    >>> import torch, perslay.torch
    >>> layer = perslay.torch.PersLay("triangle:3", op="topk:2")
    >>> layer
    PersLay(
      phi=triangle:3, weight=one, op=topk:2, size=6
      (phi): Part(samples [3])
    )
    >>> layer([[(0, 1), (0.2, 0.8)], []]).detach()
    tensor([[0.0000, 0.0000, 0.5000, 0.3000, 0.0000, 0.0000],
            [0.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000]])
    >>> def largest(features, offsets):
    ...     return torch.segment_reduce(features, "max", offsets=offsets, initial=0)
    >>> own = perslay.torch.PersLay("triangle:3", op=largest)
    >>> own([[(0, 1), (0.2, 0.8)], []]).detach()
    tensor([[0.0000, 0.5000, 0.0000],
            [0.0000, 0.0000, 0.0000]])
    """

    _inputs: int | None = None  # features that a module in the place of phi gives
    _function: Callable[[Tensor, Tensor], Tensor] | None = None  # in the place of op
    _looked = False  # whether the frame was compared with diagrams
    _own_size: int | None = None  # numbers per diagram that an own op gives, as soon as they are known

    def __init__(
        self,
        phi: str | nn.Module = "gaussian:20x20",
        weight: str | nn.Module = "one",
        op: str | Callable[[Tensor, Tensor], Tensor] = "sum",
        *,
        equivariant: Sequence[tuple[int, str]] = (),
        features: int | None = None,
        size: int | None = None,
        init: str = "ours",
        seed: int | None = None,
        path: str = "auto",
        threads: int | None = None,
        device: Any = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        own = {name: part for name, part in (("phi", phi), ("weight", weight)) if not isinstance(part, str)}
        for name, module in own.items():
            if not isinstance(module, nn.Module):
                raise ValueError(f"{name} is a name or a module, not {type(module).__name__}.")
        if ("phi" in own) != (features is not None):
            raise ValueError("A module for phi needs the number of its features, and nothing else does.")
        own_op = not isinstance(op, str)
        if own_op and not callable(op):
            raise ValueError(f"op is a name, a module or a function, not {type(op).__name__}.")
        if size is not None and not own_op:
            raise ValueError(f"The size is that of an op of your own; '{op}' knows its own.")
        if own_op and path == "fused":
            raise ValueError("An op of your own is computed with torch's operations: path='fused' is not for it.")
        channel = _core.Channel.given(
            features=features,
            phi=phi if isinstance(phi, str) else None,
            weight=weight if isinstance(weight, str) else None,
            op="sum" if own_op else op,
            equivariant=[(int(width), str(pool)) for width, pool in equivariant],
        )
        self._build(channel, init, seed, path, threads, device, dtype)
        self._inputs = features
        for name, module in own.items():
            self.add_module(name, module)
        if own_op:
            self._own_size = size
            if isinstance(op, nn.Module):
                self.add_module("op", op)
            else:
                self._function = op

    @classmethod
    def from_channel(
        cls,
        channel: _core.Channel,
        *,
        init: str = "ours",
        seed: int | None = None,
        path: str = "auto",
        threads: int | None = None,
        device: Any = None,
        dtype: torch.dtype | None = None,
    ) -> PersLay:
        """The layer of a `perslay.Channel`."""
        layer = cls.__new__(cls)
        layer._build(channel, init, seed, path, threads, device, dtype)
        return layer

    def _build(
        self,
        channel: _core.Channel,
        init: str,
        seed: int | None,
        path: str,
        threads: int | None,
        device: Any,
        dtype: torch.dtype | None,
    ) -> None:
        super().__init__()
        if path not in PATHS:
            raise ValueError(f"The path is one of {', '.join(PATHS)}, not '{path}'.")
        self.channel = channel
        self.path = path
        self.threads = threads
        for name, values in channel.initial_parameters(init, drawn_seed(seed)).items():
            *steps, last = name.split(".")
            part: nn.Module = self
            for step in steps:
                part = _part(part, step)
            part.register_parameter(last, nn.Parameter(_tensor(values, device, dtype)))

    @property
    def _own_op(self) -> Callable[[Tensor, Tensor], Tensor] | None:
        """The user's op, if it is not the channel's."""
        op = self._modules.get("op")
        return self._function if op is None else op

    @property
    def size(self) -> int:
        """Numbers per diagram. Those of an op of your own are known after the first call if they were not given."""
        if self._own_op is None:
            return self.channel.size
        if self._own_size is None:
            raise ValueError("The size of an op of your own is not known before the first call; give it as size=.")
        return self._own_size

    def forward(self, diagrams: Any) -> Tensor:
        arrays = [self._array(name) for name in self.channel.parameters]
        batch = widened(as_ragged(diagrams, next(self.parameters(), None)), arrays)
        self._look_at(batch)
        features, weights = (widened(given, [batch.points]) for given in self._given(batch.points))
        names = [*self.channel.parameters, "what phi gives", "what weight gives"]
        for name, array in zip(names, [*arrays, features, weights]):
            _require_alike(batch.points, name, array)
        if self._fuses(batch):
            return fused_forward(self.channel, batch.points, batch.offsets, arrays, features, weights, self.threads)
        with torch.autocast(batch.device.type, enabled=False) if autocasts(batch.device) else nullcontext():
            out = plain_forward(self.channel, batch.points, batch.offsets, arrays, features, weights, self._own_op)
        if self._own_op is not None:
            self._check_own(out, len(batch))
        return out

    def _look_at(self, batch: RaggedBatch) -> None:
        """Warns of the first diagrams if most of their points lie where the layer has nothing to say."""
        if self._looked or len(batch.points) == 0 or batch.points.is_meta:
            return
        self._looked = True
        phi = self.channel.phi if self._inputs is None else "line:"  # affine functions are at home everywhere
        grid = self.channel.weight.startswith("grid:") and "=" not in self.channel.weight
        framed = [name for name, has in ((phi, not phi.startswith("line:")), (self.channel.weight, grid)) if has]
        if not framed:
            return
        with torch.no_grad():
            places = [self._array(name) for name in self.channel.parameters if name.rpartition(".")[2] in CENTRES]
            low = min([0.0, *(float(array.min()) for array in places)])
            high = max([1.0, *(float(array.max()) for array in places)])
            points = batch.points
            far = ((points < low - 1) | (points > high + 1)).any(1).double().mean().item()
            if far <= 0.5:
                return
            warnings.warn(
                f"{far:.0%} of the points of these diagrams lie far outside the unit square, where "
                f"{' and '.join(framed)} begins: births and deaths reach from {points.min():.4g} to "
                f"{points.max():.4g}. Scale the diagrams first, for example by perslay.transform(diagrams, 'scale').",
                stacklevel=5,  # torch calls forward by two functions of its own
            )

    def _check_own(self, out: Any, items: int) -> None:
        """What the user's op gave must be a row of numbers per diagram, always as many."""
        shape = list(out.shape) if isinstance(out, Tensor) else type(out).__name__
        wanted = f"[{items}, {'size' if self._own_size is None else self._own_size}]"
        if not isinstance(out, Tensor) or out.ndim != 2 or len(out) != items or out.shape[1] != (
            self._own_size or out.shape[1]
        ):
            raise ValueError(f"The op must give {wanted}, not {shape}.")
        self._own_size = out.shape[1]

    def _array(self, name: str) -> Any:
        """The parameter of that name, or what stands in its place, such as a parametrization."""
        found: Any = self
        for step in name.split("."):
            found = getattr(found, step)
        return found

    def _given(self, points: Tensor) -> tuple[Tensor | None, Tensor | None]:
        """What modules of the user compute."""
        phi, weight = (self._modules.get(name) for name in ("phi", "weight"))
        features = None if phi is None or isinstance(phi, Part) else phi(points)
        weights = None if weight is None or isinstance(weight, Part) else weight(points)
        if weights is not None and weights.shape == (len(points), 1):
            weights = weights.squeeze(1)
        for name, found, shape in (("phi", features, (len(points), self._inputs)), ("weight", weights, (len(points),))):
            if found is not None and found.shape != shape:
                raise ValueError(f"The module for {name} must give {list(shape)}, not {list(found.shape)}.")
        return features, weights

    def _fuses(self, batch: RaggedBatch) -> bool:
        able = batch.device.type == "cpu" and batch.dtype in (torch.float32, torch.float64)
        if self.path == "fused" and not able:
            raise ValueError(f"The fused kernels compute float32 and float64 on the CPU, not {batch!r}.")
        return able and self.path != "plain" and self._own_op is None

    def extra_repr(self) -> str:
        if self._own_op is None:
            return f"{self.channel.name}, size={self.size}"
        op = getattr(self._own_op, "__name__", type(self._own_op).__name__)
        return f"{self.channel.name.removesuffix('sum')}{op}, size={self._own_size or 'unknown'}"


def order_dependence(layer: Callable[[Any], Tensor], diagrams: Any, *, trials: int = 4, seed: int = 0) -> float:
    """How much a layer's output changes, at most, when the points of each diagram come in another order.

    For a permutation-invariant layer that is 0, or a rounding error; a number in the place of NaN, or the reverse, is
    an infinite change. A module is called in evaluation mode. `layer` may be whatever maps a `RaggedBatch` to a tensor.

    >>> import torch, perslay.torch
    >>> batch = [[(0, 1), (0.2, 0.8), (0, 0.5)], [(0, 2)]]
    >>> perslay.torch.order_dependence(perslay.torch.PersLay("line:5", op="max"), batch)
    0.0
    >>> def first(features, offsets):
    ...     return features[offsets[:-1]]
    >>> perslay.torch.order_dependence(perslay.torch.PersLay("line:5", op=first), batch) > 0.01
    True
    """
    if trials < 1:
        raise ValueError(f"trials must be at least 1, not {trials}.")
    batch = as_ragged(diagrams, next(layer.parameters(), None) if isinstance(layer, nn.Module) else None)
    modules = list(layer.modules()) if isinstance(layer, nn.Module) else []
    modes = [module.training for module in modules]
    generator = torch.Generator().manual_seed(seed)
    try:
        for module in modules:
            module.training = False
        with torch.no_grad():
            first = layer(batch)
            largest = 0.0
            for _ in range(trials):
                by_chance = torch.rand(len(batch.points), generator=generator)
                diagram = torch.repeat_interleave(torch.arange(len(batch)), batch.counts)
                order = by_chance.argsort()
                order = order[torch.argsort(diagram[order], stable=True)].to(batch.device)
                other = layer(RaggedBatch(batch.points[order], batch.offsets, reordered=batch.reordered))
                change = torch.where(other.isnan() == first.isnan(), (other - first).abs().nan_to_num(0, torch.inf), torch.inf)
                largest = max(largest, float(change.max()) if change.numel() else 0.0)
    finally:
        for module, mode in zip(modules, modes):
            module.training = mode
    return largest


class ConvolvedPersLay(nn.Module):
    """A PersLay with a convolution of (filters, size) over its features: over a grid of Gaussians as an image, over
    other features as one row.

    It follows op, as in the program of the paper's authors, or phi (`follows="phi"`): then it sees the features of each
    point before weight and op, as the paper writes it. `perslay` is the PersLay inside, `convolution` the convolution,
    or None if there is none.

    >>> import perslay, perslay.torch
    >>> channel = perslay.Channel("gaussian:6x6", op="max")
    >>> perslay.torch.ConvolvedPersLay(channel, (10, 2), follows="phi")([[(0, 1)], []]).shape
    torch.Size([2, 250])
    """

    convolution: nn.Conv2d | None

    def __init__(
        self,
        channel: _core.Channel,
        convolution: tuple[int, int] | None,
        *,
        follows: str = "op",
        init: str = "ours",
        seed: int | None = None,
        path: str = "auto",
        threads: int | None = None,
        device: Any = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if follows not in ("op", "phi"):
            raise ValueError(f"A convolution follows 'op' or 'phi', not '{follows}'.")
        seed = drawn_seed(seed)
        self.follows = follows
        self.perslay = PersLay.from_channel(
            channel, init=init, seed=seed, path=path, threads=threads, device=device, dtype=dtype
        )
        self.convolution = None
        self.size = channel.size
        if convolution is None:
            return
        filters, extent = convolution
        rows, columns = channel.image
        height = 1 if rows == 1 else extent
        ranks = channel.size // channel.features
        planes = ranks if follows == "op" else 1
        self.convolution = nn.Conv2d(planes, filters, (height, extent), device=device, dtype=dtype)
        _start(self.convolution, init, torch.Generator().manual_seed(seed))
        self.size = filters * (rows + 1 - height) * (columns + 1 - extent) * (1 if follows == "op" else ranks)

    def forward(self, diagrams: Any) -> Tensor:
        if self.convolution is None:
            return self.perslay(diagrams)
        if self.follows == "phi":
            return self._of_points(diagrams)
        values = self.perslay(diagrams)
        rows, columns = self.perslay.channel.image
        return self.convolution(values.unflatten(1, (rows, columns, -1)).permute(0, 3, 1, 2)).flatten(1)

    def _of_points(self, diagrams: Any) -> Tensor:
        """op({ w(p) (K * phi(p) + b) }): K is linear, so w(p) may be inside, and b is multiplied with it."""
        assert self.convolution is not None
        layer = self.perslay
        channel = layer.channel
        arrays = {name: layer._array(name) for name in channel.parameters}
        batch = widened(as_ragged(diagrams, next(self.parameters())), list(arrays.values()))
        layer._look_at(batch)
        parts = [channel, batch.points, batch.offsets, list(arrays.values())]
        weighted = plain_forward(*parts, op=lambda features, offsets: features)
        own = {name.partition(".")[2]: array for name, array in arrays.items() if name.startswith("weight.")}
        weights = plain_weight(channel.weight, batch.points, own)
        kernel = self.convolution
        maps = nn.functional.conv2d(weighted.unflatten(1, (1, *channel.image)), kernel.weight)
        assert kernel.bias is not None
        maps = maps + weights.view(-1, 1, 1, 1) * kernel.bias.view(-1, 1, 1)
        return Segments(batch.offsets, batch.device).reduce(maps.flatten(1), channel.op)

    def extra_repr(self) -> str:
        return f"{self.perslay.channel.name}, size={self.size}"


class PaperChannel(ConvolvedPersLay):
    """A channel as the paper's tables write it: `Im(20,(10,2),10,sum)` or `Pm(25,25,10,top-5)`.

    `Im(p,(a,b),q,op)`: Gaussians on a grid of p + 1 by p + 1 points, a convolution with `a` filters of b by b over that
    image (none: `()`), weights on a grid of q by q. `Pm(d1,d2,q,op)`: d1 lines, an equivariant layer of dimension d2
    with maximum, weights on a grid of q by q. `convolution` says what the convolution follows: "op", as in the program
    of the authors, or "phi", as the paper writes it.

    >>> import perslay.torch
    >>> channel = perslay.torch.PaperChannel("Im(20,(10,2),20,sum)")
    >>> channel([[(0, 1)], []]).shape
    torch.Size([2, 4000])
    >>> perslay.torch.PaperChannel("Pm(25,25,10,top-5)").size
    125
    """

    def __init__(self, name: str, *, convolution: str = "op", **options: Any) -> None:
        channel, filters = _core.Channel.paper(name)
        super().__init__(channel, filters, follows=convolution, **options)
        self.name = name

    def extra_repr(self) -> str:
        return f"{self.name}, size={self.size}"


class PermutationEquivariant(nn.Module):
    """A permutation-equivariant layer (Zaheer et al. 2017): x becomes x lambda - pool(x) gamma + bias.

    x are features of points, and the pool (max, min, sum, mean or none) is taken over the points of each diagram. It
    may follow any module that computes features of points; after a phi with a name, `PersLay(equivariant=...)` is
    faster.

    >>> import torch, perslay.torch
    >>> layer = perslay.torch.PermutationEquivariant(2, 5, "mean")
    >>> layer
    PermutationEquivariant(2 -> 5, pool=mean)
    >>> batch = perslay.torch.RaggedBatch.of([[(0, 1), (0, 2)], [(1, 2)]])
    >>> layer(batch.points, batch.offsets).shape
    torch.Size([3, 5])
    """

    def __init__(
        self,
        input: int,
        size: int,
        pool: str = "max",
        *,
        seed: int | None = None,
        device: Any = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        channel = _core.Channel.given(features=input, equivariant=[(size, pool)])
        self.input, self.size, self.pool = input, size, pool
        for name, values in channel.initial_parameters("ours", drawn_seed(seed)).items():
            self.register_parameter(name.rpartition(".")[2], nn.Parameter(_tensor(values, device, dtype)))

    def forward(self, features: Tensor, offsets: Any) -> Tensor:
        """`features` [N, input], `offsets` [B + 1] as a RaggedBatch has them; gives [N, size]."""
        if features.ndim != 2 or features.shape[1] != self.input:
            raise ValueError(f"The layer needs features of the shape [N, {self.input}], not {list(features.shape)}.")
        segments = Segments(torch.as_tensor(offsets, device="cpu"), features.device)
        if len(segments.diagram) != len(features):
            raise ValueError(f"There are {len(features)} points, but the offsets end with {len(segments.diagram)}.")
        return plain_equivariant(self.pool, features, segments, dict(self.named_parameters(recurse=False)))

    def extra_repr(self) -> str:
        return f"{self.input} -> {self.size}, pool={self.pool}"


class Part(nn.Module):
    """Holds the parameters of one part of a PersLay, such as phi."""

    def extra_repr(self) -> str:
        own = self.named_parameters(recurse=False)
        return ", ".join(f"{name} {list(parameter.shape)}" for name, parameter in own)


def _part(module: nn.Module, name: str) -> nn.Module:
    """The part of a module called `name`, made if it is not there."""
    if name not in module._modules:
        module.add_module(name, Part())
    return module.get_submodule(name)


def drawn_seed(seed: int | None) -> int:
    """The seed itself, or one from torch's generator."""
    return int(torch.randint(2**62, ())) if seed is None else seed


def _tensor(values: np.ndarray, device: Any, dtype: torch.dtype | None) -> Tensor:
    return torch.tensor(values, device=device, dtype=dtype or torch.get_default_dtype())


def _start(convolution: nn.Conv2d, init: str, generator: torch.Generator) -> None:
    """Ours: uniform in +-1/sqrt(inputs of a filter). The authors': Glorot and Bengio's uniform filters, no bias."""
    inputs = convolution.weight[0].numel()
    outputs = convolution.weight[:, 0].numel()
    bound = math.sqrt(6 / (inputs + outputs)) if init == "authors" else 1 / math.sqrt(inputs)
    fill_uniform(convolution.weight, bound, generator)
    assert convolution.bias is not None
    fill_uniform(convolution.bias, 0 if init == "authors" else bound, generator)


def fill_uniform(parameter: Tensor, bound: float, generator: torch.Generator) -> None:
    """With numbers between -bound and bound, the same on every device."""
    with torch.no_grad():
        parameter.copy_(bound * (2 * torch.rand(parameter.shape, generator=generator) - 1))


def autocasts(device: torch.device) -> bool:
    """Whether torch.autocast is at work there, by which other layers give numbers of half precision."""
    try:
        return torch.is_autocast_enabled(device.type)
    except TypeError:  # before torch 2.4
        return torch.is_autocast_cpu_enabled() if device.type == "cpu" else torch.is_autocast_enabled()
    except RuntimeError:  # a device that has none
        return False


def widened(numbers: Any, like: Sequence[Tensor]) -> Any:
    """Under autocast, numbers of half precision (a tensor, a batch or None) as precise as the others."""
    if numbers is None or numbers.dtype not in (torch.float16, torch.bfloat16) or not autocasts(numbers.device):
        return numbers
    return numbers.to(dtype=like[0].dtype if like else torch.float32)


def _require_alike(points: Tensor, name: str, tensor: Tensor | None) -> None:
    if tensor is not None and (tensor.dtype != points.dtype or tensor.device != points.device):
        raise ValueError(
            f"The points are {points.dtype} on {points.device}, but {name} is {tensor.dtype} on {tensor.device}; "
            "use to() of the batch or of the layer."
        )
