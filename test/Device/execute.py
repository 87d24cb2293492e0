# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a device run on the emulated driver, in every order of threads, and compute
what NumPy does: shared memory, barriers, shuffles, tensor cores, parameters of each type.
With a driver and a GPU: execute.py FOLDER libcuda.so.1 KERNELS.cubin"""
# REQUIRES: emulation
# RUN: clique-compile %S/Inputs/kernels.mlir --from=kernels --target=cuda --gpu-arch=emulated -o %t.cubin
# RUN: %library_python %s %S/Inputs %clique_lib_dir/libclique_emulated_cuda.so %t.cubin | FileCheck %s
# RUN: env CLIQUE_EMULATION_ORDER=descending %library_python %s %S/Inputs \
# RUN:   %clique_lib_dir/libclique_emulated_cuda.so %t.cubin | FileCheck %s
# CHECK: sums, product, shuffles, groups, mixed: ok

import ctypes
import pathlib
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])

from driver import Driver

driver = Driver(sys.argv[2])
module = driver.load(pathlib.Path(sys.argv[3]).read_bytes())
random = np.random.default_rng(1)


def expect(name, found, wanted, tolerance=1e-6):
    error = np.abs(found.astype(np.float64) - wanted).max() / max(np.abs(wanted).max(), 1e-30)
    assert error <= tolerance, f"{name}: relative error {error}\n{found}\n{wanted}"


def to_bfloat(numbers):
    return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def from_bfloat(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


x = random.standard_normal((5, 1000), dtype=np.float32)
sums = np.zeros(5, np.float32)
driver.launch(module, "sums", 5, 128, [x, sums], shared=16)
expect("sums", sums, x.sum(axis=1, dtype=np.float64))

a = to_bfloat(random.standard_normal((16, 16)))
b = to_bfloat(random.standard_normal((16, 8)))
c = np.zeros((16, 8), np.float32)
driver.launch(module, "product", 1, 32, [a, b, c], shared=768)
expect("product", c, from_bfloat(a).astype(np.float64) @ from_bfloat(b))

lanes = np.arange(32)
i = (lanes * 7).astype(np.int32)
l = lanes.astype(np.int64) << 40
d = lanes / 3
driver.launch(module, "shuffles", 1, 32, [i, l, d])
expect("i32", i, (lanes ^ 3) * 7, 0)
expect("i64", l, np.full(32, 3 << 40), 0)
expect("f64", d, (lanes ^ 3) / 3, 0)

i = np.arange(64, dtype=np.int32)
driver.launch(module, "groups", 1, 64, [i])
groups = np.arange(64) // 8
sums = np.where(groups % 4 == 0, 8 * groups + 7, (16 * groups + 13) << np.maximum(groups % 4 - 1, 0))
expect("groups", i, sums, 0)

to = np.full(64, -1, np.float32)
driver.launch(module, "mixed", 1, 64, [
    ctypes.c_int64(50), ctypes.c_bool(True), ctypes.c_float(0.5), ctypes.c_double(2.0),
    ctypes.c_int32(-1), np.array(3, np.int64), to])
wanted = (np.exp(0.5) + np.sqrt(2) + np.tanh(-1) + 8) * (1 + np.arange(64) % 4)
expect("mixed", to, np.where(np.arange(64) < 50, wanted, -1))
print("sums, product, shuffles, groups, mixed: ok")
