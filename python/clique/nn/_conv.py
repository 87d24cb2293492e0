# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the layers have in common: a spec for each set of shapes, and its call."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional, Sequence

import torch
from torch import Tensor, nn

from .._graph import Graph
from .._files import Path
from .._layer import Layer
from .._native import ArgumentError
from .._torch_program import DTYPES, Program
from .._trace import Annotation, trace
from ..torch import _call, is_autocast
from ._edges import Adjacency, Edges, edges_of

_NAMES = {dtype: name for name, dtype in DTYPES.items()}
_Given = tuple[str, str, Tensor]  #: (name, "node", "edge" or "weight", value)


def glorot(parameter: Optional[Tensor]) -> None:
    if parameter is not None:
        bound = math.sqrt(6 / (parameter.size(-2) + parameter.size(-1)))
        nn.init.uniform_(parameter, -bound, bound)


def linear(in_channels: int, out_channels: int, bias: bool = True) -> nn.Linear:
    if in_channels < 1:
        raise ArgumentError(f"in_channels = {in_channels}: sizes are known when a layer is made; "
                            "PyG's lazy -1 is not taken")
    return nn.Linear(in_channels, out_channels, bias)


def check_heads(heads: int) -> int:
    if heads < 1:
        raise ArgumentError(f"heads = {heads}: expected 1 or more")
    return heads


def by_heads(parameter: Optional[Tensor], *shape: int) -> Optional[Tensor]:
    """PyG's [out, in] as [in, ...], a bias as [...]; None as None."""
    if parameter is None:
        return None
    if parameter.dim() == 1:
        return parameter.reshape(shape)
    return parameter.t().reshape(parameter.size(1), *shape)


def reset_children(module: nn.Module) -> None:
    for child in module.children():
        getattr(child, "reset_parameters")()


class Conv(nn.Module):
    """flow: "source_to_target" or "target_to_source", as PyG's MessagePassing has it."""

    def __init__(self, flow: str = "source_to_target", aggr: Optional[str] = None,
                 **keywords: Any):
        super().__init__()
        expected = getattr(self, "aggregators", ("add", "sum"))
        if aggr is not None and aggr not in expected:
            raise ArgumentError(f"aggr = {aggr!r}: expected one of {', '.join(expected)}")
        if flow not in ("source_to_target", "target_to_source"):
            raise ArgumentError(f"flow = {flow!r}: expected source_to_target or target_to_source")
        keywords.pop("node_dim", None)
        if keywords:
            raise TypeError(f"{type(self).__name__} has no argument '{next(iter(keywords))}'")
        self.flow = flow
        self._programs: dict[tuple[Any, ...], Program] = {}
        #: Layers that the call under way runs, where it is made for them.
        self._exported: Optional[list[Layer]] = None

    def _edges(self, edge_index: Adjacency, sizes: tuple[int, int],
               add_loops: bool = False) -> Edges:
        # In a library that is written the loops are the spec's: its callers have graphs.
        return edges_of(edge_index, sizes, add_loops and self._exported is None, self.flow)

    def _of_edges(self, name: str, value: Tensor, edges: Edges,
                  width: Optional[int] = None) -> Tensor:
        """A feature as [edges, width], of [edges] where the width is 1; without one as [edges]."""
        shape = (edges.num_given,) if width is None else (edges.num_given, width)
        same = shape[:1] if width == 1 else (*shape, 1) if width is None else shape
        if tuple(value.shape) not in (shape, same):
            raise ArgumentError(f"{type(self).__name__}: {name} has shape {list(value.shape)}, "
                                f"expected {list(shape)}: there are {edges.num_given} edges"
                                + ("" if width is None else f", and edge_dim = {width}"))
        return value.reshape(shape)

    def _as_weights(self, given: Sequence[_Given]) -> Sequence[_Given]:
        """The values, all of the weights' type: under autocast those before may be of another."""
        dtype = next((value.dtype for _, kind, value in given if kind == "weight"),
                     given[0][2].dtype)
        if is_autocast([value for _, _, value in given]):
            given = [(name, kind, value.to(dtype) if value.is_floating_point() else value)
                     for name, kind, value in given]
        for name, _, value in given:
            if value.dtype != dtype or dtype not in _NAMES:
                raise ArgumentError(f"{type(self).__name__}: '{name}' is of type {value.dtype}, "
                                    f"the weights are of {dtype}: expected one type, f32, f64, "
                                    "f16 or bf16, for both; .to(dtype) converts tensors and "
                                    "modules")
        return given

    def _run(self, graph: Graph, function: Callable[..., Any], config: tuple[Any, ...],
             nodes: dict[str, Any], weights: dict[str, Any],
             edges: Optional[dict[str, Any]] = None) -> Tensor:
        """The layer that `function` traces to, for these shapes and `config`, on these values;
        those that are None are none."""
        given = self._as_weights([
            (name, kind, value) for kind, values in
            (("node", nodes), ("edge", edges or {}), ("weight", weights))
            for name, value in values.items() if value is not None])
        key = (*config, *((name, value.shape[kind != "weight":], value.dtype)
                          for name, kind, value in given))
        program = self._programs.get(key)
        if program is None:
            kinds: dict[str, Any] = {"g": None}
            for name, kind, value in given:
                shape = tuple(value.shape[kind != "weight":])
                kinds[name] = Annotation(kind, shape, _NAMES[value.dtype])
            name = type(self).__name__
            program = Program(trace(name, kinds, function), name, {})
            self._programs[key] = program
        if self._exported is not None:
            if edges is not None and "keep" in edges:
                raise ArgumentError(f"{type(self).__name__}: is in training mode, and a library "
                                    "has no dropout: call eval() before export()")
            self._exported.append(program.layer.bind(**{
                name: value for name, kind, value in given if kind == "weight"}))
        made: Tensor = _call(program, [graph, *(value for _, _, value in given)])
        return made

    def export(self, path: Path, *args: Any, header: Optional[Path] = None,
               **keywords: Any) -> Layer:
        """Writes a library, and its C header, of the layer with its weights as constants, for
        programs without Python: a function of a graph and of the features that a call
        `module(*args, **keywords)` has, whose numbers of nodes and edges are free. Self-loops are
        added by the library, whether the call has a graph or an edge_index. The module should be in
        eval() mode, which has no dropout. The same as a layer."""
        self._exported = []
        try:
            with torch.no_grad():
                self(*args, **keywords)
            bound, = self._exported
        finally:
            self._exported = None
        bound.save(path, header)
        return bound

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_programs": {}}
