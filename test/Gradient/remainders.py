# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradient of x - q d by the divisor is -q, of the q that the remainder was computed with, where x
/ d is rounded to the next integer."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s

import pathlib
import subprocess

import numpy as np

pathlib.Path("spec.mlir").write_text("""
func.func @rest(%x: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %r = mp.update (%a = %x : tensor<?xf32>, %b = %d : tensor<?xf32>) -> tensor<?xf32> {
    %c = arith.remf %a, %b : tensor<f32>
    mp.yield %c : tensor<f32>
  }
  return %r : tensor<?xf32>
}
""")
divisor = np.float32(0.7)
factors = np.arange(1, 100)
x = np.concatenate([(factors * np.float64(divisor)).astype(np.float32)] * 3)
x[99:198] = np.nextafter(x[99:198], np.float32(0))
x[198:] = -np.nextafter(x[198:], np.float32(1000))
quotients = np.trunc(x.astype(np.float64) / np.float64(divisor))
assert np.any(quotients != np.trunc(x / divisor))
np.save("x.npy", x)
np.save("d.npy", np.full_like(x, divisor))
subprocess.run(["clique-run", "-O1", "spec.mlir", "--gradients", "--input=x=x.npy", "--input=d=d.npy",
                "--output=grad_x=grad_x.npy", "--output=grad_d=grad_d.npy"], check=True)
given, slope = np.load("grad_x.npy"), np.load("grad_d.npy")
assert np.allclose(slope, -quotients * given, rtol=1e-5), slope / given + quotients
