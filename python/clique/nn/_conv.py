# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the layers have in common: edge_index to graph, a spec for each set of shapes."""

from __future__ import annotations

import math
import weakref
from typing import Any, Callable, NamedTuple, Optional, Union

import torch
from torch import Tensor, nn

from .._graph import Graph
from .._layer import Layer
from .._native import ArgumentError
from .._spec import Path
from .._torch_program import DTYPES, Program
from .._trace import Annotation, trace
from ..torch import _call

Adjacency = Union[Tensor, Graph]
Nodes = Union[Tensor, tuple[Tensor, Optional[Tensor]]]
_NAMES = {dtype: name for name, dtype in DTYPES.items()}


class Edges(NamedTuple):
    """A graph; of an edge_index whose self-loops were replaced by one for each node: the edges
    that were kept, and those that were self-loops (numbers into edge_index), with their nodes."""

    graph: Graph
    kept: Optional[Tensor] = None
    loops: Optional[Tensor] = None
    nodes_of_loops: Optional[Tensor] = None


_cache: dict[tuple[Any, ...], tuple[Any, Edges]] = {}


def _from_edge_index(edge_index: Tensor, sizes: tuple[int, int], add_loops: bool) -> Edges:
    if not add_loops:
        return Edges(Graph.from_edge_index(edge_index, sizes))
    is_loop = edge_index[0] == edge_index[1]
    kept, loops = torch.where(~is_loop)[0], torch.where(is_loop)[0]
    nodes = torch.arange(min(sizes), dtype=edge_index.dtype, device=edge_index.device)
    whole = torch.cat([edge_index[:, kept], torch.stack([nodes, nodes])], 1)
    return Edges(Graph.from_edge_index(whole, sizes), kept, loops, edge_index[0][loops])


def edges_of(edge_index: Adjacency, sizes: tuple[int, int], add_loops: bool,
             flow: str) -> Edges:
    """sizes: (sources, destinations). A graph that was made of an edge_index is kept as long as
    that lives and does not change. A Graph is taken as it is: its loops are the spec's."""
    if isinstance(edge_index, Graph):
        if (edge_index.num_src, edge_index.num_dst) != sizes:
            raise ArgumentError(f"the graph has {edge_index.num_src} sources and "
                                f"{edge_index.num_dst} destinations, the features {sizes[0]} and "
                                f"{sizes[1]} rows")
        return Edges(edge_index)
    if (not isinstance(edge_index, Tensor) or edge_index.layout is not torch.strided
            or edge_index.dim() != 2 or edge_index.size(0) != 2):
        raise TypeError("edge_index: expected a tensor of shape [2, edges] or a clique.Graph, not "
                        f"{edge_index!r}")
    if _library_is_compiling():
        raise TypeError("edge_index: under torch.compile give a clique.Graph, "
                        "clique.Graph.from_edge_index(edge_index, nodes), made outside")
    key = id(edge_index), edge_index._version, sizes, add_loops, flow
    found = _cache.get(key)
    if found is None or found[0]() is not edge_index:
        turned = edge_index.flip(0) if flow == "target_to_source" else edge_index
        gone = weakref.ref(edge_index, lambda _: _cache.pop(key, None))
        found = _cache[key] = gone, _from_edge_index(turned, sizes, add_loops)
    return found[1]


def _library_is_compiling() -> bool:
    return hasattr(torch, "compiler") and torch.compiler.is_compiling()


def glorot(parameter: Optional[Tensor]) -> None:
    if parameter is not None:
        bound = math.sqrt(6 / (parameter.size(-2) + parameter.size(-1)))
        nn.init.uniform_(parameter, -bound, bound)


def linear(in_channels: int, out_channels: int, bias: bool = True) -> nn.Linear:
    if in_channels < 1:
        raise ArgumentError(f"in_channels = {in_channels}: sizes are known when a layer is made; "
                            "PyG's lazy -1 is not taken")
    return nn.Linear(in_channels, out_channels, bias)


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

    def _run(self, graph: Graph, function: Callable[..., Any], config: tuple[Any, ...],
             nodes: dict[str, Any], weights: dict[str, Any],
             edges: Optional[dict[str, Any]] = None) -> Tensor:
        """The layer that `function` traces to, for these shapes and `config`, on these values;
        those that are None are none."""
        given = [(name, kind, value) for kind, values in
                 (("node", nodes), ("edge", edges or {}), ("weight", weights))
                 for name, value in values.items() if value is not None]
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
            self._exported.append(program.layer.bind(**{
                name: value for name, kind, value in given if kind == "weight"}))
        made: Tensor = _call(program, [graph, *(value for _, _, value in given)])
        return made

    def export(self, path: Path, *args: Any, header: Optional[Path] = None,
               **keywords: Any) -> Layer:
        """Writes a library, and its C header, of the layer with its weights as constants, for
        programs without Python: a function of a graph and of the features that a call
        `module(*args, **keywords)` has, whose numbers of nodes and edges are free. The module
        should be in eval() mode, which has no dropout. The same as a layer."""
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


def split(x: Nodes) -> tuple[Tensor, Optional[Tensor]]:
    """(of sources, of destinations); None where they are the same."""
    return (x, None) if isinstance(x, Tensor) else (x[0], x[1])


def sizes_of(x: Nodes, size: Optional[tuple[int, int]], edge_index: Adjacency) -> tuple[int, int]:
    source, destination = split(x)
    if size is not None:
        return size[0], size[1]
    if isinstance(x, Tensor):
        return x.size(0), x.size(0)
    if destination is None:
        if isinstance(edge_index, Graph):
            return source.size(0), edge_index.num_dst
        raise ArgumentError("x has no features of destinations: give size=(sources, destinations)")
    return source.size(0), destination.size(0)
