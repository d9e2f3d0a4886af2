"""Models: trained, kept in files, used."""

from __future__ import annotations

import copyreg
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import _core
from ._convert import as_labelled, assignments


def load_model(path: str | os.PathLike[str]) -> _core.Model:
    """Reads a model file (.safetensors) that `perslay train` or `Model.write` wrote."""
    return _core.load_model(os.fspath(path))


def train(
    data: _core.Graphs | _core.Clouds | _core.DiagramSet,
    model: str | None = None,
    *,
    settings: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    seed: int = 0,
    threads: int | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_seconds: float = 10,
    fresh: bool = False,
    progress: bool | Callable[[int, int, float, float], Any] | None = None,
) -> _core.Model:
    """Trains a model on labelled items, as `perslay train` does; the same data, settings and seed give the same bytes.

    `model` is `ridge`, `ridge:POOL`, `svm:KERNEL`, `network` or `ridge:POOL+mlp`, see `perslay.names("models")`; None
    is the model of the settings, or `ridge` if there are none. `settings` is the name of settings that perslay carries
    (`perslay.names("settings")`), a TOML file, its text, or a dictionary such as {"training": {"epochs": 20}};
    `overrides` changes single keys, as {"training.epochs": 20} or ["training.epochs=20"]. A model predicts names of
    classes; `perslay.class_names(data)` are those of the data.

    `checkpoint` is a file to which the training of a network writes its state after an epoch, at most every
    `checkpoint_seconds`, and when it is interrupted (Ctrl-C). The same call takes it up again after an interruption,
    and removes it at the end. The state of another training is refused, unless `fresh=True` throws it away. A file that
    the call reads, such as its settings, is always refused.

    `progress=True` shows how far training has come, on stderr. Or it is a function that is called after each epoch of a
    network, or candidate of another model, with (net, epoch, loss, accuracy), the first two counted from 0, on a thread
    of the library. What it raises stops the training.

    >>> import perslay
    >>> graphs, unseen = perslay.shapes(per_class=10), perslay.shapes(per_class=1, seed=7)
    >>> perslay.train(graphs, "svm:sw").predict(unseen).tolist()
    ['0', '1', '2']
    >>> overrides = {"network.channel": "Pm(10,10,5,sum)", "training.epochs": 30}
    >>> network = perslay.train(graphs, "network", overrides=overrides)
    >>> network.predict(unseen).tolist(), len(network.history)
    (['0', '1', '2'], 30)
    """
    line = _Line() if progress is True else None
    try:
        return _core.train(
            as_labelled(data),
            settings,
            model,
            assignments(overrides),
            seed,
            threads,
            None if checkpoint is None else os.fspath(checkpoint),
            checkpoint_seconds,
            fresh,
            line or _four(progress),
        )
    finally:
        if line is not None:
            line.close()


def _four(progress: bool | Callable[[int, int, float, float], Any] | None) -> Callable[..., Any] | None:
    """The user's function, which is not told how many nets and steps there are."""
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise ValueError(f"progress is True or a function of (net, epoch, loss, accuracy), not {progress!r}.")
    return lambda net, epoch, loss, accuracy, *_: progress(net, epoch, loss, accuracy)


class _Line:
    """A line on stderr, of which the last report stays. On a terminal or in a notebook it is written anew, ten times a
    second at most; elsewhere there is a new line every five seconds."""

    def __init__(self) -> None:
        self._redraws = sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel")
        self._next = time.monotonic() + (0 if self._redraws else 5)
        self._width = 0
        self._last = ""

    def __call__(
        self,
        net: int,
        epoch: int,
        loss: float,
        accuracy: float,
        nets: int,
        steps: int,
        choosing: int,
        trainings: int,
    ) -> None:
        if nets == 0:  # of models that have none
            place = f"candidate {epoch + 1} of {steps}"
        else:
            place = f"epoch {epoch + 1} of {steps}"
            if nets > 1:
                place = f"net {net + 1} of {nets}, {place}"
            if choosing > 0:
                place = f"choosing a channel, training {choosing} of {trainings}, {place}"
        self._last = f"{place}: loss {loss:.4f}, accuracy {accuracy:.3f}"
        if time.monotonic() >= self._next:
            self._write()

    def _write(self) -> None:
        if self._redraws:
            sys.stderr.write("\r" + self._last.ljust(self._width))
        else:
            sys.stderr.write(self._last + "\n")
        sys.stderr.flush()
        self._width = len(self._last)
        self._next = time.monotonic() + (0.1 if self._redraws else 5)

    def close(self) -> None:
        if self._last:
            self._write()
            if self._redraws:
                sys.stderr.write("\n")


def _from_bytes(data: bytes) -> _core.Model:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        with open(path, "wb") as file:
            file.write(data)
        return _core.load_model(path)


def _reduce(model: _core.Model) -> tuple[Any, tuple[bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.safetensors")
        model.write(path)
        with open(path, "rb") as file:
            return _from_bytes, (file.read(),)


copyreg.pickle(_core.Model, _reduce)  # pickles hold what model files hold
