# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers: weights that everyone gets, and Clique's own runner."""

import dataclasses
import math

import numpy as np

from ..buffers import aligned, empty, normal
from ..cases import Runner
from ..machine import PREFETCH_ROWS

ATTENTION = ("gat", "gatv2", "dot")
LAYERS = ("sum", "gcn", "sage", "gin", *ATTENTION, "edgeconv", "pna", "rgcn")
# How many floats of a source a row of the layer reads at the least, per feature; a layer that is
# not listed is bound by its products.
GATHERED = {"sum": 1, "gcn": 1, "sage": 1, "gin": 1, "gat": 1, "gatv2": 1, "dot": 2, "pna": 1}

LEAST_GATHER = 16 << 20
# Bytes of all rows from which the order of the nodes may matter.
LEAST_REORDERED = 16 << 20
# Edges up to which graphs are kept in other orders beside the given one.
MOST_REORDERED = 20_000_000


@dataclasses.dataclass
class Problem:
    """One layer on one graph. `weights`: name -> array, in the order of the spec's arguments."""
    layer: str
    graph: object
    features: int
    heads: int
    h: np.ndarray
    weights: dict

    @property
    def size(self):
        return self.features // self.heads

    @property
    def out_shape(self):
        return (self.graph.nodes, self.features)


def weight_shapes(layer, features, heads, types):
    square, split = (features, features), (features, heads, features // heads)
    per_head = split[1:]
    return {
        "sum": {},
        "gcn": {"w": square},
        "sage": {"u": square, "v": square},
        "gin": {"w1": square, "b1": (features,), "w2": square, "b2": (features,)},
        "gat": {"w": split, "a": per_head, "b": per_head},
        "gatv2": {"l": split, "r": split, "a": per_head},
        "dot": {"q": split, "k": split, "v": split},
        "edgeconv": {"w1": (2 * features, features), "b1": (features,), "w2": square,
                     "b2": (features,)},
        "pna": {"w": (2 * features, features), "u": (13 * features, features), "o": square},
        "rgcn": {"w": (types, features, features), "w0": square},
    }[layer]


def make_problem(layer, graph, features, heads):
    random = np.random.default_rng(features + heads)
    types = int(graph.types.max()) + 1 if layer == "rgcn" else 0
    weights = {}
    for name, shape in weight_shapes(layer, features, heads, types).items():
        fan_in = shape[0] if len(shape) > 1 and shape[0] not in (heads, types) else features
        weights[name] = aligned(
            (random.standard_normal(shape) / math.sqrt(fan_in)).astype(np.float32))
    if layer == "pna":
        weights["delta"] = np.array(np.mean(np.log(graph.degrees + 1)), np.float32)
    h = normal(random, (graph.nodes, features))
    return Problem(layer, graph, features, heads, h, weights)


def spec_sizes(problem):
    """What the spec of a layer leaves open."""
    features = problem.features
    sizes = {"features": features, "heads": problem.heads, "size": problem.size,
             "scale": 1 / math.sqrt(problem.size), "twice": 2 * features, "four": 4 * features,
             "all": 13 * features}
    if problem.layer == "rgcn":
        sizes["types"] = len(problem.weights["w"])
    return sizes


def clique_runner(context, problem, order=None):
    """order: of the nodes, in place of the given one; the result is in the given one."""
    graph, h, rows = problem.graph.clique(context.clique), problem.h, slice(None)
    if order:
        graph, rows = context.clique.reorder(graph, order, len(h), h[0].nbytes)
        h = empty(h.shape)
        h[rows] = problem.h
    arguments = [h]
    if problem.layer == "rgcn":
        arguments.append(problem.graph.types)
    arguments += problem.weights.values()
    layer = context.clique.layer(problem.layer, **spec_sizes(problem))
    call = layer.bind(graph, *arguments)
    return Runner(call, lambda: call(keep=True).reshape(problem.out_shape)[rows])


def layer_flops(problem):
    """Of layers that are bound by their products."""
    edges, square = problem.graph.edges, problem.features**2
    if problem.layer == "edgeconv":
        return 2.0 * edges * square + 4.0 * problem.graph.nodes * square
    if problem.layer == "rgcn":
        return 2.0 * edges * square + 2.0 * problem.graph.nodes * square
    return 0


def gather_bound(machine, problem):
    """A function that measures how long it takes to read the source rows of all edges once, by
    the fastest of some ways to fetch ahead. None if starting the threads would be most of it."""
    width = GATHERED.get(problem.layer, 0) * problem.features
    if 4 * width * problem.graph.edges < LEAST_GATHER:
        return None
    table = problem.h if width == problem.features else \
        aligned(np.ones((problem.graph.nodes, width), np.float32))
    return lambda: min(machine.gather(problem.graph.indices, table, ahead)
                       for ahead in PREFETCH_ROWS)
