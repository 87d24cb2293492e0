# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rates of compiler/Analysis/Rates.h from the times of many messages on some graphs: the
non-negative rates whose relative errors have the least squares."""

import re

import numpy as np
from scipy.optimize import nnls

from harness.machine import caches

PARTS = {"edge of a row": "edges", "far edge of a row": "edges", "row": "rows", "pair of a tile": "pairs",
         "edge of a tile": "edges", "register block": "blocks"}
BORDERS = np.arange(1, 2.6, 0.1)


def parse_counts(text):
    """{(part, unit): amount} of one kernel."""
    line = next(line for line in text.splitlines() if "per edge of a row:" in line)
    counts = {}
    for part, units in re.findall(r"per ([a-z ]+): ([^;]*)", line):
        for amount, unit in re.findall(r"([-0-9.e+]+) ([a-z]+)", units):
            counts[part, unit] = float(amount)
    return counts


def far_share(counts, graph):
    """The part of the sources' features that the second cache does not hold (CostModel.cpp)."""
    lines = counts.get(("far edge of a row", "line"), 0)
    return max(0, 1 - caches()["L2"] / max(64 * lines * graph.nodes, 1))


def multiples(counts, graph, border):
    return {"edge of a row": graph.edges,
            "far edge of a row": graph.edges * far_share(counts, graph), "row": graph.nodes,
            "pair of a tile": graph.full + border * graph.border,
            "edge of a tile": graph.edges, "register block": graph.blocks}


def solve(samples, parts, version, border, weights=None):
    """Rates in picoseconds by (part, unit), and the relative error of each sample."""
    units = sorted({unit for counts, _, _ in samples for unit in counts if unit[0] in parts})
    matrix = np.array([[counts.get(unit, 0) * multiples(counts, graph, border)[unit[0]]
                        for unit in units] for counts, graph, _ in samples])
    times = np.array([found[version] for _, _, found in samples]) * 1e9
    scaled = matrix / times[:, None]
    weights = np.ones(len(times)) if weights is None else weights
    rates, _ = nnls(scaled * weights[:, None], weights)
    return dict(zip(units, rates)), scaled @ rates


def fit(samples):
    """Rates, the border factor, and expected over measured times of both versions."""
    row_parts = ("edge of a row", "far edge of a row", "row")
    tile_parts = ("pair of a tile", "edge of a tile", "register block")
    rates, rows = solve(samples, row_parts, "rows", 1)
    best = None
    # Where tiles take many times as long, how many does not matter.
    weights = np.array([np.clip((found["rows"] / found["tiles"]) ** 0.5, 0.3, 1)
                        for _, _, found in samples])
    for border in BORDERS:
        found, tiles = solve(samples, tile_parts, "tiles", border, weights)
        error = np.sum((weights * (tiles - 1)) ** 2)
        if best is None or error < best[0]:
            best = error, border, found, tiles
    _, border, found, tiles = best
    return {**rates, **found}, border, rows, tiles
