# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the harness of benchmarks/ does without a peer: turns and medians on a clock of its own,
the verdict on a row, tables, random graphs; a case that crashes. Its specs are valid."""
# RUN: %python %s %clique_src_root/benchmarks | FileCheck %s
# CHECK: benchmarks: all as expected

import inspect
import os
import pathlib
import re
import signal
import string
import subprocess
import sys

sys.path.insert(0, sys.argv[1])

import numpy as np

from harness import cases, report, rows, supervise, timing
from harness.dense import ragged
from harness.sparse import graphs
from harness.systems import peers, problems, settings, table

SIZES = {"topology": "complete", "heads": 4, "size": 8, "scale": 0.5, "features": 32, "twice": 64,
         "three": 96, "four": 128, "pair": 65, "result": 35, "all": 416, "types": 3, "width": 32,
         "hidden": 64, "classes": 4}


class Clock:
    """Time passes when somebody works or sleeps."""

    def __init__(self):
        self.now = 0.0

    def read(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds

    perf_counter = monotonic = read
    process_time = staticmethod(lambda: 0.0)


def expect(found, expected, what):
    if found != expected:
        sys.exit(f"{what}: found {found}, expected {expected}")


def check_turns():
    timing.time = clock = Clock()
    started, failures = [], []

    def worker(name, seconds):
        def call():
            started.append(name)
            clock.sleep(seconds)
        return call

    def broken():
        raise ValueError("no")

    found = timing.alternate(
        {"a": worker("a", 0.25), "b": worker("b", 0.5), "slow": worker("slow", 100.0),
         "broken": broken}, budget=10, rounds=3,
        on_error=lambda name, error: failures.append((name, str(error))))
    expect(failures, [("broken", "no")], "failures")
    expect(list(found), ["a", "b", "slow"], "contenders with a time")
    expect((found["a"].median, found["b"].median), (0.25, 0.5), "medians")
    expect(timing.ratio(found["b"], found["a"]), 2.0, "ratio")
    expect(found["slow"].rounds, [[100.0]], "turns of one that takes ten budgets")
    turns = [name for at, name in enumerate(started) if at == 0 or started[at - 1] != name]
    expect(turns, ["a", "b", "slow", "b", "a", "b"], "order of the turns")


def check_ratio():
    """A slower second round counts for both sides."""
    own, other = timing.Timing([[1.0], [4.0], [1.0]]), timing.Timing([[3.0], [12.0], [3.0]])
    expect(timing.ratio(other, own), 3.0, "ratio of rounds")


def judged(**errors):
    row = {"contenders": {name: {"error": error} for name, error in errors.items()}}
    runners = dict(errors, clique=0)
    rows.judge(runners, row)
    return row.get("wrong"), sorted(runners)


def check_verdict():
    expect(judged(a=1e-6, b=0.0), (None, ["a", "b", "clique"]), "all agree")
    expect(judged(a=1e-6, b=1e-6, c=0.1), (None, ["a", "b", "clique"]), "a peer differs")
    expect(judged(a=0.1, b=float("nan"), c=0.0), ("differs from a, b", ["c", "clique"]),
           "most differ")
    expect(cases.largest_error(np.array([1.0, 2.5]), np.array([1.0, 2.0])), 0.25, "error")
    expect(cases.largest_error(np.zeros(2), np.zeros(3)), float("inf"), "error of another shape")


def check_crash():
    """Every case has a row, whatever becomes of the process that makes it."""
    def make_rows(these):
        for case in these:
            if case.name == "crashes":
                os.kill(os.getpid(), signal.SIGSEGV)
            if case.name == "exits":
                os._exit(3)
            yield {"group": "g", "name": case.name, "contenders": {}}

    names = ("first", "crashes", "between", "exits", "last")
    found = supervise.supervised([cases.Case("g", name, None) for name in names], make_rows, 100)
    expect([(row["name"], row.get("skipped")) for row in found],
           [("first", None), ("crashes", "the process was ended by SIGSEGV"), ("between", None),
            ("exits", "the process ended with status 3"), ("last", None)], "rows")


def check_table():
    row = {"group": "g", "name": "n", "contenders": {
        "clique": {"seconds": 0.0025, "share": 0.5, "ratio": 1.0},
        "peer": {"seconds": 0.005, "ratio": 2.0}, "absent": {"problem": "not installed"}}}
    expect(report.table([row])[-1], "| n | 2.5 ms (50%) | 2.00x | fails |", "row")
    expect(report.table([dict(row, wrong="differs")])[-1], "| n | wrong: differs |  |  |",
           "wrong row")
    expect(report.summary([row])[-1], "| g | peer | 2.00x | 2.00x | 2.00x |", "summary")
    expect(report.summary([dict(row, wrong="differs")])[2:], [], "summary of a wrong row")


def check_graphs():
    rmat = graphs.rmat("rmat", 20000)
    uniform = graphs.uniform("uniform", rmat)
    expect((uniform.nodes, uniform.edges), (rmat.nodes, rmat.edges), "size of the twin")
    for graph in (rmat, uniform):
        keys = graph.destinations.astype(np.int64) * graph.nodes + graph.indices
        expect(bool(np.all(np.diff(keys) > 0)), True, f"{graph.name} sorted, no parallel edges")
        expect(int(graph.indptr[-1]), graph.edges, f"last offset of {graph.name}")
    expect(bool(rmat.degrees.max() > 4 * uniform.degrees.max()), True, "hubs of R-MAT alone")


def parameters(text):
    """Of a function in MLIR, name and type."""
    return re.findall(r"%(\w+)\s*:\s*(!?[\w.]+)", text)


def check_systems():
    """Each function of examples/families has a case; the arguments there are those of its spec and
    of its functions in PyTorch."""
    folder = pathlib.Path(sys.argv[1]).parent / "examples" / "families"
    specs = {(file.stem, name): parameters(text) for file in folder.glob("*.mlir") for name, text in
             re.findall(r"func\.func @(\w+)\((.*?)\)\s*->", file.read_text(), re.S)}
    systems = {(system.spec, system.entry): system for system in problems.SYSTEMS}
    expect(set(specs) - set(systems), set(), "functions without a case")
    for key, system in systems.items():
        names = [name for name, kind in specs[key] if kind != "!mp.graph"]
        expect(names, list(system.inputs), f"{system.entry}'s spec")
        for functions in (peers.FUNCTIONS, peers.FLEX):
            if system.entry in functions:
                found = inspect.signature(functions[system.entry]).parameters
                expect(list(found)[1:], names, f"{system.entry}'s function")
    expect(set(peers.FUNCTIONS), {system.entry for system in systems.values()}, "peers")


def check_settings():
    """8 tokens and 7 spans; every edge once, and as many as the kinds say."""
    graph = settings.partition("p", 8)
    rows = [list(zip(graph.indices[first:end].tolist(), graph.types[first:end].tolist()))
            for first, end in zip(graph.indptr, graph.indptr[1:])]
    expect((rows[2], rows[11], rows[14]),
           ([(2, 0), (8, 1), (13, 2)], [(6, 1), (7, 1)], [(k, 3) for k in range(8)]),
           "a token, a span of 2, the span of all")
    graph = settings.syntax("s", 100)
    pairs = set(zip(graph.destinations.tolist(), graph.indices.tolist()))
    expect(len(pairs), graph.edges, "no edge twice")
    expect(all((j, i) in pairs for i, j in pairs), True, "both directions")
    expect(all((i, i) in pairs for i in range(100)), True, "loops")
    graph = settings.trees("t", 100)
    expect((int(graph.degrees.max()), graph.types.max()), (3, 2), "children at most, and places")
    expect(bool(np.bincount(graph.indices).max() == 1), True, "one parent")
    graph = settings.dag("d", 100)
    expect(bool(np.all(graph.indices < graph.destinations)), True, "sources before destinations")
    parts = graphs.parts_of(np.array([0, 0, 1, 3]))
    expect(parts.tolist(), [0, 2, 3, 3, 4], "where the graphs of a batch begin")


def check_families_table():
    rows = [{"group": "f", "name": "a", "contenders": {"pytorch": {"ratio": 2.345}}},
            {"group": "f", "name": "b", "contenders": {"pytorch": {"ratio": 0.5},
                                                       "pytorch-compile": {"problem": "no"}}}]
    lines = ["text", "| spec | function |", "| --- | --- |", "| s | `f` |", "| s | `g` |", "more"]
    first, end = table.find_table(lines)
    expect((first, end), (1, 5), "where the table is")
    expect(table.with_figures(lines[first:end], rows)[2:],
           ["| s | `f` | a, b | 2.3x, 0.50x | fails |  |", "| s | `g` |  |  |  |  |"], "rows")


def check_lengths():
    for wanted in ragged.AMPLIFICATIONS:
        lengths = ragged.make_lengths(wanted)
        expect(abs(ragged.amplification(lengths) / wanted - 1) < 0.02, True, f"padding by {wanted}")


def check_specs():
    specs = sorted(pathlib.Path(sys.argv[1], "layers").glob("*.mlir.in"))
    expect(len(specs) > 10, True, "specs there")
    for spec in specs:
        text = string.Template(spec.read_text()).substitute(SIZES)
        done = subprocess.run(["clique-compile", "-", "--emit=fusion", "-o", "-"], input=text,
                              capture_output=True, text=True)
        name = spec.name.partition(".")[0]
        if done.returncode or not re.search(rf"func.func @{name}\(", done.stdout):
            sys.exit(f"{spec} does not compile: {done.stderr}")


check_turns()
check_ratio()
check_verdict()
check_crash()
check_table()
check_graphs()
check_systems()
check_settings()
check_families_table()
check_lengths()
check_specs()
print("benchmarks: all as expected")
