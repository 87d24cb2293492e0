# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random layers as MLIR text, evaluated in NumPy while they are written."""
