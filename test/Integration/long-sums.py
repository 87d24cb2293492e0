# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of many terms: of whole tensors, parts of a batch, the features of a node, and the
sources of one destination. One term after the other 2^24 ones are as many as f32 can count, and a
million random terms have errors of 1e-5."""
# RUN: %python %s | FileCheck %s
# CHECK: long sums: {{[0-9]+}} results

import pathlib
import subprocess
import sys
import tempfile

import numpy

SPEC = """
func.func @sum(%x: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%z : tensor<f32>)
      dimensions = [0]
  return %s : tensor<f32>
}
func.func @subtracted(%x: tensor<?xf32>, %y: tensor<?x8xf32>) -> (tensor<f32>, tensor<8xf32>) {
  %z = arith.constant dense<0.0> : tensor<f32>
  %zs = arith.constant dense<0.0> : tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>],
                       iterator_types = ["reduction"]}
      ins(%x : tensor<?xf32>) outs(%z : tensor<f32>) {
    ^bb0(%xi: f32, %sum: f32):
      %d = arith.subf %sum, %xi : f32
      linalg.yield %d : f32
  } -> tensor<f32>
  %t = linalg.reduce ins(%y : tensor<?x8xf32>) outs(%zs : tensor<8xf32>) dimensions = [0]
    (%yi: f32, %sum: f32) {
      %p = arith.mulf %yi, %yi : f32
      %d = arith.subf %sum, %p : f32
      linalg.yield %d : f32
    }
  return %s, %t : tensor<f32>, tensor<8xf32>
}
func.func @half(%x: tensor<?xbf16>) -> tensor<bf16> {
  %z = arith.constant dense<0.0> : tensor<bf16>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xbf16>) outs(%z : tensor<bf16>)
      dimensions = [0]
  return %s : tensor<bf16>
}
func.func @half_steps(%x: tensor<?xf16>) -> (tensor<f16>, tensor<f16>) {
  %z = arith.constant dense<0.0> : tensor<f16>
  %s:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>,
                                          affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf16>) outs(%z, %z : tensor<f16>, tensor<f16>) {
    ^bb0(%xi: f16, %sum: f16, %squares: f16):
      %near = arith.constant 0.9995 : f16
      %once = arith.addf %sum, %xi : f16
      %twice = arith.addf %once, %xi : f16
      %square = arith.mulf %xi, %xi : f16
      %less = arith.mulf %squares, %near : f16
      %more = arith.addf %less, %square : f16
      linalg.yield %twice, %more : f16, f16
  } -> (tensor<f16>, tensor<f16>)
  return %s#0, %s#1 : tensor<f16>, tensor<f16>
}
func.func @dot(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.dot ins(%x, %y : tensor<?xf32>, tensor<?xf32>) outs(%z : tensor<f32>)
      -> tensor<f32>
  return %s : tensor<f32>
}
func.func @columns(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %z = arith.constant dense<0.0> : tensor<8xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x8xf32>) outs(%z : tensor<8xf32>)
      dimensions = [0]
  return %s : tensor<8xf32>
}
func.func @all(%x: tensor<?x8xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x8xf32>) outs(%z : tensor<f32>)
      dimensions = [0, 1]
  return %s : tensor<f32>
}
func.func @product(%x: tensor<3x?xf32>, %y: tensor<?x5xf32>) -> tensor<3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x5xf32>
  %s = linalg.matmul ins(%x, %y : tensor<3x?xf32>, tensor<?x5xf32>) outs(%z : tensor<3x5xf32>)
      -> tensor<3x5xf32>
  return %s : tensor<3x5xf32>
}
func.func @readout(%o: tensor<?xi64>, %x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %s = mp.readout %o sum %x : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %d = mp.readout %o std %x : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return %s, %d : tensor<?x8xf32>, tensor<?x8xf32>
}
func.func @gathered(%g: !mp.graph, %lowest: tensor<?xf32>, %x: tensor<?xf32>)
    -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %m = mp.message %g dst(%a = %lowest : tensor<?xf32>) src(%xj = %x : tensor<?xf32>)
      -> !mp.edges<f32> {
    %y = arith.maximumf %a, %xj : tensor<f32>
    mp.yield %y : tensor<f32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
  %t = mp.aggregate %g softmax(%m) %m : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
  %u = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity {
      %zero = arith.constant dense<0.0> : tensor<f32>
      mp.yield %zero : tensor<f32>
    }
    lift {
    ^bb0(%y: tensor<f32>):
      mp.yield %y : tensor<f32>
    }
    combine {
    ^bb0(%y: tensor<f32>, %z: tensor<f32>):
      %sum = arith.addf %y, %z : tensor<f32>
      mp.yield %sum : tensor<f32>
    }
    finalise {
    ^bb0(%y: tensor<f32>):
      mp.yield %y : tensor<f32>
    }
  return %s, %t, %u : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}
