# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that begin where a cache line does, as the tensors of PyTorch and the results of Clique
do. NumPy's begin 16 bytes after a page: each row of 64 bytes would lie in two lines."""

import math

import numpy as np

LINE = 64


def empty(shape, dtype=np.float32):
    size = math.prod(shape) * np.dtype(dtype).itemsize
    memory = np.empty(size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start:start + size].view(dtype).reshape(shape)


def aligned(array):
    """A copy of `array`."""
    result = empty(array.shape, array.dtype)
    result[...] = array
    return result


def normal(random, shape):
    """Standard normal numbers."""
    return random.standard_normal(dtype=np.float32, out=empty(shape))
