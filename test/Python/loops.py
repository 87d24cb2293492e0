# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops within loops of traced layers: what an inner one takes of a step of the outer one, beside
what it carries."""
# RUN: %library_python %s | FileCheck %s
# CHECK: as NumPy

import clique
import numpy as np
from clique import Node, mp


@clique.layer
def numbers(g, h: Node["f64"]):
    """Both loops begin with what no step changes: the inner one's steps use the outer one's."""
    return mp.repeat(3, lambda k, x: x + mp.repeat(
        2, lambda j, y: y + k.value("f64") + mp.repeat(
            2, lambda i, z: z * k.value("f64") + j.value("f64"), h), h), h)


@clique.layer
def parts(g, h: Node["f64"]):
    """The inner loop's steps aggregate over the part of the graph of a level."""
    levels = g.levels()
    first = levels.order(h)

    def step(level, x):
        return mp.repeat(2, lambda k, y: y + level.graph.sum(level.graph.src(first)),
                         level.rows(first)) + level.graph.sum(level.graph.src(x))

    return levels.restore(levels.scan(step, first))


graph = clique.Graph.from_coo([1, 2, 2, 3], [0, 0, 1, 2])  # 0 -> 1, 0 -> 2, 1 -> 2, 2 -> 3
h = np.array([1.0, 2, 3, 4])

x = h
for k in range(3):
    y = h
    for j in range(2):
        z = h
        for _ in range(2):
            z = z * k + j
        y = y + k + z
    x = x + y
assert np.allclose(numbers(graph, h), x), (numbers(graph, h), x)

adjacency = np.zeros((4, 4))
adjacency[[1, 2, 2, 3], [0, 0, 1, 2]] = 1
x = h.copy()
for node in range(4):  # each is a level
    x[node] = h[node] + 2 * adjacency[node] @ h + adjacency[node] @ x
assert np.allclose(parts(graph, h), x), (parts(graph, h), x)
print("as NumPy")
