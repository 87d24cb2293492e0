# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Xu, Hu, Leskovec, Jegelka: How Powerful are Graph Neural Networks?, ICLR 2019."""

from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor, nn as torch_nn

from .._files import Path
from .._layer import Layer
from ._conv import Conv
from ._edges import Adjacency, Nodes, sizes_of, split


def _reset(module: Any) -> None:
    if hasattr(module, "reset_parameters"):
        module.reset_parameters()
    else:
        for child in module.children() if hasattr(module, "children") else ():
            _reset(child)


class GINConv(Conv):
    """PyG's GINConv: nn((1 + eps) x_i + sum_j x_j). nn is a module of PyTorch; eps is a parameter
    with `train_eps`, else a buffer."""

    def __init__(self, nn: Any, eps: float = 0.0, train_eps: bool = False, **keywords: Any):
        super().__init__(**keywords)
        self.nn, self.initial_eps = nn, eps
        if train_eps:
            self.eps = torch_nn.Parameter(torch.empty(1))
        else:
            self.register_buffer("eps", torch.empty(1))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        _reset(self.nn)
        torch_nn.init.constant_(self.eps, self.initial_eps)

    def forward(self, x: Nodes, edge_index: Adjacency,
                size: Optional[tuple[int, int]] = None) -> Tensor:
        edges = self._edges(edge_index, sizes_of(x, size, edge_index))
        source, destination = split(x)
        has_own = destination is not None or isinstance(x, Tensor)

        def spec(g: Any, x: Any, y: Any = None, eps: Any = None) -> Any:
            out = g.sum(g.src(x))
            return out if eps is None else out + (1.0 + eps) * (x if y is None else y)

        made: Tensor = self.nn(self._run(edges.graph, spec, (), {"x": source, "y": destination},
                                 {"eps": self.eps.reshape(()) if has_own else None}))
        return made

    def export(self, path: Path, *args: Any, header: Optional[Path] = None,
               **keywords: Any) -> Layer:
        """As of the other layers, where nn is torch.nn.Identity(): other modules run in PyTorch
        alone, and a library without them would be another layer."""
        if not isinstance(self.nn, torch_nn.Identity):
            raise NotImplementedError(
                f"GINConv.export: nn, {type(self.nn).__name__}, runs in PyTorch, and a library "
                "would lack it: write the layer with nn's operations as a @clique.layer "
                "(docs/pyg.md has one) and export that, or the sum alone, as "
                "GINConv(torch.nn.Identity(), eps)")
        return super().export(path, *args, header=header, **keywords)
