# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""x1 = x0 + x0, x2 = x1 + x1 ...: passes that follow a value to what it is computed from look at each
value once, and not along each of the 2^40 ways to x0."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s | FileCheck %s
# CHECK: linear map of f32: 2 maps, 79 sums
# CHECK: linear map of f16: 2 maps, 79 sums
# CHECK: product: 81 products of nodes
# CHECK: score: of the source alone
# CHECK: positions: complete
# CHECK: condition: causal

import pathlib
import subprocess

COUNT = 40
FEATURE = "tensor<4xf32>"


def optimise(flag, spec):
    pathlib.Path("spec.mlir").write_text(spec)
    return subprocess.run(["clique-opt", flag, "spec.mlir"], check=True, stdout=subprocess.PIPE,
                          text=True, timeout=60).stdout


def double(op, type=FEATURE):
    return "".join(f"    %x{k + 1} = {op} %x{k}, %x{k} : {type}\n" for k in range(COUNT))


def make_linear(element):
    feature = f"tensor<4x{element}>"
    nodes, edges = f"tensor<?x4x{element}>", f"!mp.edges<4x{element}>"
    return f"""
func.func @linear(%g: !mp.graph, %h: {nodes}, %w: tensor<4x4x{element}>, %b: {feature}) -> {edges} {{
  %m = mp.message %g dst(%hi = %h : {nodes}) src(%hj = %h : {nodes}) -> {edges} {{
    %x0 = arith.subf %hi, %hj : {feature}
{double("arith.addf", feature)}
    %y = mp.linear %x{COUNT}, %w bias %b : ({feature}, tensor<4x4x{element}>, {feature}) -> {feature}
    mp.yield %y : {feature}
  }}
  return %m : {edges}
}}"""


def make_sum(body):
    """Over all pairs."""
    return f"""
func.func @sum(%n: index, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {{
  %g = mp.complete %n
  %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      -> !mp.edges<4xf32> {{
{body}
  }}
  %s = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}}"""


def make_masked(condition):
    """With what computes %c."""
    return make_sum(f"""
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
{condition}
    %mask = mp.broadcast %c : tensor<i1> to tensor<4xi1>
    %zero = arith.constant dense<0.0> : {FEATURE}
    %y = arith.select %mask, %hj, %zero : tensor<4xi1>, {FEATURE}
    mp.yield %y : {FEATURE}""")


def make_score():
    return f"""
func.func @score(%n: index, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {{
  %g = mp.complete %n
  %s, %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4xf32> {{
    %x0 = arith.addf %hi, %hj : {FEATURE}
{double("arith.addf")}
    mp.yield %x{COUNT}, %hj : {FEATURE}, {FEATURE}
  }}
  %a = mp.aggregate %g : !mp.graph<complete> softmax(%s) %m : (!mp.edges<4xf32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %a : tensor<?x4xf32>
}}"""


for element in ("f32", "f16"):
    made = optimise("-mp-hoist-endpoints", make_linear(element))
    print(f"linear map of {element}: {made.count('mp.linear')} maps, {made.count('arith.addf')} sums")
made = optimise("-mp-share-aggregations", make_sum(f"""
    %x0 = arith.mulf %hi, %hj : {FEATURE}
{double("arith.mulf")}
    mp.yield %x{COUNT} : {FEATURE}"""))
print("product:", made.count("arith.mulf"), "products, dst" if "dst(" in made else "products of nodes")
made = optimise("-mp-share-aggregations", make_score())
print("score:", "of both ends" if "dst(" in made else "of the source alone")
made = optimise("-mp-masks-to-graphs", make_masked(f"""
    %x0 = arith.subi %i, %j : tensor<i32>
{double("arith.addi", "tensor<i32>")}
    %bound = arith.constant dense<5> : tensor<i32>
    %c = arith.cmpi sle, %x{COUNT}, %bound : tensor<i32>"""))
print("positions:", "causal" if "mp.causal" in made else "complete")
made = optimise("-mp-masks-to-graphs", make_masked(f"""
    %x0 = arith.cmpi sle, %j, %i : tensor<i32>
{double("arith.andi", "tensor<i1>")}
    %c = arith.andi %x{COUNT}, %x{COUNT} : tensor<i1>"""))
print("condition:", "causal" if "mp.causal" in made else "complete")
