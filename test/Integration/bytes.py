# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Truth values and bytes in every role, dense and sparse, against the reference
interpreter; masks as NumPy saves them, against NumPy; a scalar truth value."""
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: bytes: {{[0-9]+}} layers
# CHECK: masks of NumPy: as in NumPy

import pathlib
import sys
import tempfile

import numpy

sys.path.insert(0, sys.argv[1])

from byte_layers import WIDTHS, masks, small, whole
from layer_suite import DUPLICATES, EMPTY, ISOLATED, KARATE, Layer, execute, run_suite

GRAPHS = [KARATE, DUPLICATES, ISOLATED, EMPTY, "complete:37", "causal:35"]
layers = [Layer(f"masks_{width}", masks(width), GRAPHS) for width in WIDTHS]
layers += [Layer(f"bytes_{width}", small(width), GRAPHS) for width in WIDTHS]
run_suite(layers, "bytes")


def check_whole(width, folder):
    random = numpy.random.default_rng(width)
    rows = 41
    h, k = random.standard_normal((2, rows, width)).astype(numpy.float32)
    keep = random.random((rows, width)) < 0.5
    for name, array in (("h", h), ("k", k), ("keep", keep)):
        numpy.save(folder / f"{name}.npy", array)
    for scalar in (False, True):
        execute(["clique-run", folder / "layers.so", f"--spec={folder / 'layers.mlir'}",
                 f"--entry=whole_{width}", "--verify", f"--input=scalar={int(scalar)}",
                 *(f"--input={name}={folder / name}.npy" for name in ("h", "k", "keep")),
                 *(f"--output=out{n}={folder / 'out'}{n}.npy" for n in range(3))])
        chosen = (h < k) & keep
        expected = [numpy.where(chosen, h, k) if scalar else h, chosen,
                    chosen.any(axis=1) | scalar]
        for number, array in enumerate(expected):
            got = numpy.load(folder / f"out{number}.npy")
            if got.dtype != array.dtype or not numpy.array_equal(got, array):
                sys.exit(f"whole_{width}: result {number} is {got.dtype} "
                         f"{got}, expected {array}")


with tempfile.TemporaryDirectory() as name:
    directory = pathlib.Path(name)
    (directory / "layers.mlir").write_text("".join(map(whole, WIDTHS)))
    execute(["clique-compile", directory / "layers.mlir", "-o", directory / "layers.so"])
    for count in WIDTHS:
        check_whole(count, directory)
print("masks of NumPy: as in NumPy")
