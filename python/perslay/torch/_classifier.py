"""The paper's network: channels side by side with features, then dense layers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from ._filtrations import TrainedFiltrations
from .. import _core
from ._layer import ConvolvedPersLay, PaperChannel, PersLay, drawn_seed, fill_uniform

ChannelNames = str | Mapping[str, Any]
"""A short form of the paper, or a dictionary: phi, equivariant, convolution, weight and op as settings write them."""


def make_channel(
    names: ChannelNames,
    *,
    convolution: str = "op",
    init: str = "ours",
    seed: int | None = None,
    threads: int | None = None,
) -> PersLay | ConvolvedPersLay:
    """The module behind a channel as settings write it: `"Im(20,(10,2),10,sum)"`, or a dictionary of names.

    `convolution` says what a convolution follows, "op" or "phi".

    >>> import perslay.torch
    >>> perslay.torch.make_channel({"phi": "triangle:10", "op": "max"}).size
    10
    >>> type(perslay.torch.make_channel("Pm(5,5,10,sum)")).__name__
    'PaperChannel'
    """
    if isinstance(names, str):
        return PaperChannel(names, convolution=convolution, init=init, seed=seed, threads=threads)
    unknown = set(names) - {"phi", "equivariant", "convolution", "weight", "op"}
    if unknown or "phi" not in names:
        raise ValueError(
            f"A channel is a short form or has phi, equivariant, convolution, weight and op, not {dict(names)}."
        )
    if names["phi"].startswith("mlp"):
        raise ValueError(f"'{names['phi']}' is a network on each point; perslay.torch.PointNetwork makes it.")
    layers = [name.partition(":") for name in names.get("equivariant", ())]
    equivariant = [(int(size), pool or "max") for size, _, pool in layers]
    channel = _core.Channel(
        names["phi"], names.get("weight", "one"), names.get("op", "sum"), equivariant=equivariant
    )
    if not names.get("convolution"):
        return PersLay.from_channel(channel, init=init, seed=seed, threads=threads)
    filters = _core.Channel.convolution(names["convolution"], channel)
    return ConvolvedPersLay(channel, filters, follows=convolution, init=init, seed=seed, threads=threads)


class Classifier(nn.Module):
    """Channels for each group of diagrams, side by side with features, then dense layers; one logit per class.

    `groups` are names of the groups of diagrams, such as their kinds. Each goes through `channel` (a short form of the
    paper, or a dictionary as settings have it), unless `channels` has one for its name, or several side by side as a
    list. `convolution` says what the convolutions of channels follow, "op" or "phi". `features` is how many numbers per
    item stand beside. Then come hidden layers with ReLU, optionally batch norm and dropout, and the last dense layer.
    In networks that the program trained with their filtration, `filtrations` computes the diagrams of the groups at
    `filtration_places` from graphs.

    Parameters are called channel0.perslay.phi.births, ..., dense0.weight, norm0.weight, ... as in model files.

    >>> import torch, perslay.torch
    >>> classifier = perslay.torch.Classifier(["ext0", "ext1"], features=3, classes=2, channel="Pm(5,5,10,sum)")
    >>> diagrams = perslay.torch.RaggedBatch.of([[(0, 1)], []])
    >>> classifier([diagrams, diagrams], torch.zeros(2, 3)).shape
    torch.Size([2, 2])
    """

    def __init__(
        self,
        groups: Sequence[str],
        features: int = 0,
        classes: int = 2,
        *,
        channel: ChannelNames = "Im(20,(10,2),10,sum)",
        channels: Mapping[str, ChannelNames | Sequence[ChannelNames]] | None = None,
        convolution: str = "op",
        hidden: Sequence[int] = (),
        batch_norm: bool = False,
        channel_norm: bool = False,
        input_dropout: float = 0.0,
        dropout: float = 0.0,
        filtrations: TrainedFiltrations | None = None,
        filtration_places: Sequence[int] = (),
        init: str = "ours",
        seed: int | None = None,
        threads: int | None = None,
    ) -> None:
        super().__init__()
        self.filtrations, self._places = filtrations, list(filtration_places)
        self.groups, self.features, self.classes = list(groups), features, classes
        self.input_dropout, self.dropout = input_dropout, dropout
        generator = torch.Generator().manual_seed(drawn_seed(seed))
        self._reads: list[int] = []  # the group of each channel
        for group, name in enumerate(self.groups):
            found = (channels or {}).get(name, channel)
            for names in [found] if isinstance(found, (str, Mapping)) else found:
                part = int(torch.randint(2**62, (), generator=generator))
                made = make_channel(names, convolution=convolution, init=init, seed=part, threads=threads)
                self.add_module(f"channel{len(self._reads)}", made)
                self._reads.append(group)
        from_channels = sum(module.size for module in self.channels)
        width = from_channels + features
        if width == 0:
            raise ValueError("The network has nothing to read: neither diagrams nor features.")
        self.channel_norm = nn.BatchNorm1d(from_channels) if channel_norm and from_channels else None
        sizes = [*hidden, classes]
        self.depth = len(sizes)
        self.batch_norm = batch_norm
        for place, (before, after) in enumerate(zip([width, *sizes], sizes)):
            self.add_module(f"dense{place}", _dense(before, after, generator))
            if batch_norm and place + 1 < len(sizes):
                self.add_module(f"norm{place}", nn.BatchNorm1d(after))

    @property
    def channels(self) -> list[Any]:
        """The modules that the groups go through, group by group."""
        return [self.get_submodule(f"channel{place}") for place in range(len(self._reads))]

    def forward(self, diagrams: Sequence[Any], features: Tensor | None = None, graphs: Any = None) -> Tensor:
        """[B, classes]: `diagrams` has one batch for each group, `features` [B, features].

        Graphs are needed by networks whose filtrations were trained; the diagrams of these are computed here.
        """
        if len(diagrams) != len(self.groups):
            raise ValueError(f"The network reads {len(self.groups)} groups of diagrams, not {len(diagrams)}.")
        if (0 if features is None else features.shape[-1]) != self.features:
            found = "none" if features is None else list(features.shape)
            raise ValueError(f"The network reads {self.features} features of each item, not {found}.")
        if self.filtrations is not None:
            diagrams, features = self._with_trained(list(diagrams), features, graphs)
        parts = [channel(diagrams[group]) for channel, group in zip(self.channels, self._reads)]
        if parts and self.channel_norm is not None:
            parts = [self.channel_norm(torch.cat(parts, 1))]
        if features is not None:
            parts.append(features)
        values = nn.functional.dropout(torch.cat(parts, 1), self.input_dropout, self.training)
        values = self.get_submodule("dense0")(values)
        for place in range(1, self.depth):
            if self.batch_norm:
                values = self.get_submodule(f"norm{place - 1}")(values)
            values = nn.functional.dropout(values.relu(), self.dropout, self.training)
            values = self.get_submodule(f"dense{place}")(values)
        return values

    def _with_trained(
        self, diagrams: list[Any], features: Tensor | None, graphs: Any
    ) -> tuple[list[Any], Tensor | None]:
        if graphs is None:
            raise ValueError("The network computes diagrams of graphs itself, and there are no graphs.")
        assert self.filtrations is not None
        dtype = next(self.get_submodule("dense0").parameters()).dtype
        found, features = self.filtrations(graphs, dtype, features)
        for place, batch in zip(self._places, found):
            diagrams[place] = batch
        return diagrams, features

    def extra_repr(self) -> str:
        return f"{len(self._reads)} channels, {self.features} features, {self.classes} classes"


def _dense(before: int, after: int, generator: torch.Generator) -> nn.Linear:
    """Glorot and Bengio's uniform weights, no bias."""
    layer = nn.Linear(before, after)
    fill_uniform(layer.weight, math.sqrt(6 / (before + after)), generator)
    fill_uniform(layer.bias, 0, generator)
    return layer
