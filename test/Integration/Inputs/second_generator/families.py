# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers of the literature, each with its variations. A family takes the writer, a graph and the
features of destinations and sources, and gives values, of which the first is the new feature of
the destinations."""

# A family has the arguments of all families.
# pylint: disable=unused-argument

import numpy as np


def attention(w, g, d, s):
    heads = w.pick((), (), (2,), (3,), (4,), (8,), (1,), (2, 3))
    width, wide = w.size(16), w.size(16)
    edges = [w.edges(g, w.pick((), heads, (3,)))] if w.flip(0.3) else []
    labels = w.flip(0.2)
    kinds = [[w.labels(g.num_dst, 3)], [w.labels(g.num_src, 3)]] if labels else [[], []]
    channels, second, masked = w.flip(0.15), w.flip(0.2), w.flip(0.4)

    def body(dst, src, edge):
        shape = (*heads, wide)
        value = w.project(src[0], shape)
        if channels:
            # A softmax for each channel, of the message itself (GENConv).
            value = w.blend(value, w.project(dst[0], shape))
            return [w.times(value, 0.5), value]
        score = w.score(dst[0], src[0], heads, width)
        for _ in range(w.pick(0, 0, 1, 2)):
            score = w.add(score, w.bias(heads, edge))
        if masked:
            score = w.mask(score, [dst[-1], src[-1]] if labels else None)
        if w.flip(0.3):
            value = w.blend(value, w.project(dst[0], shape))
        more = [w.widen(w.unary("math.tanh", w.project(src[0], heads or (1,))), heads or (1,))] \
            if second else []
        return [score, value, *more]

    score, *values = w.message(g, body, [d] + kinds[0], [s] + kinds[1], edges)
    if w.flip(0.1):
        share = w.edge_softmax(g, score)
        weighted, = w.message(
            g, lambda _, src, edge: [w.mul(w.widen(edge[0], edge[1].shape), edge[1])],
            edge=[share, values[0]])
        return w.aggregate(g, "sum", [weighted]) + [share] * w.flip()
    return w.aggregate(g, "softmax", values, score, w.flip(0.25) and len(values) == 1)


def aggregators(w, g, d, s):
    """Several aggregators of one message (PNA), and of another one."""
    shape = w.pick((), (w.size(),), (w.size(),), (w.pick(2, 3), w.size(9)))
    edges = [w.edges(g, w.pick((), shape))] if w.flip(0.4) else []
    both, exact = w.flip(), w.flip(0.3)

    def body(dst, src, edge):
        if exact:
            # No rounding: equal values of parallel edges are equal everywhere.
            x = src[0]
            return [w.binary("arith.maximumf", x, dst[0]) if both and x.shape == dst[0].shape
                    else w.unary("math.absf", x)]
        x = w.project(src[0], shape or (1,))
        if both:
            x = w.blend(x, w.project(dst[0], shape or (1,)))
        x = w.activate(x)
        if not shape:
            x = w.reduce(w.pick("sum", "max", "mean"), x, [0])
        for e in [edge[k] for k in range(len(edge))]:
            x = w.mul(x, w.widen(e, shape) if e.shape != shape else e)
        return [x]

    value, = w.message(g, body, [d] if both else [], [s], edges)
    outs = []
    names = ["sum", "mean", "max", "min", "std", "logsumexp"]
    for how in w.choose.sample(names, w.pick(1, 1, 2, 3, 4)):
        outs += w.aggregate(g, how, [value], None, how in ("max", "min") and w.flip(0.5))
    return outs


def products(w, g, d, s):
    """Products of values around 1, of which some have a sign."""
    shape = (w.size(9),)

    def body(dst, src, _):
        x = w.times(w.unary("math.tanh", w.project(src[0], shape)), w.narrow)
        y = w.plus(x, w.pick(1.0, -1.0))
        own = w.times(w.unary("math.sin", w.project(dst[0], shape)), w.narrow / 2)
        return [w.mul(y, w.plus(own, 1.0))]

    value, = w.message(g, body, [d], [s])
    return w.aggregate(g, "prod", [value])


def gates(w, g, d, s):
    """Gated edges, normalised by the sum of the gates or not; edges get a new feature."""
    size = (w.size(17),)
    edge = w.edges(g, size) if w.flip(0.7) else None

    def body(dst, src, edges):
        x = w.add(w.project(dst[0], size), w.project(src[0], size))
        if len(edges):
            x = w.add(x, w.project(edges[0], size))
        gate = w.unary("mp.sigmoid", x)
        value = w.mul(gate, w.fit(src[0], size))
        new = w.blend(edges[0], w.activate(x)) if len(edges) else w.activate(x)
        return [gate, value, new]

    gate, value, new = w.message(g, body, [d], [s], [edge] if edge else [])
    if w.flip():
        below, above = w.aggregate(g, "sum", [gate, value])
    else:
        below, above = w.aggregate(g, "sum", [gate])[0], w.aggregate(g, "sum", [value])[0]

    def join(node):
        own = w.fit(node[2], size)
        return [w.add(own, w.binary("arith.divf", node[0], w.plus(node[1], 0.5)))]

    return w.update([above, below, d], join) + ([new] if w.flip() else [])


def normalised(w, g, d, s):
    """GCN and its relatives: each edge weighed by degrees, of a graph with self-loops or not."""
    plain = w.cast(g) if w.flip(0.3) else g
    if g.square and not plain.topology and w.flip():
        plain = w.self_loops(plain)
    turned = w.reverse(plain)
    degrees = [w.degree(plain), w.degree(turned)]
    size = (w.size(24),)
    power = w.pick("math.rsqrt", "arith.divf")

    def scale(node):
        most = w.binary("arith.maximumf", node[0], w.constant((), 1.0))
        return [w.unary("math.rsqrt", most) if power == "math.rsqrt" else
                w.binary("arith.divf", w.constant((), 1.0), most)]

    ends = [w.update([x], scale)[0] for x in degrees]
    early = w.flip()
    feature = w.project(s, size) if early else s

    def body(dst, src, _):
        c = w.mul(dst[0], src[1])
        x = src[0] if early else w.project(src[0], size)
        return [w.mul(w.widen(c, size), x)]

    value, = w.message(plain, body, [ends[0]], [feature, ends[1]])
    return w.aggregate(plain, w.pick("sum", "sum", "mean", "max"), [value])


def relations(w, g, d, s):
    """Weights, gates or shifts looked up by the type of an edge or by what its ends are."""
    types, size, style = w.pick(1, 2, 5, 11), (w.size(16),), w.choose.randrange(3)
    by = w.choose.randrange(3)
    elem = w.pick("i32", "i32", "i64")
    edges = [w.edges(g, (), elem, -1, types + 1)] if by == 0 else []
    labels = [[], []] if by != 1 else [[w.labels(g.num_dst, types)], [w.labels(g.num_src, 2)]]

    def body(dst, src, edge):
        if by == 0:
            index = edge[0]
        elif by == 1:
            index = w.binary("arith.addi", w.binary("arith.muli", dst[-1],
                                                    w.constant((), 2, "i32")), src[-1])
        else:
            index = w.binary("arith.remsi", w.position("edge"), w.constant((), types, "i32"))
        if style == 0:
            return [w.linear(src[0], w.lookup(w.weight((types, *src[0].shape, *size),
                                                       src[0].shape[0]), index))]
        x = w.project(src[0], size)
        gate = w.lookup(w.weight((types, *size)), index)
        if style == 1:
            return [w.mul(x, gate)]
        return [w.activate(w.add(w.mul(w.project(dst[0], size), x), gate))]

    value, = w.message(g, body, [d] + labels[0], [s] + labels[1], edges)
    return w.aggregate(g, w.pick("sum", "mean", "max", "std"), [value])


def kernels(w, g, d, s):
    """Continuous filters of a distance (SchNet, MoNet, EGNN), of positions in space."""
    dims, size, count = w.pick(2, 3), (w.size(12),), w.pick(2, 4, 5)
    places = [w.rows(g.num_dst, (dims,)), w.rows(g.num_src, (dims,))]
    if g.square:
        places[1] = places[0]
    moving = w.flip()

    def body(dst, src, _):
        apart = w.sub(src[1], dst[1])
        square = w.dot(apart, apart)
        far = w.unary("math.sqrt", w.plus(square, 0.0625))
        centres = w.constant((count,), np.arange(count) / 2)
        off = w.sub(w.broadcast(far, (count,)), centres)
        rbf = w.unary("math.exp", w.times(w.mul(off, off), -2.0))
        x = w.mul(w.project(rbf, size), w.project(src[0], size))
        x = w.add(x, w.project(dst[0], size)) if w.flip() else x
        if not moving:
            return [w.activate(x)]
        weight = w.unary("math.tanh", w.dot(x, w.weight(size, size[0])))
        return [x, w.mul(apart, w.broadcast(weight, (dims,)))]

    values = w.message(g, body, [d, places[0]], [s, places[1]])
    outs = w.aggregate(g, w.pick("sum", "mean", "max"), values[:1])
    return outs + (w.aggregate(g, "mean", values[1:]) if moving else [])


def outer_products(w, g, d, s):
    """Linear attention: sums of outer products phi(k) v^T, read with phi(q); per edge with the
    query in the message, or the sums first."""
    heads, inner, wide = w.pick((), (2,), (4,)), w.pick(2, 3, 5, 8), w.pick(1, 3, 8)
    late = w.flip()

    def features(x):
        return w.plus(w.elu(w.project(x, (*heads, inner))), 1.25)

    def body(dst, src, _):
        key, value = features(src[0]), w.project(src[0], (*heads, wide))
        if late:
            shape, rank = (*heads, inner, wide), len(heads)
            return [key, w.mul(w.broadcast(key, shape, "dims", [rank + 1]),
                               w.broadcast(value, shape, "dims", [rank]))]
        weight = w.dot(features(dst[0]), key)
        return [weight, w.mul(w.broadcast(weight, value.shape), value)]

    below, above = w.message(g, body, [] if late else [d], [s])
    below, above = w.aggregate(g, "sum", [below, above])

    def read(node):
        rank = len(heads)
        if late:
            query = features(node[2])
            top = w.reduce("sum", w.mul(w.broadcast(query, node[0].shape, "dims", [rank + 1]),
                                        node[0]), [rank])
            low = w.dot(query, node[1])
        else:
            top, low = node[0], node[1]
        return [w.binary("arith.divf", top, w.broadcast(w.plus(low, 0.5), top.shape))]

    return w.update([above, below, d], read)


def edge_chain(w, g, d, s):
    """Edges are updated from nodes, then nodes from edges, and edges once more."""
    size, other = (w.size(12),), (w.size(9),)
    edge = w.edges(g, other)

    def first(dst, src, edges):
        return [w.activate(w.add(w.add(w.project(dst[0], size), w.project(src[0], size)),
                                 w.project(edges[0], size)))]

    e, = w.message(g, first, [d], [s], [edge])
    node, = w.aggregate(g, w.pick("sum", "mean", "max"), [e])

    def second(dst, _, edges):
        return [w.blend(edges[0], w.project(dst[0], size))]

    e2, = w.message(g, second, [node], [], [e])
    outs = w.aggregate(g, w.pick("sum", "std", "min"), [e2])
    if w.flip():
        turned = w.reverse(g)
        outs += w.aggregate(turned, "mean", [e2])
    return outs + [e2] * w.flip()


def two_hops(w, g, d, s):
    """To the sources along reversed edges, and back (HITS, hypergraphs)."""
    size = (w.size(16),)
    edges = [w.edges(g)] if w.flip() else []

    def body(dst, src, edge):
        x = w.project(src[0], size)
        return [w.mul(x, w.widen(edge[0], size)) if len(edge) else w.activate(x)]

    turned = w.reverse(g)
    there, = w.message(turned, body, [], [d], edges)
    middle, = w.aggregate(turned, w.pick("sum", "mean", "max"), [there])
    back, = w.message(g, body, [], [middle], edges)
    return w.aggregate(g, w.pick("sum", "mean", "min"), [back])
