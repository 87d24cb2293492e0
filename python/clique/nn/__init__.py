# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers with the constructor arguments, parameter names and outputs of PyG's, on compiled kernels:

    conv = clique.nn.GATConv(16, 8, heads=4)
    conv.load_state_dict(torch.load("pyg-checkpoint.pt"))
    out = conv(x, edge_index)             # or conv(x, graph), with a clique.Graph

docs/pyg.md says what is taken, and how their specs look."""

from .gat import GATConv, GATv2Conv
from .gcn import GCNConv
from .gin import GINConv
from .sage import SAGEConv
from .transformer import TransformerConv

__all__ = ["GATConv", "GATv2Conv", "GCNConv", "GINConv", "SAGEConv", "TransformerConv"]
