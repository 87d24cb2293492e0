# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every aggregator, of values and scores that depend on both ends of an edge, on
one of them, or on neither, on graphs of every kind, dense and sparse."""
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: aggregators: {{[0-9]+}} layers

import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

import make_hubs
from layer_suite import DUPLICATES, EMPTY, ISOLATED, KARATE, UNSORTED_COMPLETE, Layer, run_suite

GRAPHS = [KARATE, DUPLICATES, ISOLATED, EMPTY, UNSORTED_COMPLETE, "complete:67",
          "complete_no_self:70", "bipartite:37x70", "causal:75", "window:100,7",
          "cliques:5,1,0,64,33", "causal_cliques:5,0,40,1", "blocks:100,24,3"]
FEW_GRAPHS = [ISOLATED, "complete_no_self:70", "cliques:5,1,0,64,33"]

# The value of an edge, by what it depends on: %v of 2 x 4.
VALUES = {
    "both": """
    %t = arith.addf %hi, %xj : tensor<2x4xT>
    %v = math.tanh %t : tensor<2x4xT>""",
    "source": """
    %v = mp.relu %xj : tensor<2x4xT>""",
    "destination": """
    %v = mp.relu %hi : tensor<2x4xT>""",
    "neither": """
    %v = arith.constant dense<[[0.5, -1.0, 2.0, 0.25], [1.0, -0.5, -2.0, 4.0]]> : tensor<2x4xT>""",
}

# The scores of an edge: %s, and %p for each of the two heads.
SCORES = {
    "both": """
    %p = mp.dot %hi, %xj : (tensor<2x4xT>, tensor<2x4xT>) -> tensor<2xT>
    %s = mp.reduce sum %p dims [0] : tensor<2xT> -> tensor<T>""",
    "source": """
    %p = mp.reduce sum %xj dims [1] : tensor<2x4xT> -> tensor<2xT>
    %s = mp.reduce max %xj dims [0, 1] : tensor<2x4xT> -> tensor<T>""",
    "destination": """
    %p = mp.reduce sum %hi dims [1] : tensor<2x4xT> -> tensor<2xT>
    %s = mp.reduce max %hi dims [0, 1] : tensor<2x4xT> -> tensor<T>""",
    "neither": """
    %p = arith.constant dense<[1.0, -3.0]> : tensor<2xT>
    %s = arith.constant dense<2.0> : tensor<T>""",
}

NAMED = [f"{kind} : (!mp.edges<2x4xT>)" for kind in ("sum %v", "mean %v", "max %v", "min %v", "std %v",
                                                    "logsumexp %v", "softmax(%v)")]
SOFTMAX = ["softmax(%s) %v : (!mp.edges<T>, !mp.edges<2x4xT>)",
           "softmax(%p) %v : (!mp.edges<2xT>, !mp.edges<2x4xT>)"]
PRODUCT = """custom %v : (!mp.edges<2x4xT>) -> tensor<?x2x4xT>
    identity {
      %one = arith.constant dense<1.0> : tensor<2x4xT>
      mp.yield %one : tensor<2x4xT>
    }
    lift {
    ^bb0(%u: tensor<2x4xT>):
      %scale = arith.constant dense<0.0625> : tensor<2x4xT>
      %one = arith.constant dense<1.0> : tensor<2x4xT>
      %small = arith.mulf %u, %scale : tensor<2x4xT>
      %factor = arith.addf %small, %one : tensor<2x4xT>
      mp.yield %factor : tensor<2x4xT>
    }
    combine {
    ^bb0(%a: tensor<2x4xT>, %b: tensor<2x4xT>):
      %ab = arith.mulf %a, %b : tensor<2x4xT>
      mp.yield %ab : tensor<2x4xT>
    }
    finalise {
    ^bb0(%a: tensor<2x4xT>):
      mp.yield %a : tensor<2x4xT>
    }"""
# State: the largest value m, and the sum of exp(v - m).
LOG_SUM_EXP = """custom %v : (!mp.edges<2x4xT>) -> tensor<?x2x4xT>
    identity {
      %m = arith.constant dense<-1.0e4> : tensor<2x4xT>
      %l = arith.constant dense<0.0> : tensor<2x4xT>
      mp.yield %m, %l : tensor<2x4xT>, tensor<2x4xT>
    }
    lift {
    ^bb0(%u: tensor<2x4xT>):
      %one = arith.constant dense<1.0> : tensor<2x4xT>
      mp.yield %u, %one : tensor<2x4xT>, tensor<2x4xT>
    }
    combine {
    ^bb0(%m: tensor<2x4xT>, %l: tensor<2x4xT>, %n: tensor<2x4xT>, %k: tensor<2x4xT>):
      %max = arith.maximumf %m, %n : tensor<2x4xT>
      %dm = arith.subf %m, %max : tensor<2x4xT>
      %dn = arith.subf %n, %max : tensor<2x4xT>
      %em = math.exp %dm : tensor<2x4xT>
      %en = math.exp %dn : tensor<2x4xT>
      %lm = arith.mulf %l, %em : tensor<2x4xT>
      %kn = arith.mulf %k, %en : tensor<2x4xT>
      %sum = arith.addf %lm, %kn : tensor<2x4xT>
      mp.yield %max, %sum : tensor<2x4xT>, tensor<2x4xT>
    }
    finalise {
    ^bb0(%m: tensor<2x4xT>, %l: tensor<2x4xT>):
      %log = math.log %l : tensor<2x4xT>
      %r = arith.addf %m, %log : tensor<2x4xT>
      mp.yield %r : tensor<2x4xT>
    }"""

# Later edges weigh more. State: the weight of all earlier ones, and the sum.
FADING_SUM = """custom %v : (!mp.edges<2x4xT>) -> tensor<?x2x4xT>
    identity {
      %w = arith.constant dense<1.0> : tensor<2x4xT>
      %z = arith.constant dense<0.0> : tensor<2x4xT>
      mp.yield %w, %z : tensor<2x4xT>, tensor<2x4xT>
    }
    lift {
    ^bb0(%u: tensor<2x4xT>):
      %w = arith.constant dense<0.9995> : tensor<2x4xT>
      mp.yield %w, %u : tensor<2x4xT>, tensor<2x4xT>
    }
    combine {
    ^bb0(%w: tensor<2x4xT>, %z: tensor<2x4xT>, %y: tensor<2x4xT>, %t: tensor<2x4xT>):
      %wx = arith.mulf %w, %y : tensor<2x4xT>
      %sx = arith.mulf %z, %y : tensor<2x4xT>
      %sum = arith.addf %sx, %t : tensor<2x4xT>
      mp.yield %wx, %sum : tensor<2x4xT>, tensor<2x4xT>
    }
    finalise {
    ^bb0(%w: tensor<2x4xT>, %z: tensor<2x4xT>):
      mp.yield %z : tensor<2x4xT>
    }"""


def make_layer(name, value, score, aggregates, graphs, dtype="f32"):
    """One message, several aggregations, each a result."""
    results = ", ".join(f"%r{k}" for k in range(len(aggregates)))
    types = ", ".join(["tensor<?x2x4xT>"] * len(aggregates))
    lines = [f"  %r{k} = mp.aggregate %g {text}"
             + ("" if "->" in text else " -> tensor<?x2x4xT>")
             for k, text in enumerate(aggregates)]
    text = f"""
