# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Velickovic et al.: Graph Attention Networks, ICLR 2018. Brody, Alon, Yahav: How Attentive are
Graph Attention Networks?, ICLR 2022."""

from __future__ import annotations

from typing import Any, Optional, Union

import torch
from torch import Tensor, nn

from .. import mp
from .._graph import Graph
from .._native import ArgumentError
from ._conv import Conv, by_heads, check_heads, glorot, linear, reset_children
from ._edges import Adjacency, Edges, Nodes, expect_destinations, looped, sizes_of, split


def fill_loops(edges: Edges, edge_index: Tensor, attributes: Tensor, fill: Any) -> Tensor:
    """Attributes of the kept edges, then of a loop at each node: a number, or those of the edges
    to the node, reduced: as in PyG those that edge_index[1] has it in, whatever the flow."""
    kept = attributes[edges.kept]
    count = edges.graph.num_edges - len(kept)
    if isinstance(fill, Tensor):
        own = fill.to(kept).expand(count, kept.size(1))
    elif not isinstance(fill, str):
        own = kept.new_full((count, kept.size(1)), float(fill))
    else:
        reductions = {"add": "sum", "sum": "sum", "mean": "mean", "min": "amin", "max": "amax",
                      "mul": "prod"}
        if fill not in reductions:
            raise ArgumentError(f"fill_value = '{fill}': expected one of {', '.join(reductions)}")
        empty = kept.new_full((count, kept.size(1)), float(fill == "mul"))
        ends = edge_index[1][edges.kept]
        inside = ends < count
        index = ends[inside].unsqueeze(1).expand(-1, kept.size(1))
        own = empty.scatter_reduce(0, index, kept[inside], reductions[fill], include_self=False)
    return torch.cat([kept, own])


class _Attention(Conv):
    """What both have: heads, self-loops, attributes of edges, dropout of weights, what follows the
    aggregation."""

    heads: int
    out_channels: int
    in_channels: Union[int, tuple[int, int]]
    concat: bool
    dropout: float
    add_self_loops: bool
    edge_dim: Optional[int]
    fill_value: Union[float, Tensor, str]

    def _prepare(self, x: Nodes, edge_index: Adjacency, edge_attr: Optional[Tensor],
                 size: Optional[tuple[int, int]]) -> tuple[Graph, dict[str, Any], bool]:
        """(graph, features of its edges, whether the spec adds the loops)."""
        edges = self._edges(edge_index, sizes_of(x, size, edge_index), self.add_self_loops)
        graph, loops = edges.graph, self.add_self_loops and edges.kept is None
        given: dict[str, Any] = {}
        if edge_attr is not None:
            if self.edge_dim is None:
                raise ArgumentError("edge_attr is given to a layer that was made without edge_dim")
            edge_attr = self._of_edges("edge_attr", edge_attr, edges, self.edge_dim)
            if loops and self._exported is not None:
                raise ArgumentError("edge_attr and add_self_loops: a library makes no attributes "
                                    "of loops; export a layer that was made with "
                                    "add_self_loops=False, for graphs with their loops")
            if loops:
                raise ArgumentError("edge_attr and add_self_loops: give edge_index as a tensor, or "
                                    "a graph with its loops and add_self_loops=False")
            if isinstance(edge_index, Tensor) and edges.kept is not None:
                edge_attr = fill_loops(edges, edge_index, edge_attr, self.fill_value)
            given["e"] = edge_attr
        if self.training and self.dropout > 0:
            if loops:
                graph, loops = looped(graph), False
            like = split(x)[0]
            given["keep"] = nn.functional.dropout(like.new_ones(graph.num_edges, self.heads),
                                                  self.dropout)
        return graph, given, loops

    def _finish(self, m: Any, own: Any, w_res: Any, bias: Any) -> Any:
        """From heads to the result, while it is traced."""
        heads = self.heads
        out = m.reshape(heads * self.out_channels) if self.concat else mp.reduce("mean", m, 0)
        if w_res is not None:
            out = out + mp.linear(own, w_res)
        return out if bias is None else out + bias

    def _make_rest(self, in_channels: Any, residual: bool, bias: bool,
                   edge_dim: Optional[int]) -> None:
        width, heads = self.out_channels, self.heads
        self.lin_edge = linear(edge_dim, heads * width, bias=False) if edge_dim else None
        total = width * (heads if self.concat else 1)
        self.res = (linear(in_channels if isinstance(in_channels, int) else in_channels[1], total,
                           bias=False) if residual else None)
        self.register_parameter("bias", nn.Parameter(torch.empty(total)) if bias else None)

    def _rest(self) -> dict[str, Any]:
        total = self.out_channels * (self.heads if self.concat else 1)
        edge, res = self.lin_edge, self.res
        return {"w_edge": by_heads(None if edge is None else edge.weight, self.heads, self.out_channels),
                "w_res": by_heads(None if res is None else res.weight, total), "bias": self.bias}

    def reset_parameters(self) -> None:
        reset_children(self)
        for child in self.children():
            glorot(getattr(child, "weight"))
        for name, parameter in self.named_parameters(recurse=False):
            (nn.init.zeros_ if name == "bias" else glorot)(parameter)

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, heads={self.heads}"


class GATConv(_Attention):
    """PyG's GATConv: softmax_j(leaky_relu(a_s . W x_j + a_d . W x_i + a_e . W_e e_ij)) W x_j.
    x [n, in_channels], or (sources, destinations) where in_channels is a pair -> [n, heads *
    out_channels], or their mean over heads. With (sources, None) scores are of sources alone."""

    def __init__(self, in_channels: Union[int, tuple[int, int]], out_channels: int, heads: int = 1,
                 concat: bool = True, negative_slope: float = 0.2, dropout: float = 0.0,
                 add_self_loops: bool = True, edge_dim: Optional[int] = None,
                 fill_value: Union[float, Tensor, str] = "mean", bias: bool = True,
                 residual: bool = False, **keywords: Any):
        super().__init__(**keywords)
        self.in_channels, self.out_channels, self.heads = in_channels, out_channels, check_heads(heads)
        self.concat, self.negative_slope, self.dropout = concat, negative_slope, dropout
        self.add_self_loops, self.edge_dim, self.fill_value = add_self_loops, edge_dim, fill_value
        self.residual = residual
        self.lin: Optional[nn.Linear] = None
        self.lin_src: Optional[nn.Linear] = None
        self.lin_dst: Optional[nn.Linear] = None
        if isinstance(in_channels, int):
            self.lin = linear(in_channels, heads * out_channels, bias=False)
        else:
            self.lin_src = linear(in_channels[0], heads * out_channels, bias=False)
            self.lin_dst = linear(in_channels[1], heads * out_channels, bias=False)
        self.att_src = nn.Parameter(torch.empty(1, heads, out_channels))
        self.att_dst = nn.Parameter(torch.empty(1, heads, out_channels))
        self.att_edge = (nn.Parameter(torch.empty(1, heads, out_channels))
                         if edge_dim is not None else None)
        self._make_rest(in_channels, residual, bias, edge_dim)
        self.reset_parameters()

    def forward(self, x: Nodes, edge_index: Adjacency, edge_attr: Optional[Tensor] = None,
                size: Optional[tuple[int, int]] = None,
                return_attention_weights: Optional[bool] = None) -> Tensor:
        if return_attention_weights is not None:
            raise NotImplementedError("weights of edges are never stored: a spec can return them")
        graph, edges, loops = self._prepare(x, edge_index, edge_attr, size)
        source, destination = split(x)
        slope = self.negative_slope

        def spec(g: Any, x: Any, w: Any, att_src: Any, att_dst: Any = None, y: Any = None,
                 e: Any = None, keep: Any = None, w_dst: Any = None, w_edge: Any = None,
                 att_edge: Any = None, w_res: Any = None, bias: Any = None) -> Any:
            n, own = g.self_loops() if loops else g, x if y is None else y
            zj = mp.linear(n.src(x), w)
            score = mp.dot(att_src, zj)
            if att_dst is not None:
                zi = mp.linear(n.dst(own), w if w_dst is None else w_dst)
                score = score + mp.dot(att_dst, zi)
            if e is not None:
                score = score + mp.dot(att_edge, mp.linear(n.edge(e), w_edge))
            value = zj if keep is None else n.edge(keep) * zj
            m = n.softmax(mp.leaky_relu(score, slope), value)
            return self._finish(m, own, w_res, bias)

        shape = self.heads, self.out_channels
        first = self.lin if self.lin is not None else self.lin_src
        assert first is not None
        weights = {"w": by_heads(first.weight, *shape),
                   "w_dst": None if self.lin_dst is None
                   else by_heads(self.lin_dst.weight, *shape),
                   "att_src": self.att_src[0], "att_dst": self.att_dst[0], **self._rest()}
        if "e" in edges and self.att_edge is not None:
            weights["att_edge"] = self.att_edge[0]
        else:
            weights["w_edge"] = None
        if destination is None and not isinstance(x, Tensor):
            weights["att_dst"] = weights["w_dst"] = weights["w_res"] = None
        return self._run(graph, spec, (loops, slope), {"x": source, "y": destination}, weights,
                         edges)


class GATv2Conv(_Attention):
    """PyG's GATv2Conv: softmax_j(a . leaky_relu(W_r x_i + W_l x_j + W_e e_ij)) W_l x_j."""

    def __init__(self, in_channels: Union[int, tuple[int, int]], out_channels: int, heads: int = 1,
                 concat: bool = True, negative_slope: float = 0.2, dropout: float = 0.0,
                 add_self_loops: bool = True, edge_dim: Optional[int] = None,
                 fill_value: Union[float, Tensor, str] = "mean", bias: bool = True,
                 share_weights: bool = False, residual: bool = False, **keywords: Any):
        super().__init__(**keywords)
        self.in_channels, self.out_channels, self.heads = in_channels, out_channels, check_heads(heads)
        self.concat, self.negative_slope, self.dropout = concat, negative_slope, dropout
        self.add_self_loops, self.edge_dim, self.fill_value = add_self_loops, edge_dim, fill_value
        self.share_weights, self.residual = share_weights, residual
        pair = (in_channels, in_channels) if isinstance(in_channels, int) else in_channels
        self.lin_l = linear(pair[0], heads * out_channels, bias)
        self.lin_r = self.lin_l if share_weights else linear(pair[1], heads * out_channels, bias)
        self.att = nn.Parameter(torch.empty(1, heads, out_channels))
        self._make_rest(in_channels, residual, bias, edge_dim)
        self.reset_parameters()

    def forward(self, x: Nodes, edge_index: Adjacency, edge_attr: Optional[Tensor] = None,
                return_attention_weights: Optional[bool] = None) -> Tensor:
        if return_attention_weights is not None:
            raise NotImplementedError("weights of edges are never stored: a spec can return them")
        expect_destinations("GATv2Conv", x)
        graph, edges, loops = self._prepare(x, edge_index, edge_attr, None)
        source, destination = split(x)
        slope = self.negative_slope

        def spec(g: Any, x: Any, w: Any, att: Any, y: Any = None, e: Any = None, keep: Any = None,
                 b: Any = None, w_r: Any = None, b_r: Any = None, w_edge: Any = None,
                 w_res: Any = None, bias: Any = None) -> Any:
            n, own = g.self_loops() if loops else g, x if y is None else y
            zj = mp.linear(n.src(x), w, b)
            zi = mp.linear(n.dst(own), w if w_r is None else w_r, b if w_r is None else b_r)
            z = zi + zj
            if e is not None:
                z = z + mp.linear(n.edge(e), w_edge)
            value = zj if keep is None else n.edge(keep) * zj
            m = n.softmax(mp.dot(att, mp.leaky_relu(z, slope)), value)
            return self._finish(m, own, w_res, bias)

        shape = self.heads, self.out_channels
        weights = {"w": by_heads(self.lin_l.weight, *shape), "att": self.att[0],
                   "b": by_heads(self.lin_l.bias, *shape), **self._rest()}
        if not self.share_weights:
            weights["w_r"] = by_heads(self.lin_r.weight, *shape)
            weights["b_r"] = by_heads(self.lin_r.bias, *shape)
        if "e" not in edges:
            weights["w_edge"] = None
        return self._run(graph, spec, (loops, slope), {"x": source, "y": destination}, weights,
                         edges)
