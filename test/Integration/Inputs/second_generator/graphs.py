# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of each kind, as lists of edges in the order in which their features are."""

import numpy as np

from .segments import Segments


class Graph:
    """name: the value of the spec; type: its parameters there, '' for a plain graph."""

    def __init__(self, name, topology, dst, src, num_dst, num_src):
        self.name, self.topology = name, topology
        self.dst, self.src = np.asarray(dst, np.int64), np.asarray(src, np.int64)
        self.num_dst, self.num_src = num_dst, num_src
        self._segments = None

    @property
    def num_edges(self):
        return len(self.dst)

    @property
    def type(self):
        return f"!mp.graph<{self.topology}>" if self.topology else "!mp.graph"

    @property
    def suffix(self):
        """Behind the name, where the type has to be said."""
        return f" : {self.type}" if self.topology else ""

    @property
    def square(self):
        return self.num_dst == self.num_src

    def segments(self):
        if self._segments is None:
            self._segments = Segments(self.dst, self.num_dst)
        return self._segments

    def reversed(self, name):
        kept = self.topology.startswith(("complete", "window", "cliques", "sparse", "bipartite"))
        return Graph(name, self.topology if kept else "", self.src, self.dst, self.num_src,
                     self.num_dst)


def of_mask(mask):
    return np.nonzero(mask)


def window_mask(n, width):
    place = np.arange(n)
    return abs(place[:, None] - place) <= width


def clique_mask(lengths):
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return owner[:, None] == owner


def blocks_mask(mask, size, n):
    return np.kron(mask, np.ones((size, size), bool))[:n, :n]


def list_edges(choose, n, m, edges):
    """A list with parallel edges; some nodes get none."""
    awake = choose.random() < 0.5
    targets = np.array([i for i in range(n) if awake or choose.random() < 0.7] or [0])
    rows = [choose.randrange(len(targets)) for _ in range(edges)]
    return targets[rows] if edges else [], [choose.randrange(m) for _ in range(edges)]


def hub_edges(choose, n, m):
    """Some nodes with thousands of edges among others with few."""
    dst, src = [], []
    for hub in choose.sample(range(n), min(n, choose.choice([1, 1, 2, 3]))):
        degree = choose.choice([600, 1025, 2047, 3001, 4500])
        dst += [hub] * degree
        src += [choose.randrange(m) for _ in range(degree)]
    for _ in range(choose.randrange(3 * n + 1)):
        dst.append(choose.randrange(n))
        src.append(choose.randrange(m))
    order = list(range(len(dst)))
    choose.shuffle(order)
    return [dst[k] for k in order], [src[k] for k in order]


def acyclic_edges(choose, n, edges):
    """From lower to higher places of a random order."""
    place = list(range(n))
    choose.shuffle(place)
    dst, src = [], []
    for _ in range(edges if n > 1 else 0):
        a, b = sorted(choose.sample(range(n), 2))
        if choose.random() < 0.6:
            a = max(a, b - 3)
        dst.append(place[b])
        src.append(place[a])
    return dst, src


def filled_mask(choose, n):
    """A graph of no class that is mostly full: global nodes and a window, a prefix, holes."""
    place = np.arange(n)
    style = choose.randrange(4)
    if style == 0:
        mask = window_mask(n, choose.randrange(4))
        mask[: choose.randrange(1, 4)] = True
        mask[:, choose.randrange(n)] = True
    elif style == 1:
        mask = (place[:, None] >= place) | (place < choose.randrange(1, n + 1))
    elif style == 2:
        mask = np.ones((n, n), bool)
        for _ in range(choose.randrange(1, n + 1)):
            mask[choose.randrange(n), choose.randrange(n)] = False
    else:
        mask = (place[:, None] - place) % choose.choice([2, 3]) == 0
    return mask


def odd(choose, most):
    return choose.choice([n for n in (1, 2, 3, 5, 7, 11, 13, 16, 17, 23, 31, 33, 47, 61, 65, 77, 97)
                          if n <= most])


# Of each kind: how often, and how it is made.
KINDS = {"coo": 6, "hub": 2, "complete": 4, "causal": 4, "window": 3, "cliques": 4, "blocks": 3,
         "bipartite": 3, "rectangular": 3, "empty": 1, "no edges": 1, "one node": 1, "filled": 3,
         "acyclic": 2, "csr": 2}


def make_listed(choose, kind):
    """(destinations, sources, nodes, sources' nodes) of a graph that is given as a list."""
    n = odd(choose, 77)
    if kind == "empty":
        return [], [], 0, 0
    if kind == "no edges":
        return [], [], n, n
    if kind == "one node":
        loops = choose.choice([0, 1, 3])
        return [0] * loops, [0] * loops, 1, 1
    if kind == "hub":
        n = odd(choose, 33)
        m = n if choose.random() < 0.7 else odd(choose, 97)
        return (*hub_edges(choose, n, m), n, m)
    if kind == "filled":
        n = odd(choose, 47)
        dst, src = of_mask(filled_mask(choose, n))
        order = list(range(len(dst)))
        if choose.random() < 0.5:
            choose.shuffle(order)
        return dst[order], src[order], n, n
    if kind == "acyclic":
        return (*acyclic_edges(choose, n, choose.randrange(3 * n)), n, n)
    m = odd(choose, 97) if kind == "rectangular" else n
    return (*list_edges(choose, n, m, choose.randrange(4 * n + 2)), n, m)


def make_named(choose, kind):
    """(topology, mask, the call of the package) of a graph that is not stored."""
    n = choose.choice([129, 150, 200]) if choose.random() < 0.06 else odd(choose, 97)
    no_self = choose.random() < 0.3
    extra = ", no_self" if no_self else ""
    full = np.ones((n, n), bool)
    if kind == "complete":
        topology, mask, call = f"complete{extra}", full, ("complete", n)
    elif kind == "causal":
        topology, mask, call = f"causal{extra}", np.tril(full), ("causal", n)
    elif kind == "window":
        width = choose.choice([0, 1, 2, 5, 9, 40])
        topology, mask = f"window, {width}{extra}", window_mask(n, width)
        call = ("window", n, width)
    elif kind == "bipartite":
        m = odd(choose, 97)
        return "bipartite", np.ones((n, m), bool), ("bipartite", n, m), {}
    elif kind == "blocks":
        size, count = choose.choice([4, 16, 32]), choose.randrange(1, 5)
        n = choose.randrange((count - 1) * size + 1, count * size + 1)
        chosen = np.array([[choose.random() < 0.5 for _ in range(count)] for _ in range(count)])
        return (f"blocks, {size}", blocks_mask(chosen, size, n), ("blocks", chosen, size, n), {})
    else:
        lengths = choose.choices([0, 1, 2, 3, 7, 12, 17, 33], k=choose.randrange(1, 6))
        mask, causal = clique_mask(lengths), choose.random() < 0.5
        named = {"causal": causal, "no_self": no_self}
        mask = np.tril(mask) if causal else mask
        mask = mask & ~np.eye(len(mask), dtype=bool) if no_self else mask
        return f"{'causal_' * causal}cliques{extra}", mask, ("cliques", lengths), named
    mask = mask & ~np.eye(n, dtype=bool) if no_self else mask
    return topology, mask, call, {"no_self": no_self}
