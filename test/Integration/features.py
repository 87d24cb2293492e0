# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every feature op in a message and in an update, features of odd, large and
many-dimensional shapes, edge features in and out, positions, tables and masks,
dense and sparse."""
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: features: {{[0-9]+}} layers

import re
import sys

sys.path.insert(0, sys.argv[1])

from feature_ops import F, OPS
from layer_suite import (DUPLICATES, EMPTY, ISOLATED, KARATE, UNSORTED_COMPLETE, Layer,
                         run_suite)
from masked_layers import MASKED_LAYERS

EDGE_GRAPHS = [KARATE, DUPLICATES, ISOLATED, EMPTY, UNSORTED_COMPLETE, "complete:37",
               "complete_no_self:38", "bipartite:33x9", "causal:35", "window:40,3",
               "cliques:5,1,0,33", "blocks:40,9,2"]

# ------------------------------------------------------------------------------
# Ops
# ------------------------------------------------------------------------------

# So many ops share a message and an update: they compile in a third of the time that each
# takes by itself, and each has results of its own.
OPS_OF_LAYER = 8


def number_values(body, number):
    """The values that the body makes, each with the body's number."""
    return re.sub(r"%(?!(?:a|b|w|u|m|var|ints)\b)(\w+)", rf"%\1_{number}", body)


def op_layer(name, bodies):
    count = len(bodies)
    body = "\n    ".join(number_values(text, k) for k, text in enumerate(bodies))
    node, edge = "tensor<?x6xf32>", "!mp.edges<6xf32>"
    nodes, edges, features = (", ".join([type] * count) for type in (node, edge, F))
    made = ", ".join(f"%r_{k}" for k in range(count))
    aggregates = "\n  ".join(f"%a{k} = mp.aggregate %g mean %e#{k} : ({edge}) -> {node}"
                             for k in range(count))
    returned = [f"%a{k}" for k in range(count)] + [f"%n#{k}" for k in range(count)]
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: {node}, %x0: {node}, %w: {F}, %u: {F},
    %v0: {F}, %m: tensor<6x6xf32>, %ints: tensor<6xi32>)
    -> ({nodes}, {nodes}) {{
  %one = arith.constant dense<1.0> : {F}
  %v2 = arith.mulf %v0, %v0 : {F}
  %var = arith.addf %v2, %one : {F}
  %e:{count} = mp.message %g dst(%b = %h : {node}) src(%xj = %x0 : {node})
      -> {edges} {{
    %a = arith.subf %xj, %b : {F}
    {body}
    mp.yield {made} : {features}
  }}
  {aggregates}
  %n:{count} = mp.update (%a = %h : {node}, %b = %x0 : {node}) -> {nodes} {{
    {body}
    mp.yield {made} : {features}
  }}
  return {", ".join(returned)} : {nodes}, {nodes}
}}
""", ["complete_no_self:13"])


def op_layers():
    texts = [f"// {name}\n    {body}" for name, body in OPS.items()]
    for first in range(0, len(texts), OPS_OF_LAYER):
        yield op_layer(f"ops_{first // OPS_OF_LAYER}", texts[first:first + OPS_OF_LAYER])


# ------------------------------------------------------------------------------
# Shapes
# ------------------------------------------------------------------------------

def attention(name, inputs, heads, size, graphs):
    """Weights make the layer: queries, keys and values of `heads` x `size`."""
    qkv = f"tensor<{heads}x{size}xf32>"
    weights = f"tensor<{inputs}x{heads}x{size}xf32>"
    node = f"tensor<{inputs}xf32>"
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x{inputs}xf32>, %wq: {weights}, %wk: {weights},
                  %wv: {weights}) -> tensor<?x{heads}x{size}xf32> {{
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x{inputs}xf32>)
      src(%hj = %h : tensor<?x{inputs}xf32>)
      -> !mp.edges<{heads}xf32>, !mp.edges<{heads}x{size}xf32> {{
    %q = mp.linear %hi, %wq : ({node}, {weights}) -> {qkv}
    %k = mp.linear %hj, %wk : ({node}, {weights}) -> {qkv}
    %w = mp.linear %hj, %wv : ({node}, {weights}) -> {qkv}
    %d = mp.dot %q, %k : ({qkv}, {qkv}) -> tensor<{heads}xf32>
    %c = arith.constant dense<{size ** -0.5:.6f}> : tensor<{heads}xf32>
    %e = arith.mulf %d, %c : tensor<{heads}xf32>
    mp.yield %e, %w : tensor<{heads}xf32>, {qkv}
  }}
  %m = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<{heads}xf32>, !mp.edges<{heads}x{size}xf32>) -> tensor<?x{heads}x{size}xf32>
  return %m : tensor<?x{heads}x{size}xf32>
}}
""", graphs)


