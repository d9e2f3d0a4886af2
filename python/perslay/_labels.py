"""Labels of items and of vertices as numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._core import number_of_word


def as_numpy(values: Any) -> np.ndarray:
    """Also of tensors, wherever they are and whatever they hold."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        if getattr(values, "is_sparse", False):
            values = values.to_dense()
        if str(values.dtype) == "torch.bfloat16":
            values = values.float()
    return np.asarray(values)


def classes_of(labels: Any) -> tuple[list[int] | None, list[str]]:
    """Labels of any kind as numbers from 0, and their classes' names in ascending order. None and False are none."""
    if labels is None or labels is False:
        return None, []
    array = as_numpy(labels)
    if array.ndim != 1:
        raise ValueError(f"labels must have one axis, but their shape is {array.shape}.")
    if array.dtype == object and any(label is None for label in array):
        raise ValueError(f"Item {[label is None for label in array].index(True)} has None for a label.")
    if array.dtype == object and all(isinstance(label, (int, float, np.number)) for label in array):
        array = array.astype(float)
    if array.dtype.kind == "f" and (fractions := np.flatnonzero(~(np.mod(array, 1) == 0))).size:
        place = fractions[0]
        raise ValueError(
            f"labels are classes, but item {place} has {array[place]:g}: a number to be predicted is no class. Make "
            "classes of such numbers, for example by numpy.digitize, write them as text if they are names, or leave "
            "them out with labels=False."
        )
    if array.dtype.kind == "f":
        array = array.astype(np.int64)  # 1.0 is the class 1
    classes, numbers = np.unique(array, return_inverse=True)
    return numbers.tolist(), [str(name) for name in classes.tolist()]


def vertex_labels(labels: Any, place: int) -> np.ndarray:
    """Labels of one graph's vertices as integers, from integers or words."""
    found = as_numpy(labels)
    if found.dtype == object or found.dtype.kind == "U":
        items = [label.item() if isinstance(label, np.generic) else label for label in list(labels)]
        if items and all(isinstance(label, str) for label in items):
            return np.array([number_of_word(label) for label in items], np.int64)
        odd = next((label for label in items if not isinstance(label, (str, int)) or isinstance(label, bool)), None)
        if odd is not None or not all(isinstance(label, int) for label in items):
            what = "integers and words" if odd is None else repr(odd)
            raise ValueError(f"Node labels are integers or words, and graph {place} has {what}.")
    if found.dtype.kind not in "iu" and found.size > 0:
        raise ValueError(
            f"The node labels of graph {place} are {found.dtype}; labels are integers or words, and columns of other "
            "numbers are node_attributes."
        )
    return found
