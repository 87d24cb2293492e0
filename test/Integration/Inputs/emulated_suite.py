# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs layers from their CUDA kernels on the emulated driver and compares them with the
reference interpreter.

A spec is compiled once, for the emulated device, and each of its layers runs on each of
its graphs in every lowering that the graph allows. The runs of a layer take turns in the
order of threads, so that each lowering meets all of them: what a missing barrier lets
through in one order is wrong in another. A failure does not stop the others: run_suite
prints every one with the command that shows it again."""

import dataclasses
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from layer_suite import lowerings_on
from tool_runs import run_all

ORDERS = ("ascending", "descending", "random:1")
VERSIONS = {"dense": "dense tiles", "sparse": "sparse rows"}


@dataclasses.dataclass
class Spec:
    path: pathlib.Path
    graphs: dict  # of each layer, by its name: graphs as clique-run takes them
    inputs: dict = dataclasses.field(default_factory=dict)  # of a layer: what is not random
    tolerance: str = ""  # of --verify, instead of its default
    only: dict = dataclasses.field(default_factory=dict)  # of a layer: its single lowering
    options: tuple = ()  # of clique-compile, beside the target


@dataclasses.dataclass
class Run:
    spec: Spec
    layer: str
    graph: str
    lowering: str
    order: str

    def get_command(self, library):
        inputs = [f"--input={text}" for text in self.spec.inputs.get(self.layer, ())]
        graph = [f"--graph={self.graph}"] if self.graph else []
        verify = f"--verify={self.spec.tolerance}".rstrip("=")
        return [str(library), f"--spec={self.spec.path}", f"--entry={self.layer}", *graph, *inputs,
                f"--lowering={self.lowering}", "--emulate", "--explain", "--threads=1", verify]


def lowerings_of(spec, layer, graph):
    if layer in spec.only:
        return [spec.only[layer]]
    return lowerings_on(graph)


def make_runs(spec):
    for layer, graphs in spec.graphs.items():
        taken = dict.fromkeys(VERSIONS, 0)
        for graph in graphs:
            for lowering in lowerings_of(spec, layer, graph):
                order = ORDERS[taken[lowering] % len(ORDERS)]
                taken[lowering] += 1
                yield Run(spec, layer, graph, lowering, order)
        for lowering, number in taken.items():
            if 0 < number < len(ORDERS):
                sys.exit(f"{spec.path.name}: {layer} runs {number} times with "
                         f"{lowering} kernels; give it more graphs, one for each order")


def describe(status, command, order, text):
    return (f"exit status {status} of CLIQUE_EMULATION_ORDER={order} "
            f"{shlex.join(map(str, command))}\n{text}")


def execute(command, order):
    environment = {**os.environ, "CLIQUE_EMULATION_ORDER": order}
    done = subprocess.run([str(word) for word in command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment)
    if done.returncode:
        raise RuntimeError(describe(done.returncode, command, order, done.stdout))
    return done.stdout


def compile_spec(spec, folder):
    library = folder / f"{spec.path.stem}.so"
    execute(["clique-compile", spec.path, "--target=cuda", "--gpu-arch=emulated", *spec.options,
             "-o", library], ORDERS[0])
    return library


def find_failure(run, words, done):
    """The failure's text, or None."""
    command = ["clique-run", *words]
    if done.status:
        return describe(done.status, command, run.order, done.text)
    if VERSIONS[run.lowering] not in done.text:
        return f"no kernel ran as '{VERSIONS[run.lowering]}': {shlex.join(command)}\n{done.text}"
    return None


def run_suite(specs, title):
    """Prints one line of what went well; exits with all failures if there are any."""
    runs = [run for spec in specs for run in make_runs(spec)]
    with tempfile.TemporaryDirectory() as name:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            compiled = {id(spec): pool.submit(compile_spec, spec, pathlib.Path(name))
                        for spec in specs}
        failures = [str(future.exception()) for future in compiled.values() if future.exception()]
        tried = [(run, run.get_command(compiled[id(run.spec)].result())) for run in runs
                 if not compiled[id(run.spec)].exception()]
        done = run_all([(words, {"CLIQUE_EMULATION_ORDER": run.order}) for run, words in tried])
        found = [find_failure(run, words, end) for (run, words), end in zip(tried, done)]
        failures += filter(None, found)
    if failures:
        sys.exit("\n".join(failures) + f"\n{title}: {len(failures)} of {len(runs)} runs failed")
    print(f"{title}: {len(specs)} specs, {len(runs)} runs")
