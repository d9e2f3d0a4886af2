#!/usr/bin/env python3
"""Diagrams and vectors of whole datasets, and of 200 orbits, beside GUDHI in the same process.

    PERSLAY_DATASETS=FOLDER bench/python_diagrams.py [DATASET ...]

Needs the packages perslay, gudhi and scikit-learn. Each time is the best of several runs; ratios are GUDHI's time
divided by ours. Both get the vertex function (heat kernel signature, t = 10).
"""

import os
import pathlib
import sys
import time

import gudhi
import gudhi.representations
import numpy as np

import perslay


def seconds(work, runs):
    """The shortest of some runs, and what the last one gave."""
    best = np.inf
    for _ in range(runs):
        start = time.perf_counter()
        result = work()
        best = min(best, time.perf_counter() - start)
    return best, result


def loop_of_simplex_trees(edges, values):
    """What is usually written: a simplex tree per graph, filled vertex by vertex and edge by edge; then four arrays."""
    diagrams = []
    for pairs, function in zip(edges, values):
        tree = gudhi.SimplexTree()
        for vertex in range(len(function)):
            tree.insert([vertex], filtration=-1e10)
        for a, b in pairs:
            tree.insert([a, b], filtration=-1e10)
        for vertex in range(len(function)):
            tree.assign_filtration([vertex], function[vertex])
        tree.make_filtration_non_decreasing()
        tree.extend_filtration()
        kinds = tree.extended_persistence(min_persistence=0)
        diagrams.append([np.array([interval for _, interval in kind]).reshape(-1, 2) for kind in kinds])
    return diagrams


def print_row(what, theirs, ours):
    print(f"  {what:<34} {1e3 * theirs:10.1f} ms {1e3 * ours:10.3f} ms {theirs / ours:8.0f} x", flush=True)


def diagrams_of(graphs):
    values = perslay.heat_kernel_signature(graphs, 10.0)
    edges, functions = [graph.edges for graph in graphs], graphs.split(values)
    theirs, _ = seconds(lambda: loop_of_simplex_trees(edges, functions), 2)
    for threads in (1, 0):
        ours, found = seconds(lambda: perslay.extended_persistence(graphs, values, threads=threads), 20)
        print_row(f"extended persistence, {threads or os.cpu_count()} threads", theirs, ours)
    return found


def vectors_of(found, kind):
    diagrams = perslay.transform(found[kind], "reorder")
    arrays = [np.array(diagram) for diagram in diagrams.to_list()]
    low, high = diagrams.points.min(), diagrams.points.max()
    landscape = gudhi.representations.Landscape(num_landscapes=5, resolution=100, sample_range=[low, high])
    image = gudhi.representations.PersistenceImage(
        bandwidth=0.05 * (high - low), weight=lambda point: point[1], resolution=[20, 20],
        im_range=[low, high, 0, high - low],
    )
    theirs, _ = seconds(lambda: landscape.fit_transform(arrays), 2)
    ours, _ = seconds(lambda: perslay.vectorize(diagrams, "landscape:5x100", range=(low, high)), 10)
    print_row(f"landscapes 5 x 100 of {kind}", theirs, ours)
    theirs, _ = seconds(lambda: image.fit_transform(arrays), 2)
    name = f"image:20x20:sigma={0.05 * (high - low)}"
    ours, _ = seconds(lambda: perslay.vectorize(diagrams, name, range=(low, high)), 10)
    print_row(f"images 20 x 20 of {kind}", theirs, ours)


def main():
    folder = os.environ.get("PERSLAY_DATASETS")
    if not folder:
        sys.exit("PERSLAY_DATASETS must name the folder with the datasets' archives.")
    wanted = sys.argv[1:] or ["MUTAG", "COX2", "PROTEINS", "NCI1", "IMDB-BINARY"]
    for name in wanted:
        graphs = perslay.read_graphs(next(pathlib.Path(folder).glob(name + ".*")))
        print(f"{graphs}\n  {'':<34} {'GUDHI':>13} {'perslay':>13}")
        vectors_of(diagrams_of(graphs), "ext1")
    clouds = perslay.orbits(40)
    print(f"{clouds}\n  {'':<34} {'GUDHI':>13} {'perslay':>13}")
    vectors_of(perslay.alpha_persistence(clouds), "h1")


if __name__ == "__main__":
    main()
