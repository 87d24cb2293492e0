# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Peak memory of one call of a layer, each contender in a process of its own."""

import json
import pathlib
import resource
import subprocess
import sys

from ..clique import Clique
from . import dgl_layers, pyg
from .graphs import Graphs
from .layers import clique_runner, make_problem

MAKERS = {
    "clique": clique_runner,
    "pyg": lambda _, problem: pyg.eager(problem),
    "dgl": lambda _, problem: dgl_layers.layer(problem),
}


class Child:
    """What a contender's process has of the harness."""

    def __init__(self, build, data, threads):
        cache = pathlib.Path(build) / "benchmarks"
        self.clique = Clique(pathlib.Path(build), cache, threads)
        self.graphs = Graphs(data, cache)


def reset_peak():
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak():
    """The most that was resident since reset_peak, in bytes."""
    for line in pathlib.Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def measure(make, layer, graph_name, features, heads, child):
    """Bytes above what the libraries take when they have run once, on a tiny graph: of the
    inputs in the contender's form, and the most during the call, inputs included."""
    tiny = make(child, make_problem(layer, child.graphs.get("cora"), features, heads))
    tiny.call()
    reset_peak()
    libraries = peak()
    problem = make_problem(layer, child.graphs.get(graph_name), features, heads)
    runner = make(child, problem)
    for held in ("destinations", "degrees"):  # steps on the way to the contender's form
        problem.graph.__dict__.pop(held, None)
    reset_peak()
    inputs = peak()
    runner.call()
    return {"bytes": peak() - libraries, "inputs": inputs - libraries}


def in_child(contender, layer, graph_name, features, heads, options, module=__name__):
    """module: whose main() measures."""
    arguments = [contender, layer, graph_name, str(features), str(heads), str(options.build),
                 str(options.data), str(options.threads)]
    done = subprocess.run([sys.executable, "-m", module, *arguments],
                          capture_output=True, text=True)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or [f"ended with status {done.returncode}"]
        raise RuntimeError(lines[-1])
    return json.loads(done.stdout.splitlines()[-1])


def main(makers):
    contender, layer, graph_name, features, heads, build, data, threads = sys.argv[1:]
    child = Child(build, data, int(threads))
    print(json.dumps(measure(makers[contender], layer, graph_name, int(features), int(heads),
                             child)))


if __name__ == "__main__":
    main(MAKERS)
