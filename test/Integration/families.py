# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The systems of the literature in examples/families: each compiled once, run on a small
graph, and compared with NumPy and with the reference interpreter; and each refuses an
input of a wrong shape. The table of docs/families.md says of them what runs. With one argument
more, 'table', its rows are printed and not checked."""
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %S/Inputs %examples/families %graphs/karate.mtx %t | FileCheck %s
# CHECK: families: {{[0-9]+}} layers of {{[0-9]+}} specs

import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import numpy as np

from numpy_families import FAMILIES
from numpy_graph import make_graph

SPECS, KARATE, WORK = pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4])
TOLERANCE = 2e-5


def write_graph(name, nodes, edges):
    lines = [f"{dst + 1} {src + 1}" for dst, src in edges]
    header = f"%%MatrixMarket matrix coordinate pattern general\n{nodes} {nodes} {len(lines)}\n"
    (WORK / f"{name}.mtx").write_text(header + "\n".join(lines) + "\n")


def write_partition():
    """16 tokens and the spans of 2, 4, 8 and 16 above them, which are nodes 16 to 30: a token
    receives from itself and, of each length, the span beside its own; a span from its tokens. The
    type of an edge is the level of its span."""
    edges, types, first = [(i, i) for i in range(16)], [0] * 16, 16
    for level in range(1, 5):
        size = 2 ** level
        for token in range(16):
            beside = (token // size) ^ 1
            if beside < 16 // size:
                edges.append((token, first + beside))
                types.append(level)
        for span in range(16 // size):
            edges += [(first + span, span * size + k) for k in range(size)]
            types += [level] * size
        first += 16 // size
    write_graph("partition", first, edges)
    return np.array(types, np.int32)


# The head of each word, counted from 1, 0 for the root: dependency trees as treebanks have them.
HEADS = {
    "The quick brown fox jumps over the lazy dog .": [4, 4, 4, 5, 0, 9, 9, 9, 5, 5],
    "She said that he had left before the meeting began": [2, 0, 6, 6, 6, 2, 10, 9, 10, 6],
    "Yes": [0],
    "Colorless green ideas sleep furiously": [3, 3, 4, 0, 4],
    "A hearing is scheduled on the issue today": [2, 4, 4, 0, 7, 7, 2, 4],
}


def write_sentences():
    """A batch of dependency trees, words to their heads, and a vector for each word."""
    edges, words = [], []
    for sentence, heads in HEADS.items():
        first = len(words)
        words += sentence.lower().split()
        edges += [(first + head - 1, first + word) for word, head in enumerate(heads) if head]
    write_graph("sentences", len(words), edges)
    known = sorted(set(words))
    vectors = np.random.default_rng(0).standard_normal((len(known), 16)).astype(np.float32)
    return vectors[[known.index(word) for word in words]]


def write_acyclic():
    """An acyclic graph that is no tree, with parallel edges, its nodes in no order."""
    random = np.random.default_rng(1)
    names = random.permutation(40)
    pairs = random.integers(0, 40, (90, 2))
    edges = [(names[max(pair)], names[min(pair)]) for pair in pairs if pair[0] != pair[1]]
    write_graph("dag", 40, edges + edges[:3])


def run(*words):
    return subprocess.run(words, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def make_inputs(case, random):
    inputs = {}
    for name, given in case.inputs.items():
        if isinstance(given, str):
            inputs[name] = ARRAYS[given]
        elif isinstance(given, tuple):
            values = random.standard_normal(given)
            inputs[name] = values.astype(np.float32) / (np.sqrt(given[0]) if len(given) > 1 else 1)
        else:
            inputs[name] = given
    return inputs


def check_wrong_shape(case, label, options, folder):
    """One column too many in the first array."""
    name = next(name for name, given in case.inputs.items() if isinstance(given, tuple))
    shape = case.inputs[name]
    np.save(folder / "wrong.npy", np.zeros((*shape[:-1], shape[-1] + 1), np.float32))
    others = [option for option in options if not option.startswith(f"--input={name}=")]
    done = run("clique-run", folder / "layer.so", *others, f"--input={name}={folder}/wrong.npy")
    if not done.returncode or not re.search(rf"error: .*\b{name}\b", done.stdout):
        return f"{label}: '{name}' of a wrong shape is not refused\n{done.stdout}"
    return None


def describe(case, output):
    """A row of the table: what a run says of its kernels with messages."""
    source = SPECS / f"{case.example}.mlir"
    kernels = re.findall(r"^kernel   \w+: (.*)$", output, re.M)
    ran = "; ".join(dict.fromkeys(kernels)) or "nodes only"
    return (f"| [{source.stem}](../examples/families/{source.name}) | `{case.entry}` | "
            f"{case.graph or 'made in the spec'} | {ran} |")


def without_choices(row):
    """The columns that a run prints. Tiles or rows are chosen by size and machine."""
    return re.sub(r", (dense tiles|sparse rows)", "", "|".join(row.split("|")[:5]))


def check_page(page):
    """Its rows are those of this run; columns with figures follow them."""
    listed = {without_choices(line) for line in page.splitlines() if line.startswith("| [")
              and "(../examples/families/" in line}
    if listed == set(map(without_choices, ROWS.values())):
        return []
    return ["the table of docs/families.md is stale: run benchmarks/families_table.py build/bin"]


def check(number):
    case = FAMILIES[number]
    label = f"{case.example}.{case.entry}"
    folder = WORK / str(number)
    folder.mkdir()
    graph_name = {"karate": KARATE, None: None}.get(
        case.graph, case.graph if ":" in str(case.graph) else f"{WORK}/{case.graph}.mtx")
    graph = make_graph(graph_name) if graph_name else None
    inputs = make_inputs(case, np.random.default_rng(number))
    spec, library = SPECS / f"{case.example}.mlir", folder / "layer.so"
    done = run("clique-compile", spec, f"--entry={case.entry}", "-o", library)
    if done.returncode:
        return f"{label}: {done.stdout}"
    options = [f"--graph={graph_name}"] if graph_name else []
    for name, value in inputs.items():
        if isinstance(value, (int, float)) and not isinstance(value, np.generic):
            options.append(f"--input={name}={value}")
            continue
        np.save(folder / f"{name}.npy", value)
        options.append(f"--input={name}={folder / name}.npy")
    expected = case.compute(graph, **{
        name: value.astype(np.float64) if getattr(value, "dtype", None) == np.float32 else value
        for name, value in inputs.items()})
    outputs = [f"--output={name}={folder / name}.out.npy" for name in expected]
    done = run("clique-run", library, f"--spec={spec}", "--verify", "--threads=2", *options,
               *outputs)
    if done.returncode:
        return f"{label}: {done.stdout}"
    ROWS[number] = describe(case, done.stdout)
    for name, wanted in expected.items():
        actual = np.load(folder / f"{name}.out.npy")
        if actual.shape != wanted.shape:
            return f"{label}: {name} has shape {actual.shape}, NumPy's has {wanted.shape}"
        error = np.abs(actual - wanted).max(initial=0) / max(np.abs(wanted).max(initial=0), 1e-30)
        if not error <= TOLERANCE:
            return f"{label}: {name} differs by {error:.1e} of the largest value"
    if not any(isinstance(given, tuple) for given in case.inputs.values()):
        return None
    return check_wrong_shape(case, label, options + outputs, folder)


ROWS = {}
# The places of children in the order of the tree's edges, below.
ARRAYS = {"partition_types": write_partition(),
          "tree_places": np.array([0, 1, 0, 0, 1, 2, 0], np.int32)}
write_graph("tree", 9, [(4, 0), (4, 1), (5, 2), (6, 4), (6, 5), (6, 3), (8, 7)])
ARRAYS["sentence_words"] = write_sentences()
write_acyclic()
with ThreadPoolExecutor(2) as pool:
    failures = [text for text in pool.map(check, range(len(FAMILIES))) if text]
written = {(spec.stem, entry) for spec in SPECS.glob("*.mlir")
           for entry in re.findall(r"func\.func @(\w+)", spec.read_text())}
failures += [f"{spec}.{entry}: no layer in NumPy" for spec, entry in
             written - {(case.example, case.entry) for case in FAMILIES}]
if sys.argv[5:] == ["table"]:
    print("| spec | function | graph here | what runs |\n| --- | --- | --- | --- |")
    print("\n".join(dict.fromkeys(ROWS[number] for number in sorted(ROWS))))
elif not failures:
    failures += check_page((SPECS.parents[1] / "docs" / "families.md").read_text())
if failures:
    sys.exit("\n".join(failures))
print(f"families: {len(FAMILIES)} layers of {len({spec for spec, _ in written})} specs")
