# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as Transformers have it: turned by positions, with shared keys, decaying, over a
memory, pooled by seeds; and messages whose matrix an edge makes."""

# A family has the arguments of all families.
# pylint: disable=unused-argument

import numpy as np

from .graphs import Graph, of_mask
from .more_families import make_batch
from .values import Value


def numbers(w, x):
    """0, 1, 2 ... for the rows of x, as floats of the spec."""
    count = w.number_of(x)
    ints = w.result(f"mp.node_numbers {count} : tensor<?xi32>", "rows", (), "i32",
                    np.arange(len(x.data)))
    return w.own(ints)


def turn(w, x, place, half):
    """Pairs of elements turned by an angle that grows with the position."""
    angles = w.mul(w.broadcast(place, (half,)), w.constant((half,), 0.25 ** np.arange(half)))
    cos, sin = w.unary("math.cos", angles), w.unary("math.sin", angles)
    a, b = w.slice(x, 0, half), w.slice(x, half, half)
    return w.concat([w.sub(w.mul(a, cos), w.mul(b, sin)), w.add(w.mul(b, cos), w.mul(a, sin))])


def rotary(w, g, d, s):
    half, wide = w.pick(1, 2, 4), w.size(9)
    places = [numbers(w, d), numbers(w, s)]
    masked, sums = w.flip(), w.flip(0.3)

    def body(dst, src, _):
        q = turn(w, w.project(dst[0], (2 * half,)), dst[1], half)
        k = turn(w, w.project(src[0], (2 * half,)), src[1], half)
        score = w.dot(q, k)
        if masked:
            score = w.mask(score)
        return [score, w.project(src[0], (wide,))]

    score, value = w.message(g, body, [d, places[0]], [s, places[1]])
    if not sums or masked:
        return w.aggregate(g, "softmax", [value], score, w.flip(0.3))
    weighted, = w.message(g, lambda _, __, e: [w.mul(w.broadcast(e[0], (wide,)), e[1])],
                          edge=[score, value])
    return w.aggregate(g, "sum", [weighted])


def grouped(w, g, d, s):
    """Several heads of queries share one of keys and values."""
    groups, shared, width = w.pick(2, 3), w.pick(1, 2, 4), w.pick(1, 4, 8)
    wide = w.pick(width, 3)

    def body(dst, src, _):
        q = w.project(dst[0], (groups, shared, width))
        k, v = w.project(src[0], (shared, width)), w.project(src[0], (shared, wide))
        score = w.dot(q, w.broadcast(k, q.shape, "trailing"))
        score = w.times(score, 0.375)
        return [score, w.broadcast(v, (groups, shared, wide), "trailing")]

    score, value = w.message(g, body, [d], [s])
    out, *more = w.aggregate(g, "softmax", [value], score, w.flip(0.3))
    joined, = w.update([out, d], lambda node: [w.add(w.project(w.collapse(node[0]), node[1].shape),
                                                     node[1])])
    return [joined, *more]


def retention(w, g, d, s):
    """Weights that fall with the distance, without a softmax, divided by what they sum to."""
    heads, width = w.pick(1, 2, 4), w.pick(2, 5)
    shape = (heads,)
    only_before = w.flip()

    def body(dst, src, _):
        q, k = w.project(dst[0], (heads, width)), w.project(src[0], (heads, width))
        far = w.unary("math.absi", w.distance(0))
        slopes = w.constant(shape, -0.5 ** (1 + np.arange(heads)))
        fade = w.mul(w.broadcast(w.own(far), shape), slopes)
        weight = w.mul(w.dot(q, k), w.unary("math.exp", fade))
        if only_before:
            before = w.compare("ge", w.position("dst"), w.position("src"))
            weight = w.select(w.broadcast(before, shape), weight, w.constant(shape, 0.0))
        return [weight, w.mul(w.broadcast(weight, (heads, 3)), w.project(src[0], (heads, 3)))]

    weight, value = w.message(g, body, [d], [s])
    below, above = w.aggregate(g, "sum", [weight, value])

    def divide(node):
        size = w.binary("arith.maximumf", w.unary("math.absf", node[1]), w.constant(shape, 1.0))
        return [w.binary("arith.divf", node[0], w.broadcast(size, (heads, 3)))]

    return w.update([above, below], divide)


def block(w, g, d, s):
    """A block with the normalisation before or after, and a perceptron."""
    size, heads, width = d.shape, w.pick(1, 2, 3), w.pick(2, 4, 5)
    before = w.flip()
    normed = w.layer_norm(d) if before and d.shape[-1] > 2 else d
    other = normed if g.square and s is d else s

    def body(dst, src, _):
        q, k, v = [w.project(x, (heads, width)) for x in (dst[0], src[0], src[0])]
        return [w.times(w.dot(q, k), 0.5), v]

    score, value = w.message(g, body, [normed], [other])
    mixed, = w.aggregate(g, "softmax", [value], score)

    def feed(node):
        y = w.add(node[0], w.project(w.collapse(node[1]), size))
        z = w.layer_norm(y) if size[-1] > 2 else y
        out = w.add(y if before else z, w.perceptron(z, size))
        return [out if before or size[-1] <= 2 else w.layer_norm(out)]

    return w.update([d, mixed], feed)


def memory(w, g, d, s):
    """Nodes receive from all rows of a memory and of their own set, put one behind the other."""
    kept = w.rows(w.pick(1, 3, 20), s.shape)
    name = w.fresh()
    w.line(f"{name} = tensor.concat dim(0) {kept.name}, {s.name} : ({kept.type}, {s.type}) -> "
           f"{s.type}")
    both = Value(name, "rows", s.shape, s.elem, np.concatenate([kept.data, s.data]))
    n, m = len(d.data), len(both.data)
    counts = [w.number_of(x) for x in (d, both)]
    graph = w.fresh()
    w.line(f"{graph} = mp.bipartite {counts[0]}, {counts[1]}")
    full = Graph(graph, "bipartite", *of_mask(np.ones((n, m), bool)), n, m)
    masked = w.flip()

    def body(dst, src, _):
        score = w.score(dst[0], src[0], (2,), 4)
        if masked:
            past = w.binary("arith.addi", w.position("dst"),
                            w.constant((), len(kept.data), "i32"))
            seen = w.compare("le", w.position("src"), past)
            score = w.select(w.broadcast(seen, (2,)), score, w.constant((2,), -np.inf))
        return [score, w.project(src[0], (2, 3))]

    score, value = w.message(full, body, [d], [both])
    return w.aggregate(full, "softmax", [value], score)


def pooled(w, g, d, s):
    """Seeds of the caller attend to the nodes of each graph of a batch."""
    offsets, seeds, width = make_batch(w, len(d.data)), w.pick(1, 3), w.pick(4, 5)
    count = w.number_of(d)
    nodes = w.result(f"mp.node_numbers {count} : tensor<?xi32>", "rows", (), "i32",
                     np.arange(len(d.data)))
    name, topology = w.fresh(), w.pick("", "sparse")
    w.line(f"{name} = mp.csr {offsets.name}, {nodes.name}, {count} : tensor<?xi64>, tensor<?xi32> "
           f"-> {'!mp.graph<sparse>' if topology else '!mp.graph'}")
    parts = Graph(name, topology, offsets.segments.owner, np.arange(len(d.data)),
                  offsets.segments.count, len(d.data))
    query = w.weight((seeds, width), width)

    def body(_, src, __):
        k, v = w.project(src[0], (width,)), w.project(src[0], (3,))
        return [w.dot(query, w.broadcast(k, (seeds, width), "trailing")),
                w.broadcast(v, (seeds, 3), "trailing")]

    score, value = w.message(parts, body, [], [d])
    whole, = w.aggregate(parts, "softmax", [value], score)
    back = w.spread(offsets, whole, d)
    joined, = w.update([d, back], lambda node: [w.add(w.project(node[0], (5,)),
                                                      w.project(node[1], (5,)))])
    return [joined, whole]


def edge_matrices(w, g, d, s):
    """The matrix of a message is a function of its edge (NNConv)."""
    inner, out = w.pick(1, 2, 4, 5), (w.pick(1, 3, 8),)
    edge = w.edges(g, (w.pick(2, 3),))

    def body(_, src, e):
        x = w.unary("math.tanh", w.project(src[0], (inner,)))
        flat = w.project(e[0], (inner * out[0],))
        return [w.linear(x, w.expand(flat, (inner, out[0])))]

    value, = w.message(g, body, [], [s], [edge])
    return w.aggregate(g, w.pick("sum", "mean", "max"), [value])
