# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maxima and minima behind linear maps: which edge has won, of edges in chunks and one after the
other, and gradients, which only the winners have. Beside the reference interpreter and differences;
where messages tie, see Python/winners.py."""

# RUN: %python %s %t

import pathlib
import subprocess
import sys

import numpy as np

WORK = pathlib.Path(sys.argv[1])
RANDOM = np.random.default_rng(3)

# The message of EdgeConv, with as many features inside as outside, or not.
SPEC = """
func.func @layer(%g: !mp.graph, %h: tensor<?xINxT> {mp.name = "h"}, %w: tensor<INxOUTxT> {mp.name = "w"},
                 %b: tensor<OUTxT> {mp.name = "b"}) -> RESULTS {
  %m = mp.message %g dst(%hi = %h : tensor<?xINxT>) src(%hj = %h : tensor<?xINxT>) -> !mp.edges<OUTxT> {
    %d = arith.subf %hj, %hi : tensor<INxT>
    %r = mp.ACTIVATION %d : tensor<INxT>
    %y = mp.linear %r, %w bias %b : (tensor<INxT>, tensor<INxOUTxT>, tensor<OUTxT>) -> tensor<OUTxT>
    mp.yield %y : tensor<OUTxT>
  }
  %o:COUNT = mp.aggregate %g KIND %m : (!mp.edges<OUTxT>) -> RESULTS
  return RETURNED : TYPES
}
"""


def write_spec(element, ins, outs, kind, with_winner, activation="relu"):
    types = [f"tensor<?x{outs}x{element}>", f"tensor<?x{outs}xi64>"][:1 + with_winner]
    text = SPEC.replace("RESULTS", f"({', '.join(types)})").replace("TYPES", ", ".join(types))
    returned = ", ".join(f"%o#{k}" for k in range(len(types)))
    text = text.replace("RETURNED", returned).replace("COUNT", str(len(types)))
    text = text.replace("ACTIVATION", activation).replace("KIND", kind).replace("INxOUT", f"{ins}x{outs}")
    text = text.replace("INx", f"{ins}x").replace("OUTx", f"{outs}x").replace("xT>", f"x{element}>")
    path = WORK / f"{element}-{ins}-{outs}-{kind}-{with_winner}.mlir"
    path.write_text(text)
    return path


def make_edges(nodes, hub):
    """Destination and source; nodes without edges, edges that are there twice, a row of many edges."""
    dst = np.concatenate([RANDOM.integers(0, nodes // 2, 3 * nodes), np.full(hub, nodes - 1)])
    edges = np.stack([dst, RANDOM.integers(0, nodes, len(dst))], 1)
    edges = np.concatenate([edges, edges[: nodes // 2]])
    return edges[RANDOM.permutation(len(edges))]


def write_graph(edges, nodes):
    path = WORK / f"graph-{nodes}-{len(edges)}.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                    f"{nodes} {nodes} {len(edges)}\n"
                    + "".join(f"{dst + 1} {src + 1}\n" for dst, src in edges))
    return path


def run(*options):
    command = ["clique-run", "-O1", *map(str, options), "--lowering=sparse"]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_verified():
    small, long = (write_graph(make_edges(20, hub), 20) for hub in (60, 560))
    # Chunks of edges from 4096 multiply-adds on. Bits of more than one word, and of a part of one.
    for element, ins, outs, kind in (("f32", 64, 64, "max"), ("f32", 61, 70, "min"), ("f64", 64, 65, "max"),
                                     ("bf16", 64, 64, "min"), ("f16", 70, 64, "max"), ("f32", 7, 130, "max"),
                                     ("f32", 5, 3, "min")):
        graph = long if element == "f32" and ins != 61 else small
        winners = write_spec(element, ins, outs, kind, True)
        # Sums of half precision differ in the last digit, and so does who wins.
        if element in ("f32", "f64"):
            assert run(winners, f"--graph={graph}", "--verify").count(": ok") == 2
        else:
            run(winners, f"--graph={graph}")
        # Differences of random numbers of half precision may be 0, where relu has a kink.
        activation = "relu" if element in ("f32", "f64") else "silu"
        layer = write_spec(element, ins, outs, kind, False, activation)
        assert run(layer, f"--graph={graph}", "--gradients", "--verify").count(": ok") == 7
        print(element, ins, outs, kind, "ok", flush=True)


WORK.mkdir(exist_ok=True, parents=True)
check_verified()
