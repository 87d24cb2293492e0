# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of a traced layer's values as text."""

from __future__ import annotations

from typing import Sequence

from ._trace_graphs import GraphSymbol
from ._trace_symbols import NODES, STATIC, Symbol


def _feature(symbol: Symbol) -> str:
    return "x".join([*map(str, symbol.shape), symbol.dtype])


def static_type(symbol: Symbol) -> str:
    return f"tensor<{_feature(symbol)}>"


def whole_type(symbol: Symbol) -> str:
    """The type outside of regions."""
    if symbol.form == "argument" and symbol.extra[1] == "scalar":
        return symbol.dtype
    if symbol.space == STATIC:
        return static_type(symbol)
    return f"tensor<?x{_feature(symbol)}>" if symbol.space == NODES else edges_type(symbol)


def edges_type(symbol: Symbol) -> str:
    return f"!mp.edges<{_feature(symbol)}>"


def listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def graph_type(graph: GraphSymbol) -> str:
    return f"!mp.graph<{graph.kind}>" if graph.kind else "!mp.graph"
