# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the systems run on, by name: a real graph ("cora"), one of a known class ("causal-1024"),
one that is made here ("partition-1024"), or sizes alone ("tokens-1024")."""

import ctypes
import dataclasses
import typing

import numpy as np

from ..sparse.graphs import Graph, offsets

# Tokens of a sentence.
SHORTEST, LONGEST = 8, 40


@dataclasses.dataclass
class Setting:
    """sizes: by the names that shapes have; arrays: those of the inputs that belong to it."""
    sizes: dict
    graph: typing.Any = None  # has clique(), and edge_index unless it is Known
    arrays: dict = dataclasses.field(default_factory=dict)

    def clique(self, clique):
        return self.graph.clique(clique) if self.graph is not None else None


@dataclasses.dataclass
class Known:
    """A graph of a known class, whose edges nobody lists."""
    kind: str
    sizes: tuple
    flags: tuple

    def clique(self, clique):
        return clique.graph(self.kind, *map(ctypes.c_int64, self.sizes),
                            *map(ctypes.c_int32, self.flags),
                            make=lambda graphs: getattr(graphs, self.kind)(*self.sizes))


# kind -> names of its sizes, flags of the runtime's function.
KNOWN = {"complete": (("nodes",), (0,)), "causal": (("nodes",), (0,)),
         "window": (("nodes", "width"), (0,)), "bipartite": (("nodes", "sources"), ())}


def from_edges(name, nodes, dst, src, types=None):
    order = np.lexsort((src, dst))
    return Graph(name, offsets(dst, nodes), src[order], None if types is None else types[order])


def partition(name, tokens):
    """A binary partition graph of 2^k tokens, and the spans of 2, 4 ... tokens behind them: a token
    receives from itself and, of each length, the span beside its own; a span from its tokens. The
    type of an edge is the level of its span."""
    token = np.arange(tokens)
    parts, first, level = [(token, token, 0)], tokens, 0
    while 2 << level <= tokens:
        level += 1
        span = token >> level
        beside = first + (span ^ 1)
        if tokens >> level > 1:
            parts.append((token, beside, level))
        parts.append((first + span, token, level))
        first += tokens >> level
    dst, src = (np.concatenate([part[k] for part in parts]) for k in (0, 1))
    types = np.repeat([part[2] for part in parts], tokens)
    return from_edges(name, first, dst, src, types)


def random_trees(tokens, most=None):
    """A random tree over each sentence of a text: pairs of a token and the one that it depends on,
    which has at most `most` such tokens."""
    random = np.random.default_rng(tokens)
    pairs, first = [], 0
    while first < tokens:
        length = min(int(random.integers(SHORTEST, LONGEST + 1)), tokens - first)
        order = first + random.permutation(length)
        free = {order[0]: most}
        for child in order[1:]:
            head = random.choice(list(free))
            pairs.append((child, head))
            if most:
                free[head] -= 1
                if not free[head]:
                    del free[head]
            free[child] = most
        first += length
    return np.array(pairs).T


def syntax(name, tokens):
    """A token receives from itself, from the one that it depends on and from those that depend on
    it."""
    child, head = random_trees(tokens)
    own = np.arange(tokens)
    return from_edges(name, tokens, np.concatenate([child, head, own]),
                      np.concatenate([head, child, own]))


def trees(name, tokens):
    """A token receives from those that depend on it, 3 at most: edges have their places."""
    child, head = random_trees(tokens, most=3)
    graph = from_edges(name, tokens, head, child)
    graph.types = (np.arange(graph.edges) - graph.indptr[graph.destinations]).astype(np.int32)
    return graph


def dag(name, nodes):
    """A node receives from 1 to 4 of the 64 before it."""
    random = np.random.default_rng(nodes)
    before = np.minimum(np.arange(nodes), 64)
    dst = np.repeat(np.arange(nodes), np.minimum(random.integers(1, 5, nodes), before))
    src = dst - 1 - (random.random(len(dst)) * before[dst]).astype(np.int64)
    keys = np.unique(dst * nodes + src)
    return from_edges(name, nodes, keys // nodes, keys % nodes)


MADE = {"partition": partition, "syntax": syntax, "trees": trees, "dag": dag}


def make_setting(graphs, name):
    kind, *numbers = name.split("-")
    if kind in KNOWN:
        names, flags = KNOWN[kind]
        sizes = dict(zip(names, map(int, numbers), strict=True))
        return Setting(sizes, Known(kind, tuple(sizes.values()), flags))
    if kind == "tokens":
        return Setting(dict(zip(("nodes", "sources"), map(int, numbers))))
    graph = MADE[kind](name, *map(int, numbers)) if kind in MADE else graphs.get(name)
    setting = Setting({"nodes": graph.nodes, "edges": graph.edges}, graph)
    if graph.types is not None:
        setting.arrays["type"] = graph.types
    if graph.parts is not None:
        setting.sizes["graphs"] = len(graph.parts) - 1
        setting.arrays["offsets"] = graph.parts
    return setting
