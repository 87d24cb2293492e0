# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The NumPy layers that the examples are compared with are themselves right:
the aggregations agree with a loop over the edges, attention on a complete graph
with a softmax of a matrix, and no layer but the one with positions depends on how
nodes are numbered or edges listed."""
# RUN: %python %s %S/Inputs %graphs/karate.mtx | FileCheck %s
# CHECK: aggregations agree with loops
# CHECK-NEXT: attention agrees with a softmax of rows
# CHECK-NEXT: 21 layers do not depend on the numbering

import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import numpy as np
import scipy.special

from check_example import make_input
from numpy_graph import Graph, make_graph
from numpy_layers import LAYERS, attend

random = np.random.default_rng(3)

graph = make_graph(f"{sys.argv[1]}/graphs/duplicates.mtx")
values = random.standard_normal((graph.num_edges, 2))
for name in ("sum", "mean", "max", "min", "std"):
    expected = np.zeros((graph.num_dst, 2))
    for i in range(graph.num_dst):
        received = [values[k] for k in range(graph.num_edges) if graph.dst[k] == i]
        if received:
            expected[i] = getattr(np, name)(received, axis=0)
    assert np.allclose(getattr(graph, name)(values), expected), name
print("aggregations agree with loops")

query, key, value = random.standard_normal((3, 7, 2, 4))
rows = attend(make_graph("causal:7"), query, key, value)
for head in range(2):
    scores = query[:, head] @ key[:, head].T / 2 + np.triu(np.full((7, 7), -np.inf), 1)
    assert np.allclose(rows[:, head], scipy.special.softmax(scores, axis=1) @ value[:, head])
print("attention agrees with a softmax of rows")

# Layers on a set of nodes and another, or with the numbering in their results.
SKIPPED = {"cross_attention", "distance_attention", "batch_readout", "causal_attention"}
club = make_graph(sys.argv[2])
new_number = random.permutation(club.num_dst)  # of each node
listed = random.permutation(club.num_edges)
renumbered = Graph(new_number[club.dst][listed], new_number[club.src][listed],
                   club.num_dst, club.num_src)
checked = 0
for (example, _), layer in LAYERS.items():
    if example in SKIPPED:
        continue
    inputs = {name: make_input(text, club, random, "f64") for name, text in layer.inputs.items()}
    moved = dict(inputs)
    for name, text in layer.inputs.items():
        if text.startswith("n"):
            moved[name] = np.empty_like(inputs[name])
            moved[name][new_number] = inputs[name]
        elif text.startswith("e"):
            moved[name] = inputs[name][listed]
    results, again = layer.compute(club, **inputs), layer.compute(renumbered, **moved)
    for name in results:
        if name == "e_out":
            assert np.allclose(results[name][listed], again[name]), (example, name)
        else:
            assert np.allclose(results[name], again[name][new_number]), (example, name)
    checked += 1
print(f"{checked} layers do not depend on the numbering")
