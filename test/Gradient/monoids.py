# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of custom monoids whose parts mix, and of scans: clique-run --gradients --verify
compares them with differences and with the reference interpreter, in each element type, on
graphs of any type, of gradients, and on the emulated device. One and two threads give the same
bits, also where a row has so many edges that other aggregations divide it."""

# RUN: %python %s %t

import pathlib
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
SPEC = HERE / "Inputs" / "monoids.mlir"
GRAPHS = HERE.parent / "Integration" / "Inputs" / "graphs"
# The arguments that have a gradient.
ENTRIES = {"softmax": ("q", "k", "v"), "weighted": ("h", "e", "w", "u"), "rotation": ("h", "e"),
           "moments": ("h",), "affine": ("h", "e"), "loop": ("h", "e"), "edges": ("e", "w")}
GPU = ("--target=cuda", "--gpu-arch=emulated", "--emulate")


def run(*options):
    command = ["clique-run", "-O1", *map(str, options), "--gradients"]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def check(entry, *options, spec=SPEC, more=0):
    """`more`: arguments of a gradient beyond those of the layer."""
    # Tiles are not compiled for graphs that do not run them.
    if any(option.endswith(".mtx") for option in options) and GPU[0] not in options:
        options += ("--lowering=sparse",)
    output = run(spec, f"--entry={entry}", *options, "--verify")
    assert output.count("by central differences") == len(ENTRIES[entry]) + more, output
    print(entry, *options, "ok", flush=True)


def write(element, graph=""):
    text = SPEC.read_text().replace("f32", element)
    if element != "f32":
        infinity = {"f64": "0xFFF0000000000000", "f16": "0xFC00", "bf16": "0xFF80"}[element]
        text = text.replace("0xFF800000", infinity)
    if graph:
        for op in "message", "aggregate", "scan":
            text = text.replace(f"mp.{op} %g", f"mp.{op} %g : !mp.graph")
        text = text.replace("!mp.graph", f"!mp.graph<{graph}>")
    path = WORK / f"{element}-{graph}.mlir"
    path.write_text(text)
    return path


def write_shuffled():
    """Rows in another order than that of their sources, a hub and nodes without edges."""
    rng = np.random.default_rng(2)
    edges = np.concatenate([rng.integers(0, 30, (200, 2)),
                            np.stack([np.full(1500, 7), rng.integers(0, 30, 1500)], 1)])
    edges = rng.permutation(edges[edges[:, 0] % 6 != 5]) + 1
    path = WORK / "shuffled.mtx"
    np.savetxt(path, edges, "%d", comments="",
               header=f"%%MatrixMarket matrix coordinate pattern general\n30 30 {len(edges)}")
    return path


def main():
    isolated, duplicates = GRAPHS / "isolated.mtx", GRAPHS / "duplicates.mtx"
    numbers = {"softmax": 1, "weighted": 1, "rotation": 2, "moments": 1}
    np.save(WORK / "kinds.npy", (np.arange(17) % 3).astype(np.int32))
    inputs = {"loop": ["--input=n=3"], "edges": [f"--input=k={WORK / 'kinds.npy'}"]}
    for entry in ENTRIES:
        check(entry, f"--graph={duplicates}", *inputs.get(entry, ()))
    for entry, more in numbers.items():
        check(entry, f"--graph={isolated}", "--second-order", more=more)
    for graph in "complete:7", "causal:9", "cliques:3,1,4":
        check("softmax", f"--graph={graph}", spec=write("f32", graph.partition(":")[0]))
    # There are no tiles of a scan.
    check("rotation", "--graph=complete:9", "--lowering=dense")
    for element in "f64", "f16", "bf16":
        check("moments", f"--graph={isolated}", spec=write(element))
        check("softmax", f"--graph={isolated}", spec=write(element))
    check("softmax", f"--graph={isolated}", *GPU)
    check("weighted", f"--graph={duplicates}", *GPU)
    shuffled = write_shuffled()
    for entry in "moments", "affine":
        check(entry, f"--graph={shuffled}", "--threads=2")


WORK = pathlib.Path(sys.argv[1])
WORK.mkdir(parents=True, exist_ok=True)
main()
