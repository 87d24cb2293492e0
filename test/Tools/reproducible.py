# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same spec becomes the same artefact, byte for byte, each time that it is compiled, wherever
the system puts the compiler's memory."""

# RUN: rm -rf %t && mkdir %t && %python %s %t

import pathlib
import subprocess
import sys

WORK = pathlib.Path(sys.argv[1])
EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
# Each with a constant of its own.
TABLES = WORK / "tables.mlir"
TABLES.write_text("".join(f"""
func.func @layer{k}(%g: !mp.graph<sparse>, %i: tensor<?xi32>) -> tensor<?x4xf32> {{
  %t = arith.constant dense<[[{k}.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<2x4xf32>
  %m = mp.message %g : !mp.graph<sparse> src(%a = %i : tensor<?xi32>) -> !mp.edges<4xf32> {{
    %v = mp.lookup %t[%a] : tensor<2x4xf32>, tensor<i32> -> tensor<4xf32>
    mp.yield %v : tensor<4xf32>
  }}
  %n = mp.aggregate %g : !mp.graph<sparse> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %n : tensor<?x4xf32>
}}
""" for k in range(6)))


def check(spec, output, *options):
    made = set()
    for _ in range(5):
        subprocess.run(["clique-compile", spec, *options, "-o", WORK / output], check=True)
        made.add((WORK / output).read_bytes())
    assert len(made) == 1, f"{spec} {options}: {len(made)} artefacts"


check(TABLES, "tables.so")
# Tensors with several uses, of which bufferization chooses one.
check(EXAMPLES / "edgeconv.mlir", "edgeconv.mlir", "--gradients", "--emit=memref")
check(EXAMPLES / "pna.mlir", "pna.mlir", "--target=cuda", "--gpu-arch=emulated")
