# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights by the type of an edge: sums and means of products of odd sizes, of messages
that read both ends and the edge, with types beyond the table, hubs and no edges."""
# RUN: %python %S/Inputs/make_hubs.py %t.mtx
# RUN: %python %s %S/Inputs %t.mtx | FileCheck %s
# CHECK: typed edges: {{[0-9]+}} layers

import sys

sys.path.insert(0, sys.argv[1])

from layer_suite import (DUPLICATES, EMPTY, ISOLATED, KARATE, UNSORTED_COMPLETE, Layer,
                         run_suite)

HUBS = sys.argv[2]
GRAPHS = [KARATE, DUPLICATES, ISOLATED, EMPTY, UNSORTED_COMPLETE, HUBS, "complete_no_self:38",
          "bipartite:33x9", "causal:35", "window:40,3", "cliques:5,1,0,33", "blocks:40,9,2"]

SUM = """
func.func @typed_{kind}_{k}_{n}_{element}(%g: !mp.graph, %h: tensor<?x{k}x{element}>,
    %type: !mp.edges<i32>, %w: tensor<3x{k}x{n}x{element}>) -> tensor<?x{n}x{element}> {{
  %v = mp.message %g src(%hj = %h : tensor<?x{k}x{element}>) edge(%r = %type : !mp.edges<i32>)
      -> !mp.edges<{n}x{element}> {{
    %wr = mp.lookup %w[%r] : tensor<3x{k}x{n}x{element}>, tensor<i32> -> tensor<{k}x{n}x{element}>
    %m = mp.linear %hj, %wr
        : (tensor<{k}x{element}>, tensor<{k}x{n}x{element}>) -> tensor<{n}x{element}>
    mp.yield %m : tensor<{n}x{element}>
  }}
  %a = mp.aggregate %g {kind} %v : (!mp.edges<{n}x{element}>) -> tensor<?x{n}x{element}>
  return %a : tensor<?x{n}x{element}>
}}
"""

# The message reads both ends and the edge, the type is one of its numbers, too, and
# an update follows.
BOTH_ENDS = """
func.func @typed_both_ends(%g: !mp.graph, %x: tensor<?x16xf32>, %y: tensor<?x16xf32>,
    %e: !mp.edges<16xf32>, %type: !mp.edges<i32>, %w: tensor<5x16x24xf32>,
    %w0: tensor<24x7xf32>) -> tensor<?x7xf32> {
  %v = mp.message %g dst(%xi = %x : tensor<?x16xf32>) src(%yj = %y : tensor<?x16xf32>)
      edge(%eij = %e : !mp.edges<16xf32>, %r = %type : !mp.edges<i32>) -> !mp.edges<24xf32> {
    %number = arith.sitofp %r : tensor<i32> to tensor<f32>
    %numbers = mp.broadcast %number : tensor<f32> to tensor<16xf32>
    %d = arith.subf %xi, %yj : tensor<16xf32>
    %t = arith.mulf %d, %eij : tensor<16xf32>
    %z = arith.mulf %t, %numbers : tensor<16xf32>
    %wr = mp.lookup %w[%r] : tensor<5x16x24xf32>, tensor<i32> -> tensor<16x24xf32>
    %m = mp.linear %z, %wr : (tensor<16xf32>, tensor<16x24xf32>) -> tensor<24xf32>
    mp.yield %m : tensor<24xf32>
  }
  %a = mp.aggregate %g mean %v : (!mp.edges<24xf32>) -> tensor<?x24xf32>
  %o = mp.update (%ai = %a : tensor<?x24xf32>) -> tensor<?x7xf32> {
    %l = mp.linear %ai, %w0 : (tensor<24xf32>, tensor<24x7xf32>) -> tensor<7xf32>
    mp.yield %l : tensor<7xf32>
  }
  return %o : tensor<?x7xf32>
}
"""

# Nothing of the edge but its type and its number.
NUMBERS = """
func.func @typed_numbers(%g: !mp.graph, %y: tensor<?x16xf32>, %type: !mp.edges<i32>,
    %w: tensor<5x16x24xf32>, %t: tensor<64x16xf32>) -> tensor<?x24xf32> {
  %v = mp.message %g src(%yj = %y : tensor<?x16xf32>) edge(%r = %type : !mp.edges<i32>)
      -> !mp.edges<24xf32> {
    %number = mp.position edge : tensor<i64>
    %row = mp.lookup %t[%number] : tensor<64x16xf32>, tensor<i64> -> tensor<16xf32>
    %z = arith.addf %yj, %row : tensor<16xf32>
    %wr = mp.lookup %w[%r] : tensor<5x16x24xf32>, tensor<i32> -> tensor<16x24xf32>
    %m = mp.linear %z, %wr : (tensor<16xf32>, tensor<16x24xf32>) -> tensor<24xf32>
    mp.yield %m : tensor<24xf32>
  }
  %a = mp.aggregate %g sum %v : (!mp.edges<24xf32>) -> tensor<?x24xf32>
  return %a : tensor<?x24xf32>
}
"""

# Products that edges of a type cannot share: another aggregator, a bias.
APART = """
func.func @typed_apart(%g: !mp.graph, %h: tensor<?x16xf32>, %type: !mp.edges<i32>,
    %w: tensor<3x16x16xf32>, %b: tensor<16xf32>) -> (tensor<?x16xf32>, tensor<?x16xf32>) {
  %v, %u = mp.message %g src(%hj = %h : tensor<?x16xf32>) edge(%r = %type : !mp.edges<i32>)
      -> !mp.edges<16xf32>, !mp.edges<16xf32> {
    %wr = mp.lookup %w[%r] : tensor<3x16x16xf32>, tensor<i32> -> tensor<16x16xf32>
    %m = mp.linear %hj, %wr : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
    %n = mp.linear %hj, %wr bias %b
        : (tensor<16xf32>, tensor<16x16xf32>, tensor<16xf32>) -> tensor<16xf32>
    mp.yield %m, %n : tensor<16xf32>, tensor<16xf32>
  }
  %a = mp.aggregate %g max %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  %c = mp.aggregate %g sum %u : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %a, %c : tensor<?x16xf32>, tensor<?x16xf32>
}
"""


def typed_sum(kind, k, n, element):
    text = SUM.format(kind=kind, k=k, n=n, element=element)
    return Layer(f"typed_{kind}_{k}_{n}_{element}", text, GRAPHS)


run_suite([
    typed_sum("sum", 16, 16, "f32"),
    typed_sum("mean", 17, 33, "f32"),
    typed_sum("sum", 96, 5, "f32"),
    typed_sum("sum", 32, 48, "f64"),
    typed_sum("mean", 32, 32, "bf16"),
    Layer("typed_both_ends", BOTH_ENDS, [g for g in GRAPHS if "bipartite" not in g]),
    Layer("typed_numbers", NUMBERS, [KARATE, DUPLICATES, UNSORTED_COMPLETE, HUBS]),
    Layer("typed_apart", APART, GRAPHS),
], "typed edges")
