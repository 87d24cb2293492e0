# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What comes with a layer: its description, IR, explanation, verification, errors, a library."""
# RUN: rm -rf %t && mkdir %t && %library_python %s %S/Inputs %examples/gat.mlir %graphs/karate.mtx %t | FileCheck %s
# CHECK: <layer gat(g: graph, h: f32[n, 64], w: f32[64, 8, 8], a: f32[8, 16]) -> f32[n, 64]>
# CHECK: gat.mlir:{{[0-9:]+}} remark: {{.*}}kernel gat_1: one pass over the edges
# CHECK: graph    34 nodes, 156 edges, sparse
# CHECK-NEXT: kernel   gat_1: sparse, sparse rows: {{[0-9.]+}} us expected of one core
# CHECK-NEXT: memory   {{[0-9.]+}} KiB at most
# CHECK-NEXT: time     {{[0-9.]+}} ms
# CHECK: errors are at their lines
# CHECK: libraries are loaded
# CHECK: gradients are layers
# CHECK-NEXT: weights are files

import sys

sys.path.insert(0, sys.argv[1])

import ctypes
import json
import os
import pathlib
import pickle
import queue
import signal
import threading
import time

import clique
import numpy as np
from clique import Node, _compiler, mp
from layers import DST, NODES, SPEC, SRC, raises

COUNT = """
func.func @count(%g: !mp.graph) -> tensor<?xf32> {
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  return %d : tensor<?xf32>
}
"""
TAKEN = """
func.func @taken(%out: tensor<?x4xf32>, %grad_out: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = mp.update (%a = %out : tensor<?x4xf32>, %b = %grad_out : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %s = arith.addf %a, %b : tensor<4xf32>
    %e = math.exp %s : tensor<4xf32>
    mp.yield %e : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}
"""
TWO_RESULTS = """
func.func @two(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> (tensor<?x4xf32> {mp.name = "x"}, tensor<?x4xf32> {mp.name = "y"}) {
  %x = arith.addf %a, %a : tensor<?x4xf32>
  %y = arith.addf %b, %b : tensor<?x4xf32>
  return %x, %y : tensor<?x4xf32>, tensor<?x4xf32>
}
"""
MADE_GRAPH = """
func.func @made(%g: !mp.graph, %a: tensor<?x2xf32>, %b: tensor<2x2xf32>, %e: !mp.edges<2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x2xf32>
  %all = mp.complete %n
  %m = mp.message %all : !mp.graph<complete> src(%x = %a : tensor<?x2xf32>) edge(%y = %e : !mp.edges<2xf32>) -> !mp.edges<2xf32> {
    %z = mp.linear %x, %b : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
    %s = arith.addf %z, %y : tensor<2xf32>
    mp.yield %s : tensor<2xf32>
  }
  %o = mp.aggregate %all : !mp.graph<complete> sum %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %v = mp.message %g src(%x = %a : tensor<?x2xf32>) -> !mp.edges<2xf32> {
    mp.yield %x : tensor<2xf32>
  }
  %p = mp.aggregate %g sum %v : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %o, %p : tensor<?x2xf32>, tensor<?x2xf32>
}
"""


@clique.layer
def averages(g, h: Node[4]):
    return g.softmax(mp.reduce("sum", g.src(h)), g.src(h))


@clique.layer
def named_alike(g, h: Node[4]):
    return {"x": g.sum(g.src(h)), "grad_x": g.softmax(mp.reduce("sum", g.src(h)), g.src(h))}


signal.signal(signal.SIGINT, signal.default_int_handler)
gat = clique.compile(sys.argv[2])
print(repr(gat))
karate = clique.Graph.read(sys.argv[3])
random = np.random.default_rng(2)
inputs = {arg.name: random.standard_normal([size or karate.num_dst for size in arg.shape],
                                           dtype=np.float32)
          for arg in gat.args if arg.kind == "tensor"}
print(gat.explain(karate, **inputs))
assert gat.args[1].extent == "destinations" and gat.args[1].graph == "g"
assert [d.error <= d.tolerance for d in gat.verify(karate, **inputs)] == [True]

pruned = clique.compile(sys.argv[2], prune_heads="1,2")
kept = gat(karate, **inputs)
kept[:, 8:24] = 0
assert np.abs(pruned(karate, **inputs) - kept).max() < 1e-5
assert [d.error <= d.tolerance for d in pruned.verify(karate, **inputs)] == [True]
# What is bound has lost these heads already, and no others with it.
fixed = pruned.bind(a=inputs["a"])(karate, h=inputs["h"], w=inputs["w"])
assert np.abs(fixed - kept).max() < 1e-5
raises(clique.SpecError, "has no head 8 to prune: its heads are 0 to 7",
       lambda: clique.compile(sys.argv[2], prune_heads="8"))
assert "mp.kernel" in gat.ir() and "mp.message" in gat.ir("mp")
assert "clique_run_gat" in gat.ir("header")
assert np.array_equal(pickle.loads(pickle.dumps(gat))(karate, **inputs), gat(karate, **inputs))

