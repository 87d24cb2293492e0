# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs from what a program has, against SciPy; what is wrong with them; how they look."""
# RUN: %library_python %s %S/Inputs %graphs/karate.mtx %examples/attention.mlir | FileCheck %s
# CHECK: Graph(34 nodes, 156 edges, sparse, degree 4.6 (at most 17))
# CHECK-NEXT: constructors agree
# CHECK-NEXT: mixed cliques are cliques again
# CHECK-NEXT: inputs are checked
# CHECK-NEXT: graphs have pictures

import sys

sys.path.insert(0, sys.argv[1])

import gc
import pickle
import xml.etree.ElementTree

import clique
import numpy as np
import scipy.io
import scipy.sparse
from layers import DST, NODES, SRC, adjacency, raises

Graph = clique.Graph


def matrix_of(graph):
    indptr, indices, _ = graph.csr()
    matrix = np.zeros((graph.num_dst, graph.num_src))
    np.add.at(matrix, (np.repeat(np.arange(graph.num_dst), np.diff(indptr)), indices), 1)
    return matrix


karate = Graph.read(sys.argv[2])
print(karate)
assert np.array_equal(matrix_of(karate), scipy.io.mmread(sys.argv[2]).toarray() != 0)

wanted = adjacency()
csr = scipy.sparse.csr_array(wanted)
for graph in (Graph.from_coo(DST, SRC), Graph.from_coo(DST.tolist(), SRC.astype(np.int16), NODES),
              Graph.from_edge_index(np.stack([SRC, DST]), NODES),
              Graph.from_edge_index([SRC, DST], (NODES, NODES)),
              Graph.from_csr(csr.indptr, csr.indices), Graph.from_scipy(csr),
              Graph.from_scipy(csr.tocoo()), Graph.from_scipy(csr.tocsc()),
              pickle.loads(pickle.dumps(Graph.from_coo(DST, SRC)))):
    assert np.array_equal(matrix_of(graph), wanted), graph
    assert np.array_equal(graph.degrees(), wanted.sum(1))

# Degrees of regular graphs, whose edges no memory holds.
many = 1_000_000
assert np.array_equal(Graph.complete(many).degrees(), np.full(many, many))
assert np.array_equal(Graph.causal(many, no_self=True).degrees(), np.arange(many))
assert np.array_equal(Graph.causal(many).reversed().degrees(), np.arange(many, 0, -1))
assert np.array_equal(Graph.bipartite(3, many).degrees(), [many] * 3)
for graph in (Graph.window(9, 2), Graph.window(9, 2, no_self=True), Graph.cliques([2, 0, 3]),
              Graph.cliques([2, 0, 3], causal=True), Graph.complete(4, no_self=True), Graph.complete(0)):
    assert np.array_equal(graph.degrees(), matrix_of(graph).sum(1)), graph

# Arrays of the graph's own types stay where they are; others, and unsorted rows, are copied.
rows, columns = csr.indptr.astype(np.int64), csr.indices.astype(np.int32)
for indptr, indices, shared in ((rows, columns, (True, True)),
                                (csr.indptr.astype(np.int32), columns, (False, True)),
                                (rows, columns.astype(np.int64), (True, False)),
                                (rows, columns[::-1].copy(), (False, False))):
    graph = Graph.from_csr(indptr, indices)
    indptr_used, indices_used, _ = graph.csr()
    assert (np.shares_memory(indptr, indptr_used), np.shares_memory(indices, indices_used)) == shared
    assert not indptr_used.flags.writeable
    copied = Graph.from_csr(indptr, indices, copy=True).csr()
    assert not np.shares_memory(indptr, copied[0]) and not np.shares_memory(indices, copied[1])
assert np.shares_memory(Graph.from_scipy(csr).csr()[1], csr.indices)
# Each keeps the other: the graph its arrays, and a view of its own the graph.
columns_used = Graph.from_csr(rows.copy(), columns.copy()).csr()[1]
gc.collect()
assert np.array_equal(columns_used, columns)


