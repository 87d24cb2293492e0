# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kipf, Welling: Semi-Supervised Classification with Graph Convolutional Networks, ICLR 2017."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor, nn

from .. import mp
from .._graph import Graph
from .._native import ArgumentError
from ._conv import Conv, by_heads, glorot, linear
from ._edges import Adjacency, Edges, looped


class GCNConv(Conv):
    """PyG's GCNConv: sum_j w_ij / sqrt(d_i d_j) W x_j + b, with a loop of weight 1 (`improved`: 2)
    at each node that has none. x [n, in_channels], edge_weight [edges] -> [n, out_channels].
    `cached` changes nothing: a graph keeps what is known of it."""

    def __init__(self, in_channels: int, out_channels: int, improved: bool = False,
                 cached: bool = False, add_self_loops: Optional[bool] = None,
                 normalize: bool = True, bias: bool = True, **keywords: Any):
        super().__init__(**keywords)
        self.in_channels, self.out_channels = in_channels, out_channels
        self.improved, self.cached, self.normalize = improved, cached, normalize
        self.add_self_loops = normalize if add_self_loops is None else add_self_loops
        if self.add_self_loops and not normalize:
            raise ArgumentError("GCNConv adds self-loops only where it normalises")
        self.lin = linear(in_channels, out_channels, bias=False)
        self.bias = nn.Parameter(torch.empty(out_channels)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        glorot(self.lin.weight)
        if self.bias is not None:
            nn.init.zeros_(self.bias)

    def forward(self, x: Tensor, edge_index: Adjacency,
                edge_weight: Optional[Tensor] = None) -> Tensor:
        if not isinstance(x, Tensor):
            raise TypeError(f"x: expected a tensor, not {x!r}")
        sizes = x.size(0), x.size(0)
        edges = self._edges(edge_index, sizes, self.add_self_loops)
        graph, loops = edges.graph, False
        if edge_weight is not None or (self.improved and self.add_self_loops):
            graph, edge_weight = self._weigh(edges, edge_weight, x)
        else:
            loops = self.add_self_loops and edges.kept is None
        normalize = self.normalize

        def spec(g: Any, x: Any, w: Any, e: Any = None, b: Any = None) -> Any:
            n = g.self_loops() if loops else g
            message = mp.linear(n.src(x), w)
            if e is not None:
                message = n.edge(e) * message
            if normalize:
                degree = n.degree(x.dtype) if e is None else n.sum(n.edge(e))
                has = degree > 0.0
                c = mp.where(has, mp.rsqrt(mp.where(has, degree, 1.0)), 0.0)
                message = n.dst(c) * n.src(c) * message
            out = n.sum(message)
            return out if b is None else out + b

        return self._run(graph, spec, (loops, normalize), {"x": x},
                         {"w": by_heads(self.lin.weight, self.out_channels), "b": self.bias},
                         {"e": edge_weight})

    def _weigh(self, edges: Edges, weight: Optional[Tensor], x: Tensor) -> tuple[Graph, Tensor]:
        """The graph with loops, and a weight for each edge of it."""
        graph, fill = edges.graph, 2.0 if self.improved else 1.0
        if weight is not None:
            weight = self._of_edges("edge_weight", weight, edges)
        else:
            weight = x.new_ones(edges.num_given)
        if not self.add_self_loops:
            return graph, weight
        if self._exported is not None:
            raise ArgumentError("edge_weight (or improved) and add_self_loops: a library makes no "
                                "weights of loops; export a layer that was made with "
                                "add_self_loops=False, for graphs with their loops and weights")
        if edges.kept is None or edges.loops is None:
            with_loops = looped(graph)
            return with_loops, torch.cat(
                [weight, weight.new_full((with_loops.num_edges - graph.num_edges,), fill)])
        own = weight.new_full((graph.num_edges - len(edges.kept),), fill)
        if len(edges.loops):
            own = own.index_put((edges.nodes_of_loops,), weight[edges.loops])
        return graph, torch.cat([weight[edges.kept], own])

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}"
