# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of layers from Python: values, arguments by position and by name, errors, threads."""
# RUN: %library_python %s %S/Inputs | FileCheck %s
# CHECK: values agree
# CHECK-NEXT: arguments are checked
# CHECK-NEXT: threads agree

import sys

sys.path.insert(0, sys.argv[1])

import gc
import threading
import weakref

import clique
import numpy as np
from layers import DST, NODES, SPEC, SRC, mean, raises, scaled

module = clique.compile_module(SPEC)
graph = clique.Graph.from_coo(DST, SRC, NODES)
random = np.random.default_rng(1)
h = random.standard_normal((NODES, 4), dtype=np.float32)
w = random.standard_normal((4, 3), dtype=np.float32)
expected = mean(h.astype(float), w)

out = module.mean(graph, h, w)
assert isinstance(out, np.ndarray) and out.dtype == np.float32 and out.flags.writeable
assert np.allclose(out, expected, atol=1e-6)
for result in (module["mean"](graph, w=w, h=h), module.mean(g=graph, h=h, w=w),
               module.mean(graph, np.asfortranarray(h), w),
               module.mean(graph, np.repeat(h, 2, axis=1)[:, ::2], w)):
    assert np.array_equal(result, out)
# Fields of packed records, whose rows are no whole number of elements apart.
records = np.zeros(NODES, [("h", "f4", (4,)), ("out", "f4", (3,)), ("label", "u1")])
records["h"] = h
assert records["h"].strides == (29, 4) and np.array_equal(module.mean(graph, records["h"], w), out)
module.mean(graph, h, w, out=records["out"])
assert np.array_equal(records["out"], out) and not records["label"].any()

# Scalars are numbers or arrays; several results are a tuple.
x, e = random.standard_normal((NODES, 2)), random.standard_normal(len(DST))
for c in (2.5, np.float64(2.5), np.array(2.5)):
    for got, want in zip(module.scaled(graph, x, e, c), scaled(x, e, 2.5)):
        assert np.allclose(got, want)

# Truth values.
keep = np.arange(len(DST)) % 2 == 0
got, used = module.kept(graph, h[:, :2], keep, True)
assert used.dtype == bool and np.array_equal(used, keep)
want = np.zeros((NODES, 2), np.float32)
np.add.at(want, DST[keep], h[SRC[keep], :2])
assert np.allclose(got, want) and not module.kept(graph, h[:, :2], keep, False)[0].any()

# Of bytes that are handed in every one but 0 is true, and those of results are 0 or 1, also of what
# is only moved: as it is, a part, rows by their numbers, and of edges.
MOVED = """
func.func @moved(%g: !mp.graph, %m: tensor<?x3xi1>, %i: tensor<?xi32>, %e: !mp.edges<2xi1>)
    -> (tensor<?x3xi1>, tensor<?x2xi1>, tensor<?x3xi1>, !mp.edges<2xi1>, !mp.edges<2xi1>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %m, %c0 : tensor<?x3xi1>
  %part = tensor.extract_slice %m[0, 1] [%n, 2] [1, 1] : tensor<?x3xi1> to tensor<?x2xi1>
  %rows = mp.lookup %m[%i] : tensor<?x3xi1>, tensor<?xi32> -> tensor<?x3xi1>
  %same = mp.message %g edge(%ek = %e : !mp.edges<2xi1>) -> !mp.edges<2xi1> {
    mp.yield %ek : tensor<2xi1>
  }
  return %m, %part, %rows, %e, %same
      : tensor<?x3xi1>, tensor<?x2xi1>, tensor<?x3xi1>, !mp.edges<2xi1>, !mp.edges<2xi1>
}
"""
bytes_in = np.array([[0, 2, 1], [255, 0, 0], [128, 1, 0], [3, 4, 0]], np.uint8)
edge_bytes = np.array([[0, 2], [255, 1], [0, 0], [64, 0], [1, 16], [0, 0]], np.uint8)
moved = clique.compile(MOVED)(clique.Graph.bipartite(2, 3), bytes_in.view(bool),
                              np.array([3, 0], np.int32), edge_bytes.view(bool))
for got, want in zip(moved, (bytes_in, bytes_in[:, 1:], bytes_in[[3, 0]], edge_bytes, edge_bytes)):
    assert np.array_equal(got.view(np.uint8), want != 0), got.view(np.uint8)

# bfloat16, which NumPy lacks, by its bits.
bits = clique.Graph.complete(NODES)


class Bfloat:
    """An array of ml_dtypes' type, as far as it is looked at."""

    dtype = type("dtype", (), {"name": "bfloat16"})()

    def __init__(self, values):
        self.bits = np.ascontiguousarray((values.view(np.uint32) >> 16).astype(np.uint16))

    @property
    def __array_struct__(self):
        return self.bits.view("V2").__array_struct__


whole = np.arange(NODES * 2, dtype=np.float32).reshape(NODES, 2)
assert np.array_equal(module.half(bits, Bfloat(whole)), np.tile(whole.sum(0), (NODES, 1)))
assert module.half.lowering(bits)[0].startswith("half_0: ")
assert "half_0: " in repr(bits.show(module.half))

