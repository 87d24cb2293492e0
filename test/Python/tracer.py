# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers that are written in Python: after fusion they are the examples', op for op; custom
monoids agree with the reference; errors are at the Python line."""
# RUN: %library_python %s %S/Inputs %examples %S/../../docs | FileCheck %s
# CHECK: 11 layers are the examples
# CHECK-NEXT: other words agree with the reference
# CHECK-NEXT: every op has a word
# CHECK-NEXT: errors are at their lines

import inspect
import itertools
import pathlib
import re
import sys

sys.path.insert(0, sys.argv[1])

import clique
import numpy as np
from clique import Edge, Node, Topology, Weight, _compiler, mp
from layers import DST, NODES, SRC, raises

EXAMPLES, DOCS = map(pathlib.Path, sys.argv[2:])
Heads = Weight[64, 8, 16]


@clique.layer
def attention(g, h: Node[64], wq: Heads, wk: Heads, wv: Heads, wo: Weight[128, 64]):
    hi, hj = g.dst(h), g.src(h)
    score = mp.dot(mp.linear(hi, wq), mp.linear(hj, wk)) * 0.25
    m = g.softmax(score, mp.linear(hj, wv))
    return h + mp.linear(m.reshape(128), wo)


@clique.layer
def gat(g, h: Node[64], w: Weight[64, 8, 8], a: Weight[8, 16]):
    n = g.self_loops()
    zi, zj = mp.linear(n.dst(h), w), mp.linear(n.src(h), w)
    score = mp.leaky_relu(mp.dot(a, mp.concat([zi, zj], 1)), 0.2)
    return mp.elu(n.softmax(score, zj).reshape(64))


@clique.layer
def gcn(g, h: Node[64], w: Weight[64, 32]):
    n = g.self_loops()
    d = n.degree()
    c = mp.rsqrt(n.dst(d) * n.src(d))
    return mp.relu(n.sum(c * mp.linear(n.src(h), w)))


@clique.layer
def gated_edges(g, h: Node[32], e: Edge[32], a: Weight[32, 32], b: Weight[32, 32],
                c: Weight[32, 32], u: Weight[32, 32], v: Weight[32, 32]):
    ah, bh, ce = mp.linear(g.dst(h), a), mp.linear(g.src(h), b), mp.linear(g.edge(e), c)
    x = ah + bh + ce
    gate = mp.sigmoid(x)
    den, num = g.sum(gate, gate * mp.linear(g.src(h), v))
    m = num / (den + 1e-6)
    return {"h_out": h + mp.relu(mp.linear(h, u) + m),
            "e_out": g.edge(e) + mp.relu(x)}


@clique.layer
def pna(g, h: Node[32], w: Weight[64, 32], u: Weight[416, 32], delta: Weight["f32"]):
    m = mp.linear(mp.concat([g.dst(h), g.src(h)]), w)
    a = mp.concat([g.mean(m), g.max(m), g.min(m), g.std(m)])
    c = mp.broadcast(mp.log1p(mp.maximum(g.degree(), 1.0)) / delta, (128,))
    return mp.relu(mp.linear(mp.concat([h, a, a * c, a / c]), u))


@clique.layer
def rgcn(g, h: Node[32], type: Edge["i32"], w: Weight[45, 32, 16], w0: Weight[32, 16]):
    m = g.mean(mp.linear(g.src(h), mp.lookup(w, g.edge(type))))
    return mp.relu(mp.linear(h, w0) + m)


@clique.layer
def distance_attention(g, h: Node[64], length: Edge, gamma: Weight[8], bias: Weight[33, 8],
                       wq: Heads, wk: Heads, wv: Heads):
    hi, hj = g.dst(h), g.src(h)
    score = mp.dot(mp.linear(hi, wq), mp.linear(hj, wk)) * 0.25 - gamma * g.edge(length)
    i, j = g.position("dst"), g.position("src")
    row = j - i + 16
    m = g.softmax(score + mp.lookup(bias, row), mp.linear(hj, wv))
    return mp.reduce("max", m, 0)


@clique.layer
def edgeconv(g, h: Node[32], w1: Weight[64, 64], b1: Weight[64], w2: Weight[64, 64],
             b2: Weight[64]):
    hi, hj = g.dst(h), g.src(h)
    x = mp.relu(mp.linear(mp.concat([hi, hj - hi]), w1, b1))
    return g.max(mp.relu(mp.linear(x, w2, b2)))


@clique.layer
def graphs(g, offsets: Node["i64"], h: Node[32], u: Weight[32, 64], v: Weight[32, 64],
           c: Weight[64, 2], b: Weight[2]):
    x = mp.relu(mp.linear(h, u) + g.sum(mp.linear(g.src(h), v)))
    return mp.linear(mp.readout(offsets, "mean", x), c, b)


@clique.layer
def causal_attention(g: Topology["causal"], h: Node[64], wq: Heads, wk: Heads, wv: Heads,
                     wo: Weight[128, 64]):
    return attention.function(g, h, wq, wk, wv, wo)


def fused(text, name):
    """The IR after fusion, without the lines of the spec and its names of values."""
    ir = _compiler.emit(text, "spec", clique.Options(), "fusion", name)[0].decode()
    numbers, count = {}, itertools.count()

    def rename(found):
        # Names of one region come again in others.
        if found[2] or found[1] not in numbers:
            numbers[found[1]] = f"%{next(count)}"
        return numbers[found[1]] + (found[2] or "")

    ir = re.sub(r"(%[\w$.-]+)((?::\d+)? =|: )?", rename, ir)
    return re.sub(r"spec:\d+:\d+", "spec", ir)


FILES = {"graphs": "batch_readout"}
layers = [attention, gat, gcn, gated_edges, pna, rgcn, distance_attention, edgeconv, graphs]
for layer in layers:
    name = layer.__name__
    text = (EXAMPLES / f"{FILES.get(name, name)}.mlir").read_bytes()
    assert fused(layer.spec.encode(), name) == fused(text, name), f"{name}:\n{layer.spec}"
assert "%g: !mp.graph<causal>" in causal_attention.spec
assert fused(causal_attention.spec.encode(), "causal_attention") == fused(
    attention.spec.replace("@attention", "@causal_attention").replace(
        "!mp.graph,", "!mp.graph<causal>,").replace("mp.message %g", "mp.message %g : !mp.graph<causal>")
    .replace("mp.aggregate %g", "mp.aggregate %g : !mp.graph<causal>").encode(),
    "causal_attention")


@clique.layer
def count_paths(g, s: Node):
    levels = g.levels()
    paths = levels.scan(
        lambda level, p: level.rows(p) + level.graph.sum(level.graph.src(p)), levels.order(s))
    return levels.restore(paths)


text = (DOCS / "language.md").read_text(encoding="utf-8").split("<!-- file: count_paths.mlir -->\n")[1]
text = text.split("```")[1].removeprefix("mlir\n").replace("arith.addf %own, %sum : tensor<?xf32>", """\
mp.update (%a = %own : tensor<?xf32>, %b = %sum : tensor<?xf32>) -> tensor<?xf32> {
      %ab = arith.addf %a, %b : tensor<f32>
      mp.yield %ab : tensor<f32>
    }""")
# The same ops; those that need nothing of each other stand in another order.
ops = [sorted(re.sub(r"%[\w:#]+", "%", line) for line in fused(spec.encode(), "count_paths").split("\n"))
       for spec in (count_paths.spec, text)]
assert ops[0] == ops[1], count_paths.spec
print(len(layers) + 2, "layers are the examples")


@clique.layer
def words(g, h: Node[2, 3], e: Edge["f16"], k: Weight["i32"], n: clique.Scalar["f32"]):
    x = g.src(h)[0, ::2] - 2.0 * g.dst(h)[1, :2] ** 2.0
    weight = mp.cast(g.edge(e), "f32")
    late = (g.position("src") > g.position("dst")) & mp.equal(k, 3)
    y = mp.where(late, x, -x) * weight * n
    product = g.custom(1.0 + 0.1 * mp.tanh(y), identity=1.0, combine=lambda a, b: a * b)
    mean = g.custom(y, identity=(0.0, 0.0), lift=lambda v: (v, 1.0 + 0.0 * v),
                    combine=lambda a, b: (a[0] + b[0], a[1] + b[1]),
                    finalise=lambda state: state[0] / mp.maximum(state[1], 1.0))
    total, log_sum = g.softmax(mp.reduce("sum", y), y, log_sum=True)
    second = g.reverse().max(g.reverse().src(mp.layer_norm(product * mean)))
    again = g.prod(1.0 + 0.1 * mp.tanh(y))
    again = again + g.logsumexp(y)
    return product.reshape(1, 2) + again.reshape(1, 2), mean, total + log_sum, second


graph = clique.Graph.from_coo(DST, SRC, NODES)
random = np.random.default_rng(3)
words.verify(graph, random.standard_normal((NODES, 2, 3), dtype=np.float32),
             random.standard_normal(len(DST)).astype(np.float16), np.array(3, np.int32), 0.5)


@clique.layer
def batch(offsets: Node["i64"], h: Node[4], w: Weight[4, 4]):
    """Sentences: their graph is made in the layer."""
    g = mp.cliques(offsets)
    weight = g.edge_softmax(mp.dot(g.dst(h), g.src(h)))
    x = g.sum(weight * g.src(mp.linear(h, w)))
    parts = mp.readout(offsets, "softmax", x, score=mp.reduce("max", x))
    back = mp.spread(offsets, parts, h)
    ones = mp.causal(h, no_self=True)
    return mp.batch_norm(back, back[0] * 0.0 + w[0], w[1] * w[1]) + ones.mean(ones.src(x)), weight


@clique.layer
def made(rows: Node["i64"], columns: Node["i32"], dst: Node["i32"], src: Node["i32"], h: Node[2],
         e: Edge[2]):
    """One graph of each kind."""
    n = mp.num_rows(h)
    given = mp.csr(rows, columns, n)
    others = [mp.coo(dst, src, n, n), mp.complete(n, no_self=True), mp.window(n, 1),
              mp.bipartite(n, n).cast(), mp.edge_list([(0, 1), (2, 1), (3, 0)], 4, 4)]
    x = given.sum(given.edge(e) * given.src(h) / given.num_edges().value())
    for activation, graph in zip((mp.relu, mp.elu, mp.gelu, mp.silu, mp.softplus), others):
        x = x + graph.mean(activation(graph.src(h))) / graph.num_dst().value()
    y = mp.leaky_relu(x) * mp.sigmoid(x) + mp.elementwise("math.asinh", x)
    scale = mp.num_rows(h).value("i32") * others[0].num_src().value("i32")
    return y * mp.cast(scale, "f32") + others[1].min(others[1].src(h) * mp.cast(
        others[1].position("edge"), "f32"))


@clique.layer
def gated(g, h: Node[4], e: Edge[4], w: Weight[4, 4], steps: clique.Scalar["i32"]):
    """Steps that carry two features; what they do not change is computed before."""
    degree = g.degree()
    around = g.mean(g.src(h))

    def step(k, x, total):
        near = mp.repeat(2, lambda _, y: g.mean(g.src(y)) + around, x)
        x = mp.tanh(g.sum(g.edge(e) * g.src(mp.linear(x, w)) / g.dst(degree)) + around + near)
        return x / (k.value() + 1.0), total + x

    x, total = mp.repeat(steps, step, h, h * 0.5)
    return x + total, around


@clique.layer
def upwards(g, h: Node[4], e: Edge[4], w: Weight[4, 4]):
    """A cell per level, with edge features and a count of levels."""
    levels = g.levels()
    inputs = levels.order(mp.linear(h, w))

    def step(level, x, height):
        near = level.graph.max(level.graph.src(x) * level.edge(e))
        return (mp.sigmoid(level.rows(inputs) + near),
                level.rows(height) + level.number.value())

    x, height = levels.scan(step, levels.order(h), levels.order(h[0]))
    part, numbers = g.rows(1, 2)
    return levels.restore(x), levels.restore(height), part.sum(part.edge(mp.lookup(e, numbers)))


@clique.layer
def recurrences(g, h: Node[4], e: Edge[4], w: Weight[4]):
    """A filter over the edges of a node, and what was before each edge, from the last one on."""
    near = g.src(h) * g.edge(e)
    last = g.scan(lambda s, x: mp.tanh(s * w + x), near, start=h)
    low, high, before = g.scan(
        lambda s, x: (mp.minimum(s[0], x), mp.maximum(s[1], x), s[1] - s[0]), near,
        start=(last, last), reversed=True)
    return low, high, g.sum(before)


@clique.layer
def places(offsets: Node["i64"], h: Node[4], order: Node["i32"], g: Topology["complete"],
           w: Weight[2, 3], b: Weight[3]):
    """Where nodes stand in their part of a batch; outer products and one map for all heads."""
    first = mp.lookup(offsets, mp.part_numbers(offsets, h))
    place = mp.node_numbers(h, "i64") - first
    back = g.reverse()
    heads = mp.linear(h.reshape(2, 2), w, b)
    outer = mp.broadcast(heads, (2, 3, 2), dims=[2]) * mp.broadcast(h.reshape((2, 2)), (2, 3, 2),
                                                                   dims=[1])
    return mp.lookup(h, order) * mp.cast(place, "f32"), back.sum(back.src(h)), outer


lengths = np.array([0, 1, NODES], np.int64)
h = random.standard_normal((NODES, 4), dtype=np.float32)
batch.verify(lengths, h, random.standard_normal((4, 4), dtype=np.float32))
indptr, indices, _ = graph.csr()
made.verify(indptr, indices, DST.astype(np.int32), SRC.astype(np.int32), h[:, :2].copy(),
            random.standard_normal((len(DST), 2), dtype=np.float32))
e = random.standard_normal((len(DST), 4), dtype=np.float32)
w = random.standard_normal((4, 4), dtype=np.float32)
gated.verify(graph, h, e, w, 3)
dag = clique.Graph.from_coo(np.array([1, 2, 2, 3]), np.array([0, 0, 1, 2]), NODES)
recurrences.verify(graph, h, e, w[0].copy())
upwards.verify(dag, h, e[:4].copy(), w)
places.verify(lengths, h, np.arange(NODES, dtype=np.int32)[::-1].copy(),
              clique.Graph.complete(NODES), *(random.standard_normal(shape, dtype=np.float32)
                                              for shape in ((2, 3), 3)))
print("other words agree with the reference")


@clique.layer
def same(g, h: Node["i32"]):
    """== and != compare values."""
    a, b = g.src(h), g.dst(h)
    return g.sum(mp.cast(a == b, "f32")), g.sum(mp.cast(a != 2.0, "f32"))


numbers = np.array([2, 1, 2], np.int32)
equal, unequal = same(clique.Graph.complete(3), numbers)
assert equal.tolist() == [2, 1, 2] and unequal.tolist() == [1, 1, 1]

# An op, aggregator or reduction that is added to the dialect is added here, too.
texts = "\n".join(layer.spec for layer in (*layers, causal_attention, words, batch, made, upwards,
                                           recurrences, places))
dialect = (DOCS / "dialect.md").read_text(encoding="utf-8")


def listed(heading):
    """The values of an enumeration."""
    table = dialect[dialect.index(f"### {heading}\n"):]
    return set(re.findall(r"^\| [A-Za-z]\w* \| `\d+` \| (\w+) \|$", table.split("\n### ")[0]
                          .split("\n## ")[0], flags=re.M))


BY_PASSES = {"block", "check", "choose_dense", "dot_pairs", "edge_ids", "edges_by_type",
             "group_edges", "hub_chunks", "hubs", "in_order", "indptr", "kernel", "no_self",
             "node_order", "num_rows", "pair", "row_begin", "row_blocks", "row_end", "row_sources",
             "source_sum", "sources", "tile_list", "to_edges", "to_tensor", "warpgroup_product"}
missing = [op for op in re.findall(r"^### `mp\.(\w+)`", dialect, flags=re.M)
           if op not in BY_PASSES and not re.search(rf"\bmp\.{op}\b", texts)]
missing += [kind for kind in listed("AggregatorKind")
            if not re.search(rf"mp\.aggregate %\w+( : \S+)? {kind}\b", texts)]
missing += [end for end in listed("Endpoint") if f"mp.position {end}" not in texts]
for kind in listed("ReductionKind"):
    assert mp.reduce(kind, mp.as_value(1.0, "f32", (2,))).form.startswith(f"mp.reduce {kind} ")
assert len(listed("AggregatorKind")) >= 7 and listed("ReductionKind") and listed("Endpoint")
assert not missing, f"no word of Python, or none that is tested, for: {missing}"
print("every op has a word")


def line_of(function, text):
    lines, first = inspect.getsourcelines(function)
    return first + next(k for k, line in enumerate(lines) if text in line)


def wrong(body, text, mark, **annotations):
    body.__annotations__ = {"h": Node[4], **annotations}
    error = raises(clique.SpecError, text, lambda: clique.layer(body).compile())
    assert error.filename == __file__ and error.line == line_of(body, mark), error


def widths(g, h):
    x = g.src(h)
    return g.sum(x + mp.reshape(x, (2, 2)))  # here


def mixed(g, h):
    return g.sum(g.src(h) + h)  # here


def other(g, h):
    return g.sum(g.self_loops().src(h))  # here


def truth(g, h):
    if g.src(h) > 0:  # here
        return h


def topology(g, h):  # here
    return g.sum(g.src(h))


def infinite(g, h):
    return g.custom(g.src(h), identity=(0.0, 0.0), combine=lambda a, b: a)  # here


def widened(g, h):
    return g.scan(lambda s, x: mp.concat([s, x]), g.src(h), start=h)  # here


def alone(g, h):
    return g.scan(lambda s: s, start=h)  # here


def begun(g, h):
    return g.scan(lambda s, x: s + x, g.src(h), start=0.0)  # here


def normalised(g, h):
    return g.sum(mp.layer_norm(g.src(h), eps=-1.0))  # here


def fraction(g, k: Node["i32"]):
    return g.sum(mp.cast(g.src(k) * 1.5, "f32"))  # here


def beyond(g, k: Node["i8"]):
    return g.sum(mp.cast(g.src(k) + 200, "f32"))  # here


wrong(fraction, "1.5 is no number of i32: convert the other operand with mp.cast", "here",
      k=Node["i32"])
wrong(beyond, "200 is no number of i8", "here", k=Node["i8"])
wrong(widths, "does not begin with the smaller one", "here")
wrong(mixed, "operands are of a graph's edges and of nodes: take those of nodes by", "here")
wrong(other, "expected a feature of this graph's edges, not one of another graph's", "here")
wrong(truth, "has no truth value", "here")
wrong(topology, "unknown topology 'causl'", "here", g=Topology["causl"])
wrong(infinite, "identity gives 2 parts, the state has 1", "here")
wrong(widened, "scan: a step gives <static f32[8]> where the state is f32[4]", "here")
wrong(alone, "scan: there is no value of an edge", "here")
wrong(begun, "scan: expected a feature of nodes as start, not 0.0", "here")
wrong(normalised, "eps", "here")  # found by the dialect
print("errors are at their lines")
