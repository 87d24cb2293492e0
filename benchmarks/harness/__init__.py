# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The harness behind benchmarks/run."""
