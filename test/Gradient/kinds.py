# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients in each element type, of gradients, and of layers for GPUs: clique-run
--gradients --verify compares them with differences and with the reference interpreter.
Where all messages of a softmax are equal, scores have the gradient 0, to the rounding of
f32 also in half precision, and exactly where there is but one."""

# RUN: %python %s %t

import pathlib
import subprocess
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
INPUTS = HERE / "Inputs"
KARATE = HERE.parents[1] / "examples" / "graphs" / "karate.mtx"
WORK = pathlib.Path(sys.argv[1])
GPU = ("--target=cuda", "--gpu-arch=emulated", "--emulate")


def run(*options):
    command = ["clique-run", "-O1", *map(str, options), "--gradients"]
    result = subprocess.run(command, text=True, capture_output=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def check(count, *options):
    """Verifies the gradients by so many arguments."""
    output = run(*options, "--verify")
    assert output.count("by central differences") == count, output
    print(*options, "ok", flush=True)


def write(spec, element, graph):
    text = (INPUTS / spec).read_text().replace("f32", element)
    text = text.replace("mp.message %g", "mp.message %g : !mp.graph")
    text = text.replace("mp.aggregate %g", "mp.aggregate %g : !mp.graph")
    path = WORK / f"{element}-{graph}-{spec}"
    path.write_text(text.replace("!mp.graph", f"!mp.graph<{graph}>"))
    return path


def check_equal_messages(element, graph, spec):
    """The gradients of queries and keys are what rounding leaves of g . v - g . out."""
    nodes = 100
    rng = np.random.default_rng(5)
    inputs = {name: rng.standard_normal((nodes, 2, 4)).astype(np.float32) for name in "qkv"}
    inputs["v"][:] = inputs["v"][0]
    options = []
    for name, values in inputs.items():
        # Files have no bf16: it is read from f32.
        np.save(WORK / f"{name}.npy", values.astype("f2" if element == "f16" else "f4"))
        options += [f"--input={name}={WORK / name}.npy"]
        options += [f"--output=grad_{name}={WORK / name}-grad.npy"]
    run(spec, f"--graph={graph}:{nodes}", *options)
    size = {name: np.abs(np.load(WORK / f"{name}-grad.npy")).max() for name in "qkv"}
    assert size["v"] > 0.1, size
    assert max(size["q"], size["k"]) < 2e-5 * size["v"], (element, size)
    print("equal messages", element, size, flush=True)


def check_rounding(element, graph, spec, most):
    """What is kept for the backward pass is rounded to f32: the gradients of half precision
    differ from those of the same numbers in f64 by little more than what they are rounded to."""
    nodes = 37
    rng = np.random.default_rng(6)
    inputs = {name: 2 * rng.standard_normal((nodes, 2, 4)).astype(np.float32) for name in "qkv"}
    found = {}
    for kind, given in ("f64", write("attend.mlir", "f64", graph)), (element, spec):
        options = []
        for name, values in inputs.items():
            if element == "f16":
                values = values.astype("f2")
            else:
                values = (values.view(np.uint32) & 0xffff0000).view(np.float32)
            values = values.astype({"f64": "f8", "f16": "f2", "bf16": "f4"}[kind])
            np.save(WORK / f"{name}.npy", values)
            options += [f"--input={name}={WORK / name}.npy"]
            options += [f"--output=grad_{name}={WORK / name}-{kind}.npy"]
        run(given, f"--graph={graph}:{nodes}", *options)
        found[kind] = [np.load(WORK / f"{name}-{kind}.npy") for name in inputs]
    for exact, rounded in zip(*found.values()):
        error = np.abs(exact - rounded).max() / np.abs(exact).max()
        assert error < most, (element, error)
    print("rounding", element, "ok", flush=True)


def check_only_message(lowering):
    """The first node of a causal graph receives from itself alone."""
    path = WORK / f"only-{lowering}.npy"
    check(3, write("attend.mlir", "f32", "causal"), "--graph=causal:37", f"--lowering={lowering}",
          f"--output=grad_q={path}")
    gradient = np.load(path)
    assert np.all(gradient[0] == 0) and np.all(gradient[1:] != 0), gradient[:2]


def save_types(name, types):
    path = WORK / f"{name}.npy"
    np.save(path, np.asarray(types, np.int32))
    return f"--input=type={path}"


def check_typed_weights():
    """Types in no order, some without edges, some outside of the table, and one type alone; more
    edges into one destination, and more destinations of one type, than a block has."""
    spec, graph = INPUTS / "typed_weights.mlir", f"--graph={KARATE}"
    rng = np.random.default_rng(7)
    types = save_types("types", rng.choice([-1, 0, 3, 9], 156))
    check(4, spec, graph, types, "--lowering=sparse")
    check(4, write(spec.name, "bf16", "sparse"), graph, save_types("one", [1] * 156))
    check(8, write(spec.name, "f64", "sparse"), graph, types, "--second-order")
    check(4, spec, graph, types, *GPU)
    nodes = 700
    edges = [(1, 1 + k % nodes) for k in range(1300)] + [(i, 1) for i in range(1, nodes + 1)]
    path = WORK / "hubs.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n"
                    f"{nodes} {nodes} {len(edges)}\n"
                    + "".join(f"{i} {j}\n" for i, j in edges))
    check(4, spec, f"--graph={path}", save_types("few", rng.choice([0, 0, 0, 2], len(edges))),
          "--lowering=sparse")


def check_loop():
    """Half precision as dense tiles; on a GPU; the bits that one and two threads give."""
    options = write("recurrent.mlir", "bf16", "complete"), "--graph=complete:20", "--input=n=3"
    check(2, *options, "--lowering=dense")
    options = INPUTS / "recurrent.mlir", f"--graph={KARATE}", "--input=n=3"
    check(2, *options, *GPU)
    found = []
    for threads in 1, 2:
        run(*options, "--lowering=sparse", f"--threads={threads}", f"--output=grad_w={WORK}/w.npy")
        found.append((WORK / "w.npy").read_bytes())
    assert found[0] == found[1], "threads"


WORK.mkdir(parents=True, exist_ok=True)
check_typed_weights()
for lowering in "dense", "sparse":
    check_only_message(lowering)
check(3, write("attend.mlir", "f64", "sparse"), f"--graph={KARATE}")
for element, graph, most in ("f16", "causal", 1.5e-3), ("bf16", "complete", 1e-2):
    spec = write("attend.mlir", element, graph)
    check(3, spec, f"--graph={graph}:37")
    check_equal_messages(element, graph, spec)
    check_rounding(element, graph, spec, most)
check(5, write("attend.mlir", "f32", "sparse"), f"--graph={KARATE}", "--second-order")
check_loop()
for graph in "complete:37", KARATE:
    check(3, INPUTS / "attend.mlir", f"--graph={graph}", *GPU)
