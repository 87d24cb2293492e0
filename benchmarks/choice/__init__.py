# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The choice between dense tiles and sparse rows: its rates, and how often it is right."""
