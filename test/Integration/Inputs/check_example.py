# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an example on graphs and compares it with NumPy.

For every public function of the example, graph and lowering that the graph allows:
clique-run with --verify, which also compares the bits that one and two threads give,
and its outputs compared with the layer in numpy_layers.py; with the nodes of the first
graph of a file in other orders, too. The function is compiled once, to a library.
Prints a line per function, graph and lowering; fails with a message at the first
difference."""

import argparse
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import numpy_graph
from numpy_layers import LAYERS

# Of the largest value of the result.
TOLERANCE = {"f16": 2e-3, "bf16": 2e-2, "f32": 1e-5, "f64": 1e-12}
ORDERS = ("degree", "rcm")
# Functions that know nodes by number, and which op does.
KNOW_NUMBERS = {"distance_attention": "'mp.position'", "graphs": "'mp.readout'"}
STORAGE = {"f16": np.float16, "bf16": np.float32, "f32": np.float32, "f64": np.float64}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("example", type=pathlib.Path, help="the spec, a .mlir of examples/")
    parser.add_argument("--graph", action="append", required=True,
                        help="a graph, as clique-run takes it; may be repeated")
    parser.add_argument("--entry", action="append", help="only this function")
    parser.add_argument("--dtype", choices=TOLERANCE, default="f32",
                        help="run the spec with this type in place of f32")
    parser.add_argument("--input", action="append", default=[], metavar="ARG=FILE.npy",
                        help="this array in place of a random one")
    parser.add_argument("--lowering", action="append", choices=("auto", "dense", "sparse"),
                        help="this lowering in place of all that the graph allows")
    parser.add_argument("--clique-run", default="clique-run", metavar="PATH")
    parser.add_argument("--clique-compile", default="clique-compile", metavar="PATH")
    return parser.parse_args()


def stored(values, dtype):
    """Rounded to the element type, in the type that its .npy has."""
    if dtype == "bf16":
        bits = np.atleast_1d(np.asarray(values, np.float32)).view(np.uint32)
        even = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
        return even.view(np.float32).reshape(np.shape(values))
    return np.asarray(values, STORAGE[dtype])


def make_offsets(graph):
    """The batch's own, or some: two graphs and between them an empty one."""
    if graph.offsets is not None:
        return np.asarray(graph.offsets, np.int64)
    half = graph.num_dst // 2
    return np.array([0, half, half, graph.num_dst], np.int64)


def make_input(description, graph, random, dtype):
    shape, _, content = description.partition(":")
    sizes = {"n": graph.num_dst, "m": graph.num_src, "e": graph.num_edges}
    dims = [sizes[dim] if dim in sizes else int(dim) for dim in shape.split()]
    content = content.strip()
    if content == "offsets":
        return make_offsets(graph)
    if content.startswith("below"):
        return random.integers(0, int(content.split()[1]), dims, dtype=np.int32)
    if content == "positive":
        return stored(random.uniform(0.5, 2.0, dims), dtype)
    values = random.standard_normal(dims)
    if len(dims) > 1 and not set(shape.split()) & sizes.keys():
        values /= np.sqrt(dims[0])  # weights: keeps the size of what they multiply
    return stored(values, dtype)


def write_spec(example, dtype, folder):
    """The spec, or with another element type a copy of it."""
    if dtype == "f32":
        return example
    spec = folder / f"{example.stem}_{dtype}.mlir"
    spec.write_text(example.read_text().replace("f32", dtype))
    return spec


def execute(tool, *words):
    command = [tool, *map(str, words)]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    if done.returncode:
        raise RuntimeError(f"exit status {done.returncode} of {' '.join(command)}\n"
                           f"{done.stdout}")


def has_tiles_only(example, entry):
    """Whether the type of the function's graph leaves no choice but tiles."""
    text = example.read_text()
    start = text.index(f"func.func @{entry}(")
    types = re.findall(r"!mp\.graph<(\w+)", text[start:text.index("{\n", start)])
    return any(kind not in ("sparse", "blocks") for kind in types)


def compile_function(arguments, entry, lowering, folder):
    """The library and its spec, once for all graphs."""
    spec = write_spec(arguments.example, arguments.dtype, folder)
    # Tiles that no graph asks for are not compiled.
    wanted = {kind for name in arguments.graph
              for kind in allowed_lowerings(arguments, make_graph(name))}
    versions = lowering if has_tiles_only(spec, entry) or len(wanted) == 1 else "auto"
    library = folder / f"{entry}_{versions}.so"
    if not library.exists():
        try:
            execute(arguments.clique_compile, spec, f"--entry={entry}", f"--lowering={versions}",
                    "-o", library)
        except RuntimeError as failure:
            sys.exit(str(failure))
    return [library, f"--spec={spec}"]


def run(arguments, command, results, folder):
    """The results of clique-run, by name."""
    files = {name: folder / f"{name}.out.npy" for name in results}
    outputs = [f"--output={name}={file}" for name, file in files.items()]
    execute(arguments.clique_run, *command, "--threads=1", "--verify", *outputs)
    return {name: np.load(file) for name, file in files.items()}