# LLVM leaves no handlers behind: Ctrl-C is Python's.
raises(KeyboardInterrupt, "", lambda: signal.raise_signal(signal.SIGINT))


class Interrupted:
    """The compiler, which compiles once Ctrl-C has reached who asked it to."""

    def __init__(self, compiler):
        self.compiler, self.reached, self.statuses = compiler, threading.Event(), queue.Queue()

    def clique_compile_library(self, *arguments):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        self.reached.wait(60)
        status = self.compiler.clique_compile_library(*arguments)
        self.statuses.put(status)
        return status


# The compiler goes on to its end, without who asked for it.
_library, interrupted = _compiler.library, Interrupted(_compiler.library())
_compiler.library = lambda: interrupted
_cache_folder, os.environ["CLIQUE_CACHE_DIR"] = os.environ["CLIQUE_CACHE_DIR"], f"{sys.argv[4]}/cache"
raises(KeyboardInterrupt, "", clique.compile, gat.spec.replace("0.2 :", f"{time.time()} :"))
interrupted.reached.set()
assert isinstance(interrupted.statuses.get(timeout=60), int)
for thread in threading.enumerate():
    if thread.name == "clique compiler":
        thread.join()
assert not list(clique.cache_folder().iterdir())
os.environ["CLIQUE_CACHE_DIR"] = _cache_folder
_compiler.library = _library

# A result that is not the reference's is found.
_verify = clique._layer._compiler.verify
clique._layer._compiler.verify = lambda *args: [(0.1, 1e-5, 1.0, 2.0)]
raises(AssertionError, "gat: result 'out' is 1 where the reference has 2", gat.verify, karate,
       **inputs)
clique._layer._compiler.verify = _verify

wrong = SPEC.replace("mp.yield %x : tensor<3xf32>", "mp.yield %x : tensor<4xf32>", 1)
error = raises(clique.SpecError, "<spec>:5:14: error: ", clique.compile, wrong, "mean")
assert (error.filename, error.line, error.column) == ("<spec>", 5, 14) and "^" in str(error)
assert isinstance(error, ValueError) and isinstance(error, clique.Error)
path = pathlib.Path(sys.argv[4]) / "wrong.mlir"
path.write_text(wrong)
assert raises(clique.SpecError, "", clique.compile, path).filename == str(path)
raises(clique.SpecError, "is no text", clique.compile, "\x01\n")
messages = _compiler.Buffer()
assert _compiler.library().clique_compile_library(
    ctypes.byref(_compiler.Request()), b"none.so", ctypes.byref(messages))
assert "no text was given" in messages.text()
raises(clique.FileError, "nowhere.mlir", clique.compile, "nowhere.mlir")
raises(clique.ArgumentError, "choose one with entry=NAME", clique.compile, SPEC)
raises(clique.SpecError, "target 'tpu': expected cpu or cuda", clique.compile_module, SPEC,
       target="tpu")
raises(clique.SpecError, "LLVM knows no such processor", clique.compile_module, SPEC, cpu="z80")
raises(clique.SpecError, "there is no stage 'fussion'; expected header, obj, asm", gat.ir,
       "fussion")
clique.set_lowering("measured")
clique.set_lowering("auto")
raises(ValueError, "lowering 'both': expected auto, dense, sparse or measured",
       clique.set_lowering, "both")
raises(clique.ArgumentError, "-1 threads, expected 1 to 1024, or 0 for all cores",
       clique.set_num_threads, -1)
for number in 2**40, 2**70, -2**70:
    raises(clique.ArgumentError, "threads, expected 1 to 1024", clique.set_num_threads, number)
print("errors are at their lines")

module = clique.compile_module(SPEC)
assert len(module) == 4 and "mean(g: graph, h: f32[n, 4], w: f32[4, 3])" in repr(module)
library = pathlib.Path(sys.argv[4]) / "layers.so"
module.save(library)
graph = clique.Graph.from_coo(DST, SRC, NODES)
arrays = random.standard_normal((NODES, 4), dtype=np.float32), np.eye(4, 3, dtype=np.float32)
loaded = clique.load(library)
assert "define" in module.half.ir("llvm")
assert np.array_equal(loaded.mean(graph, *arrays), module.mean(graph, *arrays))
raises(ValueError, "is a compiled library without its spec", loaded.mean.ir)
assert "mp.message" in clique.load(library, spec=SPEC).mean.ir("mp")
raises(clique.FileError, "nowhere.so", clique.load, "nowhere.so")
raises(clique.FileError, "nowhere/layers.so", module.save, "nowhere/layers.so")
raises(clique.FileError, "cannot be loaded as a shared library", clique.load, path)
print("libraries are loaded")

