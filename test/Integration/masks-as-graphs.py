# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Masks that say which graph it is, by positions and by numbers of segments, against NumPy
and the reference interpreter."""
# RUN: %python %s %t %S/Inputs | FileCheck %s
# CHECK: masks as graphs: 10 runs

import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, sys.argv[2])

from layer_runs import Runner, compare

WORK = pathlib.Path(sys.argv[1])
RANDOM = np.random.default_rng(17)
run = Runner(WORK)


def check_masks():
    """Masks of a complete graph, random ranges of i - j, against NumPy."""
    n = 70
    i, j = np.indices((n, n))
    arrays = {"h": RANDOM.standard_normal((n, 4), np.float32)}
    least, most = sorted(RANDOM.integers(-9, 10, 2))
    width = RANDOM.integers(1, 9)
    masks = {"causal": j <= i, "window": abs(i - j) <= width,
             "range": (least <= i - j) & (i - j <= most),
             "recent": (j < i) & (i - j <= width)}
    # The graph has no edge i -> i, the mask would keep it.
    graphs = {"recent": "complete, no_self"}
    conditions = {
        "causal": "arith.cmpi sge, %i, %j : tensor<i32>",
        "window": "arith.cmpi sle, %abs, %width : tensor<i32>",
        "range": "arith.andi %above, %below : tensor<i1>",
        "recent": "arith.andi %past, %near : tensor<i1>"}
    kernels = {"causal": "causal", "window": f"window {width}",
               "range": f"window {max(abs(least), abs(most))}",
               "recent": f"window {width} without self-loops"}
    node, edges = "tensor<?x4xf32>", "!mp.edges<4xf32>"
    for name, mask in masks.items():
        spec = WORK / f"mask_{name}.mlir"
        graph = graphs.get(name, "complete")
        g = f"%g : !mp.graph<{graph}>"
        spec.write_text(f"""
func.func @layer(%g: !mp.graph<{graph}>, %h: {node}) -> ({node}, {node}) {{
  %m:3 = mp.message {g} src(%hj = %h : {node}) -> {edges}, {edges}, {edges} {{
    %width = arith.constant dense<{width}> : tensor<i32>
    %least = arith.constant dense<{least}> : tensor<i32>
    %most = arith.constant dense<{most}> : tensor<i32>
    %lowest = arith.constant dense<0xFF800000> : tensor<4xf32>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
    %d = arith.subi %i, %j : tensor<i32>
    %abs = math.absi %d : tensor<i32>
    %above = arith.cmpi sle, %least, %d : tensor<i32>
    %below = arith.cmpi sge, %most, %d : tensor<i32>
    %past = arith.cmpi sle, %j, %i : tensor<i32>
    %near = arith.cmpi sle, %d, %width : tensor<i32>
    %c = {conditions[name]}
    %b = mp.broadcast %c : tensor<i1> to tensor<4xi1>
    %s = arith.select %b, %hj, %lowest : tensor<4xi1>, tensor<4xf32>
    %v = arith.select %b, %hj, %zero : tensor<4xi1>, tensor<4xf32>
    mp.yield %s, %v, %hj : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }}
  %a = mp.aggregate {g} softmax(%m#0) %m#2 : ({edges}, {edges}) -> {node}
  %t = mp.aggregate {g} sum %m#1 : ({edges}) -> {node}
  return %a, %t : {node}, {node}
}}
""")
        soft, total = run(spec, arrays, f"--graph={graph.replace(', ', '_')}:{n}", "--verify",
                          outputs=["out0", "out1"], kernel=kernels[name])
        w = np.exp(arrays["h"].astype(float)) * mask[..., None]
        top = (w * arrays["h"]).sum(1)
        compare((name, "softmax"), soft, top / np.maximum(w.sum(1), 1e-300))
        compare((name, "sum"), total, mask @ arrays["h"].astype(float))


def check_segments():
    """Equal numbers of both ends: cliques if the numbers that arrive never fall, the mask if
    they do; with the edges of a causal graph, or those of another number."""
    node, edges = "tensor<?x4xf32>", "!mp.edges<4xf32>"
    for graph, kind in (("complete", "i32"), ("causal", "i64")):
        numbers = f"tensor<?x{kind}>"
        spec, library = WORK / f"segments_{graph}.mlir", WORK / f"segments_{graph}.so"
        g = f"%g : !mp.graph<{graph}>"
        spec.write_text(f"""
func.func @layer(%g: !mp.graph<{graph}>, %h: {node}, %s: {numbers}, %t: {numbers}) -> ({node}, {node}, {node}) {{
  %m:4 = mp.message {g} dst(%si = %s : {numbers}, %ti = %t : {numbers})
      src(%hj = %h : {node}, %sj = %s : {numbers}, %tj = %t : {numbers}) -> {edges}, {edges}, {edges}, {edges} {{
    %lowest = arith.constant dense<0xFF800000> : tensor<4xf32>
    %zero = arith.constant dense<0.0> : tensor<4xf32>
    %same = arith.cmpi eq, %si, %sj : tensor<{kind}>
    %others = arith.cmpi ne, %sj, %si : tensor<{kind}>
    %as = arith.cmpi eq, %ti, %tj : tensor<{kind}>
    %both = arith.andi %same, %as : tensor<i1>
    %b = mp.broadcast %same : tensor<i1> to tensor<4xi1>
    %o = mp.broadcast %others : tensor<i1> to tensor<4xi1>
    %bb = mp.broadcast %both : tensor<i1> to tensor<4xi1>
    %score = arith.select %b, %hj, %lowest : tensor<4xi1>, tensor<4xf32>
    %v = arith.select %o, %zero, %hj : tensor<4xi1>, tensor<4xf32>
    %w = arith.select %bb, %hj, %zero : tensor<4xi1>, tensor<4xf32>
    mp.yield %score, %hj, %v, %w : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }}
  %a = mp.aggregate {g} softmax(%m#0) %m#1 : ({edges}, {edges}) -> {node}
  %b = mp.aggregate {g} sum %m#2 : ({edges}) -> {node}
  %c = mp.aggregate {g} sum %m#3 : ({edges}) -> {node}
  return %a, %b, %c : {node}, {node}, {node}
}}
""")
        subprocess.run(["clique-compile", "-O1", spec, "-o", library], check=True)
        for n, is_sorted in ((1, True), (77, True), (77, False)):
            i, j = np.indices((n, n))
            s = RANDOM.integers(-3, 4, n)
            if is_sorted:
                s.sort()
            elif np.all(s[1:] >= s[:-1]):
                sys.exit("choose another seed")
            t = RANDOM.integers(0, 2, n)
            arrays = {"h": RANDOM.standard_normal((n, 4), np.float32),
                      "s": s.astype(kind.replace("i", "int")),
                      "t": t.astype(kind.replace("i", "int"))}
            adjacency = (s[i] == s[j]) & ((j <= i) | (graph == "complete"))
            taken = "" if n < 2 else "causal_cliques" if graph == "causal" else "cliques"
            found = run(library, arrays, f"--graph={graph}:{n}", "--verify", f"--spec={spec}",
                        outputs=["out0", "out1", "out2"],
                        kernel=f": {taken if is_sorted else graph}" if n > 1 else "")
            h = arrays["h"].astype(float)
            w = np.exp(h) * adjacency[..., None]
            compare((graph, n, "softmax"), found[0], (w * h).sum(1) / w.sum(1))
            compare((graph, n, "sum"), found[1], adjacency @ h)
            compare((graph, n, "both"), found[2], (adjacency & (t[i] == t[j])) @ h)


check_masks()
check_segments()
print(f"masks as graphs: {run.runs} runs")
