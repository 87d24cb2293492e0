# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Words of clique.mp for graphs that a layer makes, and for batches of graphs."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from ._trace_graphs import GraphSymbol
from ._trace_symbols import NODES, Count, Size, Symbol, fail, whole


def readout(offsets: Symbol, kind: str, x: Symbol, score: Optional[Symbol] = None) -> Symbol:
    """One value per graph of a batch: row k is of the nodes offsets[k] to offsets[k + 1] - 1.

    kind: sum, mean, max, min, std, prod, logsumexp, or softmax, which weighs x by a score of
    nodes."""
    if kind not in ("sum", "mean", "max", "min", "std", "prod", "logsumexp", "softmax"):
        raise fail(f"readout '{kind}': expected sum, mean, max, min, std, prod, logsumexp or "
                   "softmax")
    if not _is_offsets(offsets) or x.space != NODES:
        raise fail(f"readout: expected offsets Node['i64'] and a feature of nodes, not {offsets!r} "
                   f"and {x!r}")
    if (score is not None) != (kind == "softmax"):
        raise fail("readout: softmax, and only softmax, has a score")
    scores = [] if score is None else [score]
    for value in scores:
        if value.space != NODES or value.dtype != x.dtype or x.shape[:value.ndim] != value.shape:
            raise fail(f"readout: the score {value!r} is no feature of nodes that {x!r} begins "
                       "with")
    return Symbol("readout", [offsets, *scores, x], x.dtype, x.shape, NODES, kind)


def spread(offsets: Symbol, parts: Symbol, to: Size) -> Symbol:
    """The way back from a readout: node i gets row k of `parts` where offsets[k] <= i <
    offsets[k + 1]. to: the number of nodes, or a feature that has as many."""
    if not _is_offsets(offsets) or parts.space != NODES:
        raise fail(f"spread: expected offsets Node['i64'] and a row per graph, not {offsets!r} and "
                   f"{parts!r}")
    return Symbol("spread", [offsets, parts], parts.dtype, parts.shape, NODES, _size("spread", to))


def node_numbers(n: Size, dtype: str = "i32") -> Symbol:
    """0, 1, 2 ...: the numbers of n nodes, or of as many as a feature has."""
    return Symbol("node_numbers", [], _whole("node_numbers", dtype), (), NODES,
                  _size("node_numbers", n))


def part_numbers(offsets: Symbol, n: Size, dtype: str = "i32") -> Symbol:
    """To each node the number of its graph of a batch: k where offsets[k] <= i < offsets[k + 1]."""
    if not _is_offsets(offsets):
        raise fail(f"part_numbers: expected offsets Node['i64'], not {offsets!r}")
    return Symbol("part_numbers", [offsets], _whole("part_numbers", dtype), (), NODES,
                  _size("part_numbers", n))


def _whole(what: str, dtype: str) -> str:
    if dtype not in ("i32", "i64"):
        raise fail(f"{what}: numbers are i32 or i64, not {dtype}")
    return dtype


def _is_offsets(value: Any) -> bool:
    return (isinstance(value, Symbol) and value.space == NODES and value.dtype == "i64"
            and not value.shape)


# Graphs that are made in the layer.


def num_rows(x: Symbol) -> Count:
    """How many nodes an argument has rows for."""
    if not isinstance(x, Symbol) or x.form != "argument" or x.space != NODES:
        raise fail(f"num_rows: expected an argument that is a feature of nodes, not {x!r}")
    return Count("rows", x)


def _size(what: str, size: Any) -> Union[Count, int]:
    if isinstance(size, Symbol):
        return num_rows(size)
    size = whole(size)
    if isinstance(size, Count) or (isinstance(size, int) and size >= 0):
        return size
    raise fail(f"{what}: expected a number of nodes (g.num_dst(), mp.num_rows(h), 64), not "
               f"{size!r}")


def count_of(what: str, size: Any) -> Any:
    """As _size, or a number of the caller."""
    if (isinstance(size, Symbol) and size.form == "argument" and size.extra[1] == "scalar"
            and size.dtype in ("i32", "i64")):
        return size
    return _size(what, size)


def _ids(what: str, dtype: str, *values: Any) -> None:
    for value in values:
        if (not isinstance(value, Symbol) or value.form != "argument" or value.space != NODES
                or value.shape or value.dtype != dtype):
            raise fail(f"{what}: expected an argument Node['{dtype}'], not {value!r}")


def _regular(word: str, sizes: Sequence[Size], no_self: bool, more: str = "") -> GraphSymbol:
    places = ", ".join(f"{{{k}}}" for k in range(len(sizes)))
    return GraphSymbol(f"mp.{word} {places}{more}{' no_self' if no_self else ''}",
                       [_size(word, size) for size in sizes],
                       word + more + (", no_self" if no_self else ""))


def complete(n: Size, no_self: bool = False) -> GraphSymbol:
    """Every node receives from every node."""
    return _regular("complete", [n], no_self)


def bipartite(num_dst: Size, num_src: Size) -> GraphSymbol:
    """Every destination receives from every source."""
    return _regular("bipartite", [num_dst, num_src], False)


def causal(n: Size, no_self: bool = False) -> GraphSymbol:
    """Node i receives from every j <= i."""
    return _regular("causal", [n], no_self)


def window(n: Size, half_width: int, no_self: bool = False) -> GraphSymbol:
    """Node i receives from every j with |i - j| <= half_width."""
    if not isinstance(whole(half_width), int):
        raise fail(f"window: the half width is {half_width!r}, expected an integer")
    return _regular("window", [n], no_self, f", {half_width}")


def cliques(offsets: Symbol, causal: bool = False, no_self: bool = False) -> GraphSymbol:
    """Disjoint complete graphs (causal ones): clique c has the nodes offsets[c] to
    offsets[c + 1] - 1."""
    _ids("cliques", "i64", offsets)
    words = f"{' causal' if causal else ''}{' no_self' if no_self else ''}"
    kind = ("causal_cliques" if causal else "cliques") + (", no_self" if no_self else "")
    return GraphSymbol(f"mp.cliques {{0}}{words} : {{t0}} -> {{t}}", [offsets], kind)


def csr(indptr: Symbol, indices: Symbol, num_src: Size) -> GraphSymbol:
    """Row i lists the sources of destination i, out of num_src."""
    _ids("csr", "i64", indptr)
    _ids("csr", "i32", indices)
    return GraphSymbol("mp.csr {0}, {1}, {2} : {t0}, {t1} -> {t}",
                       [indptr, indices, _size("csr", num_src)], "")


def coo(dst: Symbol, src: Symbol, num_dst: Size, num_src: Size) -> GraphSymbol:
    """Edge k goes from src[k] to dst[k]."""
    _ids("coo", "i32", dst, src)
    sizes = [_size("coo", size) for size in (num_dst, num_src)]
    return GraphSymbol("mp.coo {0}, {1}, {2}, {3} : {t0}, {t1} -> {t}", [dst, src, *sizes], "")


def edge_list(edges: Sequence[tuple[int, int]], num_dst: int, num_src: int) -> GraphSymbol:
    """A constant graph of pairs (destination, source)."""
    pairs = [[whole(dst), whole(src)] for dst, src in edges]
    for dst, src in pairs:
        if not isinstance(dst, int) or not isinstance(src, int):
            raise fail(f"edge_list: edge ({dst!r}, {src!r}) is no pair of integers")
    kind = f"tensor<{len(pairs)}x2xi32>"
    text = f"dense<{pairs}>" if pairs else "dense<>"
    return GraphSymbol(f"mp.edge_list {text} : {kind}, {num_dst}, {num_src} : {{t}}", [], "")
