# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Aggregations that known graphs make cheaper, against NumPy and the reference
interpreter: every class whose sums are shared, sizes around blocks, gradients, numbers
that a subtraction would lose."""
# RUN: %python %s %t %S/Inputs | FileCheck %s
# CHECK: known graphs: {{[0-9]+}} runs

import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, sys.argv[2])

from layer_runs import Runner, compare

WORK = pathlib.Path(sys.argv[1])
RANDOM = np.random.default_rng(17)
run = Runner(WORK)
HEADS, WIDTH = 2, 8
QUERY, NUMBERS = f"{HEADS}x{WIDTH}xf32", f"{HEADS}xf32"

# Constructor and adjacency, of n destinations; cliques of the sizes given.
GRAPHS = {
    "complete": ("mp.complete %n", "complete", lambda i, j: i == i),
    "bipartite": ("mp.bipartite %n, %k", "bipartite", lambda i, j: i == i),
    "causal": ("mp.causal %n", "causal", lambda i, j: j <= i),
    "earlier": ("mp.causal %n no_self", "causal, no_self", lambda i, j: j < i),
    "others": ("mp.complete %n no_self", "complete, no_self", lambda i, j: j != i),
    "cliques": ("mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>", "cliques", None),
}


NODE, COUNTS = f"tensor<?x{QUERY}>", f"tensor<?x{NUMBERS}>"
EDGES, SCORE = f"!mp.edges<{QUERY}>", f"!mp.edges<{NUMBERS}>"
# Aggregations of the messages below.
OUTPUTS = {
    "sum": ("sum %m#2", f"({EDGES}) -> {NODE}"),
    "max": ("max %m#0", f"({EDGES}) -> {NODE}"),
    "min": ("min %m#0", f"({EDGES}) -> {NODE}"),
    "mean": ("mean %m#3", f"({SCORE}) -> {COUNTS}"),
    "bottom": ("sum %m#5", f"({SCORE}) -> {COUNTS}"),
    "std": ("std %m#0", f"({EDGES}) -> {NODE}"),
    "soft": ("softmax(%m#1) %m#0", f"({SCORE}, {EDGES}) -> {NODE}"),
    "top": ("sum %m#4", f"({EDGES}) -> {NODE}"),
}
IN_BLOCKS = {"causal": ["sum", "max"], "earlier": ["sum", "max", "mean", "top"],
             "others": ["max", "top"]}


def get_outputs(graph):
    return IN_BLOCKS.get(graph, list(OUTPUTS))


def make_spec(graph):
    """Scaled sums, a mean of inner products, extrema, a deviation, a softmax, and linear
    attention with its normaliser."""
    make, topology, _ = GRAPHS[graph]
    g = f"%g : !mp.graph<{topology}>"
    names = get_outputs(graph)
    results = ", ".join(OUTPUTS[name][1].split("-> ")[1] for name in names)
    kinds = "".join(f"  %{name} = mp.aggregate {g} {kind} : {types}\n"
                    for name, (kind, types) in OUTPUTS.items() if name in names)
    return f"""
