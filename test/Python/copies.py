# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pickle and copy make of graphs and layers."""
# RUN: %library_python %s %S/Inputs | FileCheck %s
# CHECK: graphs are copied
# CHECK-NEXT: layers are copied

import copy
import pickle
import sys

sys.path.insert(0, sys.argv[1])

import clique
import numpy as np
from clique import Node, mp
from layers import DST, NODES, SPEC, SRC, raises


def pickled(value):
    return pickle.loads(pickle.dumps(value))


Graph = clique.Graph
# One of a class takes no room for its edges.
for graph in (Graph.complete(10**5), Graph.complete(10**5, no_self=True), Graph.causal(10**5),
              Graph.bipartite(3, 10**5), Graph.window(10**5, 4), Graph.window(9, 1, no_self=True),
              Graph.cliques([10**4, 3, 10**4], causal=True), Graph.cliques([2, 3], no_self=True)):
    text = pickle.dumps(graph)
    assert len(text) < 1000 and repr(pickle.loads(text)) == repr(graph), graph
    assert pickled(pickle.loads(text)).num_edges == graph.num_edges
shuffled = np.random.default_rng(0).permutation(len(DST))
for graph in (Graph.from_coo(DST[shuffled], SRC[shuffled], (NODES, NODES + 1)),
              Graph.from_csr([0, 2, 2], [0, 1]), Graph.causal(4).reversed(),
              Graph.cliques([2, 1], no_self=True).with_self_loops()):
    for part, other in zip(graph.csr(), pickled(graph).csr()):
        assert np.array_equal(part, other), graph
# A graph never changes: its copy is itself.
assert copy.copy(graph) is graph and copy.deepcopy([graph])[0] is graph
print("graphs are copied")


@clique.layer
def doubled(g, h: Node[2]):
    return g.sum(2.0 * g.src(h))


graph, h = Graph.from_coo(DST, SRC, NODES), np.arange(2.0 * NODES, dtype=np.float32).reshape(-1, 2)
expected = doubled(graph, h)
assert pickled(doubled) is doubled and copy.deepcopy(doubled) is doubled
raises(pickle.PicklingError, "lambda", pickle.dumps, clique.layer(lambda g, h: g.sum(g.src(h))))
for copied in pickled, copy.copy, copy.deepcopy:
    assert np.array_equal(copied(doubled.compiled)(graph, h), expected)
    assert copied(doubled.compiled).signature == doubled.signature
    gradient = copied(doubled.gradient("h"))
    assert np.array_equal(gradient(graph, h, grad_out=h), doubled.gradient("h")(graph, h, grad_out=h))
    module = copied(clique.compile_module(SPEC, f32_products="tf32"))
    assert [layer.name for layer in module] == ["mean", "scaled", "half", "kept"]
    assert module.options.f32_products == "tf32"
bound = pickled(clique.compile(SPEC, "mean").bind(w=np.ones((4, 3), np.float32)))
assert bound.signature == "mean_bound(g: graph, h: f32[n, 4]) -> f32[n, 3]"
error = pickled(raises(clique.SpecError, "boom", lambda: clique.compile("func.func @boom")))
assert (error.filename, error.line) == ("<spec>", 1)
print("layers are copied")
