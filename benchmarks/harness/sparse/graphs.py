# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graphs, and the form in which each library wants them, made once and kept a while."""

import functools
import gzip
import pathlib

import numpy as np

MILLION = 1_000_000
# name -> edges asked for; duplicates fall out of R-MAT's, its uniform twin has as many.
SYNTHETIC = {"1m": MILLION, "10m": 10 * MILLION, "100m": 100 * MILLION}
MEAN_DEGREE = 16
# Graph500's.
RMAT_QUADRANTS = (0.57, 0.19, 0.19)


class Graph:
    """CSR by destination. `types`: one per edge in that order, or None; `parts`: where the graphs
    of a batch begin and the last one ends, or None."""

    def __init__(self, name, indptr, indices, types=None, parts=None):
        self.name, self.parts = name, parts
        self.indptr = indptr.astype(np.int64, copy=False)
        self.indices = indices.astype(np.int32, copy=False)
        self.types = None if types is None else types.astype(np.int32)

    @property
    def nodes(self):
        return len(self.indptr) - 1

    @property
    def edges(self):
        return len(self.indices)

    @functools.cached_property
    def degrees(self):
        return np.diff(self.indptr)

    @functools.cached_property
    def destinations(self):
        return np.repeat(np.arange(self.nodes, dtype=np.int32), self.degrees)

    @functools.cached_property
    def gcn_weights(self):
        """1 / sqrt(d_i d_j) of each edge, 0 where a degree is 0."""
        with np.errstate(divide="ignore"):
            c = np.where(self.degrees > 0, 1 / np.sqrt(self.degrees), 0).astype(np.float32)
        return c[self.destinations] * c[self.indices]

    @functools.cached_property
    def edge_index(self):
        """PyG's: [2, edges], sources and destinations, sorted by destination."""
        import torch
        return torch.from_numpy(np.stack([self.indices, self.destinations]).astype(np.int64))

    def torch_csr(self, values=None):
        import torch
        if values is None:
            values = np.ones(self.edges, np.float32)
        return torch.sparse_csr_tensor(
            torch.from_numpy(self.indptr), torch.from_numpy(self.indices.astype(np.int64)),
            torch.from_numpy(values), (self.nodes, self.nodes))

    def scipy_csr(self):
        import scipy.sparse
        return scipy.sparse.csr_matrix(
            (np.ones(self.edges, np.float32), self.indices, self.indptr),
            shape=(self.nodes, self.nodes))

    @functools.cached_property
    def dgl(self):
        import dgl
        import torch
        graph = dgl.graph((torch.from_numpy(self.indices), torch.from_numpy(self.destinations)),
                          num_nodes=self.nodes, idtype=torch.int32)
        graph.create_formats_()
        return graph

    def clique(self, clique):
        handle = self.__dict__.get("handle")
        if handle is None:
            handle = self.__dict__["handle"] = clique.csr_graph(self.indptr, self.indices)
        return handle


def read_real(folder):
    """A data set of one folder: graph.mtx or graph.mtx.gz, sorted by row, and edge types."""
    for file in (folder / "graph.mtx", folder / "graph.mtx.gz"):
        if file.exists():
            break
    else:
        raise FileNotFoundError(f"{folder} holds no graph.mtx: name the data with --data")
    with (gzip.open if file.suffix == ".gz" else open)(file, "rt") as stream:
        line = stream.readline()
        while line.startswith("%"):
            line = stream.readline()
        nodes = int(line.split()[0])
        pairs = np.loadtxt(stream, dtype=np.int32, ndmin=2) - 1
    types, ids = folder / "edge_type.npy", folder / "graph_ids.npy"
    return Graph(folder.name, offsets(pairs[:, 0], nodes), pairs[:, 1].copy(),
                 np.load(types) if types.exists() else None,
                 parts_of(np.load(ids)) if ids.exists() else None)


def parts_of(ids):
    """From the graph of each node, ascending."""
    return offsets(ids, int(ids[-1]) + 1).astype(np.int64)


def offsets(rows, nodes):
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=nodes))])


def from_keys(name, keys, nodes):
    """From sorted destination * nodes + source."""
    rows = keys // nodes
    return Graph(name, offsets(rows, nodes), (keys - rows * nodes).astype(np.int32))


def rmat(name, edges):
    """A power-law graph without parallel edges; nodes renumbered at random."""
    random = np.random.default_rng(1)
    scale = int(np.ceil(np.log2(edges / MEAN_DEGREE)))
    rows, columns = np.zeros(edges, np.int64), np.zeros(edges, np.int64)
    a, b, c = RMAT_QUADRANTS
    for _ in range(scale):
        draw = random.random(edges, dtype=np.float32)
        down = draw >= a + b
        right = (draw >= a) & ~down | (draw >= a + b + c)
        rows += rows + down
        columns += columns + right
    nodes = 1 << scale
    shuffled = random.permutation(nodes)
    return from_keys(name, np.unique(shuffled[rows] * nodes + shuffled[columns]), nodes)


def uniform(name, twin):
    """As many nodes and edges as `twin`, every pair equally likely."""
    random = np.random.default_rng(2)
    keys = np.unique(random.integers(0, twin.nodes**2, int(twin.edges * 1.05) + 100))
    keys = np.sort(random.choice(keys, twin.edges, replace=False, shuffle=False))
    return from_keys(name, keys, twin.nodes)


class Graphs:
    """Graphs by name; a few are kept in memory, synthetic ones also on disk."""

    def __init__(self, data, cache, keep_edges=30 * MILLION):
        self.data, self.cache, self.keep_edges = pathlib.Path(data), cache, keep_edges
        self.held = {}

    def get(self, name):
        graph = self.held.pop(name, None) or self.load(name)
        self.held[name] = graph
        while len(self.held) > 1 and \
                sum(one.edges for one in self.held.values()) > self.keep_edges:
            del self.held[next(iter(self.held))]
        return graph

    def load(self, name):
        kind, _, size = name.partition("-")
        if size not in SYNTHETIC:
            return read_real(self.data / name)
        file = self.cache / "graphs" / f"{name}.npz"
        if not file.exists():
            graph = rmat(name, SYNTHETIC[size]) if kind == "rmat" else \
                uniform(name, self.load(f"rmat-{size}"))
            file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(file, indptr=graph.indptr, indices=graph.indices)
        arrays = np.load(file)
        return Graph(name, arrays["indptr"], arrays["indices"])
