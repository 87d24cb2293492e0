# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ptxas assembles every kernel of every example, in turn for sm_80 and for sm_90a, and those on which
time depends for all architectures. They keep what they work on in registers."""
# REQUIRES: ptxas
# RUN: %python %s %S/../Integration/Inputs | FileCheck %s
# CHECK: ptxas: {{[0-9]+}} specs, {{[1-9][0-9]*}} kernels

import os
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, sys.argv[1])

from attention_layer import make_layer
from emulated_suite import ORDERS, execute

FOLDER = pathlib.Path(__file__).parents[2] / "examples"
ARCHITECTURES = ("sm_80", "sm_90a")
HOT_ARCHITECTURES = (*ARCHITECTURES, "sm_100a", "sm_120")
HOT_EXAMPLES = ("attention", "gat")
# Among others there must be these.
HOT_KERNELS = {"attention_1_dense", "attention_1_sparse", "gat_1_dense", "gat_1_sparse",
               "attention_bf16_0_dense", "attention_bf16_0_sparse", "narrow_0_sparse"}
# ptxas gives up a few registers by itself, so that one more block fits a multiprocessor.
FEW_BYTES = 16
USAGE = re.compile(r'Remark="kernel (\w+) on (\w+): \d+ registers, (\d+) bytes spilled')


def assemble(spec, architectures, folder):
    """The kernels: name, architecture, bytes spilled."""
    text = execute(["clique-compile", spec, "--target=cuda", "--remarks",
                    f"--gpu-arch={','.join(architectures)}", "-o", folder / f"{spec.stem}.ll"],
                   ORDERS[0])
    return [(name, arch, int(spilled)) for name, arch, spilled in USAGE.findall(text)]


def check(kernels):
    spilling = [f"kernel {name} on {arch} spills {spilled} bytes" for name, arch, spilled in kernels
                if spilled > FEW_BYTES]
    if spilling:
        sys.exit("\n".join(spilling))
    for hot in HOT_KERNELS:
        seen = {arch for name, arch, _ in kernels if name == hot}
        if seen != set(HOT_ARCHITECTURES):
            sys.exit(f"kernel {hot} was assembled for {sorted(seen)}, not {HOT_ARCHITECTURES}")


with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:
    folder = pathlib.Path(name)
    half = folder / "attention_bf16.mlir"
    half.write_text(make_layer("attention_bf16", 8, 64, "bf16"))
    narrow = folder / "narrow.mlir"
    narrow.write_text(make_layer("narrow", 2, 8, "f32", flat=True))
    specs = [*sorted(FOLDER.glob("*.mlir")), half, narrow]
    hot = (*HOT_EXAMPLES, half.stem, narrow.stem)
    architectures = [HOT_ARCHITECTURES if spec.stem in hot else ARCHITECTURES[number % 2:][:1]
                     for number, spec in enumerate(specs)]
    results = pool.map(assemble, specs, architectures, [folder] * len(specs))
    kernels = [kernel for found in results for kernel in found]
check(kernels)
print(f"ptxas: {len(specs)} specs, {len(kernels)} kernels")