func.func @layer(%q: {NODE}, %h: {NODE}, %c: {COUNTS}, %offsets: tensor<?xi64>) -> ({results}) {{
  %zero = arith.constant 0 : index
  %n = tensor.dim %q, %zero : {NODE}
  %k = tensor.dim %h, %zero : {NODE}
  %g = {make}
  %m:6 = mp.message {g} dst(%qi = %q : {NODE}) src(%hj = %h : {NODE}, %cj = %c : {COUNTS})
      -> {EDGES}, {SCORE}, {EDGES}, {SCORE}, {EDGES}, {SCORE} {{
    %w = math.exp %cj : tensor<{NUMBERS}>
    %ws = mp.broadcast %w : tensor<{NUMBERS}> to tensor<{QUERY}>
    %x = arith.mulf %qi, %hj : tensor<{QUERY}>
    %scaled = arith.divf %x, %ws : tensor<{QUERY}>
    %d = mp.dot %qi, %hj : (tensor<{QUERY}>, tensor<{QUERY}>) -> tensor<{NUMBERS}>
    %ds = mp.broadcast %d : tensor<{NUMBERS}> to tensor<{QUERY}>
    %v = arith.mulf %ds, %hj : tensor<{QUERY}>
    %cd = arith.mulf %cj, %d : tensor<{NUMBERS}>
    mp.yield %hj, %cj, %scaled, %d, %v, %cd : tensor<{QUERY}>, tensor<{NUMBERS}>, tensor<{QUERY}>,
        tensor<{NUMBERS}>, tensor<{QUERY}>, tensor<{NUMBERS}>
  }}
{kinds}  return {", ".join("%" + name for name in names)} : {results}
}}
"""


def expect(name, adjacency, q, h, c):
    """One output in NumPy, row by row."""
    rows = []
    for i in range(len(q)):
        x, s = h[adjacency[i]].astype(float), c[adjacency[i]].astype(float)
        if not len(x):
            rows.append(np.zeros((HEADS,) if name in ("mean", "bottom") else (HEADS, WIDTH)))
            continue
        d = (q[i] * x).sum(-1)
        w = np.exp(s - s.max(0))
        rows.append({"sum": lambda: (q[i] * x / np.exp(s)[..., None]).sum(0),
                     "max": lambda: x.max(0), "min": lambda: x.min(0), "std": lambda: x.std(0),
                     "soft": lambda: (w[..., None] * x).sum(0) / w.sum(0)[:, None],
                     "top": lambda: (d[..., None] * x).sum(0),
                     "bottom": lambda: (d * s).sum(0), "mean": lambda: d.mean(0)}[name]())
    return np.array(rows).reshape((len(q), HEADS) + (() if name in ("mean", "bottom") else (WIDTH,)))


def make_arrays(n, k):
    return {"q": RANDOM.standard_normal((n, HEADS, WIDTH), np.float32),
            "h": RANDOM.standard_normal((k, HEADS, WIDTH), np.float32),
            "c": RANDOM.standard_normal((k, HEADS), np.float32),
            "offsets": np.array([0])}


def check_graph(graph, sizes):
    spec, library = WORK / f"{graph}.mlir", WORK / f"{graph}.so"
    spec.write_text(make_spec(graph))
    subprocess.run(["clique-compile", "-O1", spec, "-o", library], check=True)
    for n, k in sizes:
        arrays = make_arrays(n, k)
        i, j = np.indices((n, k))
        if graph == "cliques":
            ends = np.unique(RANDOM.integers(0, n, 5))
            arrays["offsets"] = np.concatenate([[0], ends, [ends[-1], n]])
            number = np.searchsorted(arrays["offsets"], np.arange(n), side="right")
            adjacency = number[i] == number[j]
        else:
            adjacency = GRAPHS[graph][2](i, j)
        outputs = get_outputs(graph)
        names = [f"out{number}" for number in range(len(outputs))]
        # The interpreter takes its time for large graphs.
        options = ["--verify", f"--spec={spec}"] if n < 100 else []
        found = run(library, arrays, *options, outputs=names)
        for name, result in zip(outputs, found):
            expected = expect(name, adjacency, *(arrays[array] for array in "qhc"))
            compare((graph, n, name), result, expected)


def check_windows():
    """Sums over wide windows, of which neighbours have most in common, also of one that is a
    billion times the others, with parts of the destination; graphs smaller than the window."""
    t, e = "tensor<?x4xf32>", "!mp.edges<4xf32>"
    for loops, width in (("", 128), (", no_self", 583)):
        spec, library = WORK / f"window_{width}.mlir", WORK / f"window_{width}.so"
        g = f"%g : !mp.graph<window, {width}{loops}>"
        spec.write_text(f"""
