# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the words of clique.mp and of graphs refuse while a layer is traced, and the package's
other errors: the text of each."""
# RUN: rm -rf %t && mkdir %t && %library_python %s %S/Inputs %t | FileCheck %s
# CHECK: {{[0-9]+}} errors of the tracer, {{[0-9]+}} others

import pathlib
import struct
import sys

sys.path.insert(0, sys.argv[1])

import clique
import numpy as np
from clique import Edge, Node, Scalar, Weight, mp
from layers import raises

# What a layer says that does this with its arguments.
ARGUMENTS = {"g": None, "h": Node[4, 2], "k": Node["i32"], "o": Node["i64"], "e": Edge[4],
             "w": Weight[4, 2], "t": Weight[3, "f64"], "n": Scalar["i32"]}


def outside_number(h, **_):
    numbers = []
    mp.repeat(2, lambda k, x: numbers.append(k) or x, h)
    return h * numbers[0].value()


def outside_value(h, **_):
    values = []
    mp.repeat(2, lambda k, x: values.append(x) or x, h)
    return values[0]


def kept_parameter(g, h, **_):
    kept = []
    return g.custom(g.src(h), identity=0.0, combine=lambda a, b: kept.append(a) or a + b) + kept[0]


def summed_parameter(g, h, **_):
    kept = []
    g.scan(lambda s, x: kept.append(x) or s + x, g.src(h), start=h)
    return g.sum(kept[0])


def monoid(g, h, lift=None, combine=lambda a, b: a + b, finalise=None, identity=0.0):
    return g.custom(g.src(h), identity=identity, lift=lift, combine=combine, finalise=finalise)


def trace_arguments():
    arguments = {}
    trace(lambda **given: arguments.update(given) or given["h"])
    return arguments


TRACED = [
    ("custom: combine uses <nodes f32[4, 2]>; it may use what it gets, weights and numbers; what "
     "else an edge has belongs to the state that lift makes",
     lambda g, h, **_: monoid(g, h, combine=lambda a, b: a + b + h)),
    ("custom: lift uses <nodes f32[4, 2]>; it may use what it gets, weights and numbers; it also "
     "gets what g.custom is given as one value more",
     lambda g, h, **_: monoid(g, h, lift=lambda x: 2.0 * x * g.dst(h))),
    ("custom: lift uses <edges f32[]>;",
     lambda g, h, **_: monoid(g, h, lift=lambda x: x[0, 0] * g.position("dst", "f32"))),
    ("custom: finalise uses <nodes f32[4, 2]>; it may use what it gets, weights and numbers; "
     "compute the rest with the result of g.custom",
     lambda g, h, **_: monoid(g, h, finalise=lambda s: s * (h + 1.0))),
    ("custom: identity uses <nodes f32[4, 2]>; it is made of weights and numbers",
     lambda g, h, **_: monoid(g, h, identity=h)),
    ("scan: step uses <edges f32[4, 2]>; it may use what it gets, weights and numbers; it also "
     "gets what g.scan is given as one value more",
     lambda g, h, **_: [g.scan(lambda s, x: s + x * e, g.src(h), start=h) for e in [g.dst(h)]]),
    ("custom: lift gives 1.0, expected values of the layer",
     lambda g, h, **_: monoid(g, h, lift=lambda x: 1.0)),
    ("custom: finalise gives 1.0, expected values of the layer",
     lambda g, h, **_: monoid(g, h, finalise=lambda x: 1.0)),
    ("scan: step gives 1.0, expected values of the layer",
     lambda g, h, **_: g.scan(lambda s, x: 1.0, g.src(h), start=h)),
    ("a value that a function of custom or scan gets is used outside of it", kept_parameter),
    ("a value that a function of custom or scan gets is used outside of it", summed_parameter),
    ("a feature of edges is taken by graph.edge(e)", lambda e, **_: mp.relu(e)),
    ("operands are of a graph's edges and of a graph's edges that is another one",
     lambda g, h, **_: g.src(h) + g.reverse().src(h)),
    ("expected a value of the layer or a number, not 'x'", lambda h, **_: h + "x"),
    ("sum: expected a feature of edges, not 3", lambda g, **_: g.sum(3)),
    ("sum: expected a feature of this graph's edges, not one of nodes: take graph.dst(h) or "
     "graph.src(h)", lambda g, h, **_: g.sum(h)),
    ("sum: there is nothing to aggregate", lambda g, **_: g.sum()),
    ("sum: expected floats, not", lambda g, k, **_: g.sum(g.src(k))),
    ("relu: expected a value of the layer, not 1.5", lambda **_: mp.relu(1.5)),
    ("broadcast: [2, 4] does not begin with [4, 2]", lambda h, **_: mp.broadcast(h, (2, 4))),
    ("maximum: expected a value of the layer among (1, 2)", lambda **_: mp.maximum(1, 2)),
    ("element types i32 and f32; convert one with mp.cast", lambda h, k, **_: h + k),
    ("and: expected integers or truth values, not", lambda h, **_: h & h),
    *((f"{word}: truth values have none; cast them first, as mp.cast(x, 'i32') does", function)
      for word, function in (("sub", lambda h, **_: (h > 0) - (h > 1)),
                             ("sub", lambda h, **_: -(h > 0)),
                             ("div", lambda h, **_: (h > 0) / True),
                             ("rem", lambda h, **_: mp.remainder(h > 0, True)))),
    ("where: expected a truth value, not", lambda h, **_: mp.where(h, h, h)),
    ("where: one of the values must be one of the layer", lambda h, **_: mp.where(h > 0, 1, 2)),
    ("cast: element type 'f8': expected one of", lambda h, **_: mp.cast(h, "f8")),
    ("do not begin with the last dimensions of", lambda h, w, **_: mp.linear(h[:, 0], w[1])),
    ("do not begin with the last 1 dimensions of", lambda h, w, **_: mp.linear(h, w, dims=1)),
    ("broadcast: [4, 3, 2] without the dimensions [0] is not [4, 2]",
     lambda h, **_: mp.broadcast(h, (4, 3, 2), dims=[0])),
    ("linear: the bias is", lambda h, w, **_: mp.linear(h[:, 0], w, w)),
    ("dot: expected two of one type and shape, not", lambda h, t, **_: mp.dot(h, t)),
    ("reduce 'median': expected sum, mean, max or min", lambda h, **_: mp.reduce("median", h)),
    ("has no dimensions [2]", lambda h, **_: mp.reduce("sum", h, 2)),
    ("lookup: expected a table of weights, or a feature with an index for each node, and numbers "
     "i32 or i64, not", lambda g, h, k, **_: mp.lookup(h, g.src(k))),
    ("concat: expected one value or more, not []", lambda **_: mp.concat([])),
    ("concat: expected values of one type and rank, and a dimension of theirs, not",
     lambda h, **_: mp.concat([h, h], 2)),
    ("concat: the other dimensions of", lambda h, **_: mp.concat([h, h[:2]], 1)),
    ("has 8 elements, [3, 3] another number", lambda h, **_: h.reshape((3, 3))),
    ("has 8 elements, [2.0, 4] another number", lambda h, **_: h.reshape(2.0, 4)),
    ("window: the half width is 1.5, expected an integer",
     lambda g, h, **_: g.sum(mp.window(h, 1.5).src(h))),
    ("edge_list: edge (0, 1.7) is no pair of integers",
     lambda g, h, **_: g.sum(mp.edge_list([(0, 1.7)], 2, 2).src(h))),
    ("has 8 elements, [3, 3] another number", lambda h, **_: mp.reshape(h, (3, 3))),
    ("are at most 2 constant integers and slices, not [0, 0, 0]", lambda h, **_: h[0, 0, 0]),
    ("index 4 of a dimension of 4", lambda h, **_: h[4]),
    ("slice slice(3, 1, None) of a dimension of 4 is empty or runs backwards",
     lambda h, **_: h[3:1]),
    ("elementwise: 'mp.relu' is no op of arith or math", lambda h, **_: mp.elementwise("mp.relu", h)),
    ("a value of the layer cannot be iterated over: take parts by constant indices",
     lambda h, **_: list(h)),
    ("value: a count is one of f32, f64, i32 and i64, not f16",
     lambda g, **_: g.num_dst().value("f16")),
    ("dst: expected a feature of nodes, not", lambda g, e, **_: g.dst(e)),
    ("src: expected a feature of nodes, not <graph: an argument without an annotation>",
     lambda g, **_: g.src(g)),
    ("dst: expected a feature of nodes, not <graph>", lambda g, **_: g.dst(g.reverse())),
    ("expected a value of the layer or a number, not <count: its value() is a number>",
     lambda h, **_: mp.repeat(2, lambda k, x: x * k, h)),
    ("edge: expected an argument that is a feature of edges, not", lambda g, h, **_: g.edge(h)),
    ("position of 'middle': expected dst, src or edge", lambda g, **_: g.position("middle")),
    ("has no shape that", lambda g, h, e, **_: g.softmax(g.edge(e)[:2], g.src(h))),
    ("edge_softmax: expected floats, not", lambda g, k, **_: g.edge_softmax(g.src(k))),
    ("where the state is f32[4, 2]", lambda g, h, **_: g.custom(
        g.src(h), identity=0.0, combine=lambda a, b: mp.reduce("sum", a))),
    ("readout 'median': expected sum, mean, max, min, std, prod, logsumexp or softmax",
     lambda o, h, **_: mp.readout(o, "median", h)),
    ("readout: expected offsets Node['i64'] and a feature of nodes, not",
     lambda k, h, **_: mp.readout(k, "sum", h)),
    ("readout: softmax, and only softmax, has a score", lambda o, h, **_: mp.readout(o, "softmax", h)),
    ("readout: the score", lambda o, h, **_: mp.readout(o, "softmax", h[0], score=h)),
    ("spread: expected offsets Node['i64'] and a row per graph, not",
     lambda k, h, **_: mp.spread(k, h, h)),
    ("part_numbers: expected offsets Node['i64'], not", lambda k, h, **_: mp.part_numbers(k, h)),
    ("node_numbers: numbers are i32 or i64, not f32", lambda h, **_: mp.node_numbers(h, "f32")),
    ("repeat: expected features of nodes to begin with, not",
     lambda w, **_: mp.repeat(2, lambda k, x: x, w)),
    ("repeat: there is nothing that the steps change", lambda **_: mp.repeat(2, lambda k: ())),
    ("repeat: a step gives 2 values, expected 1 as it gets",
     lambda h, **_: mp.repeat(2, lambda k, x: (x, x), h)),
    ("repeat: a step gives <nodes f32[2]> for <nodes f32[4, 2]>",
     lambda h, **_: mp.repeat(2, lambda k, x: x[0], h)),
    ("repeat: expected a number of nodes (g.num_dst(), mp.num_rows(h), 64), not 1.5",
     lambda h, **_: mp.repeat(1.5, lambda k, x: x, h)),
    ("rows: expected a feature of nodes, not",
     lambda g, h, w, **_: g.levels().scan(lambda level, x: level.rows(w), h)),
    ("a number of a step of repeat is used outside of the step", outside_number),
    ("a value of a step is used outside of the step", outside_value),
    ("num_rows: expected an argument that is a feature of nodes, not",
     lambda h, **_: mp.num_rows(h + h)),
    ("complete: expected a number of nodes (g.num_dst(), mp.num_rows(h), 64), not -1",
     lambda **_: mp.complete(-1)),
    ("cliques: expected an argument Node['i64'], not", lambda k, **_: mp.cliques(k)),
    ("'layer' returns", lambda w, **_: w),
    (": expected features of nodes or edges", lambda **_: 3),
    ("'layer' returns nothing", lambda **_: None),
]


def trace(body):
    def layer(g, h, k, o, e, w, t, n):
        return body(g=g, h=h, k=k, o=o, e=e, w=w, t=t, n=n)

    layer.__annotations__ = ARGUMENTS
    return clique.layer(layer).spec


others = trace_arguments()
ANOTHER = "an argument of another layer is used; a layer has its own arguments"
TRACED += [
    (ANOTHER, lambda h, **_: h + others["h"]),
    (ANOTHER, lambda h, **_: h * others["w"]),
    (ANOTHER, lambda g, h, **_: g.sum(g.edge(others["e"])) + h[:, 0]),
    (ANOTHER, lambda g, h, **_: others["g"].sum(others["g"].src(h))),
    (ANOTHER, lambda g, h, **_: h * others["g"].num_dst().value()),
    (ANOTHER, lambda h, **_: mp.repeat(others["n"], lambda k, x: x * 2.0, h)),
    (ANOTHER, lambda h, **_: mp.repeat(2, lambda k, x: x * others["h"], h)),
    (ANOTHER, lambda g, h, **_: monoid(g, h, combine=lambda a, b: a + b * others["w"][0, 0])),
]
for text, body in TRACED:
    error = raises(clique.SpecError, text, trace, body)
    assert error.filename == __file__, error


# The line is that of the op, and what the function itself raises is raised.
def captures(g, h, **_):
    def combine(a, b):
        return a + b * h  # here

    return monoid(g, h, combine=combine)


line = raises(clique.SpecError, "combine uses", trace, captures).line
assert pathlib.Path(__file__).read_text().split("\n")[line - 1].endswith("# here"), line
raises(AttributeError, "no attribute 'total'", trace, lambda g, h, **_: g.total(h))
raises(AttributeError, "no attribute 'total'", lambda: clique.layer(lambda g: g.total()).compiled)


def annotated(kind):
    def layer(g, h):
        return h

    layer.__annotations__ = {"h": kind}
    return clique.layer(layer).spec


def lookups():
    @clique.layer
    def layer(h: Node["f32"], k: Node["i32"]):
        for _ in range(sys.getrecursionlimit()):
            h = mp.lookup(h, k)
        return h

    return layer.spec


folder = pathlib.Path(sys.argv[2])


def load(content, *framework):
    path = folder / "weights.safetensors"
    path.write_bytes(content)
    return clique.load_safetensors(path, *framework)


def load_header(text):
    return load(struct.pack("<Q", len(text)) + text + bytes(4))


class Lent:
    """An array of a library that makes no arrays of results."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, stream=None):
        return self.values.__dlpack__()

    def __dlpack_device__(self):
        return (1, 0)


