"""What notebooks show: a small table, and for diagrams a picture. No scripts, and nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import numpy as np

from . import _core
from ._colours import COLOURS

MOST_POINTS = 500
MOST_PICTURES = 6
SIDE = 160
GREY = "#888888"


def _table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    def cells(tag: str, values: Sequence[Any]) -> str:
        return "".join(f"<{tag}>{escape(str(value))}</{tag}>" for value in values)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"


def _titled(what: object, *parts: str) -> str:
    return f"<div><p>{escape(repr(what))}</p>{''.join(parts)}</div>"


def _spread(numbers: np.ndarray) -> list[str]:
    """Least, median and most."""
    if not len(numbers):
        return []
    return [f"{value:g}" for value in (numbers.min(), np.median(numbers), numbers.max())]


def _by_class(counts: dict[str, np.ndarray], labels: np.ndarray | None, classes: list[str], items: str) -> str:
    """How many items each class has, and how large they are."""
    head = ["class", items, *(f"{name}: least, median, most" for name in counts)]
    parts: list[tuple[str, Any]] = [("all", slice(None))]
    if labels is not None and len(classes) <= 10:
        parts += [(name, labels == number) for number, name in enumerate(classes)]
    rows = []
    for name, chosen in parts:
        numbers = [count[chosen] for count in counts.values()]
        rows.append([name, len(numbers[0]), *(" · ".join(_spread(one)) for one in numbers)])
    return _table(head, rows)


def graphs_html(self: _core.Graphs) -> str:
    counts = {"vertices": self.num_nodes, "edges": self.num_edges, "independent loops": self.beta1}
    return _titled(self, _by_class(counts, self.labels, self.classes, "graphs"))


def clouds_html(self: _core.Clouds) -> str:
    return _titled(self, _by_class({"points": np.diff(self.offsets)}, self.labels, self.classes, "clouds"))


def batch_html(self: _core.DiagramBatch) -> str:
    return _titled(self, _table(_HEAD, [_row(self)]), _picture([(COLOURS["ord0"], self)]))


def set_html(self: _core.DiagramSet) -> str:
    rows = [[filtration, kind, *_row(batch)] for (filtration, kind), batch in self.groups.items()]
    kinds = dict.fromkeys(kind for _, kind in self.groups)
    pictures = []
    for filtration in list(dict.fromkeys(filtration for filtration, _ in self.groups))[:MOST_PICTURES]:
        own = [(COLOURS.get(kind, GREY), batch) for (of, kind), batch in self.groups.items() if of == filtration]
        pictures.append(
            f'<figure style="display:inline-block;margin:4px">{_picture(own)}'
            f"<figcaption>{escape(filtration)}</figcaption></figure>"
        )
    legend = " ".join(f'<span style="color:{COLOURS.get(kind, GREY)}">&#9679;</span> {kind}' for kind in kinds)
    return _titled(self, _table(["filtration", "kind", *_HEAD], rows), *pictures, f"<p>{legend}</p>")


_HEAD = ["diagrams", "points", "points of one: least, median, most", "from", "to"]


def _row(batch: _core.DiagramBatch) -> list[Any]:
    finite = batch.points[np.isfinite(batch.points)]
    ends = [f"{finite.min():.4g}", f"{finite.max():.4g}"] if finite.size else ["", ""]
    return [len(batch), len(batch.points), " · ".join(_spread(batch.counts)), *ends]


def _picture(batches: Sequence[tuple[str, _core.DiagramBatch]]) -> str:
    """The points of some batches in their colours, births along x and deaths along y; of many some, evenly chosen."""
    finite = [batch.points[np.isfinite(batch.points).all(axis=1)] for _, batch in batches]
    every = np.concatenate(finite) if finite else np.empty((0, 2))
    low, high = (every.min(), every.max()) if every.size else (0.0, 1.0)
    scale = (SIDE - 12) / ((high - low) or 1.0)
    dots = []
    for (colour, _), points in zip(batches, finite):
        chosen = np.unique(np.linspace(0, len(points) - 1, min(len(points), MOST_POINTS)).astype(int))
        places = 6 + scale * (points[chosen] - low)
        places = np.unique(places.round(1), axis=0)  # one circle where many points lie
        circles = "".join(f'<circle cx="{x:.1f}" cy="{SIDE - y:.1f}" r="2"/>' for x, y in places)
        dots.append(f'<g fill="{colour}" fill-opacity="0.6">{circles}</g>')
    return (
        f'<svg width="{SIDE}" height="{SIDE}" viewBox="0 0 {SIDE} {SIDE}" role="img" aria-label="persistence diagram">'
        f'<rect width="{SIDE}" height="{SIDE}" fill="white" stroke="#999"/>'
        f'<path d="M6 {SIDE - 6}L{SIDE - 6} 6" stroke="#999" fill="none"/>{"".join(dots)}</svg>'
    )
