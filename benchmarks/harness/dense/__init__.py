# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense cases: every node receives from every other, from an interval of them, or from blocks of them."""

from . import attention, blocks, cliques, encoder, ragged, scores


def cases():
    return [*attention.cases(), *blocks.cases(), *scores.cases(), *cliques.cases(),
            *encoder.cases(), *ragged.cases()]
