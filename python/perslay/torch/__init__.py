"""PersLay in PyTorch: the layer, persistence that gradients go through, networks that the program reads.

Diagrams of different sizes travel packed, as a `RaggedBatch`. `PersLay` makes vectors of them, by the library's kernels on
the CPU and by torch's own operations elsewhere.

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
from ._layer import PaperChannel, PermutationEquivariant, PersLay
from ._network import Inputs, Network, load_network, prepare_network
from ._persistence import HeatKernelSignature, alpha_persistence, extended_persistence
from ._point_network import PointNetwork
from ._ragged import RaggedBatch, collate
from ._training import train_network
from ._vertex_network import VertexNetwork

__all__ = [
    "Classifier",
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
    "prepare_network",
    "train_network",
]
