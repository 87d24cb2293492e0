# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maxima and minima of messages that tie: the first edge in the caller's order has won, in chunks of
edges and one after the other, and it alone has a gradient. Small integers, whose sums are exact,
beside NumPy."""

# RUN: %library_python %s

import clique
import numpy as np

RANDOM = np.random.default_rng(3)
NODES = 37

SPEC = """
func.func @layer(%g: !mp.graph<sparse>, %h: tensor<?xINxT> {mp.name = "h"}, %w: tensor<INxOUTxT> {mp.name = "w"},
                 %b: tensor<OUTxT> {mp.name = "b"}) -> (tensor<?xOUTxT>WINNER) {
  %m = mp.message %g : !mp.graph<sparse> dst(%hi = %h : tensor<?xINxT>) src(%hj = %h : tensor<?xINxT>) -> !mp.edges<OUTxT> {
    %d = arith.subf %hj, %hi : tensor<INxT>
    %r = mp.relu %d : tensor<INxT>
    %y = mp.linear %r, %w bias %b : (tensor<INxT>, tensor<INxOUTxT>, tensor<OUTxT>) -> tensor<OUTxT>
    mp.yield %y : tensor<OUTxT>
  }
  %o:COUNT = mp.aggregate %g : !mp.graph<sparse> KIND %m : (!mp.edges<OUTxT>) -> (tensor<?xOUTxT>WINNER)
  return RETURNED : tensor<?xOUTxT>WINNER
}
"""


def compile_spec(ins, outs, kind, element, with_winner):
    text = SPEC.replace("WINNER", ", tensor<?xOUTxi64>" if with_winner else "")
    text = text.replace("COUNT", "2" if with_winner else "1")
    text = text.replace("RETURNED", "%o#0, %o#1" if with_winner else "%o#0").replace("KIND", kind)
    return clique.compile(text.replace("IN", str(ins)).replace("OUT", str(outs)).replace("xT>", f"x{element}>"))


def make_edges():
    """Destination and source; nodes without edges, edges that are there twice, a row of many edges."""
    dst = np.concatenate([RANDOM.integers(0, NODES // 2, 3 * NODES), np.full(900, NODES - 1)])
    edges = np.stack([dst, RANDOM.integers(0, NODES, len(dst))], 1)
    edges = np.concatenate([edges, edges[: NODES // 2]])
    return edges[RANDOM.permutation(len(edges))].T


def check(ins, outs, kind, element):
    dst, src = make_edges()
    h = RANDOM.integers(0, 2, (NODES, ins))
    w, b = RANDOM.integers(-1, 2, (ins, outs)), RANDOM.integers(-1, 2, outs)
    grad = RANDOM.integers(-2, 3, (NODES, outs))
    inside = np.maximum(h[src] - h[dst], 0)
    messages = inside @ w + b
    best = np.zeros((NODES, outs), np.int64)
    winner = np.full((NODES, outs), -1)
    for e, i in enumerate(dst):
        more = messages[e] > best[i] if kind == "max" else messages[e] < best[i]
        wins = (winner[i] < 0) | more
        best[i] = np.where(wins, messages[e], best[i])
        winner[i] = np.where(wins, e, winner[i])
    own = np.where(winner[dst] == np.arange(len(dst))[:, None], grad[dst], 0)
    of_inside = (own @ w.T) * (h[src] > h[dst])
    of_h = np.zeros((NODES, ins))
    np.add.at(of_h, src, of_inside)
    np.subtract.at(of_h, dst, of_inside)

    stored = {"f64": np.float64, "f16": np.float16, "f32": np.float32}[element]
    arrays = [array.astype(stored) for array in (h, w, b)]
    graph = clique.Graph.from_coo(dst, src, NODES)
    for threads in 1, 2:
        clique.set_num_threads(threads)
        found = compile_spec(ins, outs, kind, element, True)(graph, *arrays)
        assert (np.asarray(found[0]) == best).all() and (np.asarray(found[1]) == winner).all()
        gradients = compile_spec(ins, outs, kind, element, False).gradient("h", "w", "b")(
            graph, *arrays, grad_out=grad.astype(stored))
        for name, array, expected in zip("hwb", gradients, (of_h, inside.T @ own, own.sum(0))):
            assert (np.asarray(array) == expected.astype(stored)).all(), (name, threads)
    print(ins, outs, kind, element, "ok", flush=True)


check(64, 64, "max", "f32")
check(33, 67, "min", "f64")
check(64, 130, "max", "f16")
check(6, 5, "max", "f32")
