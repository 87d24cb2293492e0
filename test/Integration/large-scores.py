# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of a softmax, where they are computed again from its log-sum-exp: in `mp.edge_softmax`,
and in gradients. Scores may be large, as masks that are added leave them: of -1e9 in f32, a
log-sum-exp in one number has no digit left for how many there are. Beside NumPy in f64."""
# REQUIRES: python-package
# RUN: %library_python %s %clique_obj_root/python | FileCheck %s
# CHECK: large scores: 84 results

import sys

sys.path.insert(0, sys.argv[1])

import clique
import numpy

SPEC = """
func.func @softmax(%g: !mp.graph, %b: tensor<?xT>, %a: tensor<?x2xT>) -> tensor<?x2xT> {
  %s, %m = mp.message %g src(%y = %b : tensor<?xT>, %x = %a : tensor<?x2xT>)
      -> !mp.edges<T>, !mp.edges<2xT> {
    mp.yield %y, %x : tensor<T>, tensor<2xT>
  }
  %o = mp.aggregate %g softmax(%s) %m : (!mp.edges<T>, !mp.edges<2xT>) -> tensor<?x2xT>
  return %o : tensor<?x2xT>
}
func.func @weights(%g: !mp.graph, %b: tensor<?xT>, %a: tensor<?x2xT>) -> tensor<?x2xT> {
  %s = mp.message %g src(%y = %b : tensor<?xT>) -> !mp.edges<T> {
    mp.yield %y : tensor<T>
  }
  %p = mp.edge_softmax %g, %s : !mp.graph, !mp.edges<T>
  %q = mp.message %g src(%x = %a : tensor<?x2xT>) edge(%w = %p : !mp.edges<T>)
      -> !mp.edges<2xT> {
    %r = mp.broadcast %w : tensor<T> to tensor<2xT>
    %t = arith.mulf %r, %x : tensor<2xT>
    mp.yield %t : tensor<2xT>
  }
  %o = mp.aggregate %g sum %q : (!mp.edges<2xT>) -> tensor<?x2xT>
  return %o : tensor<?x2xT>
}
func.func @logsumexp(%g: !mp.graph, %b: tensor<?xT>) -> tensor<?xT> {
  %s = mp.message %g src(%y = %b : tensor<?xT>) -> !mp.edges<T> {
    mp.yield %y : tensor<T>
  }
  %o = mp.aggregate %g logsumexp %s : (!mp.edges<T>) -> tensor<?xT>
  return %o : tensor<?xT>
}
"""

NODES = 37
RANDOM = numpy.random.default_rng(3)
# Without edges to node 0, and with one to node 1.
EDGES = RANDOM.random((NODES, NODES)) < 0.3
EDGES[0] = False
EDGES[1] = numpy.arange(NODES) == 5
count = 0


def expect(got, want, tolerance, text):
    global count
    error = numpy.abs(got - want).max() / max(numpy.abs(want).max(), 1e-30)
    assert error <= tolerance, f"{text}: off by {error:.1e}: {got} is not {want}"
    count += 1


def make_scores(largest, dtype):
    """All alike, or up to two units in the last place apart where these are no large numbers."""
    least = numpy.array(largest, dtype)
    step = float(numpy.nextafter(least, dtype(0))) - float(least)
    return (float(least) + (abs(step) < 4) * step * RANDOM.integers(0, 3, NODES)).astype(dtype)


def check(dtype, name, tolerance):
    layers = clique.compile_module(SPEC.replace("T", name))
    values = RANDOM.standard_normal((NODES, 2)).astype(dtype)
    cotangent = RANDOM.standard_normal((NODES, 2)).astype(dtype)
    largest = (0, -30000, -1e9, 1e9, float(numpy.finfo(dtype).min), 3e4, -5)
    for graph, edges in (
        (clique.Graph.from_coo(*numpy.nonzero(EDGES), NODES), EDGES),
        (clique.Graph.complete(NODES), numpy.ones((NODES, NODES), bool)),
    ):
        for most in largest:
            scores = make_scores(most, dtype)
            exponents = numpy.where(edges, scores.astype(float), -numpy.inf)
            top = numpy.where(edges.any(1), scores.astype(float).max(), 0)[:, None]
            weights = numpy.exp(exponents - top)
            weights /= numpy.maximum(weights.sum(1, keepdims=True), 1e-300)
            arguments = dict(b=scores, a=values)
            text = f"{name}, scores of {most}, {edges.sum()} edges"
            got = layers["weights"](graph, **arguments)
            expect(got, weights @ values.astype(float), tolerance, f"edge_softmax, {text}")
            got = layers["softmax"].gradient("a")(graph, **arguments, grad_out=cotangent)
            want = weights.T @ cotangent.astype(float)
            expect(got, want, tolerance, f"gradient of softmax, {text}")
            got = layers["logsumexp"].gradient("b")(graph, b=scores, grad_out=cotangent[:, 0].copy())
            want = weights.T @ cotangent[:, 0].astype(float)
            expect(got, want, tolerance, f"gradient of logsumexp, {text}")


check(numpy.float32, "f32", 3e-6)
check(numpy.float64, "f64", 1e-13)
print(f"large scores: {count} results")
