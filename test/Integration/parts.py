# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax over the nodes of each part of a batch, values of parts given to their nodes, and
the weights of a softmax as edge values: against NumPy and the reference interpreter."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s %S/Inputs %graphs/karate.mtx | FileCheck %s
# CHECK: parts, weights in {{[0-9]+}} ways, 3 errors

import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import numpy as np
from scipy.special import softmax

from numpy_graph import make_graph

SPEC, KARATE = f"{sys.argv[1]}/parts.mlir", sys.argv[2]
random = np.random.default_rng(0)


def run(entry, inputs, *options, outputs=(), spec=SPEC):
    for name, value in inputs.items():
        np.save(f"{name}.npy", value)
    return subprocess.run(
        ["clique-run", spec, f"--entry={entry}", *options,
         *(f"--input={name}={name}.npy" for name in inputs),
         *(f"--output={name}={name}.out.npy" for name in outputs)],
        text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def expect(done, **expected):
    assert done.returncode == 0, done.stdout
    for name, wanted in expected.items():
        actual = np.load(f"{name}.out.npy")
        assert actual.shape == wanted.shape and np.allclose(actual, wanted, atol=1e-5), name


def float32(*shape):
    return random.standard_normal(shape).astype(np.float32)


offsets = np.array([0, 4, 4, 9, 10])
part = np.repeat(np.arange(4), np.diff(offsets))
inputs = {"offsets": offsets, "x": float32(10, 3, 4), "score": float32(10, 3), "u": float32(4, 4),
          "k": np.array([7, -1, 2 ** 30, 3], np.int32), "b": random.random((4, 2)) < 0.5}
pooled = np.zeros((4, 3, 4))
for number in (0, 2, 3):
    here = part == number
    weights = softmax(inputs["score"][here].astype(float), axis=0)
    pooled[number] = np.einsum("ih,ihd->hd", weights, inputs["x"][here])
expect(run("parts", inputs, "--verify", outputs=("pooled", "back", "number", "mask", "of", "place")),
       pooled=pooled, back=(pooled + inputs["u"][:, None])[part] + inputs["x"],
       number=inputs["k"][part], mask=inputs["b"][part], of=part,
       place=np.arange(10) - offsets[part])
x = float32(10, 3)
products = np.where(part[:, None] == part, x.astype(float) @ x.T, -np.inf)
done = run("packed", {"x": x, "offsets": offsets}, "--graph=complete:10", "--verify", outputs=("packed",))
expect(done, packed=softmax(products, axis=1) @ x)
assert "cliques of 3 graphs" in done.stdout, done.stdout  # one part is empty

errors = 0
for name, value, pattern in (
        ("score", float32(9, 3), "'mp.readout': the score needs a row for each node: given 9, expected 10"),
        ("k", inputs["k"][:3], "'mp.spread': the values need a row between two offsets each: given 3, expected 4"),
        ("offsets", np.array([0, 4, 4, 9, 11]), "batch: the last offset is 11, expected 10")):
    done = run("parts", {**inputs, name: value})
    assert done.returncode == 1 and "error: parts: " in done.stdout and pattern in done.stdout, done.stdout
    errors += 1

ways = 0
for name, lowering in ((KARATE, "sparse"), ("complete:20", "dense"), ("causal:13", "dense")):
    graph = make_graph(name)
    x = float32(graph.num_src, 8)
    products = (x.astype(float)[graph.dst] * x[graph.src]).reshape(-1, 2, 4).sum(axis=2)
    allowed = (graph.dst <= graph.src + 3)[:, None]
    top = graph.max(np.where(allowed, products, -1e30))[graph.dst]
    weights = np.where(allowed, np.exp(np.minimum(products - top, 0)), 0)
    total = graph.sum(weights)[graph.dst]
    weights /= np.where(total == 0, 1, total)
    expect(run("weights", {"x": x}, f"--graph={name}", f"--lowering={lowering}", "--verify",
               outputs=("weights", "largest")), weights=weights, largest=graph.max(weights))
    ways += 1
graph = make_graph(KARATE)
e, x = float32(156, 2, 3), float32(10, 3)
e[::7] = 0.25  # equal values: the first edge counts
product, largest, edge = np.ones((34, 2, 3)), np.full((34, 2, 3), -np.inf), np.full((34, 2, 3), -1)
for k, dst in enumerate(graph.dst):
    product[dst] *= e[k]
    edge[dst] = np.where(e[k] > largest[dst], k, edge[dst])
    largest[dst] = np.maximum(largest[dst], e[k])
parts = [x[part == number].astype(float) for number in range(4)]
expect(run("folds", {"e": e, "offsets": offsets, "x": x}, f"--graph={KARATE}", "--verify",
           outputs=("product", "largest", "edge", "of_part", "length")),
       product=product, largest=largest, edge=edge,
       of_part=np.array([rows.prod(axis=0) for rows in parts]),
       length=np.array([np.linalg.norm(rows.sum(axis=0)) for rows in parts]))
ways += 1
scores = float32(156, 2)
expect(run("given", {"s": scores}, f"--graph={KARATE}", "--verify", outputs=("weights",)),
       weights=make_graph(KARATE).softmax(scores.astype(float)))
open("half.mlir", "w").write(open(SPEC).read().replace("f32", "f16").replace(
    "0xFF800000", "0xFC00"))
done = run("given", {"s": scores.astype(np.float16)}, f"--graph={KARATE}", "--verify", spec="half.mlir")
assert done.returncode == 0, done.stdout
print(f"parts, weights in {ways + 2} ways, {errors} errors")
