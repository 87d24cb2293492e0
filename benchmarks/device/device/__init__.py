# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What run-device is made of. Modules that need NumPy or PyTorch are only imported where these
are installed."""
