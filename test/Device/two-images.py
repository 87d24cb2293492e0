# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images that are loaded at the same time have each their own kernels."""
# REQUIRES: emulation
# RUN: clique-compile %S/Inputs/kernels.mlir --from=kernels --target=cuda --gpu-arch=emulated -o %t.1.cubin
# RUN: sed s/@sums/@totals/ %S/Inputs/kernels.mlir > %t.mlir
# RUN: clique-compile %t.mlir --from=kernels --target=cuda --gpu-arch=emulated -o %t.2.cubin
# RUN: %library_python %s %S/Inputs %clique_lib_dir/libclique_emulated_cuda.so %t.1.cubin %t.2.cubin | FileCheck %s
# CHECK: sums, totals: ok

import pathlib
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])

from driver import Driver

driver = Driver(sys.argv[2])
modules = [driver.load(pathlib.Path(file).read_bytes()) for file in sys.argv[3:]]
x = np.ones((5, 100), np.float32)
for module, kernel in zip(modules, ("sums", "totals")):
    found = np.zeros(5, np.float32)
    driver.launch(module, kernel, 5, 128, [x, found], shared=16)
    assert (found == 100).all(), f"{kernel}: {found}"
print("sums, totals: ok")
