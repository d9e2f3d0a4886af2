"""Topological learning on graphs and point clouds.

Graphs and clouds go in, persistence diagrams come out, and distances, kernels, vectors and models follow from them.
Data come in batches; diagrams travel packed, without padding. Every function that may take long uses all processors
(`threads=1` for one; PERSLAY_THREADS or OMP_NUM_THREADS in the environment for all calls), leaves the interpreter to
other threads, and stops at Ctrl-C once the items in work are done. A mistake in an argument raises a ValueError.

>>> import perslay
>>> graphs = perslay.shapes(per_class=10)
>>> diagrams = perslay.diagrams(graphs, "hks:10")
>>> perslay.vectorize(diagrams, "landscape:5x60").shape
(30, 1200)
"""

from . import _methods as _methods
from ._core import (
    Channel,
    Clouds,
    DiagramBatch,
    DiagramSet,
    Graph,
    Graphs,
    HeatSpectra,
    Kernel,
    Model,
    Transform,
    __version__,
)
from ._diagrams import (
    class_names,
    column_names,
    concatenate,
    distance,
    distance_matrix,
    gram,
    names,
    read_diagrams,
    transform,
    vectorize,
)
from ._graphs import heat_kernel_signature, laplacian_eigenvalues, read_graphs, shapes, vertex_function
from ._models import load_model, train
from ._persistence import (
    alpha_persistence,
    diagrams,
    extended_persistence,
    orbits,
    ordinary_persistence,
    read_clouds,
    vertex_indices,
)

__all__ = [
    "Channel",
    "Clouds",
    "DiagramBatch",
    "DiagramSet",
    "Graph",
    "Graphs",
    "HeatSpectra",
    "Kernel",
    "Model",
    "Transform",
    "alpha_persistence",
    "class_names",
    "column_names",
    "concatenate",
    "diagrams",
    "distance",
    "distance_matrix",
    "extended_persistence",
    "gram",
    "heat_kernel_signature",
    "laplacian_eigenvalues",
    "load_model",
    "names",
    "orbits",
    "ordinary_persistence",
    "read_clouds",
    "read_diagrams",
    "read_graphs",
    "shapes",
    "train",
    "transform",
    "vectorize",
    "vertex_function",
    "vertex_indices",
]
