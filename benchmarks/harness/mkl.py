# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MKL by itself, from its wheel."""

import ctypes
import importlib.metadata
import os


def library():
    """libmkl_rt, or an ImportError that says what is missing."""
    try:
        files = importlib.metadata.files("mkl") or []
    except importlib.metadata.PackageNotFoundError:
        raise ImportError("the package mkl is not installed") from None
    for file in files:
        if file.name.startswith("libmkl_rt.so"):
            import torch  # noqa: F401  loads the OpenMP library that MKL is to use
            return ctypes.CDLL(str(file.locate()), mode=ctypes.RTLD_GLOBAL)
    raise ImportError("the package mkl holds no libmkl_rt.so")


def set_threads(mkl):
    mkl.MKL_Set_Num_Threads(int(os.environ["MKL_NUM_THREADS"]))