class Broken:
    """An array that its library does not hand out."""

    def __dlpack__(self, stream=None):
        raise RuntimeError("no memory here")

    def __dlpack_device__(self):
        return (1, 0)


@clique.layer
def layer(h: Node["f32"], n: Scalar["i32"], s: Scalar["f16"]):
    return h * (mp.cast(n, "f32") + mp.cast(s, "f32"))


h, half = np.arange(4, dtype=np.float32), np.array(0.5, np.float16)
result = layer(Lent(h), 2, half)
assert isinstance(result, clique.Tensor)
assert np.array_equal(np.from_dlpack(result), 2.5 * h)


@clique.layer
def accented(g, début: Node[2]):
    return début


@clique.layer
def by_name(g, *, h: Node[2]):
    return g.sum(g.src(h))


ones = np.ones((2, 2), np.float32)
assert np.array_equal(by_name(g=clique.Graph.complete(2), h=ones), 2 * ones)

OTHERS = [
    (clique.SpecError, "argument '*more': expected arguments that are named one by one",
     lambda: clique.layer(lambda g, *more: g.sum(more[0])).spec),
    (clique.SpecError, "argument '**more': expected arguments that are named one by one",
     lambda: clique.layer(lambda g, **more: g.sum(more["h"])).spec),
    (clique.ArgumentError, "layer: argument 'n': 1099511627776 does not fit 32 bits",
     lambda: layer(h, 2**40, half)),
    (clique.ArgumentError, "layer: argument 'n': ", lambda: layer(h, 2**70, half)),
    (clique.ArgumentError, "layer: argument 's': ", lambda: layer(h, 2, 10**400)),
    (TypeError, "layer: argument 'n': 'float' object cannot be", lambda: layer(h, 2.0, half)),
    (clique.ArgumentError, "layer: argument 'h': no memory here", lambda: layer(Broken(), 2, half)),
    (clique.ArgumentError, "layer: out for 'out': is f32 [3], expected f32 [4]",
     lambda: layer(h, 2, half, out=np.zeros(3, np.float32))),
    (clique.ArgumentError, "layer: out for 'out': is u32 [4, 1], expected f32 [4]",
     lambda: layer(h, 2, half, out=np.zeros((4, 1), np.uint32))),
    (clique.ArgumentError, "layer: out for 'out': is read-only, expected an array to write to",
     lambda: layer(h, 2, half, out=np.broadcast_to(np.float32(0), 4))),
    (TypeError, "layer: out for 'out': an array whose bytes are swapped; convert it with astype",
     lambda: layer(h, 2, half, out=np.zeros(4, ">f4"))),
    (TypeError, "layer: out for 'out' is no array: [0.0]", lambda: layer(h, 2, half, out=[0.0])),
    (clique.FileError, "No such file or directory: 'nowhere.mlir'",
     lambda: clique.compile("nowhere.mlir")),
    (clique.FileError, f"directory: '{folder}'", lambda: clique.compile(folder)),
    (clique.FileError, "No such file or directory: 'nowhere/layer.so'",
     lambda: layer.save("nowhere/layer.so")),
    (clique.FileError, "No such file or directory: 'nowhere/layer.h'",
     lambda: layer.save(folder / "layer.so", "nowhere/layer.h")),
    (clique.FileError, "No such file or directory: 'nowhere'",
     lambda: clique.load_safetensors("nowhere")),
    (clique.ArgumentError, "the spec is '', expected a path, or the text of a spec",
     lambda: clique.compile("")),
    (clique.ArgumentError, "<spec>: error: has no public function 'mean'; there is: layer",
     lambda: clique.compile(layer.spec, "mean")),
    (clique.ArgumentError, "layer: order 0 of a gradient, expected 1 or more",
     lambda: layer.gradient("h", order=0)),
    *((clique.ArgumentError, f"layer: has no argument '{name}' to differentiate by; there are: ['h', "
       "'n', 's']", lambda name=name: layer.gradient(name)) for name in ("h,s", "")),
    (clique.SpecError, "the function is called '<lambda>', expected ASCII letters, digits and '_', as "
     "names of MLIR have: write it as a def", lambda: clique.layer(lambda g: g.degree()).spec),
    (clique.SpecError, "argument 'd\u00e9but': expected a name of ASCII letters, digits and '_', as MLIR has",
     lambda: accented.spec),
    (clique.ArgumentError, "layer_backward is one of the two layers of a gradient, which save() does "
     "not take; clique-compile --gradients writes a library of both layers",
     lambda: layer.gradient("h").backward.save(folder / "layer.so")),
    (clique.ArgumentError, "layer_forward is one of the two layers of a gradient, which bind() does "
     "not take; bind the weights first: layer.bind(...).gradient(...)",
     lambda: layer.gradient("h").forward.bind(n=1)),
    (clique.ArgumentError, "layer_forward is one of the two layers of a gradient, which gradient() "
     "does not take; layer.gradient(order=2) is the gradient of the gradient",
     lambda: layer.gradient("h").forward.gradient("h")),
    (clique.SpecError, "'layer' is too long: more features are looked up, spread or read out of one "
     "another than Python's recursion limit allows; write steps that repeat with mp.repeat, or raise "
     "the limit by sys.setrecursionlimit", lookups),
    (clique.OutOfMemoryError, "the complete graph of 2147483647 nodes has 4611686014132420609 edges; to "
     "list them needs", lambda: clique.Graph.complete(2**31 - 1).csr()),
    (clique.ArgumentError, "-1 is no number of a CUDA stream", lambda: clique.set_cuda_stream(-1)),
    (TypeError, "layer: expected a clique.Graph, not 3", lambda: layer.lowering(3)),
    (TypeError, "layer: expected the name of a stage, not 3", lambda: layer.ir(3)),
    (TypeError, "clique.layer: expected a function, not 3", lambda: clique.layer(3)),
    (clique.FileError, "No such file or directory: 'none.mlir'", lambda: clique.compile(b"none.mlir")),
    (BufferError, "this tensor was handed on to another library already", result.__dlpack__),
    (clique.ArgumentError, "this tensor was handed on to another library already",
     lambda: layer(result, 2, half)),
    (BufferError, "a tensor of the CPU has no stream",
     lambda: layer(Lent(h), 2, half).__dlpack__(stream=1)),
    (clique.SpecError, "element type 'f8': expected one of", lambda: Node[4, "f8"]),
    (clique.SpecError, "sizes are positive integers, not [0]", lambda: Node[0]),
    (clique.SpecError, "a scalar has an element type and no sizes: Scalar['f32']",
     lambda: Scalar[4, "f32"]),
    (clique.SpecError, "argument 'h': expected clique.Graph, Topology[...], Node[...], Edge[...], "
     "Weight[...] or Scalar[...], not", lambda: annotated(3)),
    (clique.ArgumentError, "framework 'jax': expected numpy or torch", lambda: load(b"", "jax")),
    (clique.FormatError, "bytes, a file of safetensors begins with 8 that say how long its header is",
     lambda: load(b"abc")),
    (clique.FormatError, ": its header would be 9 bytes long, of 10",
     lambda: load(struct.pack("<Q", 9) + b"{}")),
    (clique.FormatError, ": its header is damaged:", lambda: load(struct.pack("<Q", 2) + b"{]")),
    *((clique.FormatError, f": its header is damaged: {text} is no list of whole numbers",
       lambda sizes=sizes: load_header(b'{"w":{"dtype":"F32","shape":%s,"data_offsets":[0,4]}}' % sizes))
      for sizes, text in ((b"[1.5]", "[1.5]"), (b'"1"', "'1'"), (b"[true]", "[True]"))),
    # Of an offset that no integer holds, and nested deeper than Python follows.
    (clique.FormatError, ": its header is damaged:", lambda: load_header(
        b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,1e999]}}')),
    (clique.FormatError, ": its header is damaged:", lambda: load_header(b"[" * 10**6)),
]
for kind, text, function in OTHERS:
    raises(kind, text, function)
print(len(TRACED), "errors of the tracer,", len(OTHERS), "others")