# Gradients: by a difference, with names that are taken, and where there is none.
by_w = module.mean.gradient("w")
cotangent = random.standard_normal((NODES, 3), dtype=np.float32)
slope = by_w(graph, *arrays, grad_out=cotangent)
step = np.zeros_like(arrays[1])
step[1, 2] = 1
moved = module.mean(graph, arrays[0], arrays[1] + step) - module.mean(graph, *arrays)
assert by_w.wrt == ("w",) and np.isclose(slope[1, 2], (moved * cotangent).sum(), atol=1e-5)
slopes = module.mean.gradient("w", "h")(graph, *arrays, grad_out=cotangent)
assert [slope.shape for slope in slopes] == [arrays[1].shape, arrays[0].shape]
assert np.array_equal(slopes[0], slope)
two = clique.compile(TWO_RESULTS).gradient("a")
assert np.array_equal(two(a=arrays[0], b=arrays[0], grad_x=arrays[0], grad_y=arrays[0]),
                      2 * arrays[0])
# Edge features of a graph that the layer makes, which its gradient need not read.
ones = np.ones((NODES, 2), np.float32)
slope = clique.compile(MADE_GRAPH).gradient("b")(
    graph, ones, np.eye(2, dtype=np.float32), np.ones((NODES * NODES, 2), np.float32), grad_out0=ones)
assert np.allclose(slope, NODES * NODES)
# Of a loop, beside differences in double precision.
spec = pathlib.Path(__file__).parents[1] / "Gradient" / "Inputs" / "recurrent.mlir"
steps = clique.compile(spec.read_text().replace("f32", "f64"))
h, w, move = (random.standard_normal(shape) / 2 for shape in ((NODES, 4), (4, 4), (4, 4)))
slope = steps.gradient("w")(graph, h, w, 3, grad_out=h)
above, below = (steps(graph, h, w + sign * 1e-5 * move, 3) for sign in (1, -1))
assert np.isclose((slope * move).sum(), ((above - below) * h).sum() / 2e-5, rtol=1e-6, atol=0)
raises(TypeError, "the cotangent 'grad_out' is missing", by_w, graph, *arrays)
raises(clique.SpecError, "has no argument of floats 'g'", module.mean.gradient, "g")
raises(clique.ArgumentError, "mean: order -1 of a gradient, expected 1 or more", module.mean.gradient,
       order=-1)
raises(clique.SpecError, "no result of 'count' has a derivative by the arguments that are wanted",
       clique.compile(COUNT).gradient)
raises(clique.ArgumentError, "graph -1 is gone", clique.Graph._of_number, -1)
taken = clique.compile(TAKEN).gradient()
assert [arg.name for arg in taken.backward.args] == ["out", "grad_out", "grad_out_"]
assert (taken.kept, taken.results, taken.wrt) == ((), (0,), ("out", "grad_out"))
a, b = (random.standard_normal((NODES, 4), dtype=np.float32) for _ in range(2))
for slope in taken(a, grad_out=b, grad_out_=2 * a):
    assert np.allclose(slope, 2 * a * np.exp(a + b), rtol=1e-5)
raises(TypeError, "the cotangent 'grad_out_' is missing", taken, a, grad_out=b)
# Results X and grad_X, one of which is kept.
both = named_alike.gradient()
assert "grad_x" in [arg.name for arg in both.backward.args[2:]]
assert both.results == (0, 1) and both.kept[0] == 1
want = np.zeros_like(a)
np.add.at(want, SRC, b[DST])
assert np.allclose(both(graph, a, grad_x=b, grad_grad_x=0 * b), want, atol=1e-5)
alone = averages.gradient()(graph, a, grad_out=b)
assert np.allclose(both(graph, a, grad_x=0 * b, grad_grad_x=b), alone, atol=1e-5)
print("gradients are layers")


def write_weights(name, header, contents):
    text = json.dumps(header).encode() if isinstance(header, dict) else header
    path = pathlib.Path(sys.argv[4]) / name
    path.write_bytes(len(text).to_bytes(8, "little") + text + contents)
    return path


entry = {"dtype": "F32", "shape": [4, 3], "data_offsets": [0, 48]}
half = {"dtype": "BF16", "shape": [2], "data_offsets": [48, 52]}
contents = arrays[1].tobytes() + bytes([0x80, 0x3F, 0x00, 0x40])
path = write_weights("w.safetensors", {"w": entry, "b": half, "__metadata__": {"a": "b"}}, contents)
weights = clique.load_safetensors(path)
assert list(weights) == ["w", "b"] and weights["b"].astype(np.float32).tolist() == [1, 2]
assert np.array_equal(module.mean(graph, arrays[0], w=weights["w"]), module.mean(graph, *arrays))
for text, header, rest in (
        ("is damaged", b"{", contents), ("is damaged", {"w": {}}, contents),
        ("of 20, expected 48 of them", {"w": entry}, contents[:20]),
        ("has element type F4", {"w": {**entry, "dtype": "F4"}}, contents),
        ("has the bytes -48 to 0", {"w": {**entry, "data_offsets": [-48, 0]}}, contents)):
    raises(clique.FormatError, text, clique.load_safetensors,
           write_weights("wrong.safetensors", header, rest))
path.write_bytes(b"safe")
raises(clique.FormatError, "has 4 bytes", clique.load_safetensors, path)
path.write_bytes(b"no safetensors at all")
raises(clique.FormatError, "this is no file of safetensors", clique.load_safetensors, path)
print("weights are files")
