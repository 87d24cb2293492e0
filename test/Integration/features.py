# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every feature op alone in a message and in an update, features of odd, large and
many-dimensional shapes, edge features in and out, positions, tables and masks,
dense and sparse."""
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: features: {{[0-9]+}} layers

import sys

sys.path.insert(0, sys.argv[1])

from layer_suite import (DUPLICATES, EMPTY, ISOLATED, KARATE, UNSORTED_COMPLETE, Layer,
                         run_suite)

EDGE_GRAPHS = [KARATE, DUPLICATES, ISOLATED, EMPTY, UNSORTED_COMPLETE, "complete:37",
               "complete_no_self:38", "bipartite:33x9", "causal:35", "window:40,3",
               "cliques:5,1,0,33", "blocks:40,9,2"]

# ------------------------------------------------------------------------------
# Ops that make a tensor<6xf32> %r from %a and %b of that type.
# ------------------------------------------------------------------------------

F = "tensor<6xf32>"
OPS = {}
for op in ("relu", "sigmoid", "silu", "softplus", "gelu", "elu"):
    OPS[f"mp_{op}"] = f"%r = mp.{op} %a : {F}"
OPS["mp_gelu_tanh"] = f"%r = mp.gelu %a tanh : {F}"
OPS["mp_elu_alpha"] = f"%r = mp.elu %a alpha 0.5 : {F}"
OPS["mp_leaky_relu"] = f"%r = mp.leaky_relu %a slope 0.2 : {F}"
OPS["mp_layer_norm"] = f"%r = mp.layer_norm %a : ({F}) -> {F}"
OPS["mp_layer_norm_affine"] = (
    f"%r = mp.layer_norm %a scale %w shift %u {{eps = 1.0e-3 : f64}} : ({F}, {F}, {F}) -> {F}")
OPS["mp_batch_norm"] = (
    f"%r = mp.batch_norm %a mean %w variance %var : ({F}, {F}, {F}) -> {F}")
OPS["mp_batch_norm_affine"] = (
    f"%r = mp.batch_norm %a mean %w variance %var scale %u shift %w : "
    f"({F}, {F}, {F}, {F}, {F}) -> {F}")
OPS["mp_linear"] = f"%r = mp.linear %a, %m : ({F}, tensor<6x6xf32>) -> {F}"
OPS["mp_linear_bias"] = (
    f"%r = mp.linear %a, %m bias %u : ({F}, tensor<6x6xf32>, {F}) -> {F}")
OPS["mp_linear_bias_of_edge"] = (
    f"%r = mp.linear %a, %m bias %b : ({F}, tensor<6x6xf32>, {F}) -> {F}")
OPS["mp_linear_to_scalar"] = f"""%d = mp.linear %a, %u : ({F}, {F}) -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
OPS["mp_linear_from_matrix"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [2, 3]
        : {F} into tensor<2x3xf32>
    %q = tensor.expand_shape %m [[0, 1], [2]] output_shape [2, 3, 6]
        : tensor<6x6xf32> into tensor<2x3x6xf32>
    %r = mp.linear %p, %q : (tensor<2x3xf32>, tensor<2x3x6xf32>) -> {F}"""
OPS["mp_dot"] = f"""%d = mp.dot %a, %b : ({F}, {F}) -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
OPS["mp_dot_of_itself"] = f"""%d = mp.dot %a, %a : ({F}, {F}) -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
for kind in ("sum", "mean", "max", "min"):
    OPS[f"mp_reduce_{kind}"] = f"""%d = mp.reduce {kind} %a dims [0] : {F} -> tensor<f32>
    %r = mp.broadcast %d : tensor<f32> to {F}"""
    OPS[f"mp_reduce_{kind}_columns"] = f"""%p = tensor.expand_shape %a [[0, 1]]
        output_shape [2, 3] : {F} into tensor<2x3xf32>
    %d = mp.reduce {kind} %p dims [0] : tensor<2x3xf32> -> tensor<3xf32>
    %e = mp.broadcast %d trailing : tensor<3xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_broadcast_leading"] = f"""%d = tensor.extract_slice %a[1] [2] [1] : {F} to tensor<2xf32>
    %e = mp.broadcast %d : tensor<2xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["mp_lookup"] = f"""%d = mp.reduce sum %a dims [0] : {F} -> tensor<f32>
    %k = arith.fptosi %d : tensor<f32> to tensor<i32>
    %r = mp.lookup %m[%k] : tensor<6x6xf32>, tensor<i32> -> {F}"""
OPS["tensor_concat"] = f"""%d = tensor.extract_slice %a[0] [4] [1] : {F} to tensor<4xf32>
    %e = tensor.extract_slice %b[4] [2] [1] : {F} to tensor<2xf32>
    %r = tensor.concat dim(0) %e, %d : (tensor<2xf32>, tensor<4xf32>) -> {F}"""
OPS["tensor_concat_columns"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [3, 2]
        : {F} into tensor<3x2xf32>
    %q = tensor.expand_shape %u [[0, 1]] output_shape [3, 2] : {F} into tensor<3x2xf32>
    %e = tensor.concat dim(1) %q, %p
        : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x4xf32>
    %s = tensor.extract_slice %e[0, 1] [3, 2] [1, 1] : tensor<3x4xf32> to tensor<3x2xf32>
    %r = tensor.collapse_shape %s [[0, 1]] : tensor<3x2xf32> into {F}"""
OPS["tensor_slice_strided"] = f"""%d = tensor.extract_slice %a[1] [3] [2] : {F} to tensor<3xf32>
    %e = mp.broadcast %d trailing : tensor<3xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""
OPS["tensor_slice_dropping"] = f"""%p = tensor.expand_shape %a [[0, 1]] output_shape [2, 3]
        : {F} into tensor<2x3xf32>
    %d = tensor.extract_slice %p[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to tensor<3xf32>
    %e = mp.broadcast %d trailing : tensor<3xf32> to tensor<2x3xf32>
    %r = tensor.collapse_shape %e [[0, 1]] : tensor<2x3xf32> into {F}"""

# Upstream's elementwise ops, on arguments of their domain.
WIDE = "arith.addf %a, %b"
DOMAINS = {  # name: ops that make %x
    "any": "",
    "positive": "%y = math.absf %a : F\n    %x = arith.addf %y, %tenth : F",
    "above_one": "%y = math.absf %a : F\n    %x = arith.addf %y, %two : F",
    "inside_one": "%y = math.tanh %a : F\n    %x = arith.mulf %y, %half : F",
}
UNARY = {
    "any": ["arith.negf", "math.absf", "math.tanh", "math.exp", "math.exp2", "math.expm1",
            "math.sin", "math.cos", "math.sinh", "math.cosh", "math.asinh", "math.atan",
            "math.erf", "math.erfc", "math.cbrt"],
    "positive": ["math.log", "math.log2", "math.log10", "math.log1p", "math.sqrt", "math.rsqrt"],
    "above_one": ["math.acosh"],
    "inside_one": ["math.asin", "math.acos", "math.atanh", "math.tan"],
}
CONSTANTS = """%tenth = arith.constant dense<0.1> : F
    %half = arith.constant dense<0.5> : F
    %two = arith.constant dense<2.0> : F
    """
for domain, ops in UNARY.items():
    for op in ops:
        body = CONSTANTS + DOMAINS[domain] + f"\n    %r = {op} {'%a' if domain == 'any' else '%x'} : F"
        OPS[op.replace(".", "_")] = body.replace(" F", f" {F}")
# Steps: a value close to one would differ by 1, so they get whole numbers of tenths.
for op in ("ceil", "floor", "round", "roundeven", "trunc"):
    OPS[f"math_{op}"] = f"""%s = arith.constant dense<3.0> : {F}
    %y = arith.mulf %w, %s : {F}
    %z = math.{op} %y : {F}
    %r = arith.mulf %z, %a : {F}"""
for op in ("addf", "subf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf"):
    OPS[f"arith_{op}"] = f"%r = arith.{op} %a, %b : {F}"
OPS["arith_divf"] = (CONSTANTS + DOMAINS["above_one"] +
                     "\n    %r = arith.divf %b, %x : F").replace(" F", f" {F}")
OPS["math_powf"] = (CONSTANTS + DOMAINS["positive"] +
                    "\n    %r = math.powf %x, %b : F").replace(" F", f" {F}")
OPS["math_atan2"] = f"%r = math.atan2 %a, %b : {F}"
OPS["math_copysign"] = f"%r = math.copysign %a, %u : {F}"
OPS["math_fma"] = f"%r = math.fma %a, %b, %u : {F}"
OPS["math_clampf"] = f"""%lo = arith.constant dense<-0.5> : {F}
    %hi1 = arith.constant dense<0.25> : {F}
    %r = math.clampf %a to [%lo, %hi1] : {F}"""
for predicate in ("ogt", "olt", "oge", "une"):
    OPS[f"arith_cmpf_{predicate}"] = f"""%c = arith.cmpf {predicate}, %a, %b : {F}
    %d = arith.subf %a, %b : {F}
    %z = arith.constant dense<0.0> : {F}
    %r = arith.select %c, %d, %z : tensor<6xi1>, {F}"""
OPS["arith_cmpf_logic"] = f"""%z = arith.constant dense<0.0> : {F}
    %c = arith.cmpf ogt, %a, %z : {F}
    %d = arith.cmpf ogt, %b, %z : {F}
    %e = arith.andi %c, %d : tensor<6xi1>
    %k = arith.xori %e, %c : tensor<6xi1>
    %y = arith.select %e, %a, %b : tensor<6xi1>, {F}
    %r = arith.select %k, %z, %y : tensor<6xi1>, {F}"""
OPS["arith_widened"] = f"""%c = arith.extf %a : {F} to tensor<6xf64>
    %d = arith.mulf %c, %c : tensor<6xf64>
    %r = arith.truncf %d : tensor<6xf64> to {F}"""
OPS["arith_indicator"] = f"""%z = arith.constant dense<0.0> : {F}
    %c = arith.cmpf ogt, %a, %z : {F}
    %d = arith.extui %c : tensor<6xi1> to tensor<6xi32>
    %e = arith.sitofp %d : tensor<6xi32> to {F}
    %r = arith.mulf %e, %b : {F}"""
# Integers, from the position in a list of constants and from the table %k of i32.
for op in ("addi", "subi", "muli", "maxsi", "minsi", "andi", "ori", "xori", "divsi", "remsi",
           "shli", "shrsi", "maxui", "minui", "divui", "remui", "shrui", "ceildivsi",
           "floordivsi"):
    OPS[f"arith_{op}"] = f"""%three = arith.constant dense<3> : tensor<6xi32>
    %i = arith.{op} %ints, %three : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
# By what may be 0 or negative.
for op in ("divsi", "remsi", "divui", "remui", "ceildivsi", "floordivsi"):
    OPS[f"arith_{op}_by_any"] = f"""%two = arith.constant dense<2> : tensor<6xi32>
    %divisors = arith.subi %ints, %two : tensor<6xi32>
    %i = arith.{op} %ints, %divisors : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
OPS["math_absi"] = f"""%three = arith.constant dense<3> : tensor<6xi32>
    %e = arith.subi %ints, %three : tensor<6xi32>
    %i = math.absi %e : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
for op in ("ctpop", "ctlz", "cttz"):
    OPS[f"math_{op}"] = f"""%i = math.{op} %ints : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
OPS["math_ipowi"] = f"""%two = arith.constant dense<2> : tensor<6xi32>
    %i = math.ipowi %two, %ints : tensor<6xi32>
    %y = arith.sitofp %i : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""
OPS["math_fpowi"] = f"""%two = arith.constant dense<2> : tensor<6xi32>
    %i = arith.addi %ints, %two : tensor<6xi32>
    %r = math.fpowi %a, %i : {F}, tensor<6xi32>"""
# Of a quotient that may be infinite or NaN.
for op in ("isnan", "isinf", "isfinite", "isnormal"):
    OPS[f"math_{op}"] = f"""%z = arith.constant dense<0.0> : {F}
    %y = mp.relu %a : {F}
    %x = mp.relu %b : {F}
    %q = arith.divf %x, %y : {F}
    %c = math.{op} %q : {F}
    %r = arith.select %c, %a, %z : tensor<6xi1>, {F}"""
OPS["arith_cmpi"] = f"""%three = arith.constant dense<1> : tensor<6xi32>
    %c = arith.cmpi slt, %ints, %three : tensor<6xi32>
    %r = arith.select %c, %a, %b : tensor<6xi1>, {F}"""
OPS["arith_wide_integers"] = f"""%e = arith.extsi %ints : tensor<6xi32> to tensor<6xi64>
    %i = arith.addi %e, %e : tensor<6xi64>
    %j = arith.trunci %i : tensor<6xi64> to tensor<6xi32>
    %y = arith.sitofp %j : tensor<6xi32> to {F}
    %r = arith.mulf %y, %a : {F}"""


def op_layer(name, body):
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x6xf32>, %x0: tensor<?x6xf32>, %w: {F}, %u: {F},
    %v0: {F}, %m: tensor<6x6xf32>, %ints: tensor<6xi32>)
    -> (tensor<?x6xf32>, tensor<?x6xf32>) {{
  %one = arith.constant dense<1.0> : {F}
  %v2 = arith.mulf %v0, %v0 : {F}
  %var = arith.addf %v2, %one : {F}
  %e0 = mp.message %g dst(%b = %h : tensor<?x6xf32>) src(%xj = %x0 : tensor<?x6xf32>)
      -> !mp.edges<6xf32> {{
    %a = arith.subf %xj, %b : {F}
    {body}
    mp.yield %r : {F}
  }}
  %a0 = mp.aggregate %g mean %e0 : (!mp.edges<6xf32>) -> tensor<?x6xf32>
  %u0 = mp.update (%a = %h : tensor<?x6xf32>, %b = %x0 : tensor<?x6xf32>) -> tensor<?x6xf32> {{
    {body}
    mp.yield %r : {F}
  }}
  return %a0, %u0 : tensor<?x6xf32>, tensor<?x6xf32>
}}
""", ["complete_no_self:13"], results=2)


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
""", graphs, results=2)


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
      "cliques:5,1,0,33"], results=2)


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

# Nor does a source count for a row that does not hear it, whatever others of its
# tile hear; one that is heard counts, with a weight of 0 too.
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
""", ["causal:75", "complete:67", "complete_no_self:38", "window:40,3", "cliques:5,1,0,33", KARATE],
                 results=4)


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

