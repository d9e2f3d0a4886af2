"""Models that need no network: trained, kept in files, used."""

from __future__ import annotations

import copyreg
import os
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

from . import _core
from ._convert import as_labelled, assignments


def load_model(path: str | os.PathLike[str]) -> _core.Model:
    """Reads a model file (.safetensors) that `perslay train` or `Model.write` wrote.

    Models of any kind can be looked at; kernel models (`ridge:...`, `svm:...`) also predict.
    """
    return _core.load_model(os.fspath(path))


def train(
    data: _core.Graphs | _core.Clouds | _core.DiagramSet,
    model: str | None = "ridge",
    *,
    settings: str | os.PathLike[str] | None = None,
    overrides: Mapping[str, Any] | Sequence[str] = (),
    seed: int = 0,
    threads: int | None = None,
) -> _core.Model:
    """Trains a kernel model on labelled items: `ridge`, `ridge:POOL` or `svm:KERNEL`, see `perslay.names("models")`.

    `settings` is a TOML file or its text; `overrides` changes single keys, as {"svm.folds": 3} or ["svm.folds=3"]. A model
    predicts names of classes; `perslay.class_names(data)` are those of the data.

    >>> import perslay
    >>> model = perslay.train(perslay.shapes(per_class=10), "svm:sw")
    >>> model.predict(perslay.shapes(per_class=1, seed=7)).tolist()
    ['0', '1', '2']
    """
    text = settings
    if text is not None and not (isinstance(text, str) and ("=" in text or not text)):
        with open(text, encoding="utf-8") as file:
            text = file.read()
    return _core.train(as_labelled(data), text, model, assignments(overrides), seed, threads)[0]


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
