# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Forward and backward together: layers on graphs, dense attention, epochs of training."""

from . import dense, epochs, layers


def cases():
    return [*layers.cases(), *dense.cases(), *epochs.cases()]