class Lent:
    """An array that only DLPack can read."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


assert np.shares_memory(Graph.from_csr(Lent(rows), Lent(columns)).csr()[1], columns)

# Edges keep their numbers, also through a pickle.
shuffled = np.random.default_rng(0).permutation(len(DST))
given = Graph.from_coo(DST[shuffled], SRC[shuffled], NODES)
for graph in (given, pickle.loads(pickle.dumps(given))):
    indptr, indices, ids = graph.csr()
    assert np.array_equal(SRC[shuffled][ids], indices)

wide = Graph.from_coo([0, 1], [4, 2], (2, 5))
assert (wide.num_dst, wide.num_src, wide.num_edges) == (2, 5, 2)
assert np.array_equal(matrix_of(wide.reversed()), matrix_of(wide).T)
assert np.array_equal(matrix_of(Graph.from_edge_index([[4, 2], [0, 1]], (5, 2))), matrix_of(wide))
looped = Graph.from_coo(DST, SRC).with_self_loops()
assert np.array_equal(matrix_of(looped), np.maximum(wanted, np.eye(NODES)))

for graph, matrix in ((Graph.complete(3), np.ones((3, 3))),
                      (Graph.complete(3, no_self=True), 1 - np.eye(3)),
                      (Graph.bipartite(2, 3), np.ones((2, 3))),
                      (Graph.causal(3), np.tri(3)),
                      (Graph.window(4, 1), np.tri(4, k=1) - np.tri(4, k=-2)),
                      (Graph.cliques([1, 2]), [[1, 0, 0], [0, 1, 1], [0, 1, 1]]),
                      (Graph.cliques([1, 2], causal=True), [[1, 0, 0], [0, 1, 0], [0, 1, 1]]),
                      (Graph.blocks([[1, 0], [1, 1]], 2, 3), [[1, 1, 0], [1, 1, 0], [1, 1, 1]])):
    assert np.array_equal(matrix_of(graph), matrix), graph
for empty in Graph.blocks(np.zeros((0, 0)), 3), Graph.blocks(np.ones((2, 2)), 0):
    assert (empty.num_dst, empty.num_src, empty.num_edges) == (0, 0, 0)
assert (Graph.from_coo([0], [1], np.int64(3)).num_dst, Graph.from_coo([], [], [2, 3]).num_src) == (3, 3)
assert Graph.blocks(np.tri(4), 16).inspect()[:2] == ("blocks", 16)
assert Graph.cliques(np.array([3, 5])).inspect().num_components == 2
assert "cliques of 2 graphs without self-loops" in repr(Graph.cliques([3, 5], no_self=True))
assert Graph.from_coo([], []).num_edges == 0 == Graph.complete(0).num_edges
try:
    import networkx
except ImportError:
    networkx = None
if networkx:
    path = networkx.path_graph(3)
    assert np.array_equal(matrix_of(Graph.from_networkx(path)), networkx.to_numpy_array(path))
    arrow = networkx.DiGraph([("a", "b")])
    assert np.array_equal(matrix_of(Graph.from_networkx(arrow)), [[0, 0], [1, 0]])


class Dgl:
    """As much of a graph of DGL as is read."""

    def edges(self, order):
        assert order == "eid"
        return SRC, DST

    num_dst_nodes = num_src_nodes = lambda self: NODES


assert np.array_equal(matrix_of(Graph.from_dgl(Dgl())), wanted)
print("constructors agree")

# Cliques whose nodes were mixed, and a layer on them, with NumPy's arrays.
sizes = np.array([20, 35, 50, 24])
part = np.random.default_rng(1).permutation(np.repeat(np.arange(4), sizes))
dst, src = np.nonzero(part[:, None] == part[None, :])
mixed = Graph.from_coo(dst, src)
assert mixed.topology() == "sparse"
moved = mixed.reordered()
assert moved.graph.topology() == "cliques of 4 graphs" and moved.order_taken == "rcm"
assert np.array_equal(np.sort(moved.new_of_old), np.arange(part.size))
assert repr(moved) == f"Reordering(rcm: {moved.graph.describe()})"
matrix = matrix_of(moved.graph)
assert np.array_equal(matrix[np.ix_(moved.new_of_old, moved.new_of_old)], matrix_of(mixed))
attend = clique.compile(sys.argv[3])
random = np.random.default_rng(2)
h = random.standard_normal((part.size, 64)).astype(np.float32)
weights = [random.standard_normal(shape).astype(np.float32) / 8
           for shape in ((64, 8, 16), (64, 8, 16), (64, 8, 16), (128, 64))]
assert np.array_equal(moved.restore(moved.order(h)), h)
wanted_result = np.asarray(attend(mixed, h, *weights))
result = moved.restore(np.asarray(attend(moved.graph, moved.order(h), *weights)))
assert np.abs(result - wanted_result).max() <= 1e-5 * np.abs(wanted_result).max()
# What lies well stays where it is.
kept = Graph.cliques([3, 4]).reordered()
assert kept.order_taken == "given" and np.array_equal(kept.new_of_old, np.arange(7))
raises(clique.ArgumentError, "order 'best': expected one of degree, rcm, auto", mixed.reordered, "best")
raises(clique.ArgumentError, "a feature of 5 rows, expected one for each of 129 nodes", moved.order,
       np.zeros((5, 2)))
raises(TypeError, "'float' object cannot be interpreted as an integer", mixed.reordered, "rcm", 0.5)
raises(clique.ArgumentError, "", Graph.bipartite(3, 4).reordered, "rcm")
print("mixed cliques are cliques again")

raises(clique.ArgumentError, "src[1] is 7, expected 0 <= source < 4", Graph.from_coo, [0, 0],
       [1, 7], 4)
raises(ValueError, "2 destinations and 1 sources", Graph.from_coo, [0, 0], [1], 2)
raises(ValueError, "node numbers have 32 bits", Graph.from_coo, [0], [2**31], 2)
raises(TypeError, "node numbers are integers, not float64", Graph.from_coo, [0.5], [1], 2)
raises(ValueError, "indptr[2] = 1 is smaller than indptr[1] = 2", Graph.from_csr, [0, 2, 1], [0])
raises(ValueError, "must end with the number of indices, 3", Graph.from_csr, [0, 2], [0, 0, 0])
raises(ValueError, "indptr is empty", Graph.from_csr, [], [])
raises(ValueError, "edge_index has 3 rows, expected 2", Graph.from_edge_index, np.zeros((3, 2)))
raises(ValueError, "a clique of -1 nodes; expected 0 or more", Graph.cliques, [3, -1])
raises(ValueError, "half width -1", Graph.window, 4, -1)
raises(ValueError, "lengths has shape [1, 2], expected [count]", Graph.cliques, [[3, 1]])
raises(TypeError, "'float' object cannot be interpreted as an integer", Graph.blocks, [[1]], 2.0)
raises(TypeError, "'float' object cannot be interpreted as an integer", Graph.blocks, [[1]], 2, 1.5)
raises(ValueError, "mask has shape [2, 3]", Graph.blocks, np.ones((2, 3)), 4)
raises(ValueError, "9 nodes are not 2 blocks of 4", Graph.blocks, np.ones((2, 2)), 4, 9)
raises(ValueError, "blocks of -1 nodes; expected 0 or more", Graph.blocks, np.ones((2, 2)), -1)
raises(ValueError, "3 nodes are not 2 blocks of 0", Graph.blocks, np.ones((2, 2)), 0, 3)
for size in "x", 2.0, (1, 2, 3), (1, 2.0):
    raises(TypeError, f"size: expected a number of nodes, or two of them, not {size!r}",
           Graph.from_coo, [0], [0], size)
    raises(TypeError, "size: expected a number of nodes", Graph.from_edge_index, [[0], [0]], size)
raises(TypeError, "expected a sparse matrix of SciPy, not a 'ndarray'", Graph.from_scipy, np.eye(3))


class Row:
    """As much of an array of SciPy with one dimension as is read."""

    shape, tocsr = (3,), None


raises(clique.ArgumentError, "matrix has shape [3], expected [num_dst, num_src]", Graph.from_scipy,
       Row())
raises(TypeError, "expected a graph of NetworkX, not a 'list'", Graph.from_networkx, [])
raises(TypeError, "expected a graph of DGL, not a 'list'", Graph.from_dgl, [])
for function, sizes in ((Graph.complete, [2**70]), (Graph.from_csr, [[0, 1], [0], 2**70]),
                        (Graph.from_coo, [[0], [0], 2**70])):
    raises(clique.ArgumentError, "a number of nodes does not fit 64 bits", function, *sizes)
raises(clique.FileError, "nowhere.mtx: ", Graph.read, "nowhere.mtx")
print("inputs are checked")

for graph in (karate, Graph.complete(300), Graph.bipartite(3, 200), Graph.from_coo([], []),
              Graph.from_coo([], [], 5)):
    picture = graph._repr_html_()
    xml.etree.ElementTree.fromstring(picture)  # well-formed
    assert graph.inspect().topology in picture
attend = clique.compile(sys.argv[3])
shown = karate.show(attend)
xml.etree.ElementTree.fromstring(shown._repr_html_())
assert "expected of one core" in repr(shown) and "of tiles" in shown._repr_html_()
assert "dense tiles" in repr(Graph.complete(300).show(attend)) and repr(karate) in repr(shown)
raises(clique.ArgumentError, "'k: f32[?, 64]' has no size", karate.show, clique.compile("""
func.func @f(%g: !mp.graph, %k: tensor<?x64xf32>) -> tensor<?x64xf32> {
  return %k : tensor<?x64xf32>
}"""))
cells = clique._picture.pattern(Graph.complete(300))
assert cells.shape == (64, 64) and np.allclose(cells, 1)
print("graphs have pictures")
