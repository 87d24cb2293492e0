# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as two matrix products of a BLAS and a softmax between them, n^2 scores stored."""

import ctypes
import math

import numpy as np

from ..cases import Runner
from ..mkl import library, set_threads

ROW_MAJOR, NO_TRANS, TRANS = 101, 111, 112


def product(mkl, transposed, a, b, c, scale):
    rows, columns = c.shape
    mkl.cblas_sgemm(ROW_MAJOR, NO_TRANS, TRANS if transposed else NO_TRANS,
                    rows, columns, a.shape[1], ctypes.c_float(scale),
                    ctypes.c_void_p(a.ctypes.data), a.shape[1],
                    ctypes.c_void_p(b.ctypes.data), b.shape[1],
                    ctypes.c_float(0), ctypes.c_void_p(c.ctypes.data), columns)


def attention(inputs):
    """MKL's products; the softmax is PyTorch's, which is vectorised and parallel."""
    import torch
    mkl = library()
    q, k, v = (np.ascontiguousarray(array.transpose(1, 0, 2)) for array in inputs)
    heads, nodes, size = q.shape
    scores = np.empty((nodes, nodes), np.float32)
    out = np.empty_like(q)
    shared = torch.from_numpy(scores)
    scale = 1 / math.sqrt(size)

    def call():
        with torch.inference_mode():
            for head in range(heads):
                product(mkl, True, q[head], k[head], scores, scale)
                torch.softmax(shared, -1, out=shared)
                product(mkl, False, scores, v[head], out[head], 1)
        return out

    set_threads(mkl)
    return Runner(call, lambda: np.ascontiguousarray(call().transpose(1, 0, 2)))
