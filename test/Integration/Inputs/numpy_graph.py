# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs as edge lists, and the aggregations over them, in NumPy.

A graph is named as on the command line of clique-run: a Matrix Market file,
complete:N, complete_no_self:N, bipartite:NxM, causal:N, window:N,W,
cliques:A,B,C,... or blocks:N,SIZE,EVERY. The edges of a file are in its order, those of a named graph by
destination, then source."""

import pathlib

import numpy as np
import scipy.io
import scipy.sparse


class Graph:
    """Edge k goes from source src[k] to destination dst[k]."""

    def __init__(self, dst, src, num_dst, num_src, offsets=None):
        self.dst = np.asarray(dst, np.int64)
        self.src = np.asarray(src, np.int64)
        self.num_dst = num_dst
        self.num_src = num_src
        # Where the graphs of a batch begin, and the end of the last.
        self.offsets = offsets
        self.degree = np.bincount(self.dst, minlength=num_dst).astype(np.float64)
        ones = np.ones(self.num_edges)
        self._incidence = scipy.sparse.csr_matrix(
            (ones, (self.dst, np.arange(self.num_edges))), (num_dst, self.num_edges))

    @property
    def num_edges(self):
        return len(self.dst)

    def has_parallel_edges(self):
        return len(np.unique(self.dst * self.num_src + self.src)) < self.num_edges

    def with_self_loops(self):
        """One edge i -> i more for each node that has none."""
        missing = np.setdiff1d(np.arange(self.num_dst), self.dst[self.dst == self.src])
        return Graph(np.concatenate([self.dst, missing]), np.concatenate([self.src, missing]),
                     self.num_dst, self.num_src)

    def sum(self, values):
        """Of the values of the edges that arrive at each node."""
        flat = values.reshape(self.num_edges, int(np.prod(values.shape[1:])))
        return (self._incidence @ flat).reshape(self.num_dst, *values.shape[1:])

    def mean(self, values):
        degree = self.degree.reshape(-1, *[1] * (values.ndim - 1))
        return self.sum(values) / np.maximum(degree, 1)

    def max(self, values):
        """0 for a node at which no edge arrives."""
        filled = self.degree > 0
        starts = np.concatenate([[0], np.cumsum(self.degree.astype(np.int64))[:-1]])[filled]
        result = np.zeros((self.num_dst, *values.shape[1:]))
        if len(starts):
            by_destination = values[np.argsort(self.dst, kind="stable")]
            result[filled] = np.maximum.reduceat(by_destination, starts)
        return result

    def min(self, values):
        return -self.max(-values)

    def std(self, values):
        return np.sqrt(self.mean((values - self.mean(values)[self.dst]) ** 2))

    def softmax(self, scores):
        """Over the edges that arrive at one node."""
        weights = np.exp(scores - self.max(scores)[self.dst])
        return weights / self.sum(weights)[self.dst]


def read_file(path):
    # The order of the entries and duplicates matter: read them, not a matrix.
    matrix = scipy.io.mmread(path)
    graph = Graph(matrix.row, matrix.col, *matrix.shape)
    graph_ids = pathlib.Path(path).parent / "graph_ids.npy"
    if graph_ids.exists():
        ids = np.load(graph_ids)
        graph.offsets = np.searchsorted(ids, np.arange(ids[-1] + 2))
    return graph


def interval(num_dst, num_src, first, last, no_self=False):
    """Destination i receives from the sources first(i) to last(i) - 1."""
    i, j = np.meshgrid(np.arange(num_dst), np.arange(num_src), indexing="ij")
    allowed = (j >= first(i)) & (j < last(i))
    if no_self:
        allowed &= i != j
    return Graph(*np.nonzero(allowed), num_dst, num_src)


def make_graph(name):
    """The graph that clique-run makes of --graph=name."""
    kind, _, sizes = name.partition(":")
    if not sizes:
        return read_file(name)
    sizes = [int(size) for size in sizes.replace("x", ",").split(",")]
    n = sizes[0]
    if kind in ("complete", "complete_no_self"):
        return interval(n, n, lambda i: 0, lambda i: n, no_self=kind == "complete_no_self")
    if kind == "bipartite":
        return interval(n, sizes[1], lambda i: 0, lambda i: sizes[1])
    if kind == "causal":
        return interval(n, n, lambda i: 0, lambda i: i + 1)
    if kind == "window":
        return interval(n, n, lambda i: i - sizes[1], lambda i: i + sizes[1] + 1)
    if kind == "cliques":
        n = sum(sizes)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        clique = np.repeat(np.arange(len(sizes)), sizes)
        graph = interval(n, n, lambda i: offsets[clique[i]], lambda i: offsets[clique[i] + 1])
        graph.offsets = offsets
        return graph
    if kind == "blocks":
        i, j = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
        allowed = (i // sizes[1] - j // sizes[1]) % sizes[2] == 0
        return Graph(*np.nonzero(allowed), n, n)
    raise ValueError(f"unknown graph '{name}'")
