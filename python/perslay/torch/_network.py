"""Networks with all that belongs to them: what is fitted to the data, settings, classes. They live in model files."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .. import _core
from .._convert import as_data, as_labelled, assignments
from ._classifier import Classifier
from ._filtrations import TrainedFiltrations
from ._ragged import RaggedBatch

AT_ONCE = 512


@dataclasses.dataclass
class Inputs:
    """What a network reads of items: their diagrams, a batch for each group, and features [B, F]; labels if known.

    Graphs are there for networks whose filtrations were trained. Slices and lists of places choose items.
    """

    diagrams: list[RaggedBatch]
    features: Tensor
    labels: Tensor | None = None
    graphs: _core.Graphs | None = None

    def __len__(self) -> int:
        return len(self.features)

    def __getitem__(self, items: Any) -> Inputs:
        chosen = self._with(lambda batch: batch[items], lambda tensor: tensor[items])
        if self.graphs is not None:
            chosen.graphs = self.graphs[items if isinstance(items, slice) else np.asarray(items)]
        return chosen

    def to(self, device: Any = None, dtype: torch.dtype | None = None) -> Inputs:
        """The same elsewhere or in another precision."""
        return self._with(
            lambda batch: batch.to(device=device, dtype=dtype),
            lambda tensor: tensor.to(device=device, dtype=dtype if tensor.is_floating_point() else None),
        )

    def pin_memory(self) -> Inputs:
        return self._with(RaggedBatch.pin_memory, Tensor.pin_memory)

    def _with(self, on_batch: Any, on_tensor: Any) -> Inputs:
        labels = None if self.labels is None else on_tensor(self.labels)
        return Inputs([on_batch(batch) for batch in self.diagrams], on_tensor(self.features), labels, self.graphs)


class Network(nn.Module):
    """A network as model files hold it: from graphs, clouds or diagrams to the probabilities of classes.

    Made by `load_network` of what `perslay.train` or the program trained, and by `prepare_network` for a training of
    your own. `inputs(data)` computes, transforms and scales diagrams and features as they were fitted to the training
    data; calling it with these gives the logarithms of probabilities, which cross_entropy takes as well as logits. If
    it consists of several nets, their probabilities are averaged.

    `state_dict()` has the names of the arrays in the file, and `write` makes a file that `perslay predict` reads.

    >>> import perslay, perslay.torch
    >>> graphs = perslay.shapes(per_class=10)
    >>> network, inputs = perslay.torch.prepare_network(graphs, overrides=["network.channel=Pm(5,5,10,sum)"])
    >>> network(inputs[:4]).shape
    torch.Size([4, 3])
    >>> network.classes
    ['0', '1', '2']
    """

    def __init__(self, model: _core.Model, *, threads: int | None = None) -> None:
        super().__init__()
        if model.kind != "network":
            raise ValueError(f"This is a model '{model.kind}', not a network; perslay.load_model reads it.")
        self._choice = {name: array for name, array in model.arrays.items() if name.startswith("choice.")}
        self.model = model.with_arrays(self._choice)
        self.nets = model.training["nets"]
        generator = torch.Generator().manual_seed(model.seed % 2**63)
        with torch.random.fork_rng(devices=[]):  # torch's own modules draw from its generator
            for place in range(self.nets):
                seed = int(torch.randint(2**62, (), generator=generator))
                self.add_module(f"net{place}", self._make_net(seed, threads))
        if model.arrays:
            self._take(model.arrays)
            self.eval()

    def _make_net(self, seed: int, threads: int | None) -> Classifier:
        settings = self.model.network
        trained = [place for place, is_trained in enumerate(settings["trained"]) if is_trained and settings["diagrams"]]
        filtrations = None
        if trained:
            filtrations = TrainedFiltrations(
                [self.model.groups[place] for place in trained],
                scale=settings["scale"],
                pace=settings["filtration_pace"],
                drop_diagonal=settings["drop_diagonal"],
                prominent=settings["prominent"],
                quantiles=settings["quantiles"],
            )
        return Classifier(
            list(settings["channels"]) if settings["diagrams"] else [],
            settings["features"],
            len(self.model.classes),
            filtrations=filtrations,
            filtration_places=trained,
            init=settings["initialisation"],
            seed=seed,
            threads=threads,
            **{key: settings[key] for key in _ARCHITECTURE},
        )

    def _take(self, arrays: dict[str, np.ndarray]) -> None:
        with torch.no_grad():
            for name, tensor in self.state_dict().items():
                if _is_counter(name):
                    continue
                if name not in arrays:
                    raise ValueError(f"The array {name} that the network needs is missing.")
                values = torch.tensor(arrays[name])
                if values.shape != tensor.shape:
                    found, needed = list(values.shape), list(tensor.shape)
                    raise ValueError(f"The array {name} has the shape {found}, but the network needs {needed}.")
                tensor.copy_(values)

    @property
    def classes(self) -> list[str]:
        """The names of the classes."""
        return self.model.classes

    @property
    def settings(self) -> str:
        """How it was made, as TOML."""
        return self.model.settings

    def inputs(self, data: Any, *, threads: int | None = None) -> Inputs:
        """The network's inputs from graphs, clouds or diagrams (or a file that holds them), in its own precision.

        Labels are those of the data, numbered in the order of the network's classes; an unknown class is -1.
        """
        data = as_data(data, self.model.content)
        return self._as_inputs(*self.model.inputs(data, threads=threads), data)

    def _as_inputs(self, found: _core.DiagramSet, features: np.ndarray, data: Any) -> Inputs:
        """Tensors of what the library has prepared."""
        if list(found.groups) != self.model.groups:
            raise ValueError(
                f"The network reads the diagrams {_titles(self.model.groups)}, but the data have {_titles(list(found.groups))}."
            )
        own = next(self.parameters())
        # Points were (min, max) before they were scaled; scaled apart, some lie below the diagonal and stay there.
        batches = [
            RaggedBatch(
                torch.tensor(batch.points, dtype=own.dtype, device=own.device), batch.offsets.copy(), reordered=True
            )
            for _, batch in found.groups.items()
        ]
        if not self.model.network["diagrams"]:
            batches = []
        labels = None
        if found.labels is not None:
            places = [self.classes.index(name) if name in self.classes else -1 for name in found.classes]
            labels = torch.tensor(places, device=own.device)[torch.tensor(found.labels, dtype=torch.int64)]
        graphs = data if any(self.model.network["trained"]) else None
        return Inputs(batches, torch.tensor(features, dtype=own.dtype, device=own.device), labels, graphs)

    def forward(self, inputs: Inputs) -> Tensor:
        """Logarithms of probabilities, [B, classes]."""
        features = inputs.features if inputs.features.shape[1] else None
        each = [
            self.get_submodule(f"net{place}")(inputs.diagrams, features, inputs.graphs).log_softmax(1)
            for place in range(self.nets)
        ]
        return each[0] if self.nets == 1 else torch.stack(each).logsumexp(0) - float(np.log(self.nets))

    def predict_proba(self, data: Any, *, threads: int | None = None) -> np.ndarray:
        """The probability of each class for each item; `data` as for `inputs`."""
        training = self.training
        self.eval()
        try:
            with torch.no_grad():
                inputs = self.inputs(data, threads=threads)
                parts = [self(inputs[begin : begin + AT_ONCE]).exp() for begin in range(0, len(inputs), AT_ONCE)]
        finally:
            self.train(training)
        return torch.cat(parts).cpu().numpy() if parts else np.empty((0, len(self.classes)), np.float32)

    def predict(self, data: Any, *, threads: int | None = None) -> np.ndarray:
        """The name of the most probable class for each item."""
        return np.array(self.classes)[self.predict_proba(data, threads=threads).argmax(1)]

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file (.safetensors) that `load_network` and the program read."""
        arrays: dict[str, np.ndarray] = {}
        kept = {name for name in self.state_dict() if not _is_counter(name)}
        for place in range(self.nets):
            net = self.get_submodule(f"net{place}")
            for own in (net.named_parameters(f"net{place}"), net.named_buffers(f"net{place}")):
                arrays.update({name: _array(name, tensor) for name, tensor in own if name in kept})
        self.model.with_arrays({**arrays, **self._choice}).write(os.fspath(path))

    def extra_repr(self) -> str:
        return f"{self.model.content} -> {len(self.classes)} classes"


