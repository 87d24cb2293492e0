# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a whole group of cases says."""

import math

from .cases import CLIQUE


def peer_ratios(rows):
    """group -> peer -> geometric mean, least and largest of its ratios."""
    ratios = {}
    for row in rows:
        if "wrong" not in row:
            for name, cell in row["contenders"].items():
                if name != CLIQUE and "ratio" in cell:
                    ratios.setdefault(row["group"], {}).setdefault(name, []).append(cell["ratio"])
    return {group: {name: (geometric_mean(values), min(values), max(values))
                    for name, values in peers.items()} for group, peers in ratios.items()}


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))
