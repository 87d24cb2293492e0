# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What layers of the literature rarely have, and the language has: arithmetic of integers, constant
graphs, groups of edges, loops that end by a condition, functions of graphs."""

# A family has the arguments of all families.
# pylint: disable=unused-argument

import numpy as np

from .graphs import Graph, clique_mask, filled_mask, list_edges, of_mask, window_mask
from .values import Value, spell_all


def integers(w, g, d, s):
    """Labels of nodes and edges, divided by each other (by 0 as well), as weights of messages."""
    elem, size = w.pick("i32", "i64", "i8"), (w.size(9),)
    ends = [w.feature("rows", (), elem, w.make.integers(-9, 10, n), n)
            for n in (g.num_dst, g.num_src)]
    edge = w.edges(g, (), elem, -3, 4)
    wide = elem if elem != "i8" else "i32"

    def body(dst, src, e):
        x, y, z = [w.convert(v, wide) for v in (dst[1], src[1], e[0])]
        for _ in range(w.pick(1, 2, 3)):
            op = w.pick("arith.divsi", "arith.remsi", "arith.addi", "arith.muli", "arith.andi",
                        "arith.xori", "arith.maxsi", "arith.minsi", "arith.floordivsi",
                        "arith.ceildivsi")
            x, y, z = y, z, w.binary(op, x, y)
        small = w.binary("arith.remsi", z, w.constant((), w.pick(3, 5, 8), wide))
        weight = w.times(w.own(small), 0.25)
        return [w.mul(w.broadcast(weight, size), w.project(src[0], size)), small]

    value, number = w.message(g, body, [d, ends[0]], [s, ends[1]], [edge])
    outs = w.aggregate(g, w.pick("sum", "mean", "max"), [value])
    return outs + [number] * w.flip()


def constant_graph(w, g, d, s):
    """A list of edges in the spec, whose class the compiler finds out."""
    n = len(d.data)
    if not 0 < n <= 24:
        return integers(w, g, d, s)
    full = np.ones((n, n), bool)
    mask = w.choose.choice([full, np.tril(full), np.triu(full), ~np.eye(n, dtype=bool),
                            np.tril(full, -1), window_mask(n, 2), clique_mask([n // 2, n - n // 2]),
                            filled_mask(w.choose, n)])
    dst, src = of_mask(mask)
    if w.flip(0.3):
        dst, src = list_edges(w.choose, n, n, w.choose.randrange(1, 2 * n + 2))
    pairs = np.stack([dst, src], 1)
    if w.flip(0.3) and len(pairs):
        pairs = pairs[np.array(w.choose.sample(range(len(pairs)), len(pairs)))]
    if len(pairs) == 0:
        return integers(w, g, d, s)
    name, topology = w.fresh(), w.pick("", "", "sparse")
    kind = f"!mp.graph<{topology}>" if topology else "!mp.graph"
    w.line(f"{name} = mp.edge_list dense<{spell_all('i32', pairs)}> : tensor<{len(pairs)}x2xi32>, "
           f"{n}, {n} : {kind}")
    graph = Graph(name, topology, pairs[:, 0], pairs[:, 1], n, n)
    size = (w.size(9),)

    def body(dst_, src_, _):
        score = w.score(dst_[0], src_[0], (), 4)
        score = w.mask(score) if w.flip(0.3) else score
        edge = w.times(w.own(w.position("edge")), 0.0078125)
        return [score, w.mul(w.project(src_[0], size), w.broadcast(edge, size))]

    score, value = w.message(graph, body, [d], [d])
    return w.aggregate(graph, "softmax", [value], score, w.flip()) + \
        w.aggregate(graph, w.pick("sum", "max", "std"), [value])


def groups(w, g, d, s):
    """The edges of one type into one node as a group: first a sum for each, then one of all."""
    types, size = w.pick(1, 3, 4), (w.size(9),)
    key = w.edges(g, (), "i32", -1, types + 1)
    near = np.clip(key.data, 0, types - 1)
    pairs, member = np.unique(np.stack([near, g.dst]), axis=1, return_inverse=True)
    plain, names = w.cast(g), [w.fresh() for _ in range(3)]
    w.line(f"{', '.join(names)} = mp.group_edges {plain.name} by {key.name} into "
           f"{w.index(types)} : !mp.graph, {key.type}")
    rows, keys = [Value(n, "rows", (), "i32", v.astype(np.int32))
                  for n, v in ((names[1], pairs[1]), (names[2], pairs[0]))]
    grouped = Graph(names[0], "sparse", member.reshape(-1), g.src, pairs.shape[1], g.num_src)
    value, = w.message(grouped, lambda _, src, __: [w.activate(w.project(src[0], size))], [], [s])
    part, = w.aggregate(grouped, w.pick("sum", "mean", "max"), [value])
    new, = w.update([part, keys], lambda v: [w.mul(v[0], w.lookup(w.weight((types, *size)), v[1]))])
    count = w.number_of(rows)
    numbers = w.result(f"mp.node_numbers {count} : tensor<?xi32>", "rows", (), "i32",
                       np.arange(len(rows.data), dtype=np.int32))
    name = w.fresh()
    nodes = w.result_index(f"mp.num_dst {plain.name}")
    w.line(f"{name} = mp.coo {rows.name}, {numbers.name}, {nodes}, {count} : tensor<?xi32>, "
           f"tensor<?xi32> -> !mp.graph")
    again = Graph(name, "", rows.data, numbers.data, g.num_dst, len(rows.data))
    message, = w.message(again, lambda _, src, __: [src[0]], [], [new])
    return w.aggregate(again, w.pick("sum", "mean", "max"), [message])


def until(w, g, d, s):
    """scf.while with a count in its condition, and what the count is in its steps."""
    size, steps = (w.size(9),), w.pick(0, 1, 2, 3)
    start, = w.update([d], lambda node: [w.unary("math.tanh", w.project(node[0], size))])
    names, outs = [w.fresh() for _ in range(4)], [w.fresh() for _ in range(2)]
    most, one, goes = w.count(steps), w.index(1), w.fresh()
    w.line(f"{outs[0]}, {outs[1]} = scf.while ({names[0]} = {start.name}, {names[1]} = "
           f"{w.index(0)}) : ({start.type}, index) -> ({start.type}, index) {{")
    w.line(f"  {goes} = arith.cmpi slt, {names[1]}, {most} : index")
    w.line(f"  scf.condition({goes}) {names[0]}, {names[1]} : {start.type}, index")
    w.line("} do {")
    w.line(f"^bb0({names[2]}: {start.type}, {names[3]}: index):")

    def step(x, k):
        number = w.result_index(f"arith.index_cast {names[3]} : index to i32")
        small = w.result(f"tensor.from_elements {number} : tensor<i32>", "one", (), "i32",
                         np.array([k]))

        def body(_, src, __):
            fade = w.unary("math.exp", w.times(w.own(small), -0.5))
            return [w.mul(w.broadcast(fade, size), w.project(src[0], size, False))]

        value, = w.message(g, body, [], [x if g.square else s])
        total, = w.aggregate(g, w.pick("mean", "max"), [value])
        new, = w.update([x, total], lambda v: [w.unary("math.tanh", w.add(v[0], v[1]))])
        return [new]

    def named(x):
        return Value(names[2], "rows", size, w.elem, x.data)

    write, repeat = w.again(step)
    with w.block() as inner:
        first, = write(named(start), 0)
        following = w.result_index(f"arith.addi {names[3]}, {one} : index")
        w.line(f"scf.yield {first.name}, {following} : {start.type}, index")
    w.lines += inner
    w.line("}")
    x = first if steps else start
    for k in range(1, steps):
        x, = repeat(named(x), k)
    return [Value(outs[0], "rows", size, w.elem, x.data)]


def graph_functions(w, g, d, s):
    """A private function that takes a graph, called with two graphs."""
    size = d.shape
    weights = w.weight((*size, *size), int(np.prod(size)))
    if not g.square or s is not d:
        return groups(w, g, d, s)
    how, name = w.pick("sum", "mean", "max"), f"f{len(w.functions)}"
    kind = d.type
    first, second = w.cast(g), w.reverse(w.cast(g))

    def write():
        graph = Graph("%graph", "", first.dst, first.src, g.num_dst, g.num_src)
        x = Value("%x", "rows", size, w.elem, d.data)
        matrix = Value("%w", "one", weights.shape, w.elem, weights.data)
        return layer(graph, x, matrix)

    def layer(graph, x, matrix):
        value, = w.message(graph, lambda dst, src, _: [w.sub(w.linear(src[0], matrix), dst[0])],
                           [x], [x])
        total, = w.aggregate(graph, how, [value])
        return w.update([total], lambda v: [w.unary("math.tanh", v[0])])

    depth, w.depth = w.depth, 0
    with w.block() as inner:
        results = write()
        w.line(f"return {results[0].name} : {kind}")
    w.depth = depth
    w.functions.append("\n".join([f"func.func private @{name}(%graph: !mp.graph, %x: {kind}, "
                                  f"%w: {weights.type}) -> {kind} {{", *inner, "}"]))
    x = d
    for graph in (first, second, first):
        _, repeat = w.again(layer)
        data = repeat(graph, x, weights)[0].data
        x = w.result(f"func.call @{name}({graph.name}, {x.name}, {weights.name}) : (!mp.graph, "
                     f"{kind}, {weights.type}) -> {kind}", "rows", size, w.elem, data)
    return [x]


def elementary(w, g, d, s):
    """Functions of the mathematics library where they are defined, on edges."""
    size = (w.size(9),)
    edge = w.edges(g, size)

    def body(_, src, e):
        x = e[0]
        for _ in range(2):
            kind = w.choose.randrange(9)
            positive = w.plus(w.mul(x, x), 0.25)
            if kind == 0:
                x = w.unary(w.pick("math.log", "math.sqrt", "math.rsqrt", "math.log2"), positive)
            elif kind == 1:
                x = w.binary("math.powf", positive, w.unary("math.tanh", x))
            elif kind == 2:
                x = w.binary("math.atan2", x, positive)
            elif kind == 3:
                x = w.unary("math.cbrt", positive)
            elif kind == 4:
                x = w.unary(w.pick("math.exp2", "math.expm1", "math.exp"), w.unary("math.sin", x))
            elif kind == 5:
                x = w.binary("math.copysign", positive, e[0])
            elif kind == 6:
                x = w.unary("math.log1p", positive)
            elif kind == 7:
                x = w.fma(x, positive, x)
            else:
                x = w.slice(w.concat([x, w.unary("math.cos", x)]), w.pick(0, size[0]), size[0])
        return [w.mul(w.unary("math.atan", x), w.project(src[0], size))]

    value, = w.message(g, body, [], [s], [edge])
    return w.aggregate(g, w.pick("sum", "mean", "std", "logsumexp"), [value])
