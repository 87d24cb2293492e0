# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs layers made by a test against the reference interpreter.

A layer is a function of the spec language and the graphs to run it on. All layers
of a suite are one spec and one library; each runs on each of its graphs in every
lowering that the graph allows, with --verify, and with two threads, which must
give the same bits. A failure does not stop the others: run_suite prints every one
with the function and the command that shows it again."""

import dataclasses
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

GRAPH_FILES = pathlib.Path(__file__).parent / "graphs"
KARATE = str(pathlib.Path(__file__).parents[3] / "examples" / "graphs" / "karate.mtx")
DUPLICATES = str(GRAPH_FILES / "duplicates.mtx")
ISOLATED = str(GRAPH_FILES / "isolated.mtx")
EMPTY = str(GRAPH_FILES / "empty.mtx")
UNSORTED_COMPLETE = str(GRAPH_FILES / "complete.mtx")


@dataclasses.dataclass
class Layer:
    name: str
    text: str  # of the function
    graphs: list
    results: int = 1

    def outputs(self, folder, threads):
        names = ["out"] if self.results == 1 else [f"out{k}" for k in range(self.results)]
        return [f"--output={name}={folder / f'{name}_{threads}.npy'}" for name in names]


def has_parallel_edges(graph):
    if ":" in graph:
        return False
    lines = pathlib.Path(graph).read_text().splitlines()
    entries = [tuple(line.split()[:2]) for line in lines if not line.startswith("%")][1:]
    return len(set(entries)) < len(entries)


def lowerings_on(graph):
    return ("sparse",) if has_parallel_edges(graph) else ("dense", "sparse")


def execute(command):
    done = subprocess.run([str(word) for word in command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        raise RuntimeError(f"exit status {done.returncode} of {shlex.join(map(str, command))}\n"
                           f"{done.stdout}")


def run_layer(layer, graph, lowering, library, spec):
    """One layer on one graph; raises RuntimeError where something is wrong."""
    command = ["clique-run", library, f"--spec={spec}", f"--entry={layer.name}",
               f"--lowering={lowering}", f"--graph={graph}"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        execute(command + ["--threads=1", "--verify"] + layer.outputs(folder, 1))
        execute(command + ["--threads=2"] + layer.outputs(folder, 2))
        for first in folder.glob("*_1.npy"):
            second = folder / first.name.replace("_1.npy", "_2.npy")
            if first.read_bytes() != second.read_bytes():
                raise RuntimeError(f"{first.stem[:-2]} differs between 1 and 2 threads: "
                                   f"{shlex.join(map(str, command))}")


def run_suite(layers, title):
    """Prints one line of what went well; exits with all failures if there are any."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        spec, library = folder / "layers.mlir", folder / "layers.so"
        spec.write_text("\n".join(layer.text for layer in layers))
        try:
            execute(["clique-compile", spec, "-o", library])
        except RuntimeError as failure:
            sys.exit(f"{title}: {failure}")

        runs = [(layer, graph, lowering) for layer in layers for graph in layer.graphs
                for lowering in lowerings_on(graph)]

        def attempt(run):
            try:
                run_layer(*run, library, spec)
            except RuntimeError as failure:
                return f"{failure}\n{run[0].text}"
            return None

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            failures = [text for text in pool.map(attempt, runs) if text]
    if failures:
        sys.exit("\n".join(failures) + f"\n{title}: {len(failures)} of {len(runs)} runs failed")
    print(f"{title}: {len(layers)} layers, {len(runs)} runs")
