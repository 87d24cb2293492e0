# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse rows from CUDA kernels, on the emulated driver: rows of every width, of which one to
eight share a warp, and of every length, so that those of a warp go their own ways; each element
type (numbers of 64 bits are exchanged in two words); wide windows, which are sums of rows; rows of
a table, whose last one has nothing behind it."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: rows: {{[0-9]+}} specs, {{[0-9]+}} runs

import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from attention_layer import make_layer
from emulated_suite import Spec, run_suite
from layer_suite import EMPTY, ISOLATED, KARATE

# Of rows: none, some, more than a group takes (128), in many parts.
LENGTHS = [0, 1, 2, 0, 3, 31, 0, 33, 7, 130, 0, 5, 128, 1, 129, 0, 700, 4, 0, 0, 9, 1, 0, 64, 2] * 3
TOLERANCES = {"f64": "1e-13", "f32": "2e-6", "bf16": "6e-3", "f16": "1e-3"}
# Heads and their sizes: 1 to 128 numbers in 4 to 32 lanes; with gaps where they are no powers of 2.
SHAPES = {"f32": [(1, 1), (1, 16), (3, 5), (2, 8), (4, 8), (1, 64), (8, 16)],
          "f64": [(1, 5), (4, 4), (2, 16)], "bf16": [(1, 16), (3, 8), (4, 16)], "f16": [(2, 16)]}


def write_ragged(path):
    """An odd number of rows, whose sources are far apart."""
    edges = [(row, (7 * row + 31 * k) % len(LENGTHS))
             for row, length in enumerate(LENGTHS) for k in range(length)]
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                    f"{len(LENGTHS)} {len(LENGTHS)} {len(edges)}\n"
                    + "".join(f"{row + 1} {source + 1}\n" for row, source in edges))
    return str(path)


def make_spec(folder, dtype, graphs):
    layers = {}
    for heads, size in SHAPES[dtype]:
        for flat in (False, True):
            name = f"rows_{heads}_{size}" + flat * "_flat"
            layers[name] = make_layer(name, heads, size, dtype, flat=flat)
    path = folder / f"rows_{dtype}.mlir"
    path.write_text("".join(layers.values()))
    return Spec(path, dict.fromkeys(layers, graphs), tolerance=TOLERANCES[dtype],
                only=dict.fromkeys(layers, "sparse"))


def make_windows(folder):
    path = folder / "windows.mlir"
    graph, node, edges = "%g : !mp.graph<window, 130>", "tensor<?x6xf32>", "!mp.edges<6xf32>"
    path.write_text(f"""
func.func @windows({graph}, %h: {node}) -> {node} {{
  %m = mp.message {graph} src(%hj = %h : {node}) -> {edges} {{ mp.yield %hj : tensor<6xf32> }}
  %a = mp.aggregate {graph} mean %m : ({edges}) -> {node}
  return %a : {node}
}}
""")
    return Spec(path, {"windows": [f"window:{n},130" for n in (1, 90, 300)]}, tolerance="2e-6",
                only={"windows": "sparse"})


def make_lookups(folder):
    path = folder / "lookups.mlir"
    node, edges = "tensor<?x25x3xf64>", "!mp.edges<25x3xf64>"
    path.write_text(f"""
func.func @lookups(%g: !mp.graph, %t: tensor<2x25x3xf64>) -> {node} {{
  %m = mp.message %g -> {edges} {{
    %k = mp.position edge : tensor<i64>
    %row = mp.lookup %t[%k] : tensor<2x25x3xf64>, tensor<i64> -> tensor<25x3xf64>
    mp.yield %row : tensor<25x3xf64>
  }}
  %a = mp.aggregate %g mean %m : ({edges}) -> {node}
  return %a : {node}
}}
""")
    return Spec(path, {"lookups": [KARATE] * 3}, tolerance="1e-13", only={"lookups": "sparse"})


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    ragged = write_ragged(folder / "ragged.mtx")
    # Each of these in another order of threads, and the ragged one in all of them.
    graphs = [ragged, ragged, ragged, KARATE, ISOLATED, EMPTY]
    run_suite([make_spec(folder, dtype, graphs) for dtype in SHAPES]
              + [make_windows(folder), make_lookups(folder)], "rows")
