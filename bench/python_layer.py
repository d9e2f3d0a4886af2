#!/usr/bin/env python3
"""The PersLay layer in PyTorch beside three ways to write it in torch's own operations.

One step, forward and backward with gradients to all parameters, on one thread: 128 diagrams of 400 to 500 points,
Gaussians on a grid of 20 x 20, weights on a grid of 10 x 10, sum, float32.

  padded     diagrams filled up to the longest with zeros, tensors [diagrams, points, 2, features] as in published code
  leaner     the same without the axis of two
  separable  the same padding, but 20 + 20 exponentials for each point and a batched matrix product
  ours       perslay.torch.PersLay

They take turns. The medians of time on the clock and of processor time are compared; other work on the machine disturbs
the latter less.

Usage: PYTHONPATH=build/python/python python bench/python_layer.py
"""

import argparse
import statistics
import time

import torch

import perslay.torch

SIDE, CELLS = 20, 10


def make_batch(diagrams, fewest, most):
    torch.manual_seed(0)
    counts = torch.randint(fewest, most + 1, (diagrams,)).tolist()
    points = [torch.rand(count, 2).sort(1).values for count in counts]
    return perslay.torch.RaggedBatch.of(points)


class Padded(torch.nn.Module):
    """What our layer computes, on padded tensors."""

    def __init__(self, layer, batch, way):
        super().__init__()
        self.births = torch.nn.Parameter(layer.phi.births.detach().clone())
        self.persistences = torch.nn.Parameter(layer.phi.persistences.detach().clone())
        self.sharpness = torch.nn.Parameter(layer.phi.sharpness.detach().clone())
        self.cells = torch.nn.Parameter(layer.weight.cells.detach().clone())
        self.points = torch.nn.utils.rnn.pad_sequence(batch.to_list(), batch_first=True)
        ones = [torch.ones(count) for count in batch.counts.tolist()]
        self.mask = torch.nn.utils.rnn.pad_sequence(ones, batch_first=True)
        self.places = [((self.points[..., i] + 0.001) / 1.002 * CELLS).floor().clamp(0, CELLS - 1).long() for i in range(2)]
        self.features = getattr(self, way)

    def forward(self):
        weights = self.cells[self.places[0], self.places[1]] * self.mask
        birth = self.points[..., :1]
        return self.features(birth, self.points[..., 1:] - birth, weights.unsqueeze(2), -self.sharpness.square())

    def padded(self, birth, persistence, weights, square):
        centres = torch.cartesian_prod(self.births, self.persistences).t()
        away = torch.cat([birth, persistence], 2).unsqueeze(3) - centres
        return ((square * away.square()).sum(2).exp() * weights).sum(1)

    def leaner(self, birth, persistence, weights, square):
        centres = torch.cartesian_prod(self.births, self.persistences)
        distance = (birth - centres[:, 0]).square() + (persistence - centres[:, 1]).square()
        return ((square * distance).exp() * weights).sum(1)

    def separable(self, birth, persistence, weights, square):
        along_births = (square * (birth - self.births).square()).exp() * weights
        along_persistences = (square * (persistence - self.persistences).square()).exp()
        return along_births.transpose(1, 2).bmm(along_persistences).flatten(1)


def seconds(step, repeats):
    """On the clock and of the processor, for one step."""
    begin, begin_processor = time.perf_counter(), time.process_time()
    for _ in range(repeats):
        step().square().sum().backward()
    return (time.perf_counter() - begin) / repeats, (time.process_time() - begin_processor) / repeats


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--diagrams", type=int, default=128)
    parser.add_argument("--points", type=int, nargs=2, default=(400, 500))
    options = parser.parse_args()
    torch.set_num_threads(1)

    batch = make_batch(options.diagrams, *options.points)
    layer = perslay.torch.PersLay(f"gaussian:{SIDE}x{SIDE}", f"grid:{CELLS}x{CELLS}", "sum", threads=1)
    ways = {"ours": (lambda: layer(batch), 20)}
    for way, repeats in (("separable", 4), ("leaner", 1), ("padded", 1)):
        peer = Padded(layer, batch, way)
        torch.testing.assert_close(peer(), layer(batch), rtol=1e-4, atol=1e-4)
        ways[way] = peer, repeats

    times = {name: [] for name in ways}
    for step, _ in ways.values():
        seconds(step, 1)
    for _ in range(options.rounds):
        for name, (step, repeats) in ways.items():
            times[name].append(seconds(step, repeats))

    print(f"torch {torch.__version__}, one thread, {options.diagrams} diagrams of {options.points[0]} to "
          f"{options.points[1]} points, gaussian:{SIDE}x{SIDE}, grid:{CELLS}x{CELLS}, sum, forward and backward")
    print(f"{'':10} {'clock, ms':>12} {'':>8} {'processor, ms':>16}")
    medians = {name: [statistics.median(column) for column in zip(*pairs)] for name, pairs in times.items()}
    for name, (clock, processor) in medians.items():
        print(f"{name:10} {1000 * clock:12.2f} {clock / medians['ours'][0]:7.1f}x "
              f"{1000 * processor:15.2f} {processor / medians['ours'][1]:7.1f}x")


if __name__ == "__main__":
    main()
