# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers and shapes at the edges of what is usual: large scores, sums of other types, loops added
to graphs of a known class, features of several dimensions, truth values of nodes."""

# A family has the arguments of all families.
# pylint: disable=unused-argument

import numpy as np


def large_scores(w, g, d, s):
    """Scores that are far apart, far below 0 or far above, bounded or not."""
    shape, width = w.pick((), (2,), (4,)), w.size(9)
    far, shift = w.pick(10.0, 30.0, 60.0), w.pick(0.0, 0.0, -200.0, 150.0)
    if w.half(w.elem):
        far, shift = 8.0, 0.0
    bounded, channels = w.flip(), w.flip(0.2)

    def body(dst, src, _):
        x = w.score(dst[0], src[0], shape, 4)
        value = w.project(src[0], (*shape, width))
        if channels:
            x = w.add(value, w.project(dst[0], (*shape, width)))
        if bounded:
            x = w.unary(w.pick("math.tanh", "math.sin", "mp.sigmoid"), x)
        x = w.plus(w.times(x, far), shift)
        return [w.mask(x) if w.flip(0.2) else x, value]

    score, value = w.message(g, body, [d], [s])
    outs = w.aggregate(g, "softmax", [value], score, w.flip())
    if w.flip(0.3):
        outs += w.aggregate(g, "logsumexp", [score])
    return outs


def far_from_zero(w, g, d, s):
    """Deviations and extrema of values that differ little beside their mean."""
    size, mean = (w.size(9),), w.pick(4.0, -30.0, 100.0)
    if w.half(w.elem):
        mean = 2.0

    def body(dst, src, _):
        x = w.add(w.project(src[0], size), w.unary("math.tanh", w.project(dst[0], size)))
        return [w.plus(x, mean)]

    value, = w.message(g, body, [d], [s])
    outs = []
    for how in w.choose.sample(["std", "mean", "max", "min", "logsumexp"], 2):
        outs += w.aggregate(g, how, [value])
    return outs


def looped(w, g, d, s):
    """Loops added to a graph of any class; an edge knows its number, which is the old one or one
    behind them."""
    if not g.square:
        return large_scores(w, g, d, s)
    size = (w.size(9),)
    graph = w.self_loops(w.cast(g))
    if w.flip(0.3):
        graph = w.reverse(graph)
    step = w.pick(3, 7, 16)

    def body(dst, src, _):
        number = w.binary("arith.remsi", w.position("edge"), w.constant((), step, "i32"))
        own = w.compare("eq", w.position("dst"), w.position("src"))
        x = w.mul(w.project(src[0], size), w.broadcast(w.times(w.own(number), 0.125), size))
        if w.flip():
            x = w.select(w.broadcast(own, size), w.project(dst[0], size), x)
        return [x, number]

    value, number = w.message(graph, body, [d], [d])
    outs = w.aggregate(graph, w.pick("sum", "mean", "max", "std"), [value])
    degree = w.degree(graph)
    return outs + [degree] * w.flip(0.3) + [number] * w.flip(0.4)


def other_types(w, g, d, s):
    """Messages of one type summed in another one."""
    # No cast goes from one half precision to the other.
    others = ("f64", "f32") if w.elem == "bf16" else ("f64", "f32", "f16")
    inner = w.pick(*(elem for elem in others if elem != w.elem))

    def body(dst, src, _):
        x = w.convert(w.unary("math.tanh", src[0]), inner)
        if d.shape == s.shape and w.flip():
            x = w.mul(x, w.convert(dst[0], inner))
        return [w.times(x, 0.5)]

    value, = w.message(g, body, [d], [s])
    total, = w.aggregate(g, w.pick("sum", "mean", "max", "min"), [value])
    back, = w.update([total], lambda node: [w.own(node[0])])
    return [back]


def dimensions(w, g, d, s):
    """Features of three dimensions, of which some are summed, some repeated."""
    a, b, c = w.pick(1, 2, 3), w.pick(2, 4), w.pick(1, 3, 5)
    kind = w.choose.randrange(3)

    def body(dst, src, _):
        x = w.project(src[0], (a, b, c))
        y = w.unary("math.tanh", w.project(dst[0], (a, c)))
        x = w.mul(x, w.broadcast(y, (a, b, c), "dims", [1]))
        how = w.pick("sum", "mean", "max", "min")
        if kind == 0:
            return [w.reduce(how, x, w.pick([1], [0, 2], [0], [0, 1]))]
        if kind == 1:
            z = w.reduce(how, x, [2])
            return [w.sub(x, w.broadcast(z, (a, b, c)))]
        z = w.linear(x, w.weight((c, 2), c), w.weight((2,)))
        return [w.layer_norm(w.slice(z, 0, a)) if w.flip() else w.slice(z, a - 1, 1, True)]

    value, = w.message(g, body, [d], [s])
    return w.aggregate(g, w.pick("sum", "mean", "max", "std"), [value])


def marked_nodes(w, g, d, s):
    """Truth values of nodes choose who sends and who receives (padding, held-out labels)."""
    size = (w.size(12),)
    ends = [w.feature("rows", (), "i1", w.make.integers(0, 2, n), n)
            for n in (g.num_dst, g.num_src)]
    style, how = w.choose.randrange(3), w.pick("sum", "mean", "max", "softmax")

    def body(dst, src, _):
        seen = w.binary(w.pick("arith.andi", "arith.ori", "arith.xori"), dst[1], src[1]) \
            if style == 0 else src[1]
        x = w.add(w.project(src[0], size), w.project(dst[0], size))
        none = w.constant(size, 0.0)
        if style == 2:
            none = w.project(dst[0], size)
        score = w.select(seen, w.score(dst[0], src[0], (), 3), w.constant((), -np.inf))
        return [w.select(w.broadcast(seen, size), x, none), score]

    value, score = w.message(g, body, [d, ends[0]], [s, ends[1]])
    if how == "softmax":
        return w.aggregate(g, how, [value], score, w.flip())
    outs = w.aggregate(g, how, [value])
    return w.update([outs[0], ends[0]], lambda node: [w.select(
        w.broadcast(node[1], size), node[0], w.unary("math.sin", node[0]))])
