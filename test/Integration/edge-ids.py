# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edges whose numbers are listed, in order, or computed from their ends: features are read and
written at them, and a maximum's gradient goes to the edge of that number. What is not listed
needs no memory."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s

import resource
import subprocess

SPEC = """
func.func @features(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>)
    -> (tensor<?x4xf32>, !mp.edges<4xf32>, tensor<?x4xi64>) {
  %r = mp.reverse %g : !mp.graph -> !mp.graph
  %m = mp.message %r dst(%a = %h : tensor<?x4xf32>) src(%b = %h : tensor<?x4xf32>)
      edge(%c = %e : !mp.edges<4xf32>) -> !mp.edges<4xf32> {
    %s = arith.addf %a, %c : tensor<4xf32>
    %p = arith.mulf %s, %b : tensor<4xf32>
    mp.yield %p : tensor<4xf32>
  }
  %o = mp.aggregate %r sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %v, %n = mp.aggregate %r max %m : (!mp.edges<4xf32>) -> (tensor<?x4xf32>, tensor<?x4xi64>)
  %t = arith.addf %o, %v : tensor<?x4xf32>
  return %t, %m, %n : tensor<?x4xf32>, !mp.edges<4xf32>, tensor<?x4xi64>
}
func.func @largest(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g dst(%a = %h : tensor<?x4xf32>) src(%b = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %p = arith.mulf %a, %b : tensor<4xf32>
    mp.yield %p : tensor<4xf32>
  }
  %r = mp.aggregate %g max %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
"""
# One edge, edges in order, the reverse of graphs of intervals, and edges that are listed.
GRAPHS = ["complete:1", "complete:50", "causal:90", "window:120,3", "cliques:1,40,9",
          "complete_no_self:40", "blocks:60,5,3", "shuffled.mtx"]


def run(entry, graph, *options):
    subprocess.run(["clique-run", "--O1", "edges.mlir", f"--entry={entry}", f"--graph={graph}",
                    "--repeat=1", *options], check=True, stdout=subprocess.DEVNULL)


with open("edges.mlir", "w", encoding="utf-8") as file:
    file.write(SPEC)
with open("shuffled.mtx", "w", encoding="utf-8") as file:
    file.write("%%MatrixMarket matrix coordinate pattern general\n50 50 400\n")
    # Neighbours are far apart.
    file.writelines(f"{k * 37 % 50 + 1} {k * 211 // 8 % 50 + 1}\n" for k in range(400))
for graph in GRAPHS:
    lowerings = ["sparse"] if graph.endswith("mtx") else ["sparse", "dense"]
    for lowering in lowerings:
        run("features", graph, "--verify", f"--lowering={lowering}")
        run("largest", graph, "--gradients", "--verify", f"--lowering={lowering}")
run("largest", "causal:100", "--gradients", "--lowering=dense")
least = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
run("largest", "causal:8000", "--gradients", "--lowering=dense")
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
# Listed, its 32 million numbers are 244 MiB, and as many of its reverse.
assert most - least < 128 << 10, f"{least} KiB for a small graph, {most} KiB for a large one"
