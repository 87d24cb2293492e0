# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks whose layers all read what those before them made: what compiles them looks at each value
once, and not along each way to it, of which there are twice as many with each layer."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s | FileCheck %s
# CHECK: edges: 32 maps
# CHECK: nodes: ok

import pathlib
import subprocess

LAYERS = 32


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=300).stdout


def make_edges():
    """e' = e + u(e, h_j), each in two messages."""
    edges, lines = "%e", []
    for k in range(LAYERS):
        lines.append(f"""
  %u{k} = mp.message %g src(%hj = %h : tensor<?x4xf32>) edge(%x = {edges} : !mp.edges<4xf32>) -> !mp.edges<4xf32> {{
    %y = mp.linear %x, %w : (tensor<4xf32>, tensor<4x4xf32>) -> tensor<4xf32>
    %z = arith.addf %y, %hj : tensor<4xf32>
    %r = mp.relu %z : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }}
  %e{k} = mp.message %g edge(%x = {edges} : !mp.edges<4xf32>, %v = %u{k} : !mp.edges<4xf32>) -> !mp.edges<4xf32> {{
    %r = arith.addf %x, %v : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }}""")
        edges = f"%e{k}"
    return f"""
func.func @edges(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {{
  {"".join(lines)}
  %s = mp.aggregate %g sum {edges} : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}}"""


def make_nodes():
    """x' = x + f(W norm(x)) in one update, whose result a message's gradient has too."""
    size, lines = 32, []
    weights = ", ".join(f"%w{k}: tensor<{size}x{size}xf32>" for k in range(LAYERS))
    feature = f"tensor<{size}xf32>"
    for k in range(LAYERS):
        lines.append(f"""
    %n{k} = mp.layer_norm %x{k} : ({feature}) -> {feature}
    %y{k} = mp.linear %n{k}, %w{k} : ({feature}, tensor<{size}x{size}xf32>) -> {feature}
    %r{k} = mp.silu %y{k} : {feature}
    %x{k + 1} = arith.addf %r{k}, %x{k} : {feature}""")
    nodes = f"tensor<?x{size}xf32>"
    return f"""
func.func @nodes(%g: !mp.graph, %h: {nodes}, {weights}) -> ({nodes}, {nodes}) {{
  %o, %p = mp.update (%x0 = %h : {nodes}) -> {nodes}, {nodes} {{
    {"".join(lines)}
    %z = math.sin %x{LAYERS} : {feature}
    mp.yield %x{LAYERS}, %z : {feature}, {feature}
  }}
  %m = mp.message %g dst(%oi = %o : {nodes}) src(%oj = %o : {nodes}) -> !mp.edges<{size}xf32> {{
    %q = arith.addf %oi, %oj : {feature}
    %t = math.tanh %q : {feature}
    mp.yield %t : {feature}
  }}
  %s = mp.aggregate %g sum %m : (!mp.edges<{size}xf32>) -> {nodes}
  return %s, %p : {nodes}, {nodes}
}}"""


pathlib.Path("edges.mlir").write_text(make_edges())
print("edges:", run("clique-opt", "-mp-fuse", "edges.mlir").count("mp.linear"), "maps")
pathlib.Path("nodes.mlir").write_text(make_nodes())
run("clique-opt", "--mp-differentiate", "nodes.mlir")
print("nodes: ok")
