# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax, sums and sums of outer products over sparse rows of every length about a chunk's, with
hubs, for scores and values of one number, of a part of a vector, and of several vectors."""
# RUN: %python %s %S/Inputs %t | FileCheck %s
# CHECK: rows: {{[0-9]+}} layers

import pathlib
import sys

sys.path.insert(0, sys.argv[1])

from layer_suite import Layer, run_suite

LENGTHS = [0, 1, 2, 15, 16, 17, 0, 31, 32, 33, 63, 64, 65, 7, 1500, 3, 0, 5000, 1]


def write_graph(path, lengths, num_sources):
    """Row i has `lengths[i]` sources, far apart; long rows have some twice."""
    edges = [(i + 1, (7 * i + 31 * k) % num_sources + 1)
             for i, length in enumerate(lengths) for k in range(length)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                    f"{len(lengths)} {num_sources} {len(edges)}\n"
                    + "".join(f"{i} {j}\n" for i, j in edges))
    return str(path)


def tensor(shape, dtype):
    return "tensor<" + "".join(f"{size}x" for size in shape) + f"{dtype}>"


def make_softmax(name, shape, width, graph, dtype="f32"):
    """Scores of `shape`, values of `shape` x `width`: attention of each score's own."""
    score, value = tensor(shape, dtype), tensor(shape + [width], dtype)
    node = tensor(["?"] + shape + [width], dtype)
    edge_score, edge_value = (t.replace("tensor", "!mp.edges") for t in (score, value))
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %q: {node}, %k: {node}, %v: {node}) -> {node} {{
  %s, %w = mp.message %g dst(%qi = %q : {node}) src(%kj = %k : {node}, %vj = %v : {node})
      -> {edge_score}, {edge_value} {{
    %d = mp.dot %qi, %kj : ({value}, {value}) -> {score}
    mp.yield %d, %vj : {score}, {value}
  }}
  %m = mp.aggregate %g softmax(%s) %w : ({edge_score}, {edge_value}) -> {node}
  return %m : {node}
}}
""", [graph])


def make_masked(name, graph):
    """Every other source has a score of -inf, and short rows have no others."""
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {{
  %s, %w = mp.message %g src(%hj = %h : tensor<?x4xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4xf32> {{
    %lowest = arith.constant dense<0xFF800000> : tensor<4xf32>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %allowed = arith.cmpf ogt, %hj, %zero : tensor<4xf32>
    %e = arith.select %allowed, %hj, %lowest : tensor<4xi1>, tensor<4xf32>
    mp.yield %e, %hj : tensor<4xf32>, tensor<4xf32>
  }}
  %m = mp.aggregate %g softmax(%s) %w : (!mp.edges<4xf32>, !mp.edges<4xf32>) -> tensor<?x4xf32>
  return %m : tensor<?x4xf32>
}}
""", [graph])


def make_sum(name, width, graph, dtype="f32"):
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x{width}x{dtype}>) -> tensor<?x{width}x{dtype}> {{
  %v = mp.message %g src(%hj = %h : tensor<?x{width}x{dtype}>) -> !mp.edges<{width}x{dtype}> {{
    mp.yield %hj : tensor<{width}x{dtype}>
  }}
  %m = mp.aggregate %g sum %v : (!mp.edges<{width}x{dtype}>) -> tensor<?x{width}x{dtype}>
  return %m : tensor<?x{width}x{dtype}>
}}
""", [graph])


def make_outer(name, left, right, graph, dtype="f32"):
    """The mean of outer products of what depends on both ends with what the edge has, a sum of
    the transposed ones, a sum of vectors beside them, and a product that is returned by edge."""
    value = tensor([left, right], dtype)
    turned = tensor([right, left], dtype)
    row, column = tensor([left], dtype), tensor([right], dtype)
    nodes = tensor(["?", left], dtype)
    edges = [t.replace("tensor", "!mp.edges") for t in (value, turned, row)]
    all_edges, result = ", ".join(edges), tensor(["?", left, right], dtype)
    return Layer(name, f"""
func.func @{name}(%g: !mp.graph<sparse>, %h: {nodes}, %e: !mp.edges<{right}x{dtype}>)
    -> ({result}, {tensor(["?", right, left], dtype)}, {nodes}, {edges[1]}) {{
  %m:3 = mp.message %g : !mp.graph<sparse> dst(%hi = %h : {nodes}) src(%hj = %h : {nodes})
      edge(%ej = %e : !mp.edges<{right}x{dtype}>) -> {all_edges} {{
    %x = arith.addf %hi, %hj : {row}
    %a = mp.broadcast %x : {row} to {value}
    %b = mp.broadcast %ej trailing : {column} to {value}
    %p = arith.mulf %b, %a : {value}
    %c = mp.broadcast %hj dims [0] : {row} to {turned}
    %d = mp.broadcast %ej dims [1] : {column} to {turned}
    %q = arith.mulf %c, %d : {turned}
    mp.yield %p, %q, %hj : {value}, {turned}, {row}
  }}
  %mean = mp.aggregate %g : !mp.graph<sparse> mean %m#0 : ({edges[0]}) -> {result}
  %s:2 = mp.aggregate %g : !mp.graph<sparse> sum %m#1, %m#2
      : ({edges[1]}, {edges[2]}) -> ({tensor(["?", right, left], dtype)}, {nodes})
  return %mean, %s#0, %s#1, %m#1
      : {result}, {tensor(["?", right, left], dtype)}, {nodes}, {edges[1]}
}}
""", [graph])


folder = pathlib.Path(sys.argv[2])
graph = write_graph(folder / "rows.mtx", LENGTHS, 2000)
square = write_graph(folder / "square.mtx", LENGTHS, len(LENGTHS))
layers = [make_masked("masked", graph)]
for shape, width in (([], 1), ([], 64), ([1], 5), ([3], 4), ([2, 2], 3), ([5], 7), ([8], 8), ([16], 2),
                     ([67], 1), ([70], 2), ([128], 3)):
    name = "softmax_" + "_".join(map(str, shape + [width]))
    layers.append(make_softmax(name, shape, width, graph))
for dtype in ("f64", "bf16", "f16"):
    layers.append(make_softmax(f"softmax_{dtype}", [4], 16, graph, dtype))
    layers.append(make_sum(f"sum_{dtype}", 24, graph, dtype))
for width in (1, 3, 16, 40, 128, 300, 1024):
    layers.append(make_sum(f"sum_{width}", width, graph))
for left, right in ((3, 2), (19, 40), (70, 33)):
    layers.append(make_outer(f"outer_{left}_{right}", left, right, square))
for dtype in ("f64", "bf16"):
    layers.append(make_outer(f"outer_{dtype}", 24, 17, square, dtype))
run_suite(layers, "rows")