_ARCHITECTURE = ("channels", "convolution", "hidden", "batch_norm", "channel_norm", "input_dropout", "dropout")


def load_network(source: str | os.PathLike[str] | _core.Model, *, threads: int | None = None) -> Network:
    """A network that `perslay.train`, the program or `Network.write` made, from its file or a `perslay.Model`.

    It is in evaluation mode, and predicts what `perslay.Model` and the program predict, up to rounding errors.

    >>> import numpy as np, perslay, perslay.torch
    >>> graphs = perslay.shapes(per_class=5)
    >>> overrides = ["network.channel=Pm(5,5,10,sum)", "training.epochs=3"]
    >>> model = perslay.train(graphs, "network", overrides=overrides)
    >>> network = perslay.torch.load_network(model)
    >>> np.allclose(network.predict_proba(graphs), model.predict_proba(graphs), atol=1e-5)
    True
    """
    model = source if isinstance(source, _core.Model) else _core.load_model(os.fspath(source))
    return Network(model, threads=threads)


def prepare_network(
    data: _core.Graphs | _core.Clouds | _core.DiagramSet,
    *,
    settings: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    seed: int = 0,
    threads: int | None = None,
) -> tuple[Network, Inputs]:
    """For a training of your own: a network that has learned nothing yet, and what it reads of the data.

    Everything that is fitted to the data before learning is fitted, and diagrams and features are computed once.
    `settings` and `overrides` are as for `perslay.train`; what they say about training is left to you. Train it as any
    module: the loss is cross_entropy(network(inputs[batch]), inputs.labels[batch]). Filtrations that are trained with
    the network are for `perslay.train`.

    >>> import torch, perslay, perslay.torch
    >>> graphs = perslay.shapes(per_class=5)
    >>> network, inputs = perslay.torch.prepare_network(graphs, overrides={"network.channel": "Pm(5,5,10,sum)"})
    >>> loss = torch.nn.functional.cross_entropy(network(inputs[:6]), inputs.labels[:6])
    >>> loss.backward()
    """
    data = as_labelled(data)
    labels = getattr(data, "labels", None)
    if labels is None:
        raise ValueError("The data have no labels, so there is nothing to learn.")
    if len(np.unique(labels)) < 2:
        raise ValueError("All items are of one class, so there is nothing to learn.")
    model, diagrams, features = _core.prepare_network(data, settings, assignments(overrides), seed, threads)
    network = Network(model, threads=threads)
    return network, network._as_inputs(diagrams, features, data)


def _is_counter(name: str) -> bool:
    """Whether it is torch's count of batches, which nobody reads; model files of today have none, older ones do."""
    return name.endswith("num_batches_tracked")


def _array(name: str, tensor: Tensor) -> np.ndarray:
    """In float32, but for the numbers of trained filtrations, which are not parameters and kept in float64."""
    exact = ".filtrations." in name and not isinstance(tensor, nn.Parameter)
    return tensor.detach().cpu().to(torch.float64 if exact else torch.float32).numpy()


def _titles(groups: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"{filtration} {kind}" for filtration, kind in groups) or "none"
