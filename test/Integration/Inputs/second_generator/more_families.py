# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Families whose shape is their point: monoids, loops, batches, levels, graphs made in the spec."""

# A family has the arguments of all families.
# pylint: disable=unused-argument

import numpy as np

from .families import attention
from .graph_ops import Offsets
from .graphs import Graph, clique_mask, list_edges, of_mask, window_mask
from .monoids import EXACT, OF_ONE_RESULT, ROUNDED
from .values import Value


def monoids(w, g, d, s):
    """Exact ones take values as they came, so that thresholds fall to one side everywhere."""
    exact = w.flip(0.3)
    shape = s.shape if exact else (w.size(9),)
    kind = w.choose.choice(EXACT if exact else ROUNDED)
    if exact and w.half(w.elem):
        kind = EXACT[0]
    edges = [w.edges(g, shape)] if exact else []

    def body(dst, src, edge):
        if exact:
            return [edge[0]]
        x = w.add(w.project(src[0], shape), w.project(dst[0], shape)) if w.flip() else \
            w.project(src[0], shape)
        return [w.unary(w.pick("math.tanh", "math.sin", "math.erf"), x)]

    value, = w.message(g, body, [d], [s], edges)
    return w.aggregate_custom(g, [value], kind(w, shape))


def cell(w, x, m):
    """A gated recurrent unit."""
    size = x.shape
    gate = w.unary("mp.sigmoid", w.add(w.project(x, size), w.project(m, size)))
    reset = w.unary("mp.sigmoid", w.add(w.project(x, size), w.project(m, size)))
    new = w.unary("math.tanh", w.add(w.project(w.mul(reset, x), size), w.project(m, size)))
    keep = w.sub(w.constant(size, 1.0), gate)
    return w.add(w.mul(keep, x), w.mul(gate, new))


def loops(w, g, d, s):
    """The same step several times: propagation (APPNP), gated units (GGNN), moved states."""
    style, size = w.choose.randrange(3), (w.size(9),)
    start, = w.update([d], lambda node: [w.unary("math.tanh", w.project(node[0], size))])
    if style == 2:
        edge = w.edges(g, size)
        if w.elem == "bf16":  # It comes in f32; a step carries what it computes.
            edge, = w.message(g, lambda dst, src, own: [own[0]], edge=[edge])
    how = w.pick("mean", "max", "min")

    def body(dst, src, edge):
        if style == 2:
            new = w.unary("math.tanh", w.add(w.add(edge[0], w.project(dst[0], size, False)),
                                             w.project(src[0], size, False)))
            return [new]
        return [w.project(src[0], size, False)]

    def step(x, *more):
        source = [x] if g.square else [s]
        value, = w.message(g, body, [x] if style == 2 else [], source, more)
        mean, = w.aggregate(g, how, [value])

        def join(node):
            if style == 1:
                return [cell(w, node[0], node[1])]
            return [w.add(w.times(node[1], 0.75), w.times(node[2], 0.25))]

        new, = w.update([x, mean, start], join)
        return [new, *([value] if style == 2 else [])]

    return w.repeat(w.pick(0, 1, 2, 3), [start, *([edge] if style == 2 else [])], step, w.flip())


def make_batch(w, count):
    """Parts of the nodes, of which some are empty."""
    cuts = sorted(w.choose.randrange(count + 1) for _ in range(w.choose.randrange(6)))
    data = np.array([0, *cuts, count], np.int64)
    return Offsets(f"%{w.argument('tensor<?xi64>', data)}", data)


def batches(w, g, d, s):
    """A value for each graph of a batch, given back to its nodes (graph networks)."""
    offsets, size = make_batch(w, g.num_dst), (w.size(16),)
    value, = w.message(g, lambda dst, src, _: [w.activate(w.project(src[0], size))], [], [s])
    node, = w.aggregate(g, w.pick("sum", "mean", "max"), [value])
    kind = w.choose.randrange(3)
    if kind == 0:
        score, = w.update([node], lambda p: [w.project(p[0], w.pick((1,), size))])
        if score.shape != size:
            score, = w.update([score], lambda p: [w.reduce("sum", p[0], [0])])
        whole = w.readout(offsets, "softmax", node, score)
    elif kind == 1:
        bounded, = w.update([node], lambda p: [w.unary("math.tanh", p[0])])
        whole, *_ = w.readout_custom(offsets, bounded, w.choose.choice(OF_ONE_RESULT)(w, size))
    else:
        whole = w.readout(offsets, w.pick("sum", "mean", "max", "min", "std", "logsumexp"), node)
    back = w.spread(offsets, whole, d)
    joined, = w.update([d, back], lambda p: [w.blend(w.project(p[0], size), p[1])])
    return [joined, whole]


