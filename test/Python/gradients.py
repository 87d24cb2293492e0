# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A gradient's call is its forward and its backward layer, bit for bit; what one keeps for the
other is used up, and less memory is taken."""
# RUN: %library_python %s %clique_src_root/examples | FileCheck %s
# CHECK: gat: equal, {{[0-9]+}} rows less
# CHECK-NEXT: gcn: equal

import pathlib
import sys

import clique
import numpy as np
from clique import _native

NODES = 4000
random = np.random.default_rng(5)
graph = clique.Graph.from_coo(random.integers(0, NODES, 9000), random.integers(0, NODES, 9000), NODES)


def peak_of(call):
    _native.reset_peak_memory()
    before = _native.peak_memory()
    results = call()
    return _native.peak_memory() - before, results


for name in "gat", "gcn":
    layer = clique.compile(pathlib.Path(sys.argv[1]) / f"{name}.mlir")
    gradient = layer.gradient()
    arrays = {arg.name: random.uniform(0.1, 1, [size or NODES for size in arg.shape]).astype("f4")
              for arg in layer.args if arg.kind != "graph"}
    cotangent = random.uniform(0.1, 1, layer(graph, **arrays).shape).astype("f4")
    given = {key: value.copy() for key, value in arrays.items()}

    def by_hand():
        made = gradient.forward(graph, **arrays)
        made = made if isinstance(made, tuple) else (made,)
        return gradient.backward(graph, *arrays.values(), *(made[k] for k in gradient.kept), cotangent)

    for threads in 1, 2:
        clique.set_num_threads(threads)
        most, expected = peak_of(by_hand)
        least, found = peak_of(lambda: gradient(graph, **arrays, grad_out=cotangent))
        assert all(map(np.array_equal, found, expected)), name
        assert all(np.array_equal(arrays[key], given[key]) for key in given), name
        assert least <= most, (name, least, most)
    less = (most - least) // (4 * NODES)
    print(f"{name}: equal" + (f", {less} rows less" if less else ""))


def raises(kind, message, call):
    try:
        call()
    except kind as error:
        assert message in str(error), error
    else:
        raise AssertionError(f"nothing says '{message}'")


values = graph, *arrays.values()
raises(TypeError, "gcn_forward: takes no 'out' here",
       lambda: gradient(*values, grad_out=cotangent, out=cotangent))
raises(IndexError, "gcn_forward: has no argument number 99",
       lambda: gradient.forward._call_giving(values, (99,)))
raises(TypeError, "gcn_forward: argument 'h': is given away, expected a clique.Tensor",
       lambda: gradient.forward._call_giving(values, (1,)))