func.func @layer(%q: {t}, %h: {t}) -> ({t}, {t}, tensor<?xf32>, {t}, {t}) {{
  %zero = arith.constant 0 : index
  %n = tensor.dim %h, %zero : {t}
  %g = mp.window %n, {width}{loops.replace(",", "")}
  %m:3 = mp.message {g} dst(%qi = %q : {t}) src(%hj = %h : {t}) -> {e}, {e}, !mp.edges<f32> {{
    %x = arith.divf %hj, %qi : tensor<4xf32>
    %d = mp.dot %qi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    mp.yield %hj, %x, %d : tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }}
  %a:2 = mp.aggregate {g} sum %m#0, %m#1 : ({e}, {e}) -> ({t}, {t})
  %b = mp.aggregate {g} mean %m#2 : (!mp.edges<f32>) -> tensor<?xf32>
  %c = mp.aggregate {g} max %m#0 : ({e}) -> {t}
  %d = mp.aggregate {g} min %m#0 : ({e}) -> {t}
  return %a#0, %a#1, %b, %c, %d : {t}, {t}, tensor<?xf32>, {t}, {t}
}}
""")
        subprocess.run(["clique-compile", "-O1", spec, "-o", library], check=True)
        for n in (1, 40, 700):
            i, j = np.indices((n, n))
            adjacency = (abs(i - j) <= width) & ((i != j) | (not loops))
            arrays = {"q": RANDOM.random((n, 4), np.float32) + 0.5,
                      "h": RANDOM.random((n, 4), np.float32)}
            arrays["h"][n // 3:n // 3 + 1] = 1e9
            options = ["--verify", f"--spec={spec}"] if n < 100 else []
            total, scaled, means, *extrema = run(library, arrays, *options,
                                                 outputs=[f"out{k}" for k in range(5)])
            h, q = arrays["h"].astype(float), arrays["q"].astype(float)
            expected = adjacency @ h
            np.testing.assert_allclose(total, expected, rtol=2e-6)
            np.testing.assert_allclose(scaled, expected / q, rtol=2e-6)
            rows = [h[row] if row.any() else np.zeros((1, 4)) for row in adjacency]
            np.testing.assert_array_equal(extrema[0], [x.max(0) for x in rows])
            np.testing.assert_array_equal(extrema[1], [x.min(0) for x in rows])
            np.testing.assert_allclose(
                means, (q * expected).sum(1) / np.maximum(adjacency.sum(1), 1), rtol=2e-6)


def check_digits():
    """One number that is a million times the others: the sum of the others has all digits."""
    spec = WORK / "digits.mlir"
    t = "tensor<?x4xf32>"
    spec.write_text(f"""
func.func @digits(%g: !mp.graph<complete, no_self>, %h: {t}) -> {t} {{
  %m = mp.message %g : !mp.graph<complete, no_self> src(%hj = %h : {t}) -> !mp.edges<4xf32> {{
    mp.yield %hj : tensor<4xf32>
  }}
  %a = mp.aggregate %g : !mp.graph<complete, no_self> sum %m : (!mp.edges<4xf32>) -> {t}
  return %a : {t}
}}
""")
    h = RANDOM.random((1500, 4), np.float32)
    h[700] = 1e6
    found, = run(spec, {"h": h}, "--graph=complete_no_self:1500", outputs=["out"])
    expected = h.sum(0, dtype=float) - h
    np.testing.assert_allclose(found, expected, rtol=2e-6)


def check_half():
    """A mean whose sum is beyond the range of f16."""
    spec = WORK / "half.mlir"
    t = "tensor<?x4xf16>"
    spec.write_text(f"""
func.func @half(%g: !mp.graph<complete>, %h: {t}) -> {t} {{
  %m = mp.message %g : !mp.graph<complete> src(%hj = %h : {t}) -> !mp.edges<4xf16> {{
    mp.yield %hj : tensor<4xf16>
  }}
  %a = mp.aggregate %g : !mp.graph<complete> mean %m : (!mp.edges<4xf16>) -> {t}
  return %a : {t}
}}
""")
    h = (1000 + RANDOM.random((900, 4))).astype(np.float16)
    found, = run(spec, {"h": h}, "--graph=complete:900", "--verify", outputs=["out"])
    np.testing.assert_allclose(found, np.tile(h.mean(0, dtype=float), (900, 1)), rtol=1e-3)


def check_empty_rows():
    """Rows without edges are 0 where the destination's part of a message is infinite: the
    sum over degrees that are 0, and an inner product with their roots."""
    spec = WORK / "empty_rows.mlir"
    t, e = "tensor<?x4xf32>", "!mp.edges<4xf32>"
    parts = ("earlier", "mp.causal %n no_self", "!mp.graph<causal, no_self>", "h"), \
        ("others", "mp.complete %n no_self", "!mp.graph<complete, no_self>", "h"), \
        ("none", "mp.bipartite %n, %k", "!mp.graph<bipartite>", "x")
    body = "".join(f"""
  %{name} = {make}
  %d_{name} = mp.degree %{name} : {graph} -> tensor<?xf32>
  %m_{name}:3 = mp.message %{name} : {graph} dst(%di = %d_{name} : tensor<?xf32>) src(%hj = %{source} : {t})
      -> {e}, {e}, !mp.edges<f32> {{
    %b = mp.broadcast %di : tensor<f32> to tensor<4xf32>
    %mean = arith.divf %hj, %b : tensor<4xf32>
    %root = math.rsqrt %b : tensor<4xf32>
    %scaled = arith.mulf %hj, %root : tensor<4xf32>
    %dot = mp.dot %root, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    mp.yield %mean, %scaled, %dot : tensor<4xf32>, tensor<4xf32>, tensor<f32>
  }}
  %s_{name}:3 = mp.aggregate %{name} : {graph} sum %m_{name}#0, %m_{name}#1, %m_{name}#2
      : ({e}, {e}, !mp.edges<f32>) -> ({t}, {t}, tensor<?xf32>)
