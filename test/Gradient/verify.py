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
    # Tiles are not compiled for graphs that do not run them.
    is_file = any(option.startswith("--graph=") and option.endswith(".mtx") for option in options)
    if is_file and not any(option.startswith("--lowering=") for option in options):
        options += ("--lowering=sparse",)
    # The examples as users have them.
    level = "-O3" if spec.parent == EXAMPLES else "-O1"
    command = ["clique-run", str(spec), level, "--gradients", *options, "--threads=1", "--verify",
               *outputs, *([f"--entry={entry}"] if entry else [])]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    # The exit status says that all comparisons agree.
    assert result.stdout.count("by central differences") == len(outputs), result.stdout
    print(spec.name, entry, "ok", flush=True)


def save(name, array):
    path = WORK / f"{name}.npy"
    np.save(path, array)
    return path


def check_loops(spec):
    numbers = (f"--input=seen={save('seen', np.arange(34) % 3 == 0)}", "--input=c=0.7",
               f"--input=kind={save('nodekind', (1 + np.arange(34) % 3).astype(np.int32))}")
    bounds = "--input=begin=1", "--input=end=6", "--input=step=2"
    check(spec, "carried", f"--graph={KARATE}", *numbers, *bounds)
    # Backward loops are differentiated as others are.
    check(spec, "nested", f"--input=x={save('a', random((9, 4)))}", "--input=n=3", "--second-order",
          f"--input=grad_out={save('given', random((9, 4)))}", names=("x", "w", "grad_out"))
    vectors = f"--input=h={save('a', random((9, 4)))}", f"--input=x={save('b', random((9, 4)))}"
    for steps in 0, 3:
        check(spec, "no_step", *vectors, f"--input=n={steps}")
    check(spec, "overlapping", vectors[1], "--input=n=6")
    # Level by level, with features of edges.
    edges = sorted({(child, int(parent)) for child in range(1, 30)
                    for parent in GENERATOR.integers(0, child, 2)})
    dag = WORK / "dag.mtx"
    dag.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                   f"30 30 {len(edges)}\n"
                   + "".join(f"{parent + 1} {child + 1}\n" for child, parent in edges))
    check(HERE.parent / "Integration" / "Inputs" / "levels.mlir", "flow", f"--graph={dag}")


def check_corners(spec):
    check(spec, "turned", "--graph=bipartite:5x3")
    three, five, zero = (f"={save(name, random(size))}" for name, size in
                         (("three", 3), ("five", 5), ("zero", 0)))
    check(spec, "joined", f"--input=a{three}", f"--input=b{five}", f"--input=d{zero}",
          f"--input=x={save('rows', random((2, 4)))}")
    check(spec, "half_loop", f"--graph={KARATE}", "--input=n=2")
    check(spec, "not_a_number", f"--input=x{five}",
          f"--input=z={save('negative', np.full(5, -1, np.float32))}")
    far = np.array([-1e20, -1e13, -30, 0.5, 30, 1e13, 1e20], np.float32)
    check(spec, "far", f"--input=x={save('far', far)}")
    assert np.isfinite(np.load(WORK / "grad_x.npy")).all()


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
    check_corners(specs / "corners.mlir")
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
    for chosen in 0, 1:
        check(functions, "chosen", f"--input=p={chosen}", f"--input=x={save('x', random((9, 4)))}",
              f"--input=y={save('y', random((5, 3)))}")
    check(functions, "reshaped", f"--graph={ISOLATED}", "--input=c=0.5", "--input=d=-0.25")
    check(functions, "padded", f"--input=x={save('x', random((9, 4)))}", "--input=n=3")
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
    check_loops(specs / "loops.mlir")
    check(EXAMPLES / "gat.mlir", "", f"--graph={KARATE}", "--lowering=auto")
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
    ("functions", "chosen"): ("x", "y"),
    ("functions", "padded"): ("x", "w"),
    ("functions", "reshaped"): ("x", "c", "d"),
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
    ("loops", "carried"): ("h", "e", "w", "c"),
    ("loops", "no_step"): ("h", "x"),
    ("loops", "overlapping"): ("x",),
    ("corners", "turned"): ("c", "w"),
    ("corners", "joined"): ("a", "b", "c", "d", "x"),
    ("corners", "half_loop"): ("h", "e"),
    ("corners", "not_a_number"): ("x", "z"),
    ("corners", "far"): ("x",),
    ("levels", "flow"): ("x", "e"),
    ("gat", ""): ("h", "w", "a"),
    ("attention", ""): ("h", "wq", "wk", "wv", "wo"),
}
GENERATOR = np.random.default_rng(1)


def random(shape):
    return GENERATOR.uniform(-1, 1, shape).astype(np.float32)


main()
