# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Infinities in files: a mask of scores, also one that leaves a node no edge, and what a
forward function keeps of nodes without edges, which its backward function reads again."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s %S/Inputs/graphs/isolated.mtx | FileCheck %s
# CHECK: masked attention: ok
# CHECK: sums of exponentials by their logarithms: ok

import pathlib
import subprocess
import sys

import numpy as np

GRAPH = sys.argv[1]
SIZES, *EDGES = [[int(word) for word in line.split()]
                 for line in pathlib.Path(GRAPH).read_text().splitlines() if line[0] != "%"]
DST, SRC = np.array(EDGES).T[:2] - 1
NODES, WIDTH = SIZES[0], 4

ATTENTION = """
func.func @attend(%g: !mp.graph, %h: tensor<?x4xf32>, %mask: !mp.edges<f32>) -> tensor<?x4xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      edge(%m = %mask : !mp.edges<f32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %d = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %s = arith.addf %d, %m : tensor<f32>
    mp.yield %s, %hj : tensor<f32>, tensor<4xf32>
  }
  %r = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""

# log(exp(a) + exp(b)), of which the identity is -inf.
EXPONENTIALS = """
func.func @add(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %v = mp.message %g src(%x = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %x : tensor<4xf32>
  }
  %n = mp.aggregate %g custom %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    identity {
      %none = arith.constant dense<0xFF800000> : tensor<4xf32>
      mp.yield %none : tensor<4xf32>
    }
    lift {
    ^bb0(%u: tensor<4xf32>):
      mp.yield %u : tensor<4xf32>
    }
    combine {
    ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
      %max = arith.maximumf %a, %b : tensor<4xf32>
      %min = arith.minimumf %a, %b : tensor<4xf32>
      %less = arith.subf %min, %max : tensor<4xf32>
      %e = math.exp %less : tensor<4xf32>
      %l = math.log1p %e : tensor<4xf32>
      %c = arith.addf %max, %l : tensor<4xf32>
      mp.yield %c : tensor<4xf32>
    }
    finalise {
    ^bb0(%a: tensor<4xf32>):
      %e = math.exp %a : tensor<4xf32>
      mp.yield %e : tensor<4xf32>
    }
  return %n : tensor<?x4xf32>
}
"""


def run(*command):
    done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{command}: {done.stdout}")


def add_rows(values):
    """The sum of the edges' values at each destination."""
    sums = np.zeros((NODES, WIDTH))
    np.add.at(sums, DST, values)
    return sums


random = np.random.default_rng(1)
h = random.standard_normal((NODES, WIDTH)).astype(np.float32)
np.save("h.npy", h)

# Half the edges, and all those into the node that has most.
mask = np.where((random.random(len(DST)) < 0.5) | (DST == np.bincount(DST).argmax()), -np.inf, 0)
np.save("mask.npy", mask.astype(np.float32))
pathlib.Path("attend.mlir").write_text(ATTENTION)
weight = np.exp(np.sum(h[DST] * h[SRC], 1) + mask)[:, None]
expected = add_rows(weight * h[SRC]) / np.maximum(add_rows(weight), np.finfo(np.float32).tiny)
for lowering in "dense", "sparse":
    run("clique-run", "attend.mlir", f"--graph={GRAPH}", f"--lowering={lowering}", "--verify",
        "--input=h=h.npy", "--input=mask=mask.npy", "--output=r.npy")
    np.testing.assert_allclose(np.load("r.npy"), expected, rtol=1e-5, atol=1e-6)
print("masked attention: ok")

cotangent = random.standard_normal((NODES, WIDTH)).astype(np.float32)
np.save("cotangent.npy", cotangent)
pathlib.Path("add.mlir").write_text(EXPONENTIALS)
run("clique-compile", "add.mlir", "--gradients", "-o", "add.so")
run("clique-run", "add.so", "--entry=add_forward", f"--graph={GRAPH}", "--input=h=h.npy",
    "--output=out=out.npy", "--output=kept0=kept.npy")
np.testing.assert_allclose(np.load("out.npy"), add_rows(np.exp(h[SRC])), rtol=1e-5)
assert np.isneginf(np.load("kept.npy")).any()
run("clique-run", "add.so", "--entry=add_backward", f"--graph={GRAPH}", "--input=h=h.npy",
    "--input=kept0=kept.npy", "--input=grad_out=cotangent.npy", "--output=grad_h=gradient.npy")
DST, SRC = SRC, DST
expected = np.exp(h) * add_rows(cotangent[SRC])
np.testing.assert_allclose(np.load("gradient.npy"), expected, rtol=1e-4, atol=1e-6)
print("sums of exponentials by their logarithms: ok")
