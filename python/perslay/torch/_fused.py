"""Equation (3) by the library's kernels, as a node of the autograd graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from .. import _core


def fused_forward(
    channel: _core.Channel,
    points: Tensor,
    offsets: Tensor,
    parameters: list[Tensor],
    features: Tensor | None = None,
    weights: Tensor | None = None,
    threads: int | None = None,
) -> Tensor:
    """[B, channel.size], on the CPU in float32 or float64; first derivatives only.

    The number of threads changes no bit; None takes as many as torch does.
    """
    threads = torch.get_num_threads() if threads is None else threads
    return _Fused.apply(channel, threads, offsets, points, features, weights, *parameters)


class _Fused(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        channel: _core.Channel,
        threads: int,
        offsets: Tensor,
        points: Tensor,
        features: Tensor | None,
        weights: Tensor | None,
        *parameters: Tensor,
    ) -> Tensor:
        out, selection = channel.forward(
            _array(points),
            _array(offsets),
            [_array(parameter) for parameter in parameters],
            features=_array(features),
            weights=_array(weights),
            selection=any(ctx.needs_input_grad),
            threads=threads,
        )
        ctx.channel, ctx.threads, ctx.selection = channel, threads, selection
        ctx.save_for_backward(offsets, points, features, weights, *parameters)
        return torch.from_numpy(out)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        offsets, points, features, weights, *parameters = ctx.saved_tensors
        of_points, of_parameters, of_features, of_weights = ctx.channel.backward(
            _array(points),
            _array(offsets),
            [_array(parameter) for parameter in parameters],
            ctx.selection,
            _array(gradient),
            need_points=ctx.needs_input_grad[3],
            need_parameters=list(ctx.needs_input_grad[6:]),
            features=_array(features),
            weights=_array(weights),
            threads=ctx.threads,
        )
        found = [_tensor(array) for array in (of_points, of_features, of_weights, *of_parameters)]
        sources = [gradient, points, features, weights, *parameters]
        return None, None, None, *(once(tensor, sources, "PersLay with path='fused'; 'plain' can") for tensor in found)


def once(gradient: Tensor | None, sources: Sequence[Tensor | None], who: str) -> Tensor | None:
    """A gradient that backward returns and that cannot be differentiated again: whoever tries is told so.

    `sources` are all tensors that it depends on: the gradient that came in, and the inputs of forward. Whichever of
    these is asked for, by backward() or by torch.autograd.grad, the node that raises lies on the way. torch's own
    once_differentiable says nothing where the gradient that comes in is a constant, and zeros come out.
    """
    if gradient is None or not torch.is_grad_enabled():  # it is enabled in backward if create_graph=True
        return gradient
    return _Once.apply(who, gradient, *(source for source in sources if source is not None and source.requires_grad))


class _Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, who: str, gradient: Tensor, *sources: Tensor) -> Tensor:
        ctx.who = who
        return gradient.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Any:
        raise RuntimeError(f"This cannot be differentiated twice: {ctx.who}.")


def _array(tensor: Tensor | None) -> Any:
    return None if tensor is None else tensor.detach().numpy()


def _tensor(array: Any) -> Tensor | None:
    return None if array is None else torch.from_numpy(array)
