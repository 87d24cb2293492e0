# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense cases: every node hears every other, or an interval of them."""

from . import attention, cliques, encoder, scores


def cases():
    return [*attention.cases(), *scores.cases(), *cliques.cases(), *encoder.cases()]
