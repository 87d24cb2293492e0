# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rates of compiler/Analysis/Rates.h from the times of many messages on some graphs: the
non-negative rates whose relative errors have the least squares."""

import re

import numpy as np
from scipy.optimize import nnls

from harness.machine import caches

PARTS = {"edge of a row": "edges", "far edge of a row": "edges", "row": "rows",
         "pair of a tile": "pairs", "masked pair": "pairs", "edge of a tile": "edges",
         "register block": "blocks"}
BORDERS = np.arange(1, 2.6, 0.1)
IN_ORDER = 0.5  # runtime/CostModel.cpp
SECONDS = np.arange(0, 1.01, 0.05)


def parse_counts(text):
    """{(part, unit): amount} of one kernel."""
    line = next(line for line in text.splitlines() if "per edge of a row:" in line)
    counts = {}
    for part, units in re.findall(r"per ([a-z ]+): ([^;]*)", line):
        for amount, unit in re.findall(r"([-0-9.e+]+) ([a-z]+)", units):
            counts[part, unit] = float(amount)
    counts["tile", "rows"] = int(re.search("rows of a tile: ([0-9]+)", line)[1])
    return counts


def far_share(counts, graph, second):
    """How much of the time of a far line a source's line takes in the mean (CostModel.cpp):
    `second` of it where the second cache has it and the first one does not."""
    lines = counts.get(("far edge of a row", "line"), 0)
    sources = graph.edges / graph.nodes if graph.intervals else graph.nodes
    size = max(64 * lines * sources, 1)
    in_order = graph.intervals or graph.edges > 2 / 3 * graph.nodes ** 2
    first_share, second_share = (IN_ORDER * (size > cache) if in_order else max(0, 1 - cache / size)
                                 for cache in (caches()["L1"], caches()["L2"]))
    return second_share + second * (first_share - second_share)


def multiples(counts, graph, border, second):
    """How many of each part there are; a unit that has another number is named with its part."""
    full, mixed, even, blocks = graph.count_tiles(counts["tile", "rows"])
    return {"edge of a row": graph.edges,
            "far edge of a row": graph.edges * far_share(counts, graph, second),
            "row": graph.nodes, "pair of a tile": full + border * (mixed + even),
            "masked pair": mixed + even, ("masked pair", "product"): mixed,
            "edge of a tile": graph.edges, "register block": blocks}


def solve(samples, parts, version, border=1, second=0, weights=None):
    """Rates in picoseconds by (part, unit), and the relative error of each sample."""
    units = sorted({unit for counts, _, _ in samples for unit in counts if unit[0] in parts})
    matrix = []
    for counts, graph, _ in samples:
        many = multiples(counts, graph, border, second)
        matrix.append([counts.get(unit, 0) * many.get(unit, many[unit[0]]) for unit in units])
    times = np.array([found[version] for _, _, found in samples]) * 1e9
    scaled = np.array(matrix) / times[:, None]
    weights = np.ones(len(times)) if weights is None else weights
    rates, _ = nnls(scaled * weights[:, None], weights)
    return dict(zip(units, rates)), scaled @ rates


def fit(samples):
    """Rates, the factor of masked pairs, the second cache's share of a far line, and expected over
    measured times of both versions."""
    row_parts = ("edge of a row", "far edge of a row", "row")
    tile_parts = ("pair of a tile", "masked pair", "edge of a tile", "register block")
    ratios = np.array([times["rows"] / times["tiles"] for _, _, times in samples])
    # Where a version takes many times as long, how many does not matter.
    weights = np.clip(ratios ** -0.5, 0.3, 1)
    found = [(second, *solve(samples, row_parts, "rows", second=second, weights=weights))
             for second in SECONDS]
    second, rates, rows = min(found, key=lambda one: np.sum((weights * (one[2] - 1)) ** 2))
    weights = np.clip(ratios ** 0.5, 0.3, 1)
    found = [(border, *solve(samples, tile_parts, "tiles", border, weights=weights))
             for border in BORDERS]
    border, of_tiles, tiles = min(found, key=lambda one: np.sum((weights * (one[2] - 1)) ** 2))
    return {**rates, **of_tiles}, border, second, rows, tiles