def make_graph(w, d):
    """A graph over the destinations that the spec makes."""
    n, kind = len(d.data), w.choose.randrange(8)
    count, no_self = w.number_of(d), w.flip(0.3)
    word, extra = (" no_self", ", no_self") if no_self else ("", "")
    mask = ~np.eye(n, dtype=bool) if no_self else np.ones((n, n), bool)
    name = w.fresh()
    if kind < 3:
        topology = ["complete", "causal", f"window, {w.pick(0, 1, 4)}"][kind]
        call = topology.split(",")[0]
        more = f",{topology.split(',')[1]}" if kind == 2 else ""
        w.line(f"{name} = mp.{call} {count}{more}{word}")
        mask = [mask, np.tril(mask), mask & window_mask(n, int(topology.split(",")[-1]))
                if kind == 2 else mask][kind]
        return Graph(name, topology + extra, *of_mask(mask), n, n)
    if kind == 3:
        offsets = make_batch(w, n)
        causal = w.flip()
        mask = mask & clique_mask(np.diff(offsets.data))
        topology = f"{'causal_' * causal}cliques{extra}"
        w.line(f"{name} = mp.cliques {offsets.name}{' causal' * causal}{word} : {offsets.type} -> "
               f"!mp.graph<{topology}>")
        return Graph(name, topology, *of_mask(np.tril(mask) if causal else mask), n, n)
    dst, src = list_edges(w.choose, n, n, w.choose.randrange(3 * n + 1)) if n else ([], [])
    dst, src = np.array(dst, np.int32), np.array(src, np.int32)
    topology = w.pick("", "sparse")
    kind_text = f"!mp.graph<{topology}>" if topology else "!mp.graph"
    if kind == 4:
        order = np.argsort(dst, kind="stable")
        dst, src = dst[order], src[order]
        ptr = np.concatenate([[0], np.cumsum(np.bincount(dst, minlength=n))]).astype(np.int64)
        arrays = [w.argument("tensor<?xi64>", ptr), w.argument("tensor<?xi32>", src)]
        w.line(f"{name} = mp.csr %{arrays[0]}, %{arrays[1]}, {count} : tensor<?xi64>, "
               f"tensor<?xi32> -> {kind_text}")
    else:
        arrays = [w.argument("tensor<?xi32>", dst), w.argument("tensor<?xi32>", src)]
        w.line(f"{name} = mp.coo %{arrays[0]}, %{arrays[1]}, {count}, {count} : tensor<?xi32>, "
               f"tensor<?xi32> -> {kind_text}")
    return Graph(name, topology, dst, src, n, n)


def made_graphs(w, g, d, s):
    """A second graph over the same nodes, beside the first one (graph Transformers)."""
    size = (w.size(16),)
    value, = w.message(g, lambda dst, src, _: [w.activate(w.project(src[0], size))], [], [s])
    local, = w.aggregate(g, w.pick("sum", "mean", "max"), [value])
    far, *_ = attention(w, make_graph(w, d), d, d)
    far = w.collapse(far) if far.shape else far

    def join(node):
        return [w.add(node[0], w.project(w.widen(node[1], node[1].shape or (1,)), size))]

    return w.update([local, far], join)


def shuffled(w, g, d, s):
    """Nodes in another order, looked up by numbers of the caller, and rows put together."""
    count = w.size(31)
    index = w.feature("rows", (), w.pick("i32", "i64"),
                      w.make.integers(-1, g.num_src + 1, g.num_src), g.num_src)
    if not g.num_src:
        return attention(w, g, d, s)
    other = w.lookup(s, index)
    table = w.weight((count, w.size(9)))
    words = w.feature("rows", (), "i32", w.make.integers(-2, count + 2, g.num_src), g.num_src)
    embedded = w.lookup(table, words)
    both = w.concat([w.collapse(other), embedded])
    size = (w.size(16),)
    value, = w.message(g, lambda dst, src, _: [w.blend(w.project(src[0], size),
                                                      w.project(dst[0], size))], [d], [both])
    return w.aggregate(g, w.pick("sum", "mean", "max", "logsumexp"), [value])


