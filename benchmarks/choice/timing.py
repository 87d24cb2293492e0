# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers with random inputs, and what their versions take of one core."""

import hashlib
import subprocess
import time

import numpy as np

from harness.clique import CliqueError, Layer

LOWERINGS = {"auto": 0, "tiles": 1, "rows": 2, "measured": 3}  # runtime/clique.h
LEAST_ROUNDS = 3
LEAST_TURN, MOST_CALLS = 0.1, 32  # milliseconds of a turn, calls in one


def compile_layer(clique, text, name="layer"):
    """The layer and what the compiler counts of it: the text of a remark."""
    compiler = clique.compiler.stat()
    key = hashlib.sha256(f"{text} {compiler.st_mtime_ns}".encode()).hexdigest()[:16]
    library, counts = clique.cache / f"{key}.so", clique.cache / f"{key}.txt"
    if not library.exists():
        clique.cache.mkdir(parents=True, exist_ok=True)
        source = clique.cache / f"{key}.mlir"
        source.write_text(text)
        done = subprocess.run([clique.compiler, source, "--remarks", "-o", library],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise CliqueError(f"{source}: {done.stderr.strip()}")
        counts.write_text(done.stderr)
    return Layer(clique, library, name), counts.read_text()


def random_inputs(message, graph, seed=0):
    """Between 0.1 and 1.1: nothing overflows or cancels."""
    random = np.random.default_rng(seed)

    def make(count, shape):
        sizes = [int(size) for size in shape.split("x") if size]
        return random.random([*count, *sizes], np.float32) + np.float32(0.1)

    return [make([graph.nodes], shape) for ends in (message.dst, message.src)
            for shape in ends.values()] \
        + [make([graph.edges], shape) for shape in message.edge.values()] \
        + [make([], shape) for shape in message.weights.values()]


def time_versions(clique, call, names, seconds):
    """The least milliseconds of processor time by version, which take turns. What else the
    machine does counts little then, as long as the layer has one thread."""
    def of_version(name):
        def call_version():
            clique.lib.clique_set_lowering(LOWERINGS[name])
            call()
        return call_version
    least = time_calls({name: of_version(name) for name in names}, seconds)
    clique.lib.clique_set_lowering(LOWERINGS["auto"])
    return least


def time_calls(calls, seconds):
    """The same of any functions, by name. What is short is called several times in a turn: the
    clock of a process may stand still for some microseconds."""
    def run(call, count):
        before = time.process_time()
        for _ in range(count):
            call()
        return 1e3 * (time.process_time() - before) / count

    begin = time.process_time()
    first = {name: run(call, 1) for name, call in calls.items()}
    counts = {name: max(1, min(MOST_CALLS, int(LEAST_TURN / max(taken, 1e-6))))
              for name, taken in first.items()}
    least = dict.fromkeys(calls, float("inf"))
    rounds = 0
    while rounds < LEAST_ROUNDS or time.process_time() - begin < seconds:
        for name, call in calls.items():
            least[name] = min(least[name], run(call, counts[name]))
        rounds += 1
    return least
