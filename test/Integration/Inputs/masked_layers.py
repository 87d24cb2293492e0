# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in which what is no edge would have a value that shows: masks, infinite numbers,
divisions by 0, borders of tiles."""

from layer_suite import DUPLICATES, KARATE, Layer


def masked(name, condition):
    """Scores of -inf where the condition %keep does not hold."""
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x8xf32>, %x0: tensor<?x8xf32>)
    -> (tensor<?x8xf32>, tensor<?x8xf32>) {{
  %s, %p, %v = mp.message %g dst(%hi = %h : tensor<?x8xf32>) src(%xj = %x0 : tensor<?x8xf32>)
      -> !mp.edges<f32>, !mp.edges<8xf32>, !mp.edges<8xf32> {{
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    {condition}
    %d = mp.dot %hi, %xj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
    %never = arith.constant dense<0xFF800000> : tensor<f32>
    %e = arith.select %keep, %d, %never : tensor<i1>, tensor<f32>
    %m = arith.mulf %hi, %xj : tensor<8xf32>
    %b = mp.broadcast %e : tensor<f32> to tensor<8xf32>
    %q = arith.addf %m, %b : tensor<8xf32>
    mp.yield %e, %q, %xj : tensor<f32>, tensor<8xf32>, tensor<8xf32>
  }}
  %a = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  %c = mp.aggregate %g softmax(%p) %v : (!mp.edges<8xf32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return %a, %c : tensor<?x8xf32>, tensor<?x8xf32>
}}
""", [KARATE, DUPLICATES, "complete:67", "complete_no_self:38", "bipartite:33x9",
      "cliques:5,1,0,33"])


# By numbers of nodes, some of them 0, as are those that fill a tile at a border.
DIVIDED_NODES = """
func.func @divided_nodes(%g: !mp.graph, %h: tensor<?x4xi32>) -> tensor<?x4xf32> {
  %d = mp.message %g dst(%hi = %h : tensor<?x4xi32>) src(%hj = %h : tensor<?x4xi32>)
      -> !mp.edges<4xf32> {
    %q = arith.divsi %hi, %hj : tensor<4xi32>
    %r = arith.remui %hj, %hi : tensor<4xi32>
    %s = arith.addi %q, %r : tensor<4xi32>
    %f = arith.sitofp %s : tensor<4xi32> to tensor<4xf32>
    mp.yield %f : tensor<4xf32>
  }
  %a = mp.aggregate %g sum %d : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a : tensor<?x4xf32>
}
"""

# What is no edge counts nothing, even where its value would be infinite: the
# reciprocal of a difference of positions, on graphs without self-loops.
NO_EDGE_NO_VALUE = """
func.func @no_edge_no_value(%g: !mp.graph, %h: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {
  %s, %v = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<f32>, !mp.edges<4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %j, %i : tensor<i32>
    %f = arith.sitofp %d : tensor<i32> to tensor<f32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %t = arith.divf %one, %f : tensor<f32>
    %b = mp.broadcast %t : tensor<f32> to tensor<4xf32>
    %w = arith.mulf %b, %hj : tensor<4xf32>
    mp.yield %t, %w : tensor<f32>, tensor<4xf32>
  }
  %a0 = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %a1 = mp.aggregate %g max %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %a2 = mp.aggregate %g std %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %a3 = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  %a4 = mp.aggregate %g custom %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
    identity { %z = arith.constant dense<0.0> : tensor<4xf32>
               mp.yield %z : tensor<4xf32> }
    lift { ^bb0(%u: tensor<4xf32>): mp.yield %u : tensor<4xf32> }
    combine { ^bb0(%l: tensor<4xf32>, %r: tensor<4xf32>):
              %lr = arith.addf %l, %r : tensor<4xf32>
              mp.yield %lr : tensor<4xf32> }
    finalise { ^bb0(%u: tensor<4xf32>): mp.yield %u : tensor<4xf32> }
  return %a0, %a1, %a2, %a3, %a4
      : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}
"""

# Nor does a source count for a row without an edge from it, whatever others of its
# tile have; one with an edge counts, with a weight of 0 too.
def infinite_source(name, score):
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>) {{
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      -> !mp.edges<f32>, !mp.edges<4xf32> {{
    %j = mp.position src : tensor<i32>
    %twenty = arith.constant dense<20> : tensor<i32>
    %d = arith.subi %j, %twenty : tensor<i32>
    %f = arith.sitofp %d : tensor<i32> to tensor<f32>
    %one = arith.constant dense<1.0> : tensor<f32>
    %t = arith.divf %one, %f : tensor<f32>
    %b = mp.broadcast %t : tensor<f32> to tensor<4xf32>
    %a = math.absf %hj : tensor<4xf32>
    %w = arith.mulf %b, %a : tensor<4xf32>
    %dot = mp.dot %hi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %never = arith.constant dense<0xFF800000> : tensor<f32>
    %same = arith.cmpi eq, %j, %twenty : tensor<i32>
    %masked = arith.select %same, %never, %dot : tensor<i1>, tensor<f32>
    mp.yield %{score}, %w : tensor<f32>, tensor<4xf32>
  }}
  %a0 = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  %a1 = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %a2 = mp.aggregate %g max %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %a3 = mp.aggregate %g std %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a0, %a1, %a2, %a3 : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>
}}
""", ["causal:75", "complete:67", "complete_no_self:38", "window:40,3", "cliques:5,1,0,33", KARATE])


NO_PADDING = """
func.func @no_padding(%g: !mp.graph, %h: tensor<?x4xf32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %s, %v = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32>, !mp.edges<4xf32> {
    %one = arith.constant dense<1.0> : tensor<4xf32>
    %r = arith.divf %one, %hj : tensor<4xf32>
    mp.yield %hj, %r : tensor<4xf32>, tensor<4xf32>
  }
  %a = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %b = mp.aggregate %g softmax(%s) %v : (!mp.edges<4xf32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf32>
}
"""

MASKED_LAYERS = [
    masked("mask_causal", "%keep = arith.cmpi sle, %j, %i : tensor<i32>"),
    masked("mask_first_half", """%ten = arith.constant dense<10> : tensor<i32>
    %keep = arith.cmpi slt, %i, %ten : tensor<i32>"""),
    masked("mask_all", "%keep = arith.constant dense<false> : tensor<i1>"),
    masked("mask_late", """%ten = arith.constant dense<20> : tensor<i32>
    %keep = arith.cmpi sgt, %j, %ten : tensor<i32>"""),
    Layer("no_edge_no_value", NO_EDGE_NO_VALUE, ["complete_no_self:38", KARATE]),
    Layer("divided_nodes", DIVIDED_NODES, ["causal:38", "cliques:5,1,0,33", KARATE]),
    infinite_source("infinite_source", "dot"),
    infinite_source("infinite_masked_source", "masked"),
    Layer("no_padding", NO_PADDING, ["complete:19", "causal:38", "cliques:5,1,0,33"]),
]