def called(w, g, d, s):
    """A region's mathematics in a private function, used in two places."""
    size = (w.size(12),)

    def body(x, weights):
        return [w.unary("math.tanh", w.linear(x, weights)), w.dot(x, x)]

    weights = w.weight((*size, *size), size[0])
    shared = []

    def message(dst, src, _):
        x, y = w.project(dst[0], size), w.project(src[0], size)
        if not shared:
            shared.append(w.function(body, [x, weights]))
        (a, p), (b, q) = shared[0]([x, weights]), shared[0]([y, weights])
        return [w.add(a, w.mul(b, w.broadcast(w.unary("mp.sigmoid", w.add(p, q)), size)))]

    value, = w.message(g, message, [d], [s])
    total, = w.aggregate(g, w.pick("sum", "mean", "max"), [value])
    return w.update([total], lambda node: [shared[0]([node[0], weights])[0]])


def levels(w, g, d, s):
    """A graph without cycles, level by level (DAGNN, tree units)."""
    x, size = d, (w.size(9),)
    start, = w.update([x], lambda node: [w.unary("math.tanh", w.project(node[0], size))])
    level = longest_paths(g)
    nodes = np.lexsort((np.arange(g.num_dst), level)).astype(np.int32)
    places = np.argsort(nodes).astype(np.int32)
    ends = np.concatenate([[0], np.cumsum(np.bincount(level))]) if g.num_dst else np.zeros(1)
    names = [w.fresh() for _ in range(4)]
    w.line(f"{', '.join(names)} = mp.levels {g.name}{g.suffix}")
    order = Value(names[1], "rows", (), "i32", nodes)
    restore = Value(names[2], "rows", (), "i32", places)
    state = w.lookup(start, order)
    entries = w.result_index(f"tensor.dim {names[3]}, {w.index(0)} : tensor<?xi64>")
    count = w.result_index(f"arith.subi {entries}, {w.index(1)} : index")
    dst, src = places[g.dst], places[g.src]
    edge = w.edges(g) if w.flip() else None
    carried, counter, out = w.fresh(), w.fresh(), w.fresh()

    def step(p, k):
        k_next = w.result_index(f"arith.addi {counter}, {w.index(1)} : index")
        ranges = [w.result_index(f"tensor.extract {names[3]}[{at}] : tensor<?xi64>")
                  for at in (counter, k_next)]
        first, past = [w.result_index(f"arith.index_cast {at} : i64 to index") for at in ranges]
        rows = w.result_index(f"arith.subi {past}, {first} : index")
        part, numbers = w.fresh(), w.fresh()
        w.line(f"{part}, {numbers} = mp.rows {names[0]}, {first}, {rows}{g.suffix}")
        low, high = (int(ends[k]), int(ends[k + 1])) if k + 1 < len(ends) else (0, 0)
        chosen = np.flatnonzero((dst >= low) & (dst < high))
        chosen = chosen[np.lexsort((chosen, src[chosen], dst[chosen]))]
        sub = Graph(part, g.topology, dst[chosen] - low, src[chosen], high - low, g.num_dst)
        cut = f"[{first}, 0] [{rows}, {size[0]}] [1, 1]"
        own = w.result(f"tensor.extract_slice {p.name}{cut} : {p.type} to {p.type}", "rows", size,
                       w.elem, p.data[low:high])
        edges = []
        if edge:
            edges = [w.result(f"mp.lookup {edge.name}[{numbers}] : {edge.type}, tensor<?xi64> -> "
                              f"{edge.type}", "edges", (), edge.elem, edge.data[chosen])]

        def body(_, source, more):
            return [w.mul(source[0], w.broadcast(more[0], size)) if edges else source[0]]

        value, = w.message(sub, body, [], [p], edges)
        total, = w.aggregate(sub, w.pick("mean", "max"), [value])
        new, = w.update([own, total], lambda v: [w.unary("math.tanh", w.add(
            v[0], w.project(v[1], size, False)))])
        data = p.data.copy()
        data[low:high] = new.data
        return [w.result(f"tensor.insert_slice {new.name} into {p.name}{cut} : {new.type} into "
                         f"{p.type}", "rows", size, w.elem, data)]

    write, repeat = w.again(step)
    head = (f"{out} = scf.for {counter} = {w.index(0)} to {count} step {w.index(1)} "
            f"iter_args({carried} = {state.name}) -> ({state.type}) {{")
    state, = w.region(lambda _: head, write, Value(carried, "rows", size, w.elem, state.data), 0,
                      end="scf.yield")
    for k in range(1, len(ends) - 1):
        state, = repeat(Value(carried, "rows", size, w.elem, state.data), k)
    return [w.lookup(Value(out, "rows", size, w.elem, state.data), restore)] if g.num_dst else \
        [Value(out, "rows", size, w.elem, state.data)]


def longest_paths(g):
    level = np.zeros(g.num_dst, np.int64)
    for _ in range(g.num_dst):
        np.maximum.at(level, g.dst, level[g.src] + 1)
    return level
