# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Truth values and bytes from CUDA kernels on the emulated driver."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: bytes from CUDA: 1 specs, {{[0-9]+}} runs

import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from byte_layers import masks, small
from emulated_suite import Spec, run_suite
from layer_suite import ISOLATED, KARATE

GRAPHS = [KARATE, ISOLATED, "complete:21"]
with tempfile.TemporaryDirectory() as name:
    path = pathlib.Path(name) / "bytes.mlir"
    path.write_text("".join(masks(width) + small(width) for width in (1, 8, 17)))
    layers = [f"{kind}_{width}" for kind in ("masks", "bytes") for width in (1, 8, 17)]
    wide = {layer: "sparse" for layer in layers if layer.endswith("_17")}  # no tile holds them
    run_suite([Spec(path, {layer: GRAPHS for layer in layers}, only=wide)], "bytes from CUDA")
