# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of a sparse and a dense matrix: torch.sparse, MKL, SciPy."""

import ctypes

import numpy as np

from ..buffers import empty
from ..cases import Runner
from ..mkl import library, set_threads
from .pyg import runner, torch_of

NO_TRANS, ROW_MAJOR = 10, 101


class Description(ctypes.Structure):
    """struct matrix_descr: a general matrix."""
    _fields_ = [("type", ctypes.c_int), ("mode", ctypes.c_int), ("diag", ctypes.c_int)]


GENERAL = Description(20, 0, 0)


def torch_sparse(problem):
    matrix = problem.graph.torch_csr()
    return runner(problem, lambda h: matrix @ h, torch_of(problem.h))


def scipy(problem):
    """On one core; SciPy has no other."""
    matrix = problem.graph.scipy_csr()
    return Runner(lambda: matrix @ problem.h, lambda: matrix @ problem.h)


def mkl(problem):
    """mkl_sparse_s_mm on a matrix that was inspected and optimised for it beforehand."""
    mkl = library()
    set_threads(mkl)
    graph, columns = problem.graph, problem.features
    starts = graph.indptr.astype(np.int32)
    values = np.ones(graph.edges, np.float32)
    out = empty((graph.nodes, columns))
    matrix = ctypes.c_void_p()
    address = lambda array, skip=0: ctypes.c_void_p(array.ctypes.data + skip)

    def check(status):
        if status:
            raise RuntimeError(f"MKL returns status {status}")

    check(mkl.mkl_sparse_s_create_csr(ctypes.byref(matrix), 0, graph.nodes, graph.nodes,
                                      address(starts), address(starts, 4), address(graph.indices),
                                      address(values)))
    check(mkl.mkl_sparse_set_mm_hint(matrix, NO_TRANS, GENERAL, ROW_MAJOR, columns, 1000))
    check(mkl.mkl_sparse_optimize(matrix))

    def call(held=(starts, values)):  # the matrix points into them
        check(mkl.mkl_sparse_s_mm(NO_TRANS, ctypes.c_float(1), matrix, GENERAL, ROW_MAJOR,
                                  address(problem.h), columns, columns, ctypes.c_float(0),
                                  address(out), columns))
        return out

    return Runner(call, call)