def elementwise(name, shape, graphs):
    """A message that is no matrix product, mean and max of it."""
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x{shape}xf32>)
    -> (tensor<?x{shape}xf32>, tensor<?x{shape}xf32>) {{
  %v = mp.message %g dst(%hi = %h : tensor<?x{shape}xf32>) src(%hj = %h : tensor<?x{shape}xf32>)
      -> !mp.edges<{shape}xf32> {{
    %d = arith.subf %hj, %hi : tensor<{shape}xf32>
    %r = mp.relu %d : tensor<{shape}xf32>
    mp.yield %r : tensor<{shape}xf32>
  }}
  %a = mp.aggregate %g mean %v : (!mp.edges<{shape}xf32>) -> tensor<?x{shape}xf32>
  %b = mp.aggregate %g max %v : (!mp.edges<{shape}xf32>) -> tensor<?x{shape}xf32>
  return %a, %b : tensor<?x{shape}xf32>, tensor<?x{shape}xf32>
}}
""", graphs)


def shape_layers():
    graphs = [KARATE, "complete:67", "causal:35"]
    small = [KARATE, "complete:17"]
    for inputs, heads, size in ((1, 1, 1), (3, 1, 3), (7, 3, 7), (67, 1, 67), (16, 12, 32),
                                (32, 1, 128)):
        yield attention(f"attention_{inputs}_{heads}x{size}", inputs, heads, size, graphs)
    yield attention("attention_1433_4x16", 1433, 4, 16, small)
    yield attention("attention_64_1x256", 64, 1, 256, small)
    for shape in ("1", "3", "7", "67", "2x3x5", "1x1", "4x1x8"):
        yield elementwise(f"difference_{shape}", shape, graphs)
    for shape in ("1433", "1024", "12x32"):
        yield elementwise(f"difference_{shape}", shape, small)


# ------------------------------------------------------------------------------
# Edge features, positions, tables and masks
# ------------------------------------------------------------------------------

EDGES_IN_AND_OUT = """
func.func @edges_in_and_out(%g: !mp.graph, %h: tensor<?x3xf32>, %x0: tensor<?x3xf32>,
    %e: !mp.edges<2x3xf32>, %f: !mp.edges<f32>)
    -> (!mp.edges<2x3xf32>, !mp.edges<f32>, tensor<?x3xf32>) {
  %o, %s, %v = mp.message %g dst(%hi = %h : tensor<?x3xf32>) src(%xj = %x0 : tensor<?x3xf32>)
      edge(%ei = %e : !mp.edges<2x3xf32>, %fi = %f : !mp.edges<f32>)
      -> !mp.edges<2x3xf32>, !mp.edges<f32>, !mp.edges<3xf32> {
    %b = mp.broadcast %hi trailing : tensor<3xf32> to tensor<2x3xf32>
    %m = arith.mulf %ei, %b : tensor<2x3xf32>
    %d = mp.dot %hi, %xj : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
    %t = arith.addf %d, %fi : tensor<f32>
    %w = mp.reduce sum %ei dims [0] : tensor<2x3xf32> -> tensor<3xf32>
    %y = arith.mulf %w, %xj : tensor<3xf32>
    mp.yield %m, %t, %y : tensor<2x3xf32>, tensor<f32>, tensor<3xf32>
  }
  %a = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<3xf32>) -> tensor<?x3xf32>
  return %o, %s, %a : !mp.edges<2x3xf32>, !mp.edges<f32>, tensor<?x3xf32>
}
"""

EDGES_ALONE = """
func.func @edges_alone(%g: !mp.graph, %e: !mp.edges<4xf32>, %k: !mp.edges<i32>)
    -> (!mp.edges<4xf32>, !mp.edges<i32>) {
  %o, %i = mp.message %g edge(%ei = %e : !mp.edges<4xf32>, %ki = %k : !mp.edges<i32>)
      -> !mp.edges<4xf32>, !mp.edges<i32> {
    %r = mp.relu %ei : tensor<4xf32>
    %two = arith.constant dense<2> : tensor<i32>
    %j = arith.muli %ki, %two : tensor<i32>
    mp.yield %r, %j : tensor<4xf32>, tensor<i32>
  }
  return %o, %i : !mp.edges<4xf32>, !mp.edges<i32>
}
"""

# Two messages: the second uses what the first made of the edges.
EDGES_TWICE = """
func.func @edges_twice(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>)
    -> (tensor<?x4xf32>, !mp.edges<4xf32>) {
  %o = mp.message %g src(%hj = %h : tensor<?x4xf32>) edge(%ei = %e : !mp.edges<4xf32>)
      -> !mp.edges<4xf32> {
    %r = arith.addf %ei, %hj : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  %a = mp.aggregate %g mean %o : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %p = mp.message %g dst(%ai = %a : tensor<?x4xf32>) edge(%ei = %o : !mp.edges<4xf32>)
      -> !mp.edges<4xf32> {
    %r = arith.subf %ei, %ai : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  %b = mp.aggregate %g max %p : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %b, %p : tensor<?x4xf32>, !mp.edges<4xf32>
}
"""

EDGE_TYPES = """
func.func @edge_types(%g: !mp.graph, %x0: tensor<?x4xf32>, %type: !mp.edges<i64>,
    %w: tensor<3x4xf32>) -> tensor<?x4xf32> {
  %v = mp.message %g src(%xj = %x0 : tensor<?x4xf32>) edge(%t = %type : !mp.edges<i64>)
      -> !mp.edges<4xf32> {
    %r = mp.lookup %w[%t] : tensor<3x4xf32>, tensor<i64> -> tensor<4xf32>
    %m = arith.mulf %r, %xj : tensor<4xf32>
    mp.yield %m : tensor<4xf32>
  }
  %a = mp.aggregate %g sum %v : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a : tensor<?x4xf32>
}
"""

# The distance of the endpoints goes below and beyond the table.
POSITIONS = """
func.func @positions(%g: !mp.graph, %x0: tensor<?x4xf32>, %bias: tensor<7x2xf32>,
    %slope: tensor<2xf32>) -> (tensor<?x2x4xf32>, !mp.edges<2xf32>) {
  %s, %v = mp.message %g src(%xj = %x0 : tensor<?x4xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2x4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %three = arith.constant dense<3> : tensor<i32>
    %k = arith.addi %d, %three : tensor<i32>
    %b = mp.lookup %bias[%k] : tensor<7x2xf32>, tensor<i32> -> tensor<2xf32>
    %i64 = mp.position dst : tensor<i64>
    %far = arith.sitofp %i64 : tensor<i64> to tensor<f32>
    %hundredth = arith.constant dense<0.01> : tensor<f32>
    %near = arith.mulf %far, %hundredth : tensor<f32>
    %n2 = mp.broadcast %near : tensor<f32> to tensor<2xf32>
    %alibi = arith.mulf %n2, %slope : tensor<2xf32>
    %t = arith.addf %b, %alibi : tensor<2xf32>
    %y = mp.broadcast %xj trailing : tensor<4xf32> to tensor<2x4xf32>
    mp.yield %t, %y : tensor<2xf32>, tensor<2x4xf32>
  }
  %a = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<2xf32>, !mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  return %a, %s : tensor<?x2x4xf32>, !mp.edges<2xf32>
}
"""

# Sums of one slice each, at an index that goes below and beyond; a sum of whole tensors, as the
# slice replaces what is not 0; a maximum.
SCATTERED = """
func.func @scattered(%g: !mp.graph, %h: tensor<?x4xf32>, %x0: tensor<?x4xf32>, %f: tensor<3x4xf32>)
    -> (tensor<?x7xf32>, tensor<?x2x5x2xf32>, tensor<?x3x4xf32>, tensor<?x3x4xf32>) {
  %a, %b, %c = mp.message %g dst(%xi = %h : tensor<?x4xf32>) src(%xj = %x0 : tensor<?x4xf32>)
      -> !mp.edges<7xf32>, !mp.edges<2x5x2xf32>, !mp.edges<3x4xf32> {
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %three = arith.constant dense<3> : tensor<i32>
    %k = arith.addi %d, %three : tensor<i32>
    %k1 = mp.broadcast %k : tensor<i32> to tensor<1xi32>
    %s = mp.dot %xi, %xj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %z1 = arith.constant dense<0.0> : tensor<7xf32>
    %r1 = tensor.scatter %s into %z1[%k1] scatter_dims([0]) unique
        : (tensor<f32>, tensor<7xf32>, tensor<1xi32>) -> tensor<7xf32>
    %short = arith.trunci %d : tensor<i32> to tensor<i8>
    %k2 = mp.broadcast %short : tensor<i8> to tensor<1xi8>
    %m = arith.mulf %xi, %xj : tensor<4xf32>
    %y = tensor.expand_shape %m [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
    %z2 = arith.constant dense<0.0> : tensor<2x5x2xf32>
    %r2 = tensor.scatter %y into %z2[%k2] scatter_dims([1]) unique
        : (tensor<2x2xf32>, tensor<2x5x2xf32>, tensor<1xi8>) -> tensor<2x5x2xf32>
    %long = arith.extsi %j : tensor<i32> to tensor<i64>
    %k3 = mp.broadcast %long : tensor<i64> to tensor<1xi64>
    %r3 = tensor.scatter %xj into %f[%k3] scatter_dims([0]) unique
        : (tensor<4xf32>, tensor<3x4xf32>, tensor<1xi64>) -> tensor<3x4xf32>
    mp.yield %r1, %r2, %r3 : tensor<7xf32>, tensor<2x5x2xf32>, tensor<3x4xf32>
  }
  %s:3 = mp.aggregate %g sum %a, %b, %c
      : (!mp.edges<7xf32>, !mp.edges<2x5x2xf32>, !mp.edges<3x4xf32>)
      -> (tensor<?x7xf32>, tensor<?x2x5x2xf32>, tensor<?x3x4xf32>)
  %m = mp.aggregate %g max %c : (!mp.edges<3x4xf32>) -> tensor<?x3x4xf32>
  return %s#0, %s#1, %s#2, %m
      : tensor<?x7xf32>, tensor<?x2x5x2xf32>, tensor<?x3x4xf32>, tensor<?x3x4xf32>
}
"""


layers = [*op_layers(), *shape_layers(), *MASKED_LAYERS]
layers += [
    Layer("edges_in_and_out", EDGES_IN_AND_OUT, EDGE_GRAPHS),
    Layer("edges_alone", EDGES_ALONE, EDGE_GRAPHS),
    Layer("edges_twice", EDGES_TWICE, [g for g in EDGE_GRAPHS if "bipartite" not in g]),
    Layer("edge_types", EDGE_TYPES, EDGE_GRAPHS),
    Layer("positions", POSITIONS, EDGE_GRAPHS),
    Layer("scattered", SCATTERED, [KARATE, DUPLICATES, ISOLATED, "complete_no_self:38",
                                   "bipartite:33x9", "window:40,3", "cliques:5,1,0,33"]),
]
if len(sys.argv) > 2:
    layers = [layer for layer in layers if any(word in layer.name for word in sys.argv[2:])]
run_suite(layers, "features")
