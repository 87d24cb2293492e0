#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What it buys to remove heads of attention: a Transformer's encoder block of 8 heads of 64, and
its attention alone, with fewer and fewer heads. Milliseconds of one thread, the least of rounds
that take the numbers of heads in turn.

    benchmarks/pruned_heads.py build/bin [--tokens=128] [--rounds=3]
"""

import argparse
import pathlib
import re
import string
import subprocess
import tempfile

LAYERS = pathlib.Path(__file__).resolve().parent / "layers"
HEADS, SIZE = 8, 64
KEPT = [8, 6, 4, 2, 1]
SIZES = {"heads": HEADS, "size": SIZE, "width": HEADS * SIZE, "hidden": 4 * HEADS * SIZE,
         "scale": 1 / SIZE ** 0.5}

# Queries, keys and values from the nodes, and no more.
ATTENTION = """
func.func @attention(%g: !mp.graph<cliques>, %x: tensor<?x${width}xf32>,
    %wq: tensor<${width}x${heads}x${size}xf32>, %wk: tensor<${width}x${heads}x${size}xf32>,
    %wv: tensor<${width}x${heads}x${size}xf32>, %wo: tensor<${heads}x${size}x${width}xf32>)
    -> tensor<?x${width}xf32> {
  %s, %v = mp.message %g : !mp.graph<cliques> dst(%xi = %x : tensor<?x${width}xf32>)
      src(%xj = %x : tensor<?x${width}xf32>) -> !mp.edges<${heads}xf32>, !mp.edges<${heads}x${size}xf32> {
    %q = mp.linear %xi, %wq : (tensor<${width}xf32>, tensor<${width}x${heads}x${size}xf32>) -> tensor<${heads}x${size}xf32>
    %k = mp.linear %xj, %wk : (tensor<${width}xf32>, tensor<${width}x${heads}x${size}xf32>) -> tensor<${heads}x${size}xf32>
    %w = mp.linear %xj, %wv : (tensor<${width}xf32>, tensor<${width}x${heads}x${size}xf32>) -> tensor<${heads}x${size}xf32>
    %d = mp.dot %q, %k : (tensor<${heads}x${size}xf32>, tensor<${heads}x${size}xf32>) -> tensor<${heads}xf32>
    %c = arith.constant dense<${scale}> : tensor<${heads}xf32>
    %e = arith.mulf %d, %c : tensor<${heads}xf32>
    mp.yield %e, %w : tensor<${heads}xf32>, tensor<${heads}x${size}xf32>
  }
  %m = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %v
      : (!mp.edges<${heads}xf32>, !mp.edges<${heads}x${size}xf32>) -> tensor<?x${heads}x${size}xf32>
  %o = mp.linear %m, %wo : (tensor<?x${heads}x${size}xf32>, tensor<${heads}x${size}x${width}xf32>) -> tensor<?x${width}xf32>
  return %o : tensor<?x${width}xf32>
}
"""


def measure(tools, spec, graph, kept):
    """Every other head goes first, so that those that stay are not next to each other."""
    order = [*range(0, HEADS, 2), *range(1, HEADS, 2)][:HEADS - kept]
    pruning = [f"--prune-heads={','.join(map(str, order))}"] if order else []
    out = subprocess.run([tools / "clique-run", spec, f"--graph={graph}", "--repeat=50",
                          "--threads=1", *pruning], check=True, stdout=subprocess.PIPE,
                         text=True).stdout
    return float(re.search(r"min ([0-9.]+)", out)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=pathlib.Path)
    parser.add_argument("--tokens", type=int, default=128, help="of a sentence; there are two")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    texts = {"encoder block": (LAYERS / "encoder.mlir.in").read_text(), "attention": ATTENTION}
    times = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            spec = pathlib.Path(folder, f"{name.replace(' ', '_')}.mlir")
            spec.write_text(string.Template(text).substitute(SIZES))
            for _ in range(options.rounds):
                for kept in KEPT:
                    found = measure(options.tools, spec,
                                    f"cliques:{options.tokens},{options.tokens}", kept)
                    times[name, kept] = min(found, times.get((name, kept), found))
    print("| heads left | " + " | ".join(f"{name}, ms | of all heads" for name in texts) + " |")
    print("| ---: |" + " ---: | ---: |" * len(texts))
    for kept in KEPT:
        print(f"| {kept} | " + " | ".join(
            f"{times[name, kept]:.2f} | {times[name, kept] / times[name, HEADS]:.2f}"
            for name in texts) + " |")


if __name__ == "__main__":
    main()
