# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of specs that use every rule, and of the examples: clique-run
--gradients --verify compares them with central differences in double precision and
with the reference interpreter, and the bits that one and two threads give."""

# RUN: %python %s %t

import pathlib
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
KARATE = str(EXAMPLES / "graphs" / "karate.mtx")
GRAPHS = HERE.parent / "Integration" / "Inputs" / "graphs"
ISOLATED = str(GRAPHS / "isolated.mtx")
DUPLICATES = str(GRAPHS / "duplicates.mtx")


def check(spec, entry, *options, names=()):
    outputs = [f"--output=grad_{name}={WORK}/grad_{name}.npy"
               for name in names or NAMES[spec.stem, entry]]
    command = ["clique-run", str(spec), "--gradients", *options, "--threads=1", "--verify",
               *outputs, *([f"--entry={entry}"] if entry else [])]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    # Each gradient with differences, and with the reference.
    assert result.stdout.count(": ok") == 2 * len(outputs), result.stdout
    print(spec.name, entry, "ok", flush=True)


def save(name, array):
    path = WORK / f"{name}.npy"
    np.save(path, array)
    return path


def main():
    specs = HERE / "Inputs"
    elementwise, functions = specs / "elementwise.mlir", specs / "functions.mlir"
    vectors = f"--input=a={save('a', random((9, 4)))}", f"--input=b={save('b', random((9, 4)))}"
    check(elementwise, "arith", *vectors)
    check(elementwise, "math", *vectors)
    check(elementwise, "features", f"--input=a={save('cube', random((9, 3, 4)))}",
          f"--input=index={save('index', np.arange(-2, 7, dtype=np.int32))}")
    check(specs / "aggregators.mlir", "builtin", f"--graph={ISOLATED}")
    check(specs / "aggregators.mlir", "custom", f"--graph={DUPLICATES}")
    check(functions, "two_layers", f"--graph={KARATE}")
    check(functions, "unused", f"--graph={KARATE}")
    check(functions, "rows", f"--graph={DUPLICATES}", f"--input=x={save('rows', random((6, 2, 3)))}",
          f"--input=k={save('kinds', (np.arange(17) % 2).astype(np.int32))}")
    check(functions, "tensors", f"--input=x={save('x', random((9, 4)))}",
          f"--input=y={save('y', random((9, 4)))}", "--input=c=0.5")
    check(functions, "readouts", f"--input=offsets={save('offsets', np.array([0, 4, 4, 9]))}",
          f"--input=h={save('h', random((9, 4)))}")
    check(functions, "degrees", f"--graph={ISOLATED}")
    check(functions, "degrees", f"--graph={ISOLATED}", "--second-order",
          names=("x", "w", "c", "grad_out0", "grad_out1"))
    check(functions, "taken_out", f"--graph={ISOLATED}")
    check(functions, "edges_alone", f"--graph={ISOLATED}", f"--input=e={save('alone', random((16, 3)))}",
          f"--input=f={save('dropped', random((16, 2)))}")
    check(functions, "slices", f"--input=x={save('cubes', random((9, 3, 7)))}", "--input=k=3",
          "--input=c=0.5", "--input=d=-2")
    numbers = f"--graph={ISOLATED}", "--input=c=0.5", "--input=d=0.25", "--input=i=2"
    check(functions, "numbers", *numbers)
    check(functions, "numbers", *numbers, "--second-order",
          f"--input=grad_out2={save('cotangent', random((2, 2)))}",
          names=("c", "d", "x", "grad_out0", "grad_out1", "grad_out2"))
    check(functions, "half", f"--graph={ISOLATED}")
    check(functions, "looked_up", f"--graph={KARATE}",
          f"--input=j={save('row', np.array(3, np.int32))}",
          f"--input=i={save('rows', np.array([3, 0, -9, 3, 99, 1, 1], np.int32))}")
    check(functions, "relative", "--graph=causal:19", "--lowering=dense",
          f"--input=kind={save('kind', np.arange(19) % 3)}")
    check(functions, "distances", "--graph=causal:9", "--second-order", "--lowering=sparse",
          names=("x", "t", "grad_out"))
    # Products with one zero, with several, and without.
    values = random((74, 3))  # rows of 11 edges: their mean is rounded
    values[::6] = 0
    check(specs / "singular.mlir", "", "--graph=causal_cliques:1,11,3,1",
          f"--input=e={save('e', values)}")
    types = save("types", (np.arange(17) % 5 - 1).astype(np.int32))  # some are none
    check(specs / "edge_factors.mlir", "", f"--graph={DUPLICATES}", f"--input=type={types}")
    check(EXAMPLES / "gat.mlir", "", f"--graph={KARATE}")
    check(EXAMPLES / "attention.mlir", "", "--graph=complete:37", "--lowering=dense")


WORK = pathlib.Path(sys.argv[1])
WORK.mkdir(parents=True, exist_ok=True)
# What has a gradient.
NAMES = {
    ("elementwise", "arith"): ("a", "b", "w"),
    ("elementwise", "math"): ("a", "b"),
    ("elementwise", "features"): ("a", "w", "m", "bias", "table", "scale", "shift"),
    ("aggregators", "builtin"): ("x", "y", "e"),
    ("aggregators", "custom"): ("x", "e"),
    ("functions", "two_layers"): ("h", "e", "a", "b", "u", "t", "c"),
    ("functions", "rows"): ("x", "w", "b", "v", "t", "scale"),
    ("functions", "tensors"): ("x", "y", "w", "v", "c"),
    ("functions", "readouts"): ("h",),
    ("functions", "unused"): ("x", "e", "w"),
    ("functions", "degrees"): ("x", "w", "c"),
    ("functions", "numbers"): ("c", "d", "x"),
    ("functions", "slices"): ("x", "w", "c", "d"),
    ("functions", "edges_alone"): ("h", "e", "f", "k"),
    ("functions", "taken_out"): ("x", "y"),
    ("functions", "half"): ("h", "w"),
    ("functions", "looked_up"): ("x", "w", "e"),
    ("functions", "relative"): ("q", "k", "bias", "scale"),
    ("singular", ""): ("x", "e"),
    ("edge_factors", ""): ("h", "w", "r"),
    ("gat", ""): ("h", "w", "a"),
    ("attention", ""): ("h", "wq", "wk", "wv", "wo"),
}
GENERATOR = np.random.default_rng(1)


def random(shape):
    return GENERATOR.uniform(-1, 1, shape).astype(np.float32)


main()
