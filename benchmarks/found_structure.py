#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a structure costs that is not in the type of the graph: attention, 8 heads of 64, whose mask
is written as a condition on a complete graph, over the same with the graph in its type; and on cliques
whose nodes were mixed, as they are and renumbered, over the same cliques in order. Medians of
alternating runs of one thread.

    benchmarks/found_structure.py build
"""

import argparse
import ctypes
import pathlib
import statistics
import tempfile
import time

import numpy as np

from choice.timing import compile_layer
from harness.clique import Clique, pointer

NODES = [512, 1024, 2048, 4096]
CLIQUES = [(200, 20, 100), (500, 20, 100), (1000, 20, 40)]  # how many, least and most nodes
ROUNDS, CALLS = 9, 3
NODE, HEADS, HALF_WIDTH = "tensor<?x8x64xf32>", "tensor<8xf32>", 128

POSITIONS = """    %i = mp.position dst : tensor<i32>
    %j = mp.position src : tensor<i32>
"""
CONDITIONS = {
    "causal": POSITIONS + "    %c = arith.cmpi sle, %j, %i : tensor<i32>\n",
    "window": POSITIONS + f"""    %d0 = arith.subi %i, %j : tensor<i32>
    %d1 = math.absi %d0 : tensor<i32>
    %w = arith.constant dense<{HALF_WIDTH}> : tensor<i32>
    %c = arith.cmpi sle, %d1, %w : tensor<i32>
""",
    "segments": "    %c = arith.cmpi eq, %si, %sj : tensor<i32>\n"}
MASKED = f"""    %no = arith.constant dense<0xFF800000> : {HEADS}
    %cs = mp.broadcast %c : tensor<i1> to tensor<8xi1>
    %s = arith.select %cs, %d, %no : tensor<8xi1>, {HEADS}
"""


def make_spec(graph, condition=None):
    of = {"arg": "", "dst": "", "src": ""}
    if condition == "segments":
        of = {"arg": ", %seg: tensor<?xi32>", "dst": ", %si = %seg : tensor<?xi32>",
              "src": ", %sj = %seg : tensor<?xi32>"}
    body = CONDITIONS[condition] + MASKED if condition else ""
    edges = "!mp.edges<8xf32>, !mp.edges<8x64xf32>"
    return f"""
func.func @layer(%g: {graph}, %q: {NODE}, %k: {NODE}, %v: {NODE}{of["arg"]}) -> {NODE} {{
  %m:2 = mp.message %g : {graph} dst(%qi = %q : {NODE}{of["dst"]})
      src(%kj = %k : {NODE}, %vj = %v : {NODE}{of["src"]}) -> {edges} {{
    %d = mp.dot %qi, %kj : (tensor<8x64xf32>, tensor<8x64xf32>) -> {HEADS}
{body}    mp.yield {"%s" if condition else "%d"}, %vj : {HEADS}, tensor<8x64xf32>
  }}
  %o = mp.aggregate %g : {graph} softmax(%m#0) %m#1 : ({edges}) -> {NODE}
  return %o : {NODE}
}}
"""


def compare(name, first, second):
    """Prints the time of `second` over that of `first`."""
    def take(call):
        begin = time.perf_counter()
        call()
        return 1e3 * (time.perf_counter() - begin)

    first(), second()
    rounds = [[statistics.median(times) for times in
               zip(*[(take(first), take(second)) for _ in range(CALLS)])] for _ in range(ROUNDS)]
    of_first, of_second = (statistics.median(times) for times in zip(*rounds))
    ratio = statistics.median(second / first for first, second in rounds)
    print(f"{name:40} {of_second:9.3f} ms over {of_first:9.3f} ms: {ratio:.3f}", flush=True)


def make_cliques(clique, offsets):
    return clique.graph("cliques", ctypes.c_int64(len(offsets) - 1),
                        pointer(offsets, ctypes.c_int64), 0, 0)


def measure_masks(clique, random):
    layers = {(graph, condition): compile_layer(clique, make_spec(graph, condition))[0]
              for graph, condition in (
                  ("!mp.graph<causal>", None), (f"!mp.graph<window, {HALF_WIDTH}>", None),
                  ("!mp.graph<cliques>", None), *(("!mp.graph<complete>", c) for c in CONDITIONS))}
    for n in NODES:
        features = [random.standard_normal((n, 8, 64)).astype(np.float32) for _ in range(3)]
        count = ctypes.c_int64(n)
        offsets = np.unique(np.append(np.cumsum(random.integers(16, 200, n // 16)).clip(0, n), 0))
        segments = np.repeat(np.arange(len(offsets) - 1, dtype=np.int32), np.diff(offsets))
        typed = {"causal": ("!mp.graph<causal>", clique.graph("causal", count, 0)),
                 "window": (f"!mp.graph<window, {HALF_WIDTH}>",
                            clique.graph("window", count, ctypes.c_int64(HALF_WIDTH), 0)),
                 "segments": ("!mp.graph<cliques>", make_cliques(clique, offsets))}
        complete = clique.graph("complete", count, 0)
        for condition, (graph, handle) in typed.items():
            more = [segments] if condition == "segments" else []
            compare(f"{condition} on {n} nodes, written over typed",
                    layers[graph, None].bind(handle, *features),
                    layers["!mp.graph<complete>", condition].bind(complete, *features, *more))


def make_csr(clique, part):
    """The graph in which nodes of one part receive from each other."""
    order = np.argsort(part, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(part))[:-1])
    indptr = np.append(0, np.cumsum(np.bincount(part)[part])).astype(np.int64)
    return clique.csr_graph(indptr, np.concatenate([members[p] for p in part]).astype(np.int32))


def measure_cliques(clique, random):
    layer, _ = compile_layer(clique, make_spec("!mp.graph"))
    for count, least, most in CLIQUES:
        part = np.repeat(np.arange(count), random.integers(least, most + 1, count))
        n = part.size
        features = [random.standard_normal((n, 8, 64)).astype(np.float32) for _ in range(3)]
        mixed = make_csr(clique, random.permutation(part))
        begin = time.perf_counter()
        renumbered, _ = clique.reorder(mixed, "auto", n, 2048)
        taken = 1e3 * (time.perf_counter() - begin)
        ordered = layer.bind(make_csr(clique, part), *features)
        name = f"{count} cliques of {least} to {most}"
        compare(name + ", mixed", ordered, layer.bind(mixed, *features))
        compare(name + ", renumbered", ordered, layer.bind(renumbered, *features))
        print(f"{'':40} found once, in {taken:.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path, help="the folder of a build")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clique = Clique(options.build.resolve(), pathlib.Path(folder), threads=1)
        random = np.random.default_rng(0)
        measure_masks(clique, random)
        measure_cliques(clique, random)


if __name__ == "__main__":
    main()
