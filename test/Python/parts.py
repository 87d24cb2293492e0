# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of features of every element type; layers that are longer than Python's recursion is deep."""
# RUN: %library_python %s %S/Inputs | FileCheck %s
# CHECK: parts are numbers
# CHECK-NEXT: long layers are traced

import sys

sys.path.insert(0, sys.argv[1])

import clique
import numpy as np
from clique import Node, Weight, mp

graph = clique.Graph.complete(4)
h = np.arange(16, dtype=np.float32).reshape(4, 4) / 4
given = {"i": np.arange(16, dtype=np.int32).reshape(4, 4),
         "k": np.arange(24).reshape(4, 2, 3) + 2**60, "b": np.arange(4, dtype=np.int8)[:, None],
         "w": np.array([5, 6, 2**50 + 1])}


@clique.layer
def parts(g, h: Node[4], i: Node[4, "i32"], k: Node[2, 3, "i64"], b: Node[1, "i8"],
          w: Weight[3, "i64"]):
    large = h > 2.0
    return (h * mp.cast(i[1], "f32"), mp.where(large[1], h, 0.0), k[1, -1] + w[2], b.reshape(),
            g.sum(mp.cast(g.src(i)[2], "f32")), mp.where(large[3], i[0], i[1]))


i, k, b, w = given.values()
found = parts(graph, h, **given)
for got, want in zip(found, (
        h * i[:, 1:2], np.where(h[:, 1:2] > 2, h, 0), k[:, 1, -1] + w[2], b[:, 0],
        np.full(4, i[:, 2].sum()), np.where(h[:, 3] > 2, i[:, 0], i[:, 1]))):
    assert np.array_equal(got, want), (got, want)
parts.verify(graph, h, **given)
slope = parts.gradient("h")(graph, h, **given, grad_out0=h, grad_out1=h)
assert np.array_equal(slope, h * i[:, 1:2] + np.where(h[:, 1:2] > 2, h, 0))


@clique.layer
def first(g, h: Node[4], b: Node["i1"], c: Node["i1"]):
    return (h[np.int64(0)], mp.maximum(b, c), mp.minimum(b, c), b > c, b >= c, b < c, b <= c)


zeros = np.full((4, 4), -0.0, np.float32)
one, two = np.array([0, 0, 1, 1], bool), np.array([0, 1, 0, 1], bool)
found = first(graph, zeros, one, two)
assert np.signbit(found[0]).all()
for got, want in zip(found[1:], (one | two, one & two, one > two, one >= two, one < two,
                                 one <= two)):
    assert np.array_equal(got, want), (got, want)
print("parts are numbers")


@clique.layer
def long(g, h: Node[4]):
    def step(k, x):
        for _ in range(LENGTH):
            x = x + h
        return x

    y = mp.repeat(2, step, h)
    for _ in range(LENGTH):
        h = mp.relu(g.mean(g.src(h)) * 0.9 + h * 0.1)
    for _ in range(LENGTH):
        h = mp.tanh(h * 1.01)
    return h, y


LENGTH = sys.getrecursionlimit()
assert long.spec.count("math.tanh") == long.spec.count("mp.aggregate") == LENGTH
assert long.spec.count("arith.addf") == 2 * LENGTH
print("long layers are traced")
