#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Aggregations that grow with the nodes on complete and causal graphs, beside attention, which
grows with their pairs: milliseconds of one thread, the least of some runs.

    benchmarks/known_graphs.py build/bin [--most=1000000]
"""

import argparse
import pathlib
import re
import subprocess
import tempfile

SIZES = [1_000, 4_000, 16_000, 100_000, 1_000_000]
MOST_QUADRATIC = 16_000
NODE, EDGES = "tensor<?x4x16xf32>", "!mp.edges<4x16xf32>"

SOURCE = "    mp.yield %kj, %one : tensor<4x16xf32>, tensor<4xf32>"
PRODUCT = """    %d = mp.dot %qi, %kj : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4xf32>
"""
LINEAR = PRODUCT + """    %b = mp.broadcast %d : tensor<4xf32> to tensor<4x16xf32>
    %r = arith.mulf %b, %vj : tensor<4x16xf32>
    mp.yield %r, %d : tensor<4x16xf32>, tensor<4xf32>"""
ATTENTION = PRODUCT + "    mp.yield %vj, %d : tensor<4x16xf32>, tensor<4xf32>"

# What the message yields, and what is aggregated.
LAYERS = {
    "sum": (SOURCE, "sum"), "mean": (SOURCE, "mean"), "max": (SOURCE, "max"),
    "linear attention": (LINEAR, "linear"), "attention": (ATTENTION, "softmax(%m#1)"),
}


def make_spec(topology, body, kind):
    g = f"%g : !mp.graph<{topology}>"
    if kind == "linear":
        end = f"""  %top = mp.aggregate {g} sum %m#0 : ({EDGES}) -> {NODE}
  %bottom = mp.aggregate {g} sum %m#1 : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %out = mp.update (%t = %top : {NODE}, %b = %bottom : tensor<?x4xf32>) -> {NODE} {{
    %bs = mp.broadcast %b : tensor<4xf32> to tensor<4x16xf32>
    %r = arith.divf %t, %bs : tensor<4x16xf32>
    mp.yield %r : tensor<4x16xf32>
  }}"""
    else:
        score = "!mp.edges<4xf32>, " if "softmax" in kind else ""
        end = f"  %out = mp.aggregate {g} {kind} %m#0 : ({score}{EDGES}) -> {NODE}"
    return f"""
func.func @layer(%g: !mp.graph<{topology}>, %q: {NODE}, %k: {NODE}, %v: {NODE}) -> {NODE} {{
  %one = arith.constant dense<1.0> : tensor<4xf32>
  %m:2 = mp.message {g} dst(%qi = %q : {NODE}) src(%kj = %k : {NODE}, %vj = %v : {NODE})
      -> {EDGES}, !mp.edges<4xf32> {{
{body}
  }}
{end}
  return %out : {NODE}
}}
"""


def measure(tools, spec, graph):
    command = [tools / "clique-run", spec, f"--graph={graph}", "--threads=1", "--repeat=3"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return float(re.search(r"min ([0-9.]+)", text).group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=pathlib.Path, help="the folder of clique-run")
    parser.add_argument("--most", type=int, default=SIZES[-1], help="nodes of the largest graph")
    options = parser.parse_args()
    sizes = [size for size in SIZES if size <= options.most]
    print("| layer | graph |", " | ".join(f"{size:,}" for size in sizes), "|")
    print("| --- | --- |", " | ".join("---:" for _ in sizes), "|")
    with tempfile.TemporaryDirectory() as folder:
        for topology in ("complete", "causal"):
            for name, (body, kind) in LAYERS.items():
                spec = pathlib.Path(folder) / "layer.mlir"
                spec.write_text(make_spec(topology, body, kind))
                quadratic = name == "attention"
                times = ["" if quadratic and size > MOST_QUADRATIC else
                         f"{measure(options.tools, spec, f'{topology}:{size}'):.3g}"
                         for size in sizes]
                print(f"| {name} | {topology} |", " | ".join(times), "|", flush=True)


if __name__ == "__main__":
    main()
