# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shi et al.: Masked Label Prediction: Unified Message Passing Model for Semi-Supervised
Classification, IJCAI 2021."""

from __future__ import annotations

import math
from typing import Any, Optional, Union

from torch import Tensor, nn

from .. import mp
from .._native import ArgumentError
from ._conv import Conv, by_heads, check_heads, linear, reset_children
from ._edges import Adjacency, Nodes, expect_destinations, sizes_of, split


class TransformerConv(Conv):
    """PyG's TransformerConv: softmax_j(W_q x_i . (W_k x_j + W_e e_ij) / sqrt(C)) (W_v x_j + W_e
    e_ij) + W_s x_i, or with `beta` a gate between both."""

    def __init__(self, in_channels: Union[int, tuple[int, int]], out_channels: int, heads: int = 1,
                 concat: bool = True, beta: bool = False, dropout: float = 0.0,
                 edge_dim: Optional[int] = None, bias: bool = True, root_weight: bool = True,
                 **keywords: Any):
        super().__init__(**keywords)
        self.in_channels, self.out_channels, self.heads = in_channels, out_channels, check_heads(heads)
        self.concat, self.beta, self.dropout = concat, beta and root_weight, dropout
        self.edge_dim, self.root_weight = edge_dim, root_weight
        source, destination = ((in_channels, in_channels) if isinstance(in_channels, int)
                               else in_channels)
        width = heads * out_channels
        self.lin_key = linear(source, width, bias)
        self.lin_query = linear(destination, width, bias)
        self.lin_value = linear(source, width, bias)
        self.lin_edge = linear(edge_dim, width, bias=False) if edge_dim else None
        self._width = width if concat else out_channels
        self.lin_skip = linear(destination, self._width, bias)
        self.lin_beta = linear(3 * self._width, 1, bias=False) if self.beta else None

    def reset_parameters(self) -> None:
        reset_children(self)

    def forward(self, x: Nodes, edge_index: Adjacency, edge_attr: Optional[Tensor] = None,
                return_attention_weights: Optional[bool] = None) -> Tensor:
        if return_attention_weights is not None:
            raise NotImplementedError("weights of edges are never stored: a spec can return them")
        if (edge_attr is None) != (self.edge_dim is None):
            raise ArgumentError("edge_attr is given to layers that were made with edge_dim, and "
                                "only to those")
        expect_destinations("TransformerConv", x)
        edges = self._edges(edge_index, sizes_of(x, None, edge_index))
        source, destination = split(x)
        heads, size, width = self.heads, self.out_channels, self._width
        concat = self.concat
        scale = 1 / math.sqrt(size)

        def spec(g: Any, x: Any, w_q: Any, w_k: Any, w_v: Any, y: Any = None, e: Any = None,
                 keep: Any = None, b_q: Any = None, b_k: Any = None, b_v: Any = None,
                 w_edge: Any = None, w_skip: Any = None, b_skip: Any = None,
                 w_beta: Any = None) -> Any:
            own = x if y is None else y
            key, value = mp.linear(g.src(x), w_k, b_k), mp.linear(g.src(x), w_v, b_v)
            if e is not None:
                edge = mp.linear(g.edge(e), w_edge)
                key, value = key + edge, value + edge
            score = mp.dot(mp.linear(g.dst(own), w_q, b_q), key) * scale
            m = g.softmax(score, value if keep is None else g.edge(keep) * value)
            out = m.reshape(width) if concat else mp.reduce("mean", m, 0)
            if w_skip is None:
                return out
            skip = mp.linear(own, w_skip, b_skip)
            if w_beta is None:
                return out + skip
            gate = mp.sigmoid(mp.linear(mp.concat([out, skip, out - skip]), w_beta))[0]
            return gate * skip + (1.0 - gate) * out

        weights: dict[str, Any] = {}
        for name, module in (("q", self.lin_query), ("k", self.lin_key), ("v", self.lin_value)):
            weights[f"w_{name}"] = by_heads(module.weight, heads, size)
            weights[f"b_{name}"] = by_heads(module.bias, heads, size)
        given = {"e": None if edge_attr is None
                 else self._of_edges("edge_attr", edge_attr, edges, self.edge_dim)}
        if self.lin_edge is not None:
            weights["w_edge"] = by_heads(self.lin_edge.weight, heads, size)
        if self.root_weight:
            weights["w_skip"] = by_heads(self.lin_skip.weight, width)
            weights["b_skip"] = self.lin_skip.bias
        if self.lin_beta is not None:
            weights["w_beta"] = by_heads(self.lin_beta.weight, 1)
        if self.training and self.dropout > 0:
            given["keep"] = nn.functional.dropout(
                source.new_ones(edges.graph.num_edges, heads), self.dropout)
        return self._run(edges.graph, spec, (concat,), {"x": source, "y": destination}, weights,
                         given)

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, heads={self.heads}"
