#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory and time of networks by their depth: layers of 64 features on a random graph of the
size of amazon_photo, one thread.

    benchmarks/deep_networks.py build/bin
"""

import argparse
import pathlib
import random
import re
import subprocess
import tempfile

NODES, EDGES, FEATURES = 7_650, 238_162, 64
DEPTHS = [1, 8, 32]


def make_spec(layers, graph="!mp.graph", features=FEATURES):
    """Layers h_i' = relu(mean_j W h_j)."""
    node, edge = f"tensor<?x{features}xf32>", f"!mp.edges<{features}xf32>"
    one, matrix = f"tensor<{features}xf32>", f"tensor<{features}x{features}xf32>"
    weights = "".join(f", %w{k}: {matrix}" for k in range(layers))
    body = "".join(f"""
  %m{k} = mp.message %g : {graph} src(%x = %h{k} : {node}) -> {edge} {{
    %v = mp.linear %x, %w{k} : ({one}, {matrix}) -> {one}
    mp.yield %v : {one}
  }}
  %a{k} = mp.aggregate %g : {graph} mean %m{k} : ({edge}) -> {node}
  %h{k + 1} = mp.update (%s = %a{k} : {node}) -> {node} {{
    %r = mp.relu %s : {one}
    mp.yield %r : {one}
  }}""" for k in range(layers))
    return f"""func.func @network(%g: {graph}, %h0: {node}{weights}) -> {node} {{{body}
  return %h{layers} : {node}
}}
"""


def make_graph(path):
    """A random graph as a Matrix Market file."""
    generate = random.Random(0)
    with open(path, "w", encoding="ascii") as out:
        print("%%MatrixMarket matrix coordinate pattern general", file=out)
        print(NODES, NODES, EDGES, file=out)
        for _ in range(EDGES):
            print(generate.randrange(NODES) + 1, generate.randrange(NODES) + 1, file=out)


def get_peak(out):
    """The KiB that clique-run --explain names."""
    return float(re.search(r"^memory +([0-9.]+) KiB", out, re.M)[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", type=pathlib.Path)
    tools = parser.parse_args().tools
    with tempfile.TemporaryDirectory() as folder:
        graph, spec = pathlib.Path(folder, "graph.mtx"), pathlib.Path(folder, "network.mlir")
        make_graph(graph)
        print("layers     MiB      ms")
        for layers in DEPTHS:
            spec.write_text(make_spec(layers))
            out = subprocess.run(
                [tools / "clique-run", spec, f"--graph={graph}", "--explain", "--repeat=20",
                 "--threads=1"], check=True, stdout=subprocess.PIPE, text=True).stdout
            least = float(re.search(r"min ([0-9.]+)", out)[1])
            print(f"{layers:6} {get_peak(out) / 1024:7.1f} {least:7.2f}")


if __name__ == "__main__":
    main()
