# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Casts of indices to fewer bits and back, and powers of indices, against NumPy and the reference."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s

import subprocess

import numpy as np

SPEC = """
func.func @casts(%x: tensor<?x4xindex>) -> (tensor<?x4xindex>, tensor<?x4xindex>, tensor<?x4xindex>) {
  %y, %p = mp.update (%a = %x : tensor<?x4xindex>) -> tensor<?x4xindex>, tensor<?x4xindex> {
    %b = arith.index_cast %a : tensor<4xindex> to tensor<4xi8>
    %c = arith.index_cast %b : tensor<4xi8> to tensor<4xindex>
    %three = arith.constant dense<3> : tensor<4xindex>
    %q = math.ipowi %c, %three : tensor<4xindex>
    mp.yield %c, %q : tensor<4xindex>, tensor<4xindex>
  }
  %d = arith.index_castui %x : tensor<?x4xindex> to tensor<?x4xi16>
  %z = arith.index_castui %d : tensor<?x4xi16> to tensor<?x4xindex>
  return %y, %z, %p : tensor<?x4xindex>, tensor<?x4xindex>, tensor<?x4xindex>
}
"""

with open("casts.mlir", "w", encoding="utf-8") as file:
    file.write(SPEC)
x = np.array([[300, -129, 70000, 2], [2**40 + 5, -1, 2**63 - 1, 127]], np.int64)
np.save("x.npy", x)
subprocess.run(["clique-run", "--O1", "casts.mlir", "--input=x=x.npy", "--verify",
                *[f"--output=out{k}=out{k}.npy" for k in range(3)]], check=True, stdout=subprocess.DEVNULL)
low = x.astype(np.int8).astype(np.int64)
for k, expected in enumerate([low, x.astype(np.uint16).astype(np.int64), low**3]):
    np.testing.assert_array_equal(np.load(f"out{k}.npy"), expected)
