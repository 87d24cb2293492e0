#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled layers under a sanitizer: their code, compiled with --sanitize, and
the runtime of a sanitized build, on two threads, each result compared with the
reference interpreter."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "test/Integration/Inputs"))

import make_hubs

# Every lowering, aggregator and kind of block: spec, layer, graph, lowerings.
LAYERS = [
    ("attention", "attention", "complete:133", ("dense", "sparse")),
    ("causal_attention", "causal_attention", "causal:133", ("dense",)),
    ("block_sparse", "block_sparse", "blocks:256,32,4", ("dense", "sparse")),
    ("gat", "gat", "karate", ("dense", "sparse")),
    ("gatv2", "gatv2", "cliques:9,33,64", ("dense", "sparse")),
    ("gcn", "gcn", "karate", ("sparse",)),
    ("pna", "pna", "karate", ("dense", "sparse")),
    ("rgcn", "rgcn", "karate", ("sparse",)),
    ("edgeconv", "edgeconv", "karate", ("dense", "sparse")),
    ("gated_edges", "gated_edges", "karate", ("sparse",)),
    ("distance_attention", "distance_attention", "complete:70", ("dense",)),
    ("transformer", "pre_norm", "complete:40", ("dense",)),
    ("basic", "sum", "hubs", ("sparse",)),
]


def run(command, **environment):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False,
                          errors="replace", env={**os.environ, **environment})
    return done.returncode, done.stdout + done.stderr


def check(options, folder, layer):
    """The failures of one layer."""
    name, entry, graph, lowerings = layer
    spec = ROOT / "examples" / f"{name}.mlir"
    library, case = folder / f"{name}.so", folder / name
    given = {"karate": ROOT / "examples/graphs/karate.mtx", "hubs": folder / "hubs.mtx"}.get(
        graph, graph)
    for command in (
            ["clique-compile", spec, "-o", library, f"--sanitize={options.sanitizer}"],
            ["clique-run", spec, f"--entry={entry}", f"--graph={given}", f"--save-case={case}"]):
        status, text = run([options.tools / command[0], *command[1:]])
        if status != 0:
            return [f"{' '.join(map(str, command))}\n{text}"]
    failures = []
    for lowering in lowerings:
        status, text = run(
            [options.device, library, entry, f"--graph={given}",
             f"--case={case}", f"--lowering={lowering}"], OMP_NUM_THREADS="2")
        if options.sanitizer == "thread" and "Archer detected" not in text:
            status, text = 1, text + "OpenMP's tool for the thread sanitizer was not loaded\n"
        if status != 0:
            failures.append(f"{name} {entry} on {graph}, {lowering}:\n{text}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sanitizer", choices=("address", "thread"))
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin")
    parser.add_argument("--device", type=pathlib.Path, required=True,
                        help="clique-device, built with the sanitizer")
    parser.add_argument("--layers", help="their names, separated by commas (default: all)")
    options = parser.parse_args()
    layers = LAYERS
    if options.layers:
        names = options.layers.split(",")
        layers = [layer for layer in LAYERS if layer[0] in names]
        if len(layers) != len(names):
            parser.error(f"--layers={options.layers}: there are " +
                         ", ".join(layer[0] for layer in LAYERS))
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        make_hubs.main(pathlib.Path(folder) / "hubs.mtx")
        for layer in layers:
            found = check(options, pathlib.Path(folder), layer)
            print("\n".join(found + [f"{layer[0]}: {'failed' if found else 'ok'}"]), flush=True)
            failures += found
    print(f"{options.sanitizer}: {len(layers)} layers, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
