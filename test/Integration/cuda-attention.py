# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of given queries, keys and values from CUDA kernels, on the emulated driver:
head sizes 64 and 16, each element type (half precision is computed by tensor cores), numbers
of nodes that no tile divides, masks of graphs and of the message."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: attention: {{[0-9]+}} specs, {{[0-9]+}} runs

import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from attention_layer import make_layer
from emulated_suite import Spec, run_suite
from layer_suite import ISOLATED, KARATE

GRAPHS = ["complete:37", "complete:100", "causal:101", "bipartite:37x70", "window:70,9",
          "cliques:5,1,0,64,33", KARATE, ISOLATED]
MASKED_GRAPHS = ["complete:37", "complete:100", "causal:101", "cliques:5,1,0,64,33"]

# Closer than --verify asks: one key too many among a hundred is no more than 1e-2.
TOLERANCES = {"f32": "2e-6", "bf16": "6e-3", "f16": "1e-3"}


def make_spec(folder, dtype):
    path = folder / f"attention_{dtype}.mlir"
    path.write_text(make_layer("head64", 2, 64, dtype) + make_layer("head16", 3, 16, dtype) +
                    make_layer("masked", 2, 64, dtype, mask=True))
    return Spec(path, {"head64": GRAPHS, "head16": GRAPHS, "masked": MASKED_GRAPHS},
                tolerance=TOLERANCES[dtype])


with tempfile.TemporaryDirectory() as name:
    run_suite([make_spec(pathlib.Path(name), dtype) for dtype in TOLERANCES], "attention")