def compare(name, actual, expected, tolerance):
    """The largest difference, relative to the largest value."""
    if actual.shape != expected.shape:
        raise RuntimeError(f"result {name} has shape {actual.shape}, "
                           f"NumPy's has {expected.shape}")
    if not actual.size:
        return 0.0
    error = np.abs(actual.astype(np.float64) - expected)
    worst = np.unravel_index(np.argmax(error), error.shape)
    relative = error[worst] / max(np.abs(expected).max(), np.finfo(np.float64).tiny)
    if not relative <= tolerance:
        raise RuntimeError(
            f"result {name}: error {relative:.2e} of the largest value, more than "
            f"{tolerance:g}; at {tuple(map(int, worst))} it has {actual[worst]}, "
            f"NumPy's has {expected[worst]}")
    return relative


def check_lowering(arguments, command, expected, folder):
    """The largest error of the results."""
    results = run(arguments, command, expected, folder)
    return max(compare(name, results[name], values, TOLERANCE[arguments.dtype])
               for name, values in expected.items())


@functools.lru_cache(maxsize=None)
def make_graph(name):
    return numpy_graph.make_graph(name)


def allowed_lowerings(arguments, graph):
    if arguments.lowering:
        return arguments.lowering
    # Nearly empty tiles of a large graph take long.
    is_small = graph.num_dst * graph.num_src <= 1e6
    dense = is_small and not graph.has_parallel_edges()
    return ["dense", "sparse"] if dense else ["sparse"]


def check(arguments, layer, graph_name, is_reordered, libraries, folder):
    """One function on one graph. `libraries`: the folder of what is compiled."""
    graph = make_graph(graph_name)
    random = np.random.default_rng(7)
    given = dict(item.split("=", 1) for item in arguments.input)
    inputs = {name: np.load(given[name]) if name in given else
              make_input(description, graph, random, arguments.dtype)
              for name, description in layer.inputs.items()}
    expected = layer.compute(graph, **{
        name: value.astype(np.float64) if value.dtype.kind == "f" else value
        for name, value in inputs.items()})

    options = [f"--entry={layer.entry}"]
    if layer.takes_graph:
        options.append(f"--graph={graph_name}")
    for name, value in inputs.items():
        np.save(folder / f"{name}.npy", value)
        options.append(f"--input={name}={folder / name}.npy")

    label = f"{arguments.example.stem}.{layer.entry} {arguments.dtype} {short(graph_name)}"
    for lowering in allowed_lowerings(arguments, graph):
        command = [*compile_function(arguments, layer.entry, lowering, libraries), *options,
                   f"--lowering={lowering}"]
        try:
            error = check_lowering(arguments, command, expected, folder)
        except RuntimeError as failure:
            sys.exit(f"{label} {lowering}: {failure}")
        print(f"{label} {lowering}: max error {error:.1e}", flush=True)
    if is_reordered and layer.takes_graph and lowering == "sparse":
        check_orders(arguments, layer.entry, label, command, expected, folder)


def check_orders(arguments, entry, label, command, expected, folder):
    """Nodes in other orders change no result; a layer that knows them by number is refused."""
    for order in ORDERS:
        refusal = None
        try:
            error = check_lowering(arguments, [*command, f"--reorder={order}"], expected, folder)
            print(f"{label} {order}: max error {error:.1e}", flush=True)
        except RuntimeError as failure:
            refusal = str(failure)
        wanted = KNOW_NUMBERS.get(entry)
        if bool(refusal) != bool(wanted) or (
                wanted and f"must keep their numbers: {wanted}" not in refusal):
            sys.exit(f"{label} {order}: {refusal or 'no error'}")



def short(graph_name):
    """A file's name without its folders, but the last."""
    return graph_name if ":" in graph_name else "/".join(pathlib.Path(graph_name).parts[-2:])


def main():
    arguments = parse_arguments()
    for option in ("clique_run", "clique_compile"):
        tool = getattr(arguments, option)
        if not shutil.which(tool):
            sys.exit(f"{tool} was not found: build it, or name it with "
                     f"--{option.replace('_', '-')}")
    files = [name for name in arguments.graph if ":" not in name]
    reordered = files[0] if files and arguments.dtype == "f32" else None
    functions = re.findall(r"func\.func @(\w+)", arguments.example.read_text())
    for entry in arguments.entry or functions:
        layer = LAYERS.get((arguments.example.stem, entry))
        if not layer:
            sys.exit(f"numpy_layers.py has no layer for @{entry} of {arguments.example.name}: "
                     "write one from its equation")
        with tempfile.TemporaryDirectory() as libraries:
            for graph_name in arguments.graph:
                with tempfile.TemporaryDirectory() as folder:
                    check(arguments, layer, graph_name, graph_name == reordered,
                          pathlib.Path(libraries), pathlib.Path(folder))


if __name__ == "__main__":
    main()
