# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes and dependences that few layers have: maps whose bias is another end's, monoids of
several values and states or that lift a constant, slices with strides and reshapes, unit
dimensions at every place, networks on edges, edge features of odd sizes in half precision."""
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: shapes: {{[0-9]+}} layers

import sys

sys.path.insert(0, sys.argv[1])

from layer_suite import DUPLICATES, EMPTY, ISOLATED, KARATE, Layer, run_suite

GRAPHS = [KARATE, DUPLICATES, ISOLATED, EMPTY, "complete:67", "causal:35", "bipartite:33x9"]
FEW = [KARATE, "complete:67"]


def tensor(shape, dtype="f32"):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{dtype}>"


def edges(shape, dtype="f32"):
    return tensor(shape, dtype).replace("tensor", "!mp.edges", 1)


def nodes(shape, dtype="f32"):
    return tensor(["?", *shape], dtype)


# ------------------------------------------------------------------------------
# Maps of one end with a bias of another
# ------------------------------------------------------------------------------

PAIRS = [("dst", "src"), ("src", "dst"), ("dst", "edge"), ("src", "both"), ("both", "dst"),
         ("edge", "src"), ("dst", "position"), ("none", "src")]
ENDS = {"dst": "%di", "src": "%sj", "edge": "%ek", "both": "%both", "none": "%w1",
        "position": "%place"}


def biased(x, bias):
    """The map as a value, and behind a function that keeps both ends on the edge."""
    return Layer(f"bias_of_{bias}_for_{x}", f"""
func.func @bias_of_{bias}_for_{x}(%g: !mp.graph, %d: tensor<?x5xf32>, %s: tensor<?x5xf32>,
    %e: !mp.edges<5xf32>, %w1: tensor<5xf32>, %w: tensor<5x5xf32>, %t: tensor<9x5xf32>)
    -> (tensor<?x5xf32>, tensor<?x5xf32>) {{
  %v, %k = mp.message %g dst(%di = %d : tensor<?x5xf32>) src(%sj = %s : tensor<?x5xf32>)
      edge(%ek = %e : !mp.edges<5xf32>) -> !mp.edges<5xf32>, !mp.edges<5xf32> {{
    %both = arith.mulf %di, %sj : tensor<5xf32>
    %j = mp.position src : tensor<i32>
    %place = mp.lookup %t[%j] : tensor<9x5xf32>, tensor<i32> -> tensor<5xf32>
    %y = mp.linear {ENDS[x]}, %w bias {ENDS[bias]}
        : (tensor<5xf32>, tensor<5x5xf32>, tensor<5xf32>) -> tensor<5xf32>
    %r = mp.relu %y : tensor<5xf32>
    %q = mp.dot %r, %sj : (tensor<5xf32>, tensor<5xf32>) -> tensor<f32>
    %b = mp.broadcast %q : tensor<f32> to tensor<5xf32>
    mp.yield %y, %b : tensor<5xf32>, tensor<5xf32>
  }}
  %a0 = mp.aggregate %g max %v : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %a1 = mp.aggregate %g softmax(%k) %v : (!mp.edges<5xf32>, !mp.edges<5xf32>) -> tensor<?x5xf32>
  return %a0, %a1 : tensor<?x5xf32>, tensor<?x5xf32>
}}
""", FEW + ["bipartite:33x9"])


# ------------------------------------------------------------------------------
# Monoids
# ------------------------------------------------------------------------------

def monoid(name, shape, lift, values=2, states=1, graphs=FEW, dtype="f32"):
    """A sum of what `lift` makes of the values; %one and %x0, %x1 ... are at hand. The result
    is what tanh makes of the first state."""
    own = tensor(shape, dtype)
    arguments = ", ".join(f"%x{k}: {own}" for k in range(values))
    left = ", ".join(f"%a{k}: {own}" for k in range(states))
    right = ", ".join(f"%b{k}: {own}" for k in range(states))
    sums = "\n      ".join(f"%s{k} = arith.addf %a{k}, %b{k} : {own}" for k in range(states))
    types = ", ".join([own] * states)
    summed = ", ".join(f"%s{k}" for k in range(states))
    taken = ", ".join(["%v", "%u"][:values])
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %d: {nodes(shape, dtype)}, %s: {nodes(shape, dtype)})
    -> {nodes(shape, dtype)} {{
  %v, %u = mp.message %g dst(%di = %d : {nodes(shape, dtype)}) src(%sj = %s : {nodes(shape, dtype)})
      -> {edges(shape, dtype)}, {edges(shape, dtype)} {{
    %e = arith.mulf %di, %sj : {own}
    mp.yield %sj, %e : {own}, {own}
  }}
  %m = mp.aggregate %g custom {taken} : ({", ".join([edges(shape, dtype)] * values)}) -> {nodes(shape, dtype)}
    identity {{
      %z = arith.constant dense<0.0> : {own}
      mp.yield {", ".join(["%z"] * states)} : {types}
    }}
    lift {{
    ^bb0({arguments}):
      %one = arith.constant dense<1.0> : {own}
      {lift.replace("T", own)}
    }}
    combine {{
    ^bb0({left}, {right}):
      {sums}
      mp.yield {summed} : {types}
    }}
    finalise {{
    ^bb0({left}):
      %r = math.tanh %a0 : {own}
      mp.yield %r : {own}
    }}
  return %m : {nodes(shape, dtype)}
}}
""", graphs)


