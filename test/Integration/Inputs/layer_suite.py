# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs layers made by a test against the reference interpreter.

A layer is a function of the spec language and the graphs to run it on. All layers
of a suite are one spec, compiled in a few libraries at the same time; each runs on
each of its graphs in every lowering that the graph allows, with --verify, which also
compares the bits that one and two threads give. A failure does not stop the others:
run_suite prints every one with the function and the command that shows it again."""

import dataclasses
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from tool_runs import run_all

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


def compile_layers(layers, folder, number):
    """The spec of some layers, and their library."""
    spec, library = folder / f"layers{number}.mlir", folder / f"layers{number}.so"
    spec.write_text("\n".join(layer.text for layer in layers))
    # One library of four as users have it, the others with few of LLVM's passes.
    execute(["clique-compile", spec, f"-O{1 if number % 4 else 3}", "-o", library])
    return spec, library


def run_suite(layers, title):
    """Prints one line of what went well; exits with all failures if there are any."""
    jobs = os.cpu_count()
    count = min(max(jobs, 4), len(layers))
    shares = [layers[number::count] for number in range(count)]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(jobs) as pool:
        folder = pathlib.Path(name)
        try:
            compiled = list(pool.map(compile_layers, shares, [folder] * count, range(count)))
        except RuntimeError as failure:
            sys.exit(f"{title}: {failure}")

        runs = [(layer, [library, f"--spec={spec}", f"--entry={layer.name}", f"--graph={graph}",
                         f"--lowering={lowering}", "--threads=1", "--verify"])
                for share, (spec, library) in zip(shares, compiled)
                for layer in share for graph in layer.graphs for lowering in lowerings_on(graph)]
        failures = [f"exit status {done.status} of clique-run {shlex.join(map(str, words))}\n"
                    f"{done.text}\n{layer.text}"
                    for (layer, words), done
                    in zip(runs, run_all([(words, {}) for _, words in runs])) if done.status]
    if failures:
        sys.exit("\n".join(failures) + f"\n{title}: {len(failures)} of {len(runs)} runs failed")
    print(f"{title}: {len(layers)} layers, {len(runs)} runs")
