# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The systems: their specs, the graphs they run on, and what everyone gets."""

import ctypes
import dataclasses
import math
import typing

import numpy as np

from ..buffers import aligned, normal

N, M = "nodes", "edges"
STEPS = np.array(10, np.int64)
REAL = ("cora", "amazon_computers")
BLOCK = {"wq": (32, 4, 8), "wk": (32, 4, 8), "wv": (32, 4, 8), "wo": (32, 32), "s1": (32,),
         "t1": (32,), "s2": (32,), "t2": (32,), "w1": (32, 64), "w2": (64, 32)}


def real_graph(graphs, name):
    return graphs.get(name)


@dataclasses.dataclass
class Made:
    """A graph of a known class, whose edges the peers do not need."""
    kind: str
    nodes: int
    width: int = 0

    def clique(self, clique):
        sizes = (self.nodes, self.width) if self.kind == "window" else (self.nodes,)
        return clique.graph(self.kind, *map(ctypes.c_int64, sizes), ctypes.c_int32(0))


def made_graph(_, name):
    kind, nodes, *width = name.split("-")
    return Made(kind, int(nodes), *map(int, width))


@dataclasses.dataclass
class System:
    """A function of a spec. `inputs`: name -> shape, or a value, in the order of its arguments
    behind the graph."""
    spec: str
    entry: str
    graphs: tuple
    inputs: dict
    graph: typing.Callable = real_graph


SYSTEMS = (
    System("deepgcn", "deepgcn", REAL,
           {"h": (N, 32), "scale": (32,), "shift": (32,), "t": (32,), "w": (32, 32)}),
    System("gatedgcn", "gatedgcn", REAL,
           {"h": (N, 32), "e": (M, 32), "a": (32, 32), "b": (32, 32), "c": (32, 32),
            "d": (32, 32), "u": (32, 32), "sn": (32,), "tn": (32,), "se": (32,), "te": (32,)}),
    System("ggnn", "ggnn", REAL,
           {"h": (N, 16), "w": (16, 16), "wz": (32, 16), "wr": (32, 16), "wc": (32, 16),
            "steps": STEPS}),
    System("propagation", "appnp", REAL,
           {"h": (N, 16), "alpha": np.array(0.125, np.float32), "steps": STEPS}),
    System("graph_transformer", "sparse", REAL,
           {"h": (N, 32), "p": (N, 4), "wp": (4, 32), **BLOCK}),
    System("linear_attention", "linear_attention", ("complete-1024", "complete-4096"),
           {"x": (N, 32), "wq": (32, 4, 8), "wk": (32, 4, 8), "wv": (32, 4, 8)}, made_graph),
    System("convolution", "lightweight", ("window-1024-3", "window-16384-3"),
           {"x": (N, 4, 8), "w": (7, 4)}, made_graph),
)


def make_inputs(system, graph):
    random = np.random.default_rng(0)
    inputs = {}
    for name, given in system.inputs.items():
        if isinstance(given, np.ndarray):
            inputs[name] = given
            continue
        shape = tuple({N: graph.nodes, M: getattr(graph, "edges", 0)}.get(size, size)
                      for size in given)
        inputs[name] = normal(random, shape) if given[0] in (N, M) else aligned(
            (random.standard_normal(shape) / math.sqrt(shape[0])).astype(np.float32))
    return inputs
