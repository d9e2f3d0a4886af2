"""Sums, means and largest values over the points of each diagram, with torch's own operations."""

from __future__ import annotations

import torch


class Segments:
    """Which rows belong to which diagram, on the device where the rows are."""

    def __init__(self, offsets: torch.Tensor, device: torch.device) -> None:
        counts = offsets.diff()
        self.size = len(counts)
        self.begin = offsets[:-1].to(device)
        self.counts = counts.to(device)
        self.diagram = torch.repeat_interleave(torch.arange(self.size), counts).to(device)

    def spread(self, per_diagram: torch.Tensor) -> torch.Tensor:
        """For each row what its diagram has."""
        return per_diagram.index_select(0, self.diagram)

    def sum(self, rows: torch.Tensor) -> torch.Tensor:
        return rows.new_zeros(self.size, rows.shape[1]).index_add(0, self.diagram, rows)

    def mean(self, rows: torch.Tensor) -> torch.Tensor:
        return self.sum(rows) / self.counts.clamp_min(1).unsqueeze(1)

    def first(self, rows: torch.Tensor, count: int, *, largest: bool = True) -> torch.Tensor:
        """The `count` largest or smallest of each column in each diagram, [B, q, count]; missing ones are 0.

        Ties go to the first row. That takes two stable sorts, by value and then by diagram, because torch's topk and
        max pick any of equal rows. Values that are not numbers come last.
        """
        if len(rows) == 0:
            return self.sum(rows).unsqueeze(2).expand(-1, -1, count)
        keys = rows.detach()
        keys = torch.where(keys.isnan(), -torch.inf if largest else torch.inf, keys)
        by_value = torch.sort(keys, dim=0, descending=largest, stable=True).indices
        by_diagram = torch.sort(self.diagram[by_value], dim=0, stable=True).indices
        order = by_value.gather(0, by_diagram)
        rank = torch.arange(count, device=rows.device)
        exists = rank < self.counts.unsqueeze(1)
        place = (self.begin.unsqueeze(1) + rank).clamp_max(len(rows) - 1)
        values = rows.gather(0, order[place.flatten()]).reshape(self.size, count, rows.shape[1])
        return torch.where(exists.unsqueeze(2), values, 0).transpose(1, 2)

    def reduce(self, rows: torch.Tensor, op: str) -> torch.Tensor:
        """`sum`, `mean`, `max`, `min`, `kth:K` or `topk:K` of each column in each diagram, [B, q] or [B, q K]."""
        head, _, k = op.partition(":")
        if head == "sum":
            return self.sum(rows)
        if head == "mean":
            return self.mean(rows)
        if head in ("max", "min"):
            return self.first(rows, 1, largest=head == "max").squeeze(2)
        chosen = self.first(rows, int(k))
        return chosen.flatten(1) if head == "topk" else chosen[:, :, -1]
