# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Backward functions that are given what they need: the same gradients bit for bit, in less memory,
of rows of many edges and of none, as rows and as tiles; what is not given away stays as it is."""
# RUN: %python %s %clique_src_root/benchmarks %clique_obj_root %t | FileCheck %s
# CHECK: donated: 30 runs, in the memory of kept values: gat 6, gatv2 6, pna 6

import collections
import pathlib
import re
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])

from harness.clique import Clique, copy_of, free, spec_text

NODES, HUB = 1500, 1300  # edges of a node: more than a block of rows takes at once
AUTO, DENSE, SPARSE = 0, 1, 2
SIZES = {"features": 16, "heads": 2, "size": 8, "twice": 32, "four": 64, "all": 16 * 13}
RANDOM = np.random.default_rng(3)


def make_edges():
    """Random ones among the first two thirds; a node that receives from, and one that is received
    by, nearly all."""
    near = RANDOM.integers(0, 2 * NODES // 3, (2, 3000))
    others = RANDOM.permutation(NODES)[:HUB]
    hubs = np.stack([np.concatenate([np.full(HUB, 5), others]),
                     np.concatenate([others, np.full(HUB, 700)])])
    return np.unique(np.concatenate([near, hubs], axis=1), axis=1)


def to_csr(edges):
    destinations, sources = edges
    indptr = np.concatenate([[0], np.cumsum(np.bincount(destinations, minlength=NODES))])
    return indptr.astype(np.int64), sources.astype(np.int32)


def make_arrays(name):
    arguments = re.search(r"func.func @\w+\((.*?)\)\s*->\s*tensor<\?x(.*?)xf32>",
                          spec_text(name, SIZES), re.S)
    arrays = {argument: [NODES if size == "?" else int(size) for size in sizes.split("x")[:-1]]
              for argument, sizes in re.findall(r"%(\w+): tensor<(.*?)>", arguments[1])}
    arrays["grad_out"] = [NODES, *(int(size) for size in arguments[2].split("x"))]
    return {name: RANDOM.uniform(0.1, 1, shape).astype(np.float32)
            for name, shape in arrays.items()}


def copies(results):
    return [copy_of(result.contents.tensor) for result in results]


def check(what, found, expected):
    for k, (a, b) in enumerate(zip(found, expected)):
        if not np.array_equal(a, b, equal_nan=True):
            sys.exit(f"{what}: {k} differs by {np.abs(a - b).max()}")


def measure(clique, call):
    found = []
    peak = clique.peak_memory(lambda: found.append(call()))
    return peak, found[0]


def compare(clique, bound, what):
    """How many gradients lie where a kept value did."""
    kept = bound.run_forward()
    before = copies(kept)
    peak, gradients = measure(clique, lambda: bound.run_backward(kept))
    expected = copies(gradients)
    check(f"{what}: kept", copies(kept), before)
    places = {result.contents.tensor.data for result in kept}
    free(gradients)
    given_peak, gradients = measure(clique, lambda: bound.finish_backward(kept))
    check(what, copies(gradients), expected)
    if given_peak > peak:
        sys.exit(f"{what}: {given_peak} bytes, {peak} where nothing is given away")
    reused = sum(result.contents.tensor.data in places for result in gradients)
    free(gradients)
    # A cotangent too, which nothing is written to.
    kept, result = bound.run_forward(), bound.run_forward()
    backward = bound.gradient.backward
    made = dict(zip(bound.gradient.forward.result_names, kept)) | {"grad_out": result[0]}
    with_result = backward.invoke(bound.values(backward, made))
    expected = copies(with_result)
    free(with_result)
    gradients = backward.invoke(
        bound.values(backward, made),
        [result[0] if name == "grad_out" else None for name in backward.arg_names])
    check(f"{what}: cotangent", copies(gradients), expected)
    free(gradients)
    free(kept)
    free(result[1:])
    return reused


def main():
    clique = Clique(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), 1)
    graph = clique.csr_graph(*to_csr(make_edges()))
    runs, reused = 0, collections.Counter()
    for name in ("gat", "gatv2", "gcn", "sage", "pna"):
        bound = clique.gradient(name, **SIZES).bind(graph, **make_arrays(name))
        for lowering in (AUTO, DENSE, SPARSE):
            clique.lib.clique_set_lowering(lowering)
            for threads in (1, 2):
                clique.set_threads(threads)
                reused[name] += compare(clique, bound, f"{name}, {threads} threads, {lowering}")
                runs += 1
    found = ", ".join(f"{name} {count}" for name, count in reused.items() if count)
    print(f"donated: {runs} runs, in the memory of kept values: {found}")


main()