func.func @one_end(%g: !mp.graph, %own: tensor<?x4xf32>, %x: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %m, %n = mp.message %g dst(%xi = %own : tensor<?x4xf32>) src(%xj = %x : tensor<?x4xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4xf32> {
    mp.yield %xi, %xj : tensor<4xf32>, tensor<4xf32>
  }
  %s, %t = mp.aggregate %g mean %m, %n : (!mp.edges<4xf32>, !mp.edges<4xf32>)
      -> (tensor<?x4xf32>, tensor<?x4xf32>)
  return %s, %t : tensor<?x4xf32>, tensor<?x4xf32>
}
func.func @listed(%g: !mp.graph, %x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %m, %e = mp.message %g src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<4xf32>, !mp.edges<f32> {
    %score = mp.reduce max %xj dims [0] : tensor<4xf32> -> tensor<f32>
    mp.yield %xj, %score : tensor<4xf32>, tensor<f32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %t = mp.aggregate %g softmax(%e) %m : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s, %t : tensor<?x4xf32>, tensor<?x4xf32>
}
func.func @typed(%g: !mp.graph, %x: tensor<?x16xf32>, %w: tensor<3x16x16xf32>, %t: !mp.edges<i32>)
    -> tensor<?x16xf32> {
  %m = mp.message %g src(%xj = %x : tensor<?x16xf32>) edge(%r = %t : !mp.edges<i32>)
      -> !mp.edges<16xf32> {
    %wr = mp.lookup %w[%r] : tensor<3x16x16xf32>, tensor<i32> -> tensor<16x16xf32>
    %l = mp.linear %xj, %wr : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
    mp.yield %l : tensor<16xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %s : tensor<?x16xf32>
}
"""
FEATURES = """
func.func @linear(%x: tensor<?x16384xf32>, %w: tensor<16384x4xf32>) -> tensor<?x4xf32> {
  %y = mp.linear %x, %w : (tensor<?x16384xf32>, tensor<16384x4xf32>) -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
"""
REDUCED = """
func.func @dots(%x: tensor<?x16384xf32>, %y: tensor<?x16384xf32>) -> tensor<?xf32> {
  %d = mp.dot %x, %y : (tensor<?x16384xf32>, tensor<?x16384xf32>) -> tensor<?xf32>
  return %d : tensor<?xf32>
}
func.func @reduced(%x: tensor<?x64x256x3xf32>) -> tensor<?x3xf32> {
  %s = mp.reduce sum %x dims [1, 2] : tensor<?x64x256x3xf32> -> tensor<?x3xf32>
  return %s : tensor<?x3xf32>
}
"""
FOLDER = pathlib.Path(tempfile.mkdtemp())
checked = 0


def check(entry, expected, options=(), tolerance=1e-6, layer="sums.so", **inputs):
    """Runs a layer with one thread and with two, and compares with `expected`."""
    global checked
    for name, array in inputs.items():
        numpy.save(FOLDER / f"{name}.npy", array)
    names = ["out"] if len(expected) == 1 else [f"out{k}" for k in range(len(expected))]
    found = []
    for threads in (1, 2):
        command = ["clique-run", FOLDER / layer, f"--entry={entry}", f"--threads={threads}",
                   *options, *(f"--input={name}={FOLDER / name}.npy" for name in inputs),
                   *(f"--output={name}={FOLDER / name}.npy" for name in names)]
        done = subprocess.run([str(word) for word in command], check=False, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            sys.exit(f"{entry}: {done.stdout}")
        found.append([numpy.load(FOLDER / f"{name}.npy") for name in names])
    for one, two, right in zip(*found, expected):
        error = numpy.abs(one.astype(numpy.float64) / right - 1).max()
        if not error <= tolerance:
            sys.exit(f"{entry} {options}: error {error}, expected at most {tolerance}")
        if one.tobytes() != two.tobytes():
            sys.exit(f"{entry} {options}: differs between 1 and 2 threads")
        checked += 1


def main():
    (FOLDER / "sums.mlir").write_text(SPEC)
    subprocess.run(["clique-compile", FOLDER / "sums.mlir", "-o", FOLDER / "sums.so"], check=True)
    count = 2**24 + 1000
    check("sum", [count], x=numpy.ones(count, numpy.float32), tolerance=1e-7)
    check("subtracted", [-count, -2**20], x=numpy.ones(count, numpy.float32), tolerance=1e-7,
          y=numpy.ones((2**20, 8), numpy.float32))
    check("half", [20000], x=numpy.ones(20000, numpy.float32), tolerance=4e-3)
    near = float(numpy.float16(0.9995))
    check("half_steps", [20000, (1 - near**10000) / (1 - near)], tolerance=1e-3,
          x=numpy.ones(10000, numpy.float16))
    random = numpy.random.default_rng(1)
    x = random.random(2**20).astype(numpy.float32)
    y = random.random(2**20).astype(numpy.float32)
    x64, y64 = x.astype(numpy.float64), y.astype(numpy.float64)
    check("sum", [x64.sum()], x=x)
    check("dot", [x64 @ y64], x=x, y=y)
    wide, wide64 = x.reshape(-1, 8), x64.reshape(-1, 8)
    check("columns", [wide64.sum(0)], x=wide)
    check("all", [x64.sum()], x=wide)
    check("product", [x64[:60000].reshape(3, -1) @ y64[:100000].reshape(-1, 5)],
          x=x[:60000].reshape(3, -1), y=y[:100000].reshape(-1, 5))
    check("readout", [wide64.sum(0), wide64.std(0)], o=numpy.array([0, len(wide)]), x=wide,
          tolerance=3e-6)
    # Equal terms, whose rounding errors have one sign: 1 / 3.
    zero = numpy.zeros(1, numpy.float32)
    for terms in (x[:2**19], numpy.full(2**19, 1 / 3, numpy.float32)):
        exact = terms.astype(numpy.float64)
        weights = numpy.exp(exact)
        expected = [exact.sum(), (weights * exact).sum() / weights.sum(), exact.sum()]
        for lowering in ("dense", "sparse"):
            check("gathered", expected, (f"--graph=bipartite:1x{2**19}", f"--lowering={lowering}"),
                  lowest=zero, x=terms, tolerance=3e-6)
    # What depends on sources alone, and what is of one type.
    count = 2**15
    value = float(numpy.float32(0.7))
    for lowering in ("dense", "sparse"):
        check("listed", [count * value, value],
              (f"--graph=bipartite:3x{count}", f"--lowering={lowering}"),
              x=numpy.full((count, 4), 0.7, numpy.float32), tolerance=3e-6)
    check("typed", [count * 16 * value**2], (f"--graph=bipartite:1x{count}", "--lowering=sparse"),
          x=numpy.full((count, 16), 0.7, numpy.float32), t=numpy.ones(count, numpy.int32),
          w=numpy.full((3, 16, 16), 0.7, numpy.float32), tolerance=5e-6)
    # Rows that are shorter than those that are divided, or little longer; groups of tiles.
    for count in (1000, 1024, 2000, 3500):
        # Of all numbers these have nearly the largest errors.
        terms = numpy.full(count, 0.518875 if count == 1000 else 0.9935, numpy.float32)
        value = float(terms[0])
        for lowering, tolerance in (("sparse", 1e-5), ("dense", 2e-6)):
            check("gathered", [count * value, value, count * value],
                  (f"--graph=bipartite:1x{count}", f"--lowering={lowering}"), lowest=zero,
                  x=terms, tolerance=tolerance)
            check("one_end", [value, value],
                  (f"--graph=bipartite:1x{count}", f"--lowering={lowering}"),
                  own=terms[:4].reshape(1, 4), x=terms.repeat(4).reshape(-1, 4),
                  tolerance=tolerance)


def check_features():
    """Equal products of 16384 features, one after the other 2e-4 off."""
    for target in ([], ["--target=cuda", "--gpu-arch=emulated"]):
        (FOLDER / "features.mlir").write_text(FEATURES if target else FEATURES + REDUCED)
        subprocess.run(["clique-compile", FOLDER / "features.mlir", *target, "-o",
                        FOLDER / "features.so"], check=True)
        run = {"options": ["--emulate"] if target else [], "layer": "features.so"}
        x = numpy.full((3, 16384), 0.7, numpy.float32)
        term = float(x[0, 0])
        w = numpy.full((16384, 4), 0.7, numpy.float32)
        check("linear", [16384 * term**2], **run, x=x, w=w, tolerance=5e-6)
        if not target:
            check("dots", [16384 * term**2], **run, x=x, y=x, tolerance=5e-6)
            x = numpy.full((2, 64, 256, 3), 0.7, numpy.float32)
            check("reduced", [16384 * term], **run, x=x, tolerance=5e-6)


main()
check_features()
print(f"long sums: {checked} results")
