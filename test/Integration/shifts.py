# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shifts by any number of bits, known or not: 0 or the sign from the width on, on each processor."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s

import subprocess

import numpy as np

SPEC = """
func.func @shifts(%a: tensor<?x8xi32>, %s: tensor<8xi32>, %n: i32)
    -> (tensor<?x8xi32>, tensor<?x8xi32>, tensor<?x8xi32>, tensor<?x8xi32>) {
  %left, %known = mp.update (%x = %a : tensor<?x8xi32>) -> tensor<?x8xi32>, tensor<?x8xi32> {
    %c = arith.constant dense<40> : tensor<8xi32>
    %y = arith.shli %x, %s : tensor<8xi32>
    %z = arith.shli %x, %c : tensor<8xi32>
    mp.yield %y, %z : tensor<8xi32>, tensor<8xi32>
  }
  %sign = mp.update (%x = %a : tensor<?x8xi32>) -> tensor<?x8xi32> {
    %t = tensor.splat %n : tensor<8xi32>
    %y = arith.shrsi %x, %t : tensor<8xi32>
    mp.yield %y : tensor<8xi32>
  }
  %right = arith.shrui %a, %left : tensor<?x8xi32>
  return %left, %known, %sign, %right
      : tensor<?x8xi32>, tensor<?x8xi32>, tensor<?x8xi32>, tensor<?x8xi32>
}
"""


def shift(numbers, amounts, right):
    inside = (amounts >= 0) & (amounts < 32)
    shifted = np.where(right, numbers.astype(np.uint32) >> np.where(inside, amounts, 0),
                       numbers.astype(np.uint32) << np.where(inside, amounts, 0))
    return np.where(inside, shifted, 0).astype(np.uint32).view(np.int32)


with open("shifts.mlir", "w", encoding="utf-8") as file:
    file.write(SPEC)
a = np.random.default_rng(1).integers(-2**31, 2**31, (5, 8)).astype(np.int32)
s = np.array([0, 1, 31, 32, 33, 64, -1, 40], np.int32)
np.save("a.npy", a)
np.save("s.npy", s)
for cpu in "x86-64-v2", "x86-64-v3", "x86-64-v4":
    subprocess.run(["clique-compile", "--O1", "shifts.mlir", f"--cpu={cpu}", "-o", "shifts.so"], check=True)
    run = subprocess.run(["clique-run", "shifts.so", "--spec=shifts.mlir", "--input=a=a.npy", "--input=s=s.npy",
                          "--input=n=40", "--verify", *[f"--output=out{k}=out{k}.npy" for k in range(4)]],
                         capture_output=True, text=True)
    if "lacks" in run.stderr:  # this processor
        continue
    assert run.returncode == 0, run.stdout + run.stderr
    left = shift(a, s, False)
    for k, expected in enumerate([left, np.zeros_like(a), a >> 31, shift(a, left, True)]):
        np.testing.assert_array_equal(np.load(f"out{k}.npy"), expected)
