# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in which something may be moved, merged or left out, if that is done rightly: factors
of one end of an edge, softmaxes by hand, masks by multiplication, values that no edge is needed
for."""

# A family has the arguments of all families.
# pylint: disable=unused-argument

import numpy as np

from .values import Value


def factored(w, g, d, s):
    """What depends on the destination alone joins every message: it may be put after a sum, after a
    maximum only if it is not negative, and it is counted as often as there are edges."""
    size = (w.size(12),)
    early = w.flip()
    own = w.linear(d, w.weight((*d.shape, *size), d.shape[0])) if early else d
    scalar, order, edge = w.flip(0.3), w.choose.randrange(2), w.flip(0.3)
    edges = [w.edges(g, size)] if edge else []

    def body(dst, src, more):
        a = dst[0] if early else w.project(dst[0], size)
        if scalar:
            a = w.broadcast(w.dot(a, w.weight(size, size[0])), size)
        a = w.unary("math.tanh", a)
        x = w.project(src[0], size)
        if edge:
            x = w.blend(x, more[0])
        for _ in range(w.pick(1, 1, 2)):
            op = w.pick("arith.mulf", "arith.mulf", "arith.addf", "arith.subf", "arith.divf",
                        "select", "arith.maximumf", "none")
            if op == "arith.divf":
                x = w.binary(op, x, w.plus(w.mul(a, a), 0.5))
            elif op == "select":
                early_half = w.compare("lt", w.position("dst"),
                                       w.constant((), g.num_dst // 2, "i32"))
                x = w.select(w.broadcast(early_half, size), x, a)
            elif op != "none":
                x = w.binary(op, *((a, x) if order else (x, a)))
            if w.flip(0.3):
                x = w.unary("arith.negf", x)
        return [x, w.times(a, 0.5)]

    x, other = w.message(g, body, [own], [s], edges)
    outs = []
    for how in w.choose.sample(["sum", "mean", "max", "min", "std", "logsumexp"], w.pick(1, 2)):
        outs += w.aggregate(g, how, [w.pick(x, x, other)])
    return outs


def softmax_by_hand(w, g, d, s):
    """The largest score first, then weights, their sum, and the quotient; all from one graph."""
    heads, width = w.pick((), (2,), (5,)), w.pick(1, 4, 9)
    masked, late = w.flip(0.4), w.flip()

    def scores(dst, src, _):
        score = w.score(dst[0], src[0], heads, 5)
        if masked:
            far = w.broadcast(w.allowed(), heads) if heads else w.allowed()
            score = w.select(far, score, w.constant(heads, -20.0))
        return [score, w.project(src[0], (*heads, width))]

    score, value = w.message(g, scores, [d], [s])
    top, = w.aggregate(g, "max", [score])

    def weigh(dst, _, edges):
        weight = w.unary("math.exp", w.sub(edges[0], dst[0]))
        return [weight, w.mul(w.broadcast(weight, edges[1].shape), edges[1])]

    weight, weighted = w.message(g, weigh, [top], [], [score, value])
    if w.elem in ("bf16", "f16"):
        late = True
    total, = w.aggregate(g, "sum", [weight])
    if late:
        above, = w.aggregate(g, "sum", [weighted])

        def divide(node):
            below = w.binary("arith.maximumf", node[1], w.constant(heads, 0.5))
            return [w.binary("arith.divf", node[0], w.broadcast(below, node[0].shape))]

        return w.update([above, total], divide)

    def share(dst, _, edges):
        return [w.binary("arith.divf", edges[0], w.broadcast(dst[0], edges[0].shape))]

    part, = w.message(g, share, [total], [], [weighted])
    return w.aggregate(g, "sum", [part])


def masked_sums(w, g, d, s):
    """Masks as factors and as selections, of truth values of edges, nodes and positions."""
    size = (w.size(12),)
    edges = [w.edges(g, w.pick((), size), "i1", 0, 2)] if w.flip() else []
    labels = [w.labels(g.num_dst, 3, "i8"), w.labels(g.num_src, 3, "i8")]
    how = w.pick("sum", "mean", "max", "logsumexp", "prod")

    def body(dst, src, edge):
        allowed = w.compare(w.pick("eq", "le", "gt"), dst[1], src[1]) if w.flip() else w.allowed()
        x = w.unary("math.tanh", w.add(w.project(src[0], size), w.project(dst[0], size)))
        if edges:
            both = w.widen(edge[0], size)
            allowed = w.binary(w.pick("arith.andi", "arith.ori", "arith.xori"),
                               w.broadcast(allowed, size), both)
        else:
            allowed = w.broadcast(allowed, size)
        factor = w.own(allowed)
        if how == "logsumexp":
            x = w.select(allowed, x, w.constant(size, -np.inf))
        elif how == "prod":
            x = w.select(allowed, w.plus(w.times(x, w.narrow), 1.0), w.constant(size, 1.0))
        elif w.flip():
            x = w.mul(x, factor)
        else:
            x = w.select(allowed, x, w.constant(size, w.pick(0.0, 0.25, -1.0)))
        return [x, factor]

    value, factor = w.message(g, body, [d, labels[0]], [s, labels[1]], edges)
    outs = w.aggregate(g, how, [value])
    return outs + w.aggregate(g, w.pick("sum", "mean"), [factor])


def places(w, g, d, s):
    """Messages of constants, weights and numbers of nodes and edges, of no feature at all."""
    size, kind = (w.size(9),), w.choose.randrange(3)
    scalar = w.weight(())

    def body(*_):
        end, elem = w.pick("dst", "src", "edge"), w.pick("i32", "i64")
        number = w.binary("arith.remsi", w.position(end, elem), w.constant((), 7, elem))
        x = w.mul(w.own(number), scalar) if kind else scalar
        return [w.broadcast(x, size), w.weight(size)]

    value, same = w.message(g, body)
    how = w.pick("sum", "mean", "max", "std")
    outs = w.aggregate(g, how, [value])
    outs += w.aggregate(g, w.pick("sum", "mean", "min"), [same])
    joined, = w.update([d, *outs], lambda node: [w.blend(
        w.unary("math.tanh", w.add(node[1], node[2])), w.project(node[0], size))])
    return [joined, *outs]


def edges_as_rows(w, g, d, s):
    """The values of edges as rows of a tensor, computed with as if they were nodes, and back."""
    size = (w.size(12),)
    edge = w.edges(g, size)
    value, = w.message(g, lambda dst, src, e: [w.blend(w.project(src[0], size), e[0])], [], [s],
                       [edge])
    rows = w.result(f"mp.to_tensor {value.name} : {value.type} -> "
                    f"{Value('', 'rows', size, w.elem, value.data).type}", "rows", size, w.elem,
                    value.data)
    new, = w.update([rows], lambda row: [w.activate(w.project(row[0], size))])
    back = w.result(f"mp.to_edges {new.name} : {new.type} -> {value.type}", "edges", size, w.elem,
                    new.data)
    outs = w.aggregate(g, w.pick("sum", "mean", "max", "std"), [back])
    if w.flip():
        score, = w.message(g, lambda _, __, e: [w.reduce("sum", e[0], [0])], edge=[back])
        outs = w.aggregate(g, "softmax", [value], score, w.flip())
    return outs + [new] * w.flip(0.3)


def alone(w, g, d, s):
    """Ops on node features and on weights at function level, numbers of the caller, and one sum."""
    size = (w.size(12),)
    weights = w.weight((*s.shape, *size), s.shape[0])
    for _ in range(w.pick(0, 1, 2)):
        weights = w.unary(w.pick("math.tanh", "arith.negf", "math.sin", "mp.relu"), weights)
    x = w.linear(s, weights)
    y = w.linear(d, w.weight((*d.shape, *size), d.shape[0]))
    if g.square:
        x = w.binary(w.pick("arith.addf", "arith.mulf", "arith.maximumf"), x, y)
    x = w.activate(x)
    if w.flip() and size[0] > 1:
        x = w.layer_norm(x)
    number = w.scalar()

    def body(_, src, __):
        factor = w.result(f"tensor.splat {number.name} : {number.type_of(size)}", "one", size,
                          w.elem, np.broadcast_to(number.data, (1, *size)))
        return [w.mul(src[0], factor)] if w.flip() else [w.sub(src[0], factor)]

    value, = w.message(g, body, [], [x])
    total, = w.aggregate(g, w.pick("sum", "mean", "max", "min"), [value])
    product = w.dot(total, y)
    return [total, product] if w.flip() else w.update([product, total], lambda node: [
        w.mul(w.broadcast(w.unary("math.tanh", node[0]), size), node[1])])


def winners(w, g, d, s):
    """Which edge has the largest value, and what is known of that edge."""
    size = (w.size(5),)
    grid = w.flip()
    edge = w.edges(g, size, "i32", -4, 5) if grid else w.edges(g, size)
    low = w.pick("max", "min")

    def body(_, __, e):
        return [w.own(e[0]) if grid else e[0]]

    value, = w.message(g, body, edge=[edge])
    best, number = w.aggregate(g, low, [value], None, True)

    def chosen(dst, _, __):
        here = w.position("edge", "i64")
        equal = w.compare("eq", w.broadcast(here, size), dst[0])
        return [w.select(equal, w.constant(size, 1.0), w.constant(size, 0.0))]

    mark, = w.message(g, chosen, [number])
    count, = w.aggregate(g, "sum", [mark])
    return [best, number, count]
