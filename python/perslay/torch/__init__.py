"""PersLay in PyTorch, for models of your own: the layer, persistence that gradients go through, networks from files.

Diagrams of different sizes travel packed, as a `RaggedBatch`. `PersLay` turns them into vectors, with the library's
kernels on the CPU and with torch's own operations elsewhere. `perslay.train` trains the paper's network as the program
does, without PyTorch; `load_network` turns its result into a module.

>>> import torch, perslay, perslay.torch
>>> graphs = perslay.shapes(per_class=10)
>>> loops = perslay.diagrams(graphs, "hks:10")["ext1"]
>>> layer = perslay.torch.PersLay("gaussian:20x20", "grid:10x10", "sum")
>>> layer(loops).shape
torch.Size([30, 400])
"""

try:
    import torch as _torch  # noqa: F401
except ImportError as error:
    raise ImportError("perslay.torch needs PyTorch; install it with: pip install 'perslay[torch]'") from error

from ._classifier import Classifier, make_channel
from ._layer import ConvolvedPersLay, PaperChannel, PermutationEquivariant, PersLay, order_dependence
from ._network import Inputs, Network, load_network, prepare_network
from ._persistence import HeatKernelSignature, alpha_persistence, extended_persistence
from ._point_network import PointNetwork
from ._ragged import RaggedBatch, collate
from ._vertex_network import VertexNetwork

__all__ = [
    "Classifier",
    "ConvolvedPersLay",
    "HeatKernelSignature",
    "Inputs",
    "Network",
    "PaperChannel",
    "PermutationEquivariant",
    "PersLay",
    "PointNetwork",
    "RaggedBatch",
    "VertexNetwork",
    "alpha_persistence",
    "collate",
    "extended_persistence",
    "load_network",
    "make_channel",
    "order_dependence",
    "prepare_network",
]
