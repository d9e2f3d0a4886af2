"""Training as the settings' section [training] says."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from .. import _core
from .._convert import as_labelled
from ._classifier import Classifier
from ._network import Inputs, Network, prepare_network


def train_network(
    data: _core.Graphs | _core.Clouds | _core.DiagramSet,
    *,
    settings: str | os.PathLike[str] | None = None,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    seed: int = 0,
    threads: int | None = None,
    report: Callable[[int, int, float, float], Any] | None = None,
) -> Network:
    """Trains the network of the settings on labelled items, as `perslay train` does; with its own random numbers.

    `settings` and `overrides` as for `prepare_network`. `report(net, epoch, loss, accuracy)` is called after each epoch.
    The same seed gives the same network; torch's generator is left as it was.

    >>> import perslay, perslay.torch
    >>> overrides = ["network.channel=Pm(10,10,5,sum)", "training.epochs=30"]
    >>> network = perslay.torch.train_network(perslay.shapes(per_class=15), overrides=overrides)
    >>> unseen = perslay.shapes(per_class=5, seed=1)
    >>> bool((network.predict(unseen) == perslay.class_names(unseen)).mean() > 0.8)
    True
    """
    data = as_labelled(data)
    network = prepare_network(data, settings=settings, overrides=overrides, seed=seed, threads=threads)
    inputs = network.inputs(data, threads=threads)
    plan = network.model.training
    _require_enough_items(network.model.network, min(len(inputs), plan["batch"]))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed % 2**63)
        for place in range(network.nets):
            net: Any = network.get_submodule(f"net{place}")
            train_net(net, inputs, plan, _for_net(report, place))
    return network.eval()


def train_net(
    net: Classifier, inputs: Inputs, plan: dict[str, Any], report: Callable[[int, float, float], Any] | None
) -> None:
    """Trains one classifier by a plan with the keys of [training]."""
    net.train()
    parameters: list[Tensor] = [parameter for parameter in net.parameters() if parameter.requires_grad]
    optimiser = _Optimiser(parameters, plan)
    average = [parameter.detach().clone() for parameter in parameters] if plan["average"] > 0 else []
    epochs, step = plan["epochs"], 0
    for epoch in range(epochs):
        batches = list(in_batches(torch.randperm(len(inputs)), plan["batch"]))
        loss_sum = hits = 0.0
        for items in batches:
            batch = inputs[items]
            loss, right = _step(net, batch, optimiser, plan, rate_factor(plan["schedule"], step, len(batches), epochs))
            loss_sum += loss * len(items)
            hits += right
            step += 1
            if average:
                _move_average(average, parameters, plan["average"])
        if not math.isfinite(loss_sum):
            raise ValueError(
                f"The loss became {loss_sum} in epoch {epoch + 1} of {epochs}; "
                f"a training.rate below {plan['rate']} may help."
            )
        if report is not None:
            report(epoch, loss_sum / len(inputs), hits / len(inputs))
        if plan["restart_from_average"]:
            _take_average(average, parameters)
    _take_average(average, parameters)


def _take_average(average: list[Tensor], parameters: list[Tensor]) -> None:
    with torch.no_grad():
        for mean, parameter in zip(average, parameters):
            parameter.copy_(mean)


def _move_average(average: list[Tensor], parameters: list[Tensor], decay: float) -> None:
    with torch.no_grad():
        for mean, parameter in zip(average, parameters):
            mean.lerp_(parameter, 1 - decay)


def _step(
    net: Classifier, batch: Inputs, optimiser: _Optimiser, plan: dict[str, Any], factor: float
) -> tuple[float, float]:
    """The loss and how many items were right."""
    features = batch.features if batch.features.shape[1] else None
    if batch.labels is None:
        raise ValueError("The items have no labels, so there is nothing to learn.")
    logits = net(batch.diagrams, features)
    loss = nn.functional.cross_entropy(logits, batch.labels, label_smoothing=plan["label_smoothing"])
    optimiser.step(loss, plan["rate"] * factor)
    return loss.item(), float((logits.argmax(1) == batch.labels).sum())


class _Optimiser:
    """`adam`, `adamw`, or `adam-tf`, which adds epsilon before the second moment is corrected."""

    def __init__(self, parameters: list[Tensor], plan: dict[str, Any]) -> None:
        kind = torch.optim.AdamW if plan["optimiser"] == "adamw" else torch.optim.Adam
        self._epsilon = plan["epsilon"]
        self._late = plan["optimiser"] == "adam-tf"
        self._adam = kind(parameters, lr=plan["rate"], eps=self._epsilon, weight_decay=plan["weight_decay"])
        self._steps = 0

    def step(self, loss: Tensor, rate: float) -> None:
        self._steps += 1
        for group in self._adam.param_groups:
            group["lr"] = rate
            if self._late:
                group["eps"] = self._epsilon / math.sqrt(1 - group["betas"][1] ** self._steps)
        self._adam.zero_grad()
        loss.backward()
        self._adam.step()


def in_batches(order: Tensor, size: int) -> Iterator[Tensor]:
    """Batches of `size` items; one left alone goes to the batch before it, for batch norm has no use for it.

    >>> import torch
    >>> from perslay.torch._training import in_batches
    >>> [len(batch) for batch in in_batches(torch.arange(9), 4)]
    [4, 5]
    """
    begin = 0
    while begin < len(order):
        left = len(order) - begin
        count = left if left <= size + 1 else size
        yield order[begin : begin + count]
        begin += count


def rate_factor(schedule: str, step: int, steps: int, epochs: int) -> float:
    """What the learning rate is multiplied by at a step, counted over all epochs of `steps` steps each.

    >>> from perslay.torch._training import rate_factor
    >>> rate_factor("halving:20", 45, 1, 100), rate_factor("constant", 45, 1, 100)
    (0.25, 1.0)
    """
    name, _, period = schedule.partition(":")
    last = steps * epochs - 1
    if name == "halving":
        return 0.5 ** (step // steps // int(period))
    if name == "cosine":
        return _ease(1, 0, step / (last + 1))
    if name == "one-cycle":
        top = 0.3 * (last + 1) - 1  # the step of the highest rate
        if step <= top:
            return _ease(1 / 25, 1, step / top if top > 0 else 0)
        return _ease(1, 4e-6, (step - top) / (last - top) if last > top else 0)
    return 1.0


def _ease(begin: float, end: float, x: float) -> float:
    """From `begin` to `end` along half a cosine as x goes from 0 to 1."""
    return end + (begin - end) * (1 + math.cos(math.pi * x)) / 2


def _require_enough_items(settings: dict[str, Any], items: int) -> None:
    if (settings["channel_norm"] or (settings["batch_norm"] and settings["hidden"])) and items < 2:
        raise ValueError(f"Batch norm needs at least 2 items in a batch, and there is {items}.")


def _for_net(
    report: Callable[[int, int, float, float], Any] | None, place: int
) -> Callable[[int, float, float], Any] | None:
    return None if report is None else lambda epoch, loss, accuracy: report(place, epoch, loss, accuracy)
