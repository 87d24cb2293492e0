# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""edge_index to graph, and what is kept of both."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple, Optional, Union

import torch
from torch import Tensor

from .._graph import Graph
from .._native import ArgumentError

Adjacency = Union[Tensor, Graph]
Nodes = Union[Tensor, tuple[Tensor, Optional[Tensor]]]


class Edges(NamedTuple):
    """A graph; of an edge_index whose self-loops were replaced by one for each node: the edges
    that were kept, and those that were self-loops (numbers into edge_index), with their nodes."""

    graph: Graph
    kept: Optional[Tensor] = None
    loops: Optional[Tensor] = None
    nodes_of_loops: Optional[Tensor] = None

    @property
    def num_given(self) -> int:
        """The edges that features have rows for."""
        if self.kept is None or self.loops is None:
            return self.graph.num_edges
        return len(self.kept) + len(self.loops)


#: Of each edge_index that lives: (its reference, its version, what was made of it).
_cache: dict[tuple[Any, ...], tuple[Any, int, Edges]] = {}


def _from_edge_index(edge_index: Tensor, sizes: tuple[int, int], add_loops: bool,
                     flow: str) -> Edges:
    if flow == "target_to_source":
        edge_index = edge_index.flip(0)
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
    if edge_index.is_inference():  # Has no version: nothing tells whether it has changed.
        return _from_edge_index(edge_index, sizes, add_loops, flow)
    key = id(edge_index), sizes, add_loops, flow
    found = _cache.get(key)
    if found is None or found[0]() is not edge_index or found[1] != edge_index._version:
        # What is kept may be saved for a backward pass later, which tensors of inference mode
        # may not.
        with torch.inference_mode(False):
            made = _from_edge_index(edge_index, sizes, add_loops, flow)
        gone = weakref.ref(edge_index, lambda _: _cache.pop(key, None))
        found = _cache[key] = gone, edge_index._version, made
    return found[2]


def looped(graph: Graph) -> Graph:
    """The graph with a loop at each node, kept on it: what is derived from that one is kept too."""
    kept = vars(graph)
    if "_looped" not in kept:
        kept["_looped"] = graph.with_self_loops()
    made: Graph = kept["_looped"]
    return made


def _library_is_compiling() -> bool:
    return hasattr(torch, "compiler") and torch.compiler.is_compiling()


def split(x: Nodes) -> tuple[Tensor, Optional[Tensor]]:
    """(of sources, of destinations); None where they are the same, or destinations have none."""
    if isinstance(x, Tensor):
        return x, None
    if not isinstance(x, (tuple, list)) or len(x) != 2 or not isinstance(x[0], Tensor):
        raise TypeError("x: expected a tensor, or a pair of those of sources and of destinations, "
                        f"not {x!r}")
    return x[0], x[1]


def sizes_of(x: Nodes, size: Optional[tuple[int, int]], edge_index: Adjacency) -> tuple[int, int]:
    """(sources, destinations). As PyG has it, there are as many destinations without features as
    sources, unless a size or a graph says otherwise."""
    source, destination = split(x)
    if size is not None:
        return size[0], size[1]
    if destination is not None:
        return source.size(0), destination.size(0)
    if not isinstance(x, Tensor) and isinstance(edge_index, Graph):
        return source.size(0), edge_index.num_dst
    return source.size(0), source.size(0)


def expect_destinations(layer: str, x: Nodes) -> None:
    if not isinstance(x, Tensor) and x[1] is None:
        raise ArgumentError(f"{layer}: x has no features of destinations, which its scores depend "
                            "on: give x as (sources, destinations)")
