# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of given queries, keys and values from CUDA kernels, on the emulated driver:
head sizes 64 and 16, each element type (half precision is computed by tensor cores), numbers
of nodes that no tile divides, masks of graphs and of the message, infinite values."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: attention: {{[0-9]+}} specs, {{[0-9]+}} runs

import pathlib
import sys
import tempfile

import numpy as np

sys.path.insert(0, sys.argv[1])

import block_graphs
from attention_layer import make_layer
from emulated_suite import Spec, run_suite
from layer_suite import ISOLATED, KARATE

GRAPHS = ["complete:37", "complete:100", "causal:101", "bipartite:37x70", "window:70,9",
          "cliques:5,1,0,64,33", KARATE, ISOLATED]
LISTS = ("ragged", "unaligned", "wide")
MASKED_GRAPHS = ["complete:37", "complete:100", "causal:101", "cliques:5,1,0,64,33"]

# Closer than --verify asks: one key too many among a hundred is no more than 1e-2.
TOLERANCES = {"f32": "2e-6", "bf16": "6e-3", "f16": "1e-3"}


# The logarithm of 0, where no other row than its destinations may notice.
INFINITE_GRAPHS = ["causal:101", "window:101,9", "cliques:37,64"]


def make_infinite_spec(folder, dtype):
    values = np.random.default_rng(0).integers(1, 9, (101, 2, 64)).astype(np.float32)
    values[70, 0, 5] = values[20, 1, 7:9] = values[90, 1, 7] = 0
    np.save(folder / f"{dtype}.npy", values.astype(np.float16 if dtype == "f16" else np.float32))
    text = make_layer("infinite", 2, 64, dtype)
    text = text.replace("mp.yield %e, %vj", f"%l = math.log %vj : tensor<2x64x{dtype}>\n"
                                            "    mp.yield %e, %l")
    path = folder / f"infinite_{dtype}.mlir"
    path.write_text(text)
    return Spec(path, {"infinite": INFINITE_GRAPHS}, tolerance=TOLERANCES[dtype],
                inputs={"infinite": [f"v={folder}/{dtype}.npy"]})


def make_spec(folder, dtype):
    path = folder / f"attention_{dtype}.mlir"
    path.write_text(make_layer("head64", 2, 64, dtype) + make_layer("head16", 3, 16, dtype) +
                    make_layer("masked", 2, 64, dtype, mask=True))
    lists = [str(folder / f"{graph}.mtx") for graph in LISTS]
    return Spec(path, {"head64": GRAPHS + lists, "head16": GRAPHS, "masked": MASKED_GRAPHS},
                tolerance=TOLERANCES[dtype])


def make_tf32_spec(folder):
    """Tensor cores that read 10 bits of a fraction, and leave out the others."""
    path = folder / "tf32.mlir"
    path.write_text(make_layer("head64", 2, 64, "f32") +
                    make_layer("masked8", 2, 8, "f32", mask=True))
    return Spec(path, {"head64": MASKED_GRAPHS, "masked8": MASKED_GRAPHS}, tolerance="3e-3",
                options=("--f32-products=tf32",))


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    block_graphs.write_all(folder)
    run_suite([make(folder, dtype) for make in (make_spec, make_infinite_spec)
               for dtype in TOLERANCES] + [make_tf32_spec(folder)], "attention")
