"""A user's code, for type checkers: test_types.py reads it, nothing runs it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import perslay
from perslay.sklearn import DiagramVectorizer, GraphDiagrams


def size(graph: perslay.Graph) -> NDArray[np.float64]:
    return np.full(graph.num_nodes, float(graph.num_edges))


graphs = perslay.Graphs([[(0, 1)]], labels=False, node_attributes=[[[0.0], [1.0]]])
found = perslay.diagrams(graphs, {"size": size}, threads=-1)
batch: perslay.DiagramBatch = found["ext1"]
items: list[perslay.DiagramSet] = [found[0], found[:2], *found]
groups: dict[tuple[str, str], perslay.DiagramBatch] = dict(found.groups)
number: float = perslay.distance([(0, 1)], [(0, 2)])
value, pairs, costs = perslay.distance([(0, 1)], [(0, 2)], matching=True)
scaled: perslay.DiagramSet = perslay.transform(found, "scale")
one: perslay.DiagramBatch = perslay.transform(batch, "scale")
numbers: NDArray[np.float64] = perslay.vectorize(found, "betti:3")
again, frames = perslay.vectorize(found, "betti:3", return_frames=True)
attributes: NDArray[np.float64] | None = graphs[0].node_attributes
diagrams: perslay.DiagramSet = GraphDiagrams(size).transform(graphs)
vectorizer: DiagramVectorizer = DiagramVectorizer("betti:3").fit(found)
names: NDArray[np.str_] = perslay.train(graphs, "ridge").predict(graphs)
wrong: int = found["ext1"]
