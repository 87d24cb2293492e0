# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forward and backward together: layers on graphs, dense attention, a Transformer's
block, epochs of training."""

from . import block, dense, epochs, layers


def cases():
    return [*layers.cases(), *dense.cases(), *block.cases(), *epochs.cases()]
