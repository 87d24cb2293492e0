# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The systems: their specs, what they run on, and what everyone gets."""

import dataclasses
import math

import numpy as np

from ..buffers import aligned, normal

# Sizes that the setting knows; an input with such a first size is a feature, others are weights.
N, M, SOURCES, GRAPHS = "nodes", "edges", "sources", "graphs"
REAL = ("cora", "amazon_computers")
BATCHES = ("mutag", "proteins")
CLASSES = 4


def number(value, dtype=np.int64):
    return np.array(value, dtype)


def from_setting(name):
    """An input that belongs to the graph."""
    return lambda setting, random: aligned(setting.arrays[name])


def known_labels(setting, random):
    """One node in ten."""
    return np.arange(setting.sizes[N]) % 10 == 0


def label_rows(setting, random):
    """A 1 at the class of each known node."""
    rows = np.eye(CLASSES, dtype=np.float32)[random.integers(CLASSES, size=setting.sizes[N])]
    return aligned(rows * known_labels(setting, random)[:, None])


def distances(setting, random):
    """Lengths of shortest paths, of each pair of nodes."""
    return aligned(random.integers(0, 8, setting.sizes[N] ** 2, np.int32))


@dataclasses.dataclass
class System:
    """A function of a spec. `inputs`: name -> shape, value, or function of the setting, in the
    order of its arguments behind the graph."""
    spec: str
    entry: str
    settings: tuple
    inputs: dict


HEADS = {name: (32, 4, 8) for name in ("wq", "wk", "wv")}
ONE_HEAD = {name: (32, 16) for name in ("wq", "wk", "wv")}
BLOCK = {**HEADS, "wo": (32, 32), "s1": (32,), "t1": (32,), "s2": (32,), "t2": (32,),
         "w1": (32, 64), "w2": (64, 32)}
PARTS = {f"{name}{part}": (32, 32) if name == "o" else (32, 4, 8)
         for part in (1, 2, 3) for name in "qkvo"}
STEPS = number(10)

GRAPH_NETWORKS = (
    System("deepgcn", "deepgcn", REAL,
           {"h": (N, 32), "scale": (32,), "shift": (32,), "t": (32,), "w": (32, 32)}),
    System("gatedgcn", "gatedgcn", REAL,
           {"h": (N, 32), "e": (M, 32), "a": (32, 32), "b": (32, 32), "c": (32, 32),
            "d": (32, 32), "u": (32, 32), "sn": (32,), "tn": (32,), "se": (32,), "te": (32,)}),
    System("ggnn", "ggnn", REAL,
           {"h": (N, 16), "w": (16, 16), "wz": (32, 16), "wr": (32, 16), "wc": (32, 16),
            "steps": number(5)}),  # a step more makes rounding errors three times as large
    System("propagation", "appnp", REAL,
           {"h": (N, 16), "alpha": number(0.125, np.float32), "steps": STEPS}),
    System("propagation", "label_propagation", REAL,
           {"y": label_rows, "known": known_labels, "tolerance": number(1e-3, np.float32)}),
    System("graph_network", "graph_network", BATCHES,
           {"h": (N, 16), "e": (M, 8), "u": (GRAPHS, 8), "offsets": from_setting("offsets"),
            "we": (48, 8), "be": (8,), "wv": (32, 16), "bv": (16,), "wu": (32, 8), "bu": (8,)}),
    System("attention_pooling", "attention_pooling", BATCHES,
           {"x": (N, 32), "offsets": from_setting("offsets"), "seeds": (4, 16), "wk": (32, 16),
            "wv": (32, 16)}),
)

