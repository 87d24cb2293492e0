# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over all edges, of products and of values, some rows of the graph at a time: as many as have
a few edges, a row of many edges, all of them. Beside NumPy."""
# RUN: %python %s | FileCheck %s
# CHECK: edge sums: 30 results

import pathlib
import subprocess
import tempfile

import numpy

SPEC = """
#x = affine_map<(i, j, e) -> (e, i)>
#y = affine_map<(i, j, e) -> (e, j)>
#z = affine_map<(i, j, e) -> (i, j)>
#all = affine_map<(e) -> (e)>
#none = affine_map<(e) -> ()>
func.func @sums(%g: GRAPH, %h: tensor<?x3xf32> {mp.name = "h"}, %e: !mp.edges<f32> {mp.name = "e"})
    -> (tensor<3x2xf32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<3x2xf32>
  %none = arith.constant dense<2.0> : tensor<f32>
  %m:3 = mp.message %g : GRAPH dst(%hi = %h : tensor<?x3xf32>) src(%hj = %h : tensor<?x3xf32>)
      edge(%ei = %e : !mp.edges<f32>) -> !mp.edges<3xf32>, !mp.edges<2xf32>, !mp.edges<f32> {
    %s = arith.mulf %hi, %hj : tensor<3xf32>
    %c = tensor.extract_slice %hj[1] [2] [1] : tensor<3xf32> to tensor<2xf32>
    %t = mp.broadcast %ei : tensor<f32> to tensor<2xf32>
    %d = arith.mulf %c, %t : tensor<2xf32>
    %k = mp.position edge : tensor<i32>
    %f = arith.sitofp %k : tensor<i32> to tensor<f32>
    %i = mp.position dst : tensor<i32>
    %o = arith.sitofp %i : tensor<i32> to tensor<f32>
    %l = arith.addf %f, %o : tensor<f32>
    %p = arith.mulf %l, %ei : tensor<f32>
    mp.yield %s, %d, %p : tensor<3xf32>, tensor<2xf32>, tensor<f32>
  }
  %x = mp.to_tensor %m#0 : !mp.edges<3xf32> -> tensor<?x3xf32>
  %y = mp.to_tensor %m#1 : !mp.edges<2xf32> -> tensor<?x2xf32>
  %p = mp.to_tensor %m#2 : !mp.edges<f32> -> tensor<?xf32>
  %w = linalg.generic {indexing_maps = [#x, #y, #z], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<?x3xf32>, tensor<?x2xf32>) outs(%zero : tensor<3x2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %q = arith.mulf %a, %b : f32
    %n = arith.addf %c, %q : f32
    linalg.yield %n : f32
  } -> tensor<3x2xf32>
  %b = linalg.generic {indexing_maps = [#all, #none], iterator_types = ["reduction"]}
      ins(%p : tensor<?xf32>) outs(%none : tensor<f32>) {
  ^bb0(%a: f32, %c: f32):
    %n = arith.addf %c, %a : f32
    linalg.yield %n : f32
  } -> tensor<f32>
  return %w, %b : tensor<3x2xf32>, tensor<f32>
}
"""

RANDOM = numpy.random.default_rng(11)
count = 0


def make_graph(nodes, edges, hub=False):
    """Edges in any order, some parallel."""
    pairs = RANDOM.integers(0, nodes, (edges, 2))
    if hub:
        pairs[: edges // 2, 0] = nodes // 2
    return nodes, pairs


def run(folder, spec, nodes, graph, h, e):
    numpy.save(folder / "h.npy", h)
    numpy.save(folder / "e.npy", e)
    outputs = [folder / name for name in ("w.npy", "b.npy")]
    subprocess.run(["clique-run", spec, f"--graph={graph}", f"--input=h={folder}/h.npy",
                    f"--input=e={folder}/e.npy", f"--output=out0={outputs[0]}",
                    f"--output=out1={outputs[1]}", "--verify", "--threads=2"],
                   check=True, stdout=subprocess.DEVNULL)
    return [numpy.load(output) for output in outputs]


def check(folder, kind, nodes, pairs, graph):
    global count
    h = RANDOM.standard_normal((nodes, 3)).astype(numpy.float32)
    e = RANDOM.standard_normal(len(pairs)).astype(numpy.float32)
    dst, src = pairs[:, 0], pairs[:, 1]
    x = h[dst].astype(float) * h[src]
    y = h[src, 1:].astype(float) * e[:, None]
    want = x.T @ y, 2 + ((numpy.arange(len(pairs)) + dst) * e.astype(float)).sum()
    for size in (24, 240, 1 << 20):
        spec = folder / "sums.mlir"
        subprocess.run(["clique-opt", f"--mp-chunk-edge-sums=bytes={size}", "-o", spec, "-"],
                       input=SPEC.replace("GRAPH", kind).encode(), check=True)
        assert "scf.for" in spec.read_text()
        for got, exact in zip(run(folder, spec, nodes, graph, h, e), want):
            error = numpy.abs(got - exact).max() / max(1, numpy.abs(exact).max())
            assert error < 1e-5, f"{kind}, {nodes} nodes, {size} bytes: off by {error}"
            count += 1


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for nodes, pairs in (make_graph(20, 90), make_graph(13, 80, hub=True), make_graph(9, 5),
                         make_graph(4, 0)):
        lines = "\n".join(f"{i + 1} {j + 1}" for i, j in pairs)
        path = folder / "g.mtx"
        path.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                        f"{nodes} {nodes} {len(pairs)}\n{lines}\n")
        check(folder, "!mp.graph", nodes, pairs, path)
    whole = numpy.array([(i, j) for i in range(11) for j in range(11)])
    check(folder, "!mp.graph<complete>", 11, whole, "complete:11")
print(f"edge sums: {count} results")
