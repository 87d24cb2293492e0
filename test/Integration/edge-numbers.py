# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers at the edges of what functions and aggregators take, against what they are."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s

import subprocess

import numpy as np

EXPONENTS = [(-3, 32), (-2, 8), (-1, 64), (-128, 8)]  # known ones, and their bits
SPEC = "".join(f"""
func.func @power{-n}(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {{
  %r = mp.update (%a = %x : tensor<?x4xf32>) -> tensor<?x4xf32> {{
    %n = arith.constant dense<{n}> : tensor<4xi{bits}>
    %p = math.fpowi %a, %n : tensor<4xf32>, tensor<4xi{bits}>
    mp.yield %p : tensor<4xf32>
  }}
  return %r : tensor<?x4xf32>
}}
""" for n, bits in EXPONENTS) + """
func.func @power(%x: tensor<?x4xf32>, %n: tensor<?x4xi32>) -> tensor<?x4xf32> {
  %r = math.fpowi %x, %n : tensor<?x4xf32>, tensor<?x4xi32>
  return %r : tensor<?x4xf32>
}
func.func @sine(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = math.sin %x : tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
func.func @deviation(%g: !mp.graph, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%b = %x : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %b : tensor<4xf32>
  }
  %s = mp.aggregate %g std %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
"""


def run(entry, *options, **inputs):
    for name, values in inputs.items():
        np.save(f"{name}.npy", values)
    subprocess.run(["clique-run", "--O1", "edges.mlir", f"--entry={entry}", "--verify", "--output=o.npy",
                    *[f"--input={name}={name}.npy" for name in inputs], *options],
                   check=True, stdout=subprocess.DEVNULL)
    return np.load("o.npy")


with open("edges.mlir", "w", encoding="utf-8") as file:
    file.write(SPEC)
# As a float an exponent beyond 2^24 may lose that it is odd.
n = np.array([[16777215, 16777217, -33554435, 2**31 - 1], [16777216, 3, -3, 0]], np.int32)
np.testing.assert_array_equal(run("power", x=np.full((2, 4), -1, np.float32), n=n),
                              np.where(n % 2, -1, 1).astype(np.float32))
np.testing.assert_array_equal(run("power", x=np.array([[-0.0, 0, -2, 2]], np.float32),
                                  n=np.array([[-1, -1, 3, -1]], np.int32)), [[-np.inf, np.inf, -8, 0.5]])
ends = np.array([[-0.0, 0, np.inf, -np.inf], [1, -1, 1.5, -2]], np.float32)
for n, _ in EXPONENTS:
    with np.errstate(divide="ignore"):
        expected = ends ** np.float32(n)
    power = run(f"power{-n}", x=ends)
    np.testing.assert_allclose(power, expected, rtol=1e-5)
    np.testing.assert_array_equal(np.signbit(power), np.signbit(expected))
zeros = np.array([[-0.0, 0, -0.0, 0]], np.float32)
np.testing.assert_array_equal(np.signbit(run("sine", x=zeros)), np.signbit(zeros))
# Whose squares are infinite in f32.
large = np.full((40, 4), 1e20, np.float32)
for lowering in "sparse", "dense":
    for graph in "complete:40", "window:40,0":
        deviations = run("deviation", f"--graph={graph}", f"--lowering={lowering}", x=large)
        np.testing.assert_array_equal(deviations, np.zeros_like(large))