func.func @{name}(%g: !mp.graph, %h: tensor<?x2x4xT>, %x: tensor<?x2x4xT>) -> ({types}) {{
  %v, %s, %p = mp.message %g dst(%hi = %h : tensor<?x2x4xT>) src(%xj = %x : tensor<?x2x4xT>)
      -> !mp.edges<2x4xT>, !mp.edges<T>, !mp.edges<2xT> {{{VALUES[value]}{SCORES[score]}
    mp.yield %v, %s, %p : tensor<2x4xT>, tensor<T>, tensor<2xT>
  }}
""" + "\n".join(lines) + f"""
  return {results} : {types}
}}
"""
    text = text.replace("xT>", f"x{dtype}>").replace("<T>", f"<{dtype}>")
    return Layer(name, text, graphs)


def make_winners(value):
    """Extrema with the number of their edge, of equal values the first; and products, on
    graphs of few edges into a node."""
    text = f"""
func.func @winners_of_{value}(%g: !mp.graph, %h: tensor<?x2x4xf32>, %x: tensor<?x2x4xf32>)
    -> (tensor<?x2x4xf32>, tensor<?x2x4xi64>, tensor<?x2xf32>, tensor<?x2xi64>,
        tensor<?x2x4xf32>, tensor<?xf32>) {{
  %v, %s, %p = mp.message %g dst(%hi = %h : tensor<?x2x4xf32>) src(%xj = %x : tensor<?x2x4xf32>)
      -> !mp.edges<2x4xf32>, !mp.edges<f32>, !mp.edges<2xf32> {{{VALUES[value]}{SCORES[value]}
    mp.yield %v, %s, %p : tensor<2x4xT>, tensor<T>, tensor<2xT>
  }}
  %a, %b = mp.aggregate %g max %v
      : (!mp.edges<2x4xf32>) -> (tensor<?x2x4xf32>, tensor<?x2x4xi64>)
  %c, %d = mp.aggregate %g min %p : (!mp.edges<2xf32>) -> (tensor<?x2xf32>, tensor<?x2xi64>)
  %e, %f = mp.aggregate %g prod %v, %s
      : (!mp.edges<2x4xf32>, !mp.edges<f32>) -> (tensor<?x2x4xf32>, tensor<?xf32>)
  return %a, %b, %c, %d, %e, %f : tensor<?x2x4xf32>, tensor<?x2x4xi64>, tensor<?x2xf32>,
      tensor<?x2xi64>, tensor<?x2x4xf32>, tensor<?xf32>
}}
"""
    return Layer(f"winners_of_{value}", text.replace("xT>", "xf32>").replace("<T>", "<f32>"),
                 [DUPLICATES, ISOLATED, EMPTY, "complete_no_self:9", "cliques:5,1,0,6"])


# Rows of more edges than a block.
folder = tempfile.TemporaryDirectory()
HUBS = [str(pathlib.Path(folder.name) / "hubs.mtx"), "bipartite:3x5000"]
make_hubs.main(HUBS[0])
layers = []
for value in VALUES:
    # Alone, and as one pass over the edges.
    layers.append(make_layer(f"moments_of_{value}", value, "both", NAMED[:2] + NAMED[4:], GRAPHS))
    layers.append(make_layer(f"extrema_of_{value}", value, "both", NAMED[2:4], GRAPHS))
    layers.append(make_layer(f"monoids_of_{value}", value, "both", [PRODUCT, LOG_SUM_EXP], GRAPHS))
    layers.append(make_layer(f"all_of_{value}", value, "both",
                             NAMED + SOFTMAX + [PRODUCT, LOG_SUM_EXP], FEW_GRAPHS))
    layers.append(make_winners(value))
    if value in ("both", "source"):  # sums of so many equal numbers round too much
        layers.append(make_layer(f"hubs_of_{value}", value, "both",
                                 NAMED + SOFTMAX + [LOG_SUM_EXP], HUBS))
        layers.append(make_layer(f"order_of_{value}", value, "both", [FADING_SUM], HUBS[1:]))
    for score in SCORES:
        graphs = GRAPHS if value == score else FEW_GRAPHS
        layers.append(make_layer(f"softmax_of_{value}_by_{score}", value, score, SOFTMAX, graphs))
for kind in ("f64", "f16", "bf16"):
    for value in ("both", "neither"):
        layers.append(make_layer(f"{kind}_of_{value}", value, "both",
                                 NAMED + SOFTMAX + [PRODUCT, LOG_SUM_EXP],
                                 [KARATE, "complete_no_self:35"], kind))
run_suite(layers, "aggregators")
