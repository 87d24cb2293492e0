# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of every density, and what dense tiles compute on them."""

import ctypes
import dataclasses
import functools

import numpy as np

from harness.clique import pointer

TILE_COLUMNS, BORDER_COLUMNS = 64, 32  # compiler/Analysis/Tuning.h
EVEN_COLUMNS = BORDER_COLUMNS // 2


@dataclasses.dataclass
class Graph:
    name: str
    handle: object
    adjacent: object  # a matrix of booleans: whether the row receives from the column
    starts: list  # nodes at which blocks begin anew
    intervals: bool = False  # each row receives from an interval of sources
    ordered: object = None  # in the order in which tiles take its nodes, if that is another
    tiles: dict = dataclasses.field(default_factory=dict)

    @property
    def nodes(self):
        return len(self.adjacent)

    @functools.cached_property
    def edges(self):
        return int(self.adjacent.sum())

    @functools.cached_property
    def span(self):
        """How far sources of a row lie apart, as runtime/RowSpan.cpp looks at some of the rows."""
        spans = []
        for row in range(0, self.nodes, max(1, self.nodes // 1024)):
            sources = np.flatnonzero(self.adjacent[row])
            if len(sources):
                quarter = 0 if len(sources) < 4 else len(sources) // 4
                distance = sources[len(sources) - 1 - quarter] - sources[quarter]
                spans.append((2 if quarter else 1) * distance + 1)
        return max(1, min(self.nodes, int(np.mean(spans)))) if spans else 1

    def count_tiles(self, tile_rows):
        """Pairs of tiles without a mask, as runtime/TilePairs.cpp counts them, pairs of parts with
        one, those where all rows have the same columns, and register blocks."""
        if self.ordered:
            return self.ordered.count_tiles(tile_rows)
        if tile_rows not in self.tiles:
            self.tiles[tile_rows] = count_tiles(self.adjacent, self.starts, tile_rows)
        return self.tiles[tile_rows]


def count_tiles(adjacent, starts, tile_rows):
    nodes = len(adjacent)
    columns = -(-nodes // TILE_COLUMNS) * TILE_COLUMNS
    padded = np.zeros((nodes, columns), bool)
    padded[:, :nodes] = adjacent
    full = border = even = blocks = 0
    ends = list(starts[1:]) + [nodes]
    for begin, end in zip(starts, ends):
        for first in range(begin, end, tile_rows):
            rows = padded[first:min(first + tile_rows, end)]
            # Tiles of a clique begin where it does.
            offset = begin if len(starts) > 1 else 0
            rows = np.roll(rows, -offset, axis=1)
            parts = rows.any(axis=0).reshape(-1, TILE_COLUMNS // BORDER_COLUMNS,
                                             BORDER_COLUMNS).any(axis=2)
            whole = (rows.sum(axis=0).reshape(-1, TILE_COLUMNS).sum(axis=1)
                     == len(rows) * TILE_COLUMNS)
            full += tile_rows * TILE_COLUMNS * int(whole.sum())
            # Rows that all receive from the same first sources have narrower parts.
            count = int(rows[0].sum())
            if rows[:, :count].all() and rows.sum() == len(rows) * count:
                rest = -(-(count % TILE_COLUMNS) // EVEN_COLUMNS) * EVEN_COLUMNS
                even += tile_rows * rest
            else:
                border += tile_rows * BORDER_COLUMNS * int(parts[~whole].sum())
            blocks += 1
    return full, border, even, blocks


def from_pairs(clique, name, adjacent):
    indptr = np.concatenate([[0], np.cumsum(adjacent.sum(axis=1))]).astype(np.int64)
    indices = np.nonzero(adjacent)[1].astype(np.int32)
    return Graph(name, clique.csr_graph(indptr, indices), adjacent, [0])


def random(clique, nodes, density, seed=0):
    if density >= 1:
        return complete(clique, nodes)
    adjacent = np.random.default_rng(seed).random((nodes, nodes)) < density
    return from_pairs(clique, f"random {100 * density:g} %", adjacent)


def complete(clique, nodes):
    adjacent = np.ones((nodes, nodes), bool)
    return Graph("complete", clique.graph("complete", ctypes.c_int64(nodes), 0), adjacent, [0],
                 intervals=True)


def cliques(clique, nodes, size):
    offsets = np.append(np.arange(0, nodes, size), nodes).astype(np.int64)
    part = np.arange(nodes) // size
    adjacent = part[:, None] == part[None, :]
    handle = clique.graph("cliques", ctypes.c_int64(len(offsets) - 1),
                          pointer(offsets, ctypes.c_int64), 0, 0)
    return Graph(f"cliques of {size}", handle, adjacent, list(offsets[:-1]), intervals=True)


def mixed_cliques(clique, nodes, size, seed=0):
    part = np.random.default_rng(seed).permutation(np.arange(nodes) // size)
    graph = from_pairs(clique, f"mixed {size}", part[:, None] == part[None, :])
    graph.ordered = cliques(clique, nodes, size)
    return graph


def window(clique, nodes, half_width):
    at = np.arange(nodes)
    adjacent = np.abs(at[:, None] - at[None, :]) <= half_width
    handle = clique.graph("window", ctypes.c_int64(nodes), ctypes.c_int64(half_width), 0)
    return Graph(f"window {half_width}", handle, adjacent, [0], intervals=True)


def blocks(clique, nodes, size, density, seed=0):
    """Blocks of `size` by `size` pairs, all of a block or none of it."""
    chosen = np.random.default_rng(seed).random((nodes // size,) * 2) < density
    adjacent = np.kron(chosen, np.ones((size, size), bool))
    return from_pairs(clique, f"blocks {100 * density:g} %", adjacent)


def near_cliques(clique, nodes, size, seed=0):
    """Whole cliques in which a twentieth of the pairs is missing."""
    nodes -= nodes % size
    kept = np.random.default_rng(seed).random((nodes, nodes)) < 0.95
    adjacent = np.kron(np.eye(nodes // size, dtype=bool), np.ones((size, size), bool)) & kept
    return from_pairs(clique, f"nearly {size}", adjacent)


def window_and_global(clique, nodes, width, count):
    """A window of `width` to either side, and `count` nodes that all send to and receive from."""
    near = np.arange(nodes)
    adjacent = np.abs(near[:, None] - near[None, :]) <= width
    adjacent[:count] = adjacent[:, :count] = True
    return from_pairs(clique, f"window {width} + {count}", adjacent)