# `out` takes the result and is returned.
result = np.zeros((NODES, 3), np.float32)
assert module.mean(graph, h, w, out=result) is result and np.array_equal(result, out)
wide = np.zeros((NODES, 6), np.float32)
module.mean(graph, h, w, out=wide[:, ::2])
assert np.array_equal(wide[:, ::2], out) and not wide[:, 1::2].any()
results = np.zeros_like(x), np.zeros_like(e)
module.scaled(graph, x, e, 2.5, out=results)
assert np.allclose(results[0], scaled(x, e, 2.5)[0]) and np.allclose(results[1], 2.5 * e)
# ... but where an argument has its name.
named = clique.compile(SPEC.replace("%h", "%out"), "mean")
given = h.copy()
assert np.array_equal(named(graph, out=given, w=w), out) and np.array_equal(given, h)
raises(TypeError, "mean: argument 'out' is given by position and by name", named, graph, h, w, out=h)

# Weights and numbers as constants.
bound = module.mean.bind(w=w)
assert bound.signature == "mean_bound(g: graph, h: f32[n, 4]) -> f32[n, 3]"
assert np.array_equal(bound(graph, h), out)
assert np.array_equal(module.mean.bind(w=w.astype(">f4"))(graph, h), out)
fixed = module.scaled.bind("fixed", c=2.5)
assert fixed.results[1].name == "weight" and np.allclose(fixed(graph, x, e)[1], 2.5 * e)
assert np.allclose(module.scaled.bind(c=np.array(2.5, ">f8"))(graph, x, e)[1], 2.5 * e)
assert module.kept.bind(some=True)(graph, h[:, :2], keep)[1].tolist() == keep.tolist()
public = SPEC.replace("func.func @mean", "func.func public @mean").replace("%w", "%result0")
assert "public" in public
for text in public, f"module {{\n{public}\n}}":
    assert np.array_equal(clique.compile(text, "mean").bind(result0=w)(graph, h), out)
raises(TypeError, "has no argument 'x'", module.mean.bind, x=3)
raises(ValueError, "'w: f32[4, 3]' is bound to f64[4, 3]", module.mean.bind, w=w.astype(float))
raises(ValueError, "'h: f32[n, 4]' cannot be bound", module.mean.bind, h=h)
raises(ValueError, "the bound layer of mean cannot be called 'a b': expected letters, digits and '_'",
       module.mean.bind, "a b", w=w)
raises(ValueError, "has a function 'half' already", module.mean.bind, "half", w=w)

# Memory of a result lives as long as its arrays, and no longer.
view = module.mean(graph, h, w)[1:]
gc.collect()
assert np.array_equal(view, out[1:])
kept = weakref.ref(graph)
assert kept() is graph


class Lent:
    """Of no library: the result is a tensor of the package."""

    def __dlpack__(self, **_):
        return h.__dlpack__()

    def __dlpack_device__(self):
        return h.__dlpack_device__()


tensor = module.mean(graph, Lent(), w)
assert isinstance(tensor, clique.Tensor) and np.array_equal(np.asarray(tensor), out)
raises(BufferError, "is an array of NumPy's already", np.from_dlpack, tensor)
assert np.array_equal(np.from_dlpack(module.mean(graph, Lent(), w)), out)
print("values agree")

raises(TypeError, "mean: argument 'w' is missing; there are: ('g', 'h', 'w')", module.mean, graph, h)
raises(TypeError, "mean: has no argument 'x'", module.mean, graph, h, w, x=3)
raises(TypeError, "mean: argument 'h' is given by position and by name", module.mean, graph, h, w,
       h=h)
raises(TypeError, "called with 4 arguments, it has 3", module.mean, graph, h, w, w)
raises(TypeError, "mean: argument 'g': expected a clique.Graph", module.mean, h, h, w)
raises(TypeError, "mean: argument 'h': expected an array, not a 'list'", module.mean, graph,
       h.tolist(), w)
raises(clique.ArgumentError, "mean: argument 'h': has element type f64, expected f32", module.mean,
       graph, h.astype(float), w)
raises(ValueError, "argument 'h': has shape [4, 3], expected [n, 4]", module.mean, graph, h[:, :3],
       w)
raises(ValueError, "argument 'h': has 3 rows, expected 4: graph 'g' has 4 nodes", module.mean,
       graph, h[:3], w)
raises(TypeError, "argument 'h': an array of 'object', expected numbers", module.mean, graph,
       np.array([None]), w)
raises(TypeError, "argument 'h': an array whose bytes are swapped", module.mean, graph,
       h.astype(">f4"), w)
raises(clique.ArgumentError, "out for 'out': is f32 [4, 2], expected f32 [4, 3]", module.mean, graph,
       h, w, out=np.zeros((NODES, 2), np.float32))
# Where one does not fit, none is written.
untouched = np.zeros((NODES, 2))
raises(ValueError, f"scaled: out for 'weight': is f32 [{len(DST)}], expected f64 [{len(DST)}]",
       module.scaled, graph, x, e, 1.0, out=(untouched, np.zeros(len(DST), np.float32)))
assert not untouched.any()
raises(TypeError, "out must be a tuple of 2 arrays", module.scaled, graph, x, e, 1.0, out=result)
# Python's own errors of names, and the package's.
for kind in AttributeError, clique.ArgumentError:
    raises(kind, "has no layer 'median'; there are: mean, scaled, half, kept", getattr, module,
           "median")
for kind in KeyError, clique.ArgumentError:
    raises(kind, "has no layer 'median'; there are: mean, scaled, half, kept", module.__getitem__,
           "median")
raises(TypeError, "a graph is made by", clique.Graph)
print("arguments are checked")

# A layer runs without the interpreter's lock; each thread has decisions of its own.
results = [None] * 8


def run(k):
    for _ in range(50):
        results[k] = module.mean(graph, h, w)
    assert clique.last_decisions()[0].startswith("mean_")


workers = [threading.Thread(target=run, args=(k,)) for k in range(8)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
assert all(np.array_equal(result, out) for result in results)
print("threads agree")