layers = [op_layer(name, body) for name, body in OPS.items()]
layers += shape_layers()
layers += [
    Layer("edges_in_and_out", EDGES_IN_AND_OUT, EDGE_GRAPHS, results=3),
    Layer("edges_alone", EDGES_ALONE, EDGE_GRAPHS, results=2),
    Layer("edges_twice", EDGES_TWICE, [g for g in EDGE_GRAPHS if "bipartite" not in g], results=2),
    Layer("edge_types", EDGE_TYPES, EDGE_GRAPHS),
    Layer("positions", POSITIONS, EDGE_GRAPHS, results=2),
    masked("mask_causal", "%keep = arith.cmpi sle, %j, %i : tensor<i32>"),
    masked("mask_first_half", """%ten = arith.constant dense<10> : tensor<i32>
    %keep = arith.cmpi slt, %i, %ten : tensor<i32>"""),
    masked("mask_all", "%keep = arith.constant dense<false> : tensor<i1>"),
    masked("mask_late", """%ten = arith.constant dense<20> : tensor<i32>
    %keep = arith.cmpi sgt, %j, %ten : tensor<i32>"""),
    Layer("no_edge_no_value", NO_EDGE_NO_VALUE, ["complete_no_self:38", KARATE], results=5),
    Layer("divided_nodes", DIVIDED_NODES, ["causal:38", "cliques:5,1,0,33", KARATE]),
    infinite_source("infinite_source", "dot"),
    infinite_source("infinite_masked_source", "masked"),
    Layer("no_padding", NO_PADDING, ["complete:19", "causal:38", "cliques:5,1,0,33"], results=2),
]
if len(sys.argv) > 2:
    layers = [layer for layer in layers if any(word in layer.name for word in sys.argv[2:])]
run_suite(layers, "features")
