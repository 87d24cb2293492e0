# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense tiles of graphs that are no intervals: random blocks with missing and with stray edges,
rectangular, cut off, smaller than a tile. Every kind of aggregation, values of both ends and of
one, edge features in and out, positions."""
# RUN: %python %s %S/Inputs %t | FileCheck %s
# CHECK: tile lists: 4 layers, 58 runs
#
# The kernel says what it ran as, and NumPy agrees.
# RUN: clique-run %examples/attention.mlir --graph=%t/ragged.mtx --explain --lowering=dense \
# RUN:   | FileCheck %s --check-prefix=DENSE
# DENSE: kernel   attention_1: sparse, dense tiles: as asked for
# RUN: %python %S/Inputs/check_example.py %examples/attention.mlir --graph=%t/ragged.mtx \
# RUN:   --graph=%t/blocks64.mtx --graph=%t/unaligned.mtx \
# RUN:   | FileCheck %s --check-prefix=NUMPY
# NUMPY-COUNT-3: dense: max error
# RUN: %python %S/Inputs/check_example.py %examples/gated_edges.mlir --graph=%t/ragged.mtx \
# RUN:   --graph=%t/unaligned.mtx | FileCheck %s --check-prefix=EDGES
# EDGES-COUNT-2: dense: max error

import sys

sys.path.insert(0, sys.argv[1])

import block_graphs
from layer_suite import ISOLATED, KARATE, Layer, run_suite

ATTENTION = """
func.func @attention(%g: !mp.graph, %q: tensor<?x2x8xf32>, %k: tensor<?x2x8xf32>)
    -> tensor<?x2x8xf32> {
  %s, %v = mp.message %g dst(%qi = %q : tensor<?x2x8xf32>) src(%kj = %k : tensor<?x2x8xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2x8xf32> {
    %d = mp.dot %qi, %kj : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2xf32>
    mp.yield %d, %kj : tensor<2xf32>, tensor<2x8xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<2xf32>, !mp.edges<2x8xf32>) -> tensor<?x2x8xf32>
  return %m : tensor<?x2x8xf32>
}
"""

AGGREGATES = """
func.func @aggregates(%g: !mp.graph, %x: tensor<?x5xf32>, %y: tensor<?x5xf32>)
    -> (tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>,
        tensor<?x5xf32>) {
  %v, %u, %one = mp.message %g dst(%xi = %x : tensor<?x5xf32>) src(%yj = %y : tensor<?x5xf32>)
      -> !mp.edges<5xf32>, !mp.edges<5xf32>, !mp.edges<5xf32> {
    %m = arith.mulf %xi, %yj : tensor<5xf32>
    %c = arith.constant dense<1.0> : tensor<5xf32>
    mp.yield %m, %yj, %c : tensor<5xf32>, tensor<5xf32>, tensor<5xf32>
  }
  %a0 = mp.aggregate %g mean %v : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %a1 = mp.aggregate %g max %v : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %a2 = mp.aggregate %g std %u : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %a3 = mp.aggregate %g sum %one : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %a4 = mp.aggregate %g softmax(%v) %u : (!mp.edges<5xf32>, !mp.edges<5xf32>) -> tensor<?x5xf32>
  %a5 = mp.aggregate %g custom %u : (!mp.edges<5xf32>) -> tensor<?x5xf32>
    identity { %z = arith.constant dense<0.0> : tensor<5xf32>
               mp.yield %z : tensor<5xf32> }
    lift { ^bb0(%w: tensor<5xf32>): mp.yield %w : tensor<5xf32> }
    combine { ^bb0(%l: tensor<5xf32>, %r: tensor<5xf32>):
              %lr = arith.addf %l, %r : tensor<5xf32>
              mp.yield %lr : tensor<5xf32> }
    finalise { ^bb0(%w: tensor<5xf32>): mp.yield %w : tensor<5xf32> }
  return %a0, %a1, %a2, %a3, %a4, %a5 : tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>,
      tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>
}
"""

EDGES = """
func.func @edges(%g: !mp.graph, %x: tensor<?x3xf32>, %y: tensor<?x3xf32>, %e: !mp.edges<3xf32>)
    -> (tensor<?x3xf32>, !mp.edges<3xf32>) {
  %v = mp.message %g dst(%xi = %x : tensor<?x3xf32>) src(%yj = %y : tensor<?x3xf32>)
      edge(%eij = %e : !mp.edges<3xf32>) -> !mp.edges<3xf32> {
    %m = arith.mulf %xi, %yj : tensor<3xf32>
    %r = arith.addf %m, %eij : tensor<3xf32>
    mp.yield %r : tensor<3xf32>
  }
  %a = mp.aggregate %g sum %v : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  return %a, %v : tensor<?x3xf32>, !mp.edges<3xf32>
}
"""

# Tiles of 16 sources: the values of an edge are large.
LARGE = """
func.func @large(%g: !mp.graph, %x: tensor<?x16x16xf32>, %y: tensor<?x16x16xf32>)
    -> tensor<?x16x16xf32> {
  %v = mp.message %g dst(%xi = %x : tensor<?x16x16xf32>) src(%yj = %y : tensor<?x16x16xf32>)
      -> !mp.edges<16x16xf32> {
    %m = arith.mulf %xi, %yj : tensor<16x16xf32>
    mp.yield %m : tensor<16x16xf32>
  }
  %a = mp.aggregate %g max %v : (!mp.edges<16x16xf32>) -> tensor<?x16x16xf32>
  return %a : tensor<?x16x16xf32>
}
"""

lists = block_graphs.write_all(sys.argv[2])
graphs = [*lists, KARATE, ISOLATED, "blocks:100,24,3"]
layers = [Layer("attention", ATTENTION, graphs), Layer("aggregates", AGGREGATES, graphs),
          Layer("edges", EDGES, graphs)]
# What a tile's words are, is the same for all: two graphs.
layers.append(Layer("large", LARGE, [lists[1], lists[3]]))
run_suite(layers, "tile lists")
