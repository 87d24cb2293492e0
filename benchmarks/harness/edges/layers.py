# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers: what everyone gets, Clique's own runner, and the operations that must be done."""

import dataclasses
import math

import numpy as np

from ..buffers import aligned, normal
from ..cases import Runner
from ..sparse.graphs import Graph

LAYERS = ("egnn", "schnet", "edge_update", "edgeconv")
BASIS = 32      # Gaussians of SchNet's distances
COMPLETE = 400  # complete graphs of a batch


@dataclasses.dataclass
class Problem:
    """One layer on one graph. `inputs`: name -> array, in the order of the spec's arguments."""
    layer: str
    graph: object
    features: int
    inputs: dict

    @property
    def out_shape(self):
        return (self.graph.nodes, self.features + (3 if self.layer == "egnn" else 0))


def input_shapes(layer, nodes, edges, f):
    square, bias, h, x = (f, f), (f,), (nodes, f), (nodes, 3)
    return {
        "egnn": {"h": h, "x": x, "w1": (2 * f + 1, f), "b1": bias, "w2": square, "b2": bias,
                 "w3": square, "b3": bias, "c": (f, 1), "u": (2 * f, f)},
        "schnet": {"h": h, "x": x, "mu": (BASIS,), "w1": (BASIS, f), "b1": bias, "w2": square,
                   "b2": bias, "v": square},
        "edge_update": {"h": h, "e": (edges, f), "w1": (3 * f, f), "b1": bias, "w2": square,
                        "b2": bias, "u": square},
        "edgeconv": {"h": h, "w1": (2 * f, f), "b1": bias, "w2": square, "b2": bias},
    }[layer]


def complete_graphs(size):
    """A batch of complete graphs without self-loops, of which nothing is said."""
    sources = np.array([[j for j in range(size) if j != i] for i in range(size)], np.int32)
    count = max(COMPLETE * 16 // size, 1)
    indices = (sources.ravel()[None] + size * np.arange(count, dtype=np.int32)[:, None]).ravel()
    return Graph(f"complete-{size}", np.arange(count * size + 1) * (size - 1), indices)


def get_graph(graphs, name):
    kind, _, size = name.partition("-")
    return complete_graphs(int(size)) if kind == "complete" else graphs.get(name)


def make_problem(layer, graphs, name, features):
    graph = get_graph(graphs, name)
    random = np.random.default_rng(features)
    inputs = {}
    for key, shape in input_shapes(layer, graph.nodes, graph.edges, features).items():
        if key in ("h", "x", "e"):
            inputs[key] = normal(random, shape)
        elif key == "mu":
            inputs[key] = aligned(np.linspace(0, 5, BASIS, dtype=np.float32))
        else:
            fan_in = shape[0] if len(shape) > 1 else features
            inputs[key] = aligned((random.standard_normal(shape) / math.sqrt(fan_in))
                                  .astype(np.float32))
    return Problem(layer, graph, features, inputs)


def clique_runner(context, problem):
    f = problem.features
    layer = context.clique.layer(problem.layer, features=f, twice=2 * f, pair=2 * f + 1,
                                 three=3 * f, result=f + 3)
    call = layer.bind(problem.graph.clique(context.clique), *problem.inputs.values())
    return Runner(call, lambda: call(keep=True).reshape(problem.out_shape))


def layer_flops(problem):
    """Multiply-adds, counted as two, of the layer's linear maps where each is applied as seldom
    as can be: to nodes what depends on one of them. Activations are not counted."""
    f, edges, nodes = problem.features, problem.graph.edges, problem.graph.nodes
    of_edges, of_nodes = {
        "egnn": (2 * f * f + 2 * f, 4 * f * f),
        "schnet": (BASIS * f + f * f, f * f),
        "edge_update": (2 * f * f, 3 * f * f),
        "edgeconv": (f * f, 2 * f * f),
    }[problem.layer]
    return 2.0 * (edges * of_edges + nodes * of_nodes)