def monoid_layers():
    yield monoid("two_values_one_state", [4],
                 "%p = arith.mulf %x0, %x1 : T\n      mp.yield %p : T", graphs=GRAPHS)
    yield monoid("one_value_two_states", [4], "mp.yield %x0, %one : T, T", values=1, states=2)
    yield monoid("two_values_three_states", [3],
                 "mp.yield %x0, %x1, %one : T, T, T", states=3)
    # What is lifted may be the same for every edge.
    yield monoid("counted", [4], "mp.yield %one : T", values=1, graphs=GRAPHS)
    for shape in ([], [1], [16, 1], [5, 1, 1]):
        name = "x".join(map(str, shape)) or "scalar"
        yield monoid(f"lifted_{name}", shape, "mp.yield %x0 : T", values=1)


# ------------------------------------------------------------------------------
# Slices
# ------------------------------------------------------------------------------

def sliced(number, source, offsets, sizes, strides, result):
    """A slice of a weight, of a source's and of an edge's feature, then a dot product."""
    part, of = tensor(result), tensor(source)
    spelled = f"{offsets} {sizes} {strides}"
    name = f"slice_{number}"
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %v: {of}, %s: {nodes(source)}, %d: {nodes(source)})
    -> ({nodes(result)}, {nodes(result[:-1])}, {nodes(result)}) {{
  %m, %n = mp.message %g dst(%di = %d : {nodes(source)}) src(%sj = %s : {nodes(source)})
      -> {edges(result)}, {edges(result[:-1])} {{
    %w = tensor.extract_slice %v{spelled} : {of} to {part}
    %x = tensor.extract_slice %sj{spelled} : {of} to {part}
    %e = arith.mulf %sj, %di : {of}
    %y = tensor.extract_slice %e{spelled} : {of} to {part}
    %p = arith.addf %w, %x : {part}
    %q = arith.addf %p, %y : {part}
    %r = mp.dot %q, %w : ({part}, {part}) -> {tensor(result[:-1])}
    mp.yield %q, %r : {part}, {tensor(result[:-1])}
  }}
  %a = mp.aggregate %g max %m : ({edges(result)}) -> {nodes(result)}
  %b = mp.aggregate %g sum %n : ({edges(result[:-1])}) -> {nodes(result[:-1])}
  %c = mp.update (%x = %d : {nodes(source)}) -> {nodes(result)} {{
    %y = tensor.extract_slice %x{spelled} : {of} to {part}
    %w = tensor.extract_slice %v{spelled} : {of} to {part}
    %z = arith.addf %y, %w : {part}
    mp.yield %z : {part}
  }}
  return %a, %b, %c : {nodes(result)}, {nodes(result[:-1])}, {nodes(result)}
}}
""", FEW)


SLICES = [
    ([7, 2, 1], [0, 1, 0], [7, 1, 1], [1, 2, 1], [7, 1]),
    ([4, 2, 3], [0, 1, 0], [2, 1, 3], [3, 1, 1], [2, 3]),
    ([7, 2, 2], [0, 0, 1], [4, 1, 1], [2, 1, 1], [4, 1]),
    ([9, 4, 6], [0, 1, 5], [9, 2, 1], [1, 2, 2], [9, 2, 1]),
    ([9, 1, 2], [0, 0, 0], [3, 1, 1], [4, 1, 1], [3]),
]

# Slices of weights outside of a region.
SLICED_OUTSIDE = Layer("sliced_outside", """
func.func @sliced_outside(%g: !mp.graph, %s: tensor<?x3xf32>, %v: tensor<7x2x3xf32>)
    -> (tensor<?x3xf32>, tensor<7x2x3xf32>) {
  %w = tensor.extract_slice %v[0, 1, 0] [3, 1, 3] [3, 1, 1] : tensor<7x2x3xf32> to tensor<3x3xf32>
  %m = mp.message %g src(%xj = %s : tensor<?x3xf32>) -> !mp.edges<3xf32> {
    %r = mp.linear %xj, %w : (tensor<3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    mp.yield %r : tensor<3xf32>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  %k = tensor.insert_slice %w into %v[1, 0, 0] [3, 1, 3] [2, 1, 1]
      : tensor<3x3xf32> into tensor<7x2x3xf32>
  return %a, %k : tensor<?x3xf32>, tensor<7x2x3xf32>
}
""", FEW)

# A reduction of a broadcast, of which a slice is left.
REDUCED_BROADCAST = Layer("reduced_broadcast", """
func.func @reduced_broadcast(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?x2xf32> {
  %m = mp.message %g src(%a = %h : tensor<?xf32>) -> !mp.edges<2xf32> {
    %b = mp.broadcast %a : tensor<f32> to tensor<9x4x6xf32>
    %s = tensor.extract_slice %b[0, 1, 5] [9, 2, 1] [1, 1, 2] : tensor<9x4x6xf32> to tensor<9x2x1xf32>
    %r = mp.reduce sum %s dims [0, 2] : tensor<9x2x1xf32> -> tensor<2xf32>
    mp.yield %r : tensor<2xf32>
  }
  %n = mp.aggregate %g mean %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %n : tensor<?x2xf32>
}
""", FEW)

# A reduction whose every summand is one number: known to the compiler once it is fused.
REDUCED_CONSTANT = Layer("reduced_constant", """
func.func @reduced_constant(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%a = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %c = arith.constant dense<0.75> : tensor<4x3xf32>
    %l = mp.leaky_relu %c slope 0.2 : tensor<4x3xf32>
    %d = mp.dot %l, %l : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
    %r = arith.mulf %a, %d : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  %n = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %n : tensor<?x4xf32>
}
""", FEW)

# A slice of a broadcast number that drops a dimension.
SLICED_SCORE = Layer("sliced_score", """
func.func @sliced_score(%g: !mp.graph, %h: tensor<?x1xf32>, %w: tensor<f32>)
    -> tensor<?x1xf32> {
  %s, %v = mp.message %g src(%a = %h : tensor<?x1xf32>) -> !mp.edges<1xf32>, !mp.edges<1xf32> {
    %b = mp.broadcast %w : tensor<f32> to tensor<1x2xf32>
    %t = tensor.extract_slice %b[0, 0] [1, 1] [1, 1] : tensor<1x2xf32> to tensor<1xf32>
    mp.yield %t, %a : tensor<1xf32>, tensor<1xf32>
  }
  %n = mp.aggregate %g softmax(%s) %v : (!mp.edges<1xf32>, !mp.edges<1xf32>) -> tensor<?x1xf32>
  return %n : tensor<?x1xf32>
}
""", FEW)

# Heads beside unit dimensions: a head's part of a weight is of sizes 1 alone.
UNIT_HEADS = Layer("unit_heads", """
func.func @unit_heads(%g: !mp.graph, %w: tensor<1x2x1xf32>, %h: tensor<?x2x1xf32>)
    -> tensor<?x2x1xf32> {
  %s, %v = mp.message %g src(%a = %h : tensor<?x2x1xf32>)
      -> !mp.edges<2x1xf32>, !mp.edges<2x1xf32> {
    %t = mp.reduce mean %w dims [0] : tensor<1x2x1xf32> -> tensor<2x1xf32>
    mp.yield %t, %a : tensor<2x1xf32>, tensor<2x1xf32>
  }
  %n = mp.aggregate %g softmax(%s) %v
      : (!mp.edges<2x1xf32>, !mp.edges<2x1xf32>) -> tensor<?x2x1xf32>
  return %n : tensor<?x2x1xf32>
}
""", FEW)


# ------------------------------------------------------------------------------
# Edge features
# ------------------------------------------------------------------------------

def edge_feature(shape, dtype):
    name = "edge_" + "x".join(map(str, shape)) + f"_{dtype}"
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %e: {edges(shape, dtype)}, %d: {nodes(shape, dtype)})
    -> ({nodes(shape, dtype)}, {nodes(shape, dtype)}, {edges(shape, dtype)}) {{
  %a = mp.aggregate %g sum %e : ({edges(shape, dtype)}) -> {nodes(shape, dtype)}
  %f = mp.message %g dst(%di = %d : {nodes(shape, dtype)}) edge(%ei = %e : {edges(shape, dtype)})
      -> {edges(shape, dtype)} {{
    %r = arith.mulf %di, %ei : {tensor(shape, dtype)}
    mp.yield %r : {tensor(shape, dtype)}
  }}
  %b = mp.aggregate %g max %f : ({edges(shape, dtype)}) -> {nodes(shape, dtype)}
  return %a, %b, %f : {nodes(shape, dtype)}, {nodes(shape, dtype)}, {edges(shape, dtype)}
}}
""", FEW)


# ------------------------------------------------------------------------------
# Networks on edges: products over chunks of edges
# ------------------------------------------------------------------------------

def edge_network(name, dtype, own, hidden, made, graphs):
    """An edge's new state from both ends, the edge and the positions, by two maps; taken in by
    every aggregator that is built in, one of them a softmax of as many scores as `made` has, another of one."""
    x, y, z = tensor([own], dtype), tensor([hidden], dtype), tensor([made], dtype)
    e, i, scalar = edges([made], dtype), nodes([made], dtype), edges([], dtype)
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %d: {nodes([own], dtype)}, %s: {nodes([own], dtype)}, %e: {e},
    %w1: {tensor([own, hidden], dtype)}, %b1: {y}, %w2: {tensor([hidden, made], dtype)}, %a: {z},
    %t: {tensor([9, own], dtype)})
    -> ({i}, {i}, {i}, {i}, {i}, {e}) {{
  %v, %c = mp.message %g dst(%di = %d : {nodes([own], dtype)}) src(%sj = %s : {nodes([own], dtype)})
      edge(%ek = %e : {e}) -> {e}, {scalar} {{
    %p = arith.mulf %di, %sj : {x}
    %n = mp.position dst : tensor<i32>
    %m = mp.position src : tensor<i64>
    %k = mp.position edge : tensor<i64>
    %near = arith.trunci %m : tensor<i64> to tensor<i32>
    %far = arith.trunci %k : tensor<i64> to tensor<i32>
    %between = arith.subi %n, %near : tensor<i32>
    %place = arith.addi %between, %far : tensor<i32>
    %r = mp.lookup %t[%place] : {tensor([9, own], dtype)}, tensor<i32> -> {x}
    %q = arith.addf %p, %r : {x}
    %h = mp.linear %q, %w1 bias %b1 : ({x}, {tensor([own, hidden], dtype)}, {y}) -> {y}
    %u = mp.relu %h : {y}
    %o = mp.linear %u, %w2 : ({y}, {tensor([hidden, made], dtype)}) -> {z}
    %f = arith.addf %o, %ek : {z}
    %l = math.tanh %f : {z}
    %score = mp.dot %l, %a : ({z}, {z}) -> tensor<{dtype}>
    mp.yield %l, %score : {z}, tensor<{dtype}>
  }}
  %sum = mp.aggregate %g sum %v : ({e}) -> {i}
  %max = mp.aggregate %g max %v : ({e}) -> {i}
  %std = mp.aggregate %g std %v : ({e}) -> {i}
  %each = mp.aggregate %g softmax(%v) %v : ({e}, {e}) -> {i}
  %one = mp.aggregate %g softmax(%c) %v : ({scalar}, {e}) -> {i}
  %fed = mp.update (%mi = %sum : {i}, %ai = %max : {i}) -> {i} {{
    %r = arith.addf %mi, %ai : {z}
    mp.yield %r : {z}
  }}
  return %fed, %max, %std, %each, %one, %v : {i}, {i}, {i}, {i}, {i}, {e}
}}
""", graphs)


layers = [edge_network("edge_network", "f32", 13, 29, 7, GRAPHS),
          edge_network("edge_network_32", "f32", 32, 32, 8, FEW),
          edge_network("edge_network_f64", "f64", 16, 24, 3, [KARATE]),
          edge_network("edge_network_f16", "f16", 8, 32, 16, [KARATE]),
          edge_network("edge_network_bf16", "bf16", 19, 17, 1, [KARATE, ISOLATED])]
layers += [biased(x, bias) for x, bias in PAIRS]
layers += monoid_layers()
layers += [sliced(number, *parts) for number, parts in enumerate(SLICES)]
layers += [SLICED_OUTSIDE, REDUCED_BROADCAST, REDUCED_CONSTANT, SLICED_SCORE, UNIT_HEADS]
layers += [edge_feature(shape, dtype) for dtype in ("f16", "bf16")
           for shape in ([1], [17], [3, 1])]
run_suite(layers, "shapes")