""" for name, make, graph, source in parts)
    results = [f"%s_{name}#{k}" for name, *_ in parts for k in range(3)]
    types = ", ".join([t, t, "tensor<?xf32>"] * len(parts))
    spec.write_text(f"""
func.func @layer(%h: {t}, %x: {t}) -> ({types}) {{
  %zero = arith.constant 0 : index
  %n = tensor.dim %h, %zero : {t}
  %k = tensor.dim %x, %zero : {t}
{body}
  return {", ".join(results)} : {types}
}}
""")
    names = [f"out{number}" for number in range(len(results))]
    for n in (1, 40):
        h = RANDOM.random((n, 4), np.float32)
        found = run(spec, {"h": h, "x": h[:0]}, "--verify", outputs=names)
        i, j = np.indices((n, n))
        for name, adjacency in (("earlier", j < i), ("others", j != i), ("none", i < 0)):
            means, scaled, dots = found[:3]
            found = found[3:]
            counts = np.maximum(adjacency.sum(1), 1)[:, None]
            total = adjacency @ h.astype(float)
            compare((n, name, "mean"), means, total / counts)
            compare((n, name, "scaled"), scaled, total / np.sqrt(counts))
            compare((n, name, "dot"), dots, (total / np.sqrt(counts)).sum(1))


def check_gradients():
    """The backward pass, too, sums what known graphs share."""
    for graph in ("complete", "others"):
        spec = WORK / f"{graph}_gradient.mlir"
        g = f"%g : !mp.graph<{GRAPHS[graph][1]}>"
        t = "tensor<?x4xf32>"
        spec.write_text(f"""
func.func @layer(%g: !mp.graph<{GRAPHS[graph][1]}>, %q: {t}, %h: {t}) -> ({t}, {t}) {{
  %m:2 = mp.message {g} dst(%qi = %q : {t}) src(%hj = %h : {t})
      -> !mp.edges<4xf32>, !mp.edges<4xf32> {{
    %d = mp.dot %qi, %hj : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %b = mp.broadcast %d : tensor<f32> to tensor<4xf32>
    %v = arith.mulf %b, %hj : tensor<4xf32>
    mp.yield %v, %hj : tensor<4xf32>, tensor<4xf32>
  }}
  %a = mp.aggregate {g} sum %m#0 : (!mp.edges<4xf32>) -> {t}
  %b = mp.aggregate {g} mean %m#1 : (!mp.edges<4xf32>) -> {t}
  return %a, %b : {t}, {t}
}}
""")
        kind = "complete" if graph == "complete" else "complete_no_self"
        run(spec, {}, "--gradients", "--verify", f"--graph={kind}:37")


def main():
    for graph in GRAPHS:
        sizes = [(33, 33)]
        if graph == "bipartite":
            sizes = [(5, 0), (0, 5), (70, 33)]
        if graph in ("earlier", "others"):
            sizes += [(1, 1), (1060, 1060)]
        check_graph(graph, sizes)
    check_windows()
    check_digits()
    check_half()
    check_empty_rows()
    check_gradients()
    print(f"known graphs: {run.runs} runs")


main()
