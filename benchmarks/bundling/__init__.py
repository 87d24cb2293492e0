# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What benchmarks/bundle is made of."""
