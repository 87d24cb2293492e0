# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hamilton, Ying, Leskovec: Inductive Representation Learning on Large Graphs, NeurIPS 2017."""

from __future__ import annotations

from typing import Any, Optional, Union

from torch import Tensor

from .. import mp
from ._conv import Conv, by_heads, linear, reset_children
from ._edges import Adjacency, Nodes, sizes_of, split


class SAGEConv(Conv):
    """PyG's SAGEConv: W_l (+)_j x_j + b + W_r x_i; aggr: mean, add, sum, max or min. `project`
    sends neighbours through a linear map and relu first; `normalize` makes rows of length 1."""

    aggregators = ("mean", "add", "sum", "max", "min")

    def __init__(self, in_channels: Union[int, tuple[int, int]], out_channels: int,
                 aggr: str = "mean", normalize: bool = False, root_weight: bool = True,
                 project: bool = False, bias: bool = True, **keywords: Any):
        super().__init__(aggr=aggr, **keywords)
        self.in_channels, self.out_channels, self.aggr = in_channels, out_channels, aggr
        self.normalize, self.root_weight, self.project = normalize, root_weight, project
        source, destination = ((in_channels, in_channels) if isinstance(in_channels, int)
                               else in_channels)
        if project:
            self.lin = linear(source, source)
        self.lin_l = linear(source, out_channels, bias)
        if root_weight:
            self.lin_r = linear(destination, out_channels, bias=False)

    def reset_parameters(self) -> None:
        reset_children(self)

    def forward(self, x: Nodes, edge_index: Adjacency,
                size: Optional[tuple[int, int]] = None) -> Tensor:
        edges = self._edges(edge_index, sizes_of(x, size, edge_index))
        source, destination = split(x)
        kind, normalize = self.aggr, self.normalize
        has_root = self.root_weight and (destination is not None or isinstance(x, Tensor))

        def spec(g: Any, x: Any, w_l: Any, y: Any = None, b_l: Any = None, w_r: Any = None,
                 w_p: Any = None, b_p: Any = None) -> Any:
            value = g.src(x)
            if w_p is not None:
                value = mp.relu(mp.linear(value, w_p, b_p))
            m = getattr(g, "sum" if kind == "add" else kind)(value)
            out = mp.linear(m, w_l, b_l)
            if w_r is not None:
                out = out + mp.linear(x if y is None else y, w_r)
            if normalize:
                out = out * mp.rsqrt(mp.maximum(mp.dot(out, out), 1e-24))
            return out

        weights = {"w_l": by_heads(self.lin_l.weight, self.out_channels), "b_l": self.lin_l.bias}
        if has_root:
            weights["w_r"] = by_heads(self.lin_r.weight, self.out_channels)
        if self.project:
            weights["w_p"] = by_heads(self.lin.weight, self.lin.out_features)
            weights["b_p"] = self.lin.bias
        return self._run(edges.graph, spec, (kind, normalize),
                         {"x": source, "y": destination if has_root else None}, weights)

    def extra_repr(self) -> str:
        return f"{self.in_channels}, {self.out_channels}, aggr={self.aggr}"
