# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every layer of every example runs from its CUDA kernels, on the emulated driver: on
graphs of each kind that it takes, dense and sparse, in every order of threads; what every
pass makes of it is valid IR."""
# REQUIRES: emulation
# RUN: rm -rf %t && mkdir %t && %python %S/Inputs/make_hubs.py %t/hubs.mtx
# RUN: %python %s %S/Inputs %t | FileCheck %s
# CHECK: examples: {{[0-9]+}} specs, {{[0-9]+}} runs

import pathlib
import re
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])

import block_graphs
from emulated_suite import Spec, run_suite
from layer_suite import DUPLICATES, EMPTY, ISOLATED, KARATE

FOLDER = pathlib.Path(__file__).parents[2] / "examples"
WORK = pathlib.Path(sys.argv[2])
HUBS = str(WORK / "hubs.mtx")
SIZES = [5, 1, 0, 64, 33]
CLIQUES = "cliques:" + ",".join(map(str, SIZES))
ANY = [KARATE, ISOLATED, DUPLICATES, "complete:37", "complete:100", CLIQUES]
INTERVALS = ["complete_no_self:34", "causal:65", "window:70,9", "causal_cliques:5,0,40,1"]
BLOCKS = "blocks:100,24,3"
LISTS = [str(WORK / f"{name}.mtx") for name in ("ragged", "unaligned", "wide")]
block_graphs.write_all(WORK)

# Where it is not ANY.
GRAPHS = {
    ("attention", "attention"): ANY + INTERVALS + [EMPTY, "complete:1", BLOCKS] + LISTS[:2],
    ("basic", "max"): ANY + INTERVALS + LISTS[:1],
    ("batch_readout", "graphs"): [CLIQUES] * 3,
    ("batch_readout", "sequences"): [""] * 3,
    ("block_sparse", "block_sparse"): ["blocks:200,64,2", "blocks:230,32,5", "complete:67"],
    ("causal_attention", "causal_attention"): ["causal:101", "causal:1", "causal:64"],
    ("cross_attention", "cross_attention"):
        ["bipartite:37x101", "bipartite:101x37", "bipartite:5x0", "bipartite:0x5"],
    ("distance_attention", "distance_attention"): ANY + ["causal:65"] + LISTS[:2],
    ("gat", "gat"): ANY + ["causal:65", "window:70,9", HUBS],
    ("pna", "pna"): ANY + [HUBS],
    ("transformer", "pre_norm"): ANY + ["window:70,9"],
}

# Layers of one lowering: their graph's type asks for it, or the GPU, where the values
# of an edge are too many for the registers of a block's threads.
ONLY = {
    "causal_attention": "dense", "cross_attention": "dense", "sequences": "dense",
    "edgeconv": "sparse", "gated_edges": "sparse", "gatv2": "sparse", "gcn": "sparse",
    "pna": "sparse", "rgcn": "sparse",
}


def write_inputs(folder):
    """What random numbers cannot be, or no graph gives the size of."""
    np.save(folder / "offsets.npy", np.cumsum([0] + SIZES, dtype=np.int64))
    random = np.random.default_rng(0)
    np.save(folder / "h.npy", random.standard_normal((sum(SIZES), 32), dtype=np.float32))
    offsets = f"offsets={folder}/offsets.npy"
    return {"graphs": [offsets], "sequences": [offsets, f"h={folder}/h.npy"]}


def make_spec(path, inputs):
    layers = re.findall(r"func\.func @(\w+)", path.read_text())
    return Spec(path, {layer: GRAPHS.get((path.stem, layer), ANY) for layer in layers},
                inputs=inputs, only=ONLY, options=("--verify-each",))


given = write_inputs(WORK)
run_suite([make_spec(path, given) for path in sorted(FOLDER.glob("*.mlir"))], "examples")
