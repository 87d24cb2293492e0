# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense cases: every node hears every other, an interval of them, or blocks of them."""

from . import attention, blocks, cliques, encoder, scores


def cases():
    return [*attention.cases(), *blocks.cases(), *scores.cases(), *cliques.cases(),
            *encoder.cases()]