TRANSFORMERS = (
    System("graph_transformer", "sparse", REAL,
           {"h": (N, 32), "p": (N, 4), "wp": (4, 32), **BLOCK}),
    System("graph_transformer", "full", ("complete-512", "complete-2048"),
           {"x": (N, 32), "distance": distances, "bias": (8, 4), **BLOCK}),
    System("graph_transformer", "mixed", REAL, {"x": (N, 32), "m": (32, 32), **BLOCK}),
    System("encoder_decoder", "encoder_decoder", ("tokens-512-512", "tokens-2048-2048"),
           {"x": (SOURCES, 32), "y": (N, 32), **PARTS, "u1": (32, 64), "d1": (64, 32),
            "u2": (32, 64), "d2": (64, 32)}),
    System("positions", "sinusoidal", ("tokens-512", "tokens-4096"), {"x": (N, 32)}),
    System("positions", "rotary", ("causal-512", "causal-4096"), {"x": (N, 32), **HEADS}),
    System("positions", "alibi", ("causal-512", "causal-4096"),
           {"x": (N, 32), "slope": np.float32(4.0) ** -np.arange(1, 5, dtype=np.float32), **HEADS}),
    System("positions", "bias_table", ("complete-512", "complete-2048"),
           {"x": (N, 32), "table": (33, 4), **HEADS}),
    System("positions", "relative_keys", ("complete-512", "complete-2048"),
           {"x": (N, 32), "ta": (9, 8), "tb": (9, 8), **HEADS}),
    System("generation", "generation", ("tokens-1-512", "tokens-1-4096"),
           {"x": (N, 32), "keys": (SOURCES, 4, 8), "values": (SOURCES, 4, 8), **HEADS,
            "wo": (32, 32)}),
    System("segments", "segments", ("tokens-512-512", "tokens-2048-2048"),
           {"x": (N, 32), "memory": (SOURCES, 32), **HEADS, "rp": (64, 4, 8), "b": (4, 8),
            "c": (4, 8), "wo": (32, 32)}),
    System("syntax_attention", "syntax_attention", ("syntax-512", "syntax-4096"),
           {"x": (N, 32), **ONE_HEAD, "tq": (32, 16), "tk": (32, 16), "tv": (32, 16),
            "wo": (32, 32)}),
    System("memory_network", "memory_network", ("bipartite-64-1024", "bipartite-1024-4096"),
           {"q": (N, 16), "x": (SOURCES, 32), "a": (32, 16), "c": (32, 16), "h": (16, 16),
            "hops": number(3)}),
)

SPARSE_ATTENTION = (
    System("sparse_attention", "window_global", ("complete-512", "complete-4096"),
           {"x": (N, 32), "globals": number(8, np.int32), **ONE_HEAD}),
    System("sparse_attention", "dilated", ("complete-512", "complete-4096"),
           {"x": (N, 32), "dilation": number(8, np.int32), **ONE_HEAD}),
    System("sparse_attention", "adaptive_span", ("complete-512", "complete-4096"),
           {"x": (N, 32), "span": number(100.5, np.float32), **ONE_HEAD}),
    System("sparse_attention", "partition", ("partition-1024", "partition-4096"),
           {"x": (N, 32), "type": from_setting("type"), "table": (8,), **ONE_HEAD}),
    System("lsh_attention", "lsh_attention", ("tokens-1024", "tokens-4096"),
           {"x": (N, 32), "r": (32, 4), "wq": (32, 4, 8), "wv": (32, 4, 8)}),
    System("convolution", "lightweight", ("window-1024-3", "window-16384-3"),
           {"x": (N, 4, 8), "w": (7, 4)}),
    System("convolution", "dynamic", ("window-1024-3", "window-16384-3"),
           {"x": (N, 4, 8), "w": (4, 8, 7, 4)}),
    System("linear_attention", "linear_attention", ("complete-1024", "complete-4096"),
           {"x": (N, 32), **HEADS}),
)

ACYCLIC = (
    System("tree_lstm", "tree_lstm", ("trees-1024", "trees-16384"),
           {"x": (N, 16), "w": (16, 4, 16), "u": (16, 3, 16), "uf": (16, 16)}),
    System("tree_lstm", "nary_tree_lstm", ("trees-1024", "trees-16384"),
           {"x": (N, 16), "place": from_setting("type"), "w": (16, 4, 16), "u": (3, 16, 6, 16)}),
    System("dagnn", "dagnn", ("dag-1024", "dag-16384"),
           {"x": (N, 16), "w1": (16,), "w2": (16,), "w": (16, 3, 16), "u": (16, 3, 16)}),
)

SYSTEMS = GRAPH_NETWORKS + TRANSFORMERS + SPARSE_ATTENTION + ACYCLIC


def make_inputs(system, setting):
    random = np.random.default_rng(0)
    inputs = {}
    for name, given in system.inputs.items():
        if isinstance(given, np.ndarray):
            inputs[name] = given
        elif callable(given):
            inputs[name] = given(setting, random)
        else:
            shape = tuple(setting.sizes.get(size, size) for size in given)
            inputs[name] = normal(random, shape) if isinstance(given[0], str) else aligned(
                (random.standard_normal(shape) / math.sqrt(shape[0])).astype(np.float32))
    return inputs
