# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rates of compiler/Analysis/Rates.h from the times of many messages on many graphs: those by
which the version that takes longer is chosen seldom, and by little.

Both estimates are linear in the rates (runtime/CostModel.cpp). Their errors alone say little: what
counts is which of the two is smaller, near the crossing."""

import dataclasses
import re

import numpy as np
from scipy.optimize import minimize

from harness.machine import caches

COLUMNS = {"zen4": 0, "zen5": 1, "zen3": 2}  # of the tables in Rates.h
TABLES = {"edgeRates": "edge of a row", "farEdgeRates": "far edge of a row", "rowRates": "row",
          "pairRates": "pair of a tile", "maskRates": "masked pair",
          "tileEdgeRates": "edge of a tile", "registerBlockRates": "register block"}
# Units of masked pairs of which those of even tiles have none.
UNEVEN = ("product", "weighted", "rest", "state")
MASKED_PAIR = 1.2  # Rates.h
# runtime/CostModel.cpp
SECOND_CACHE, FIRST_CACHE_PART, IN_ORDER = 0.2, 0.75, 0.5
FIRST_USE, STREAMED_LINES, LINE = 13, 12, 64
FAR = ("far edge of a row", "line")


@dataclasses.dataclass
class Sample:
    name: str
    counts: dict  # {(part, unit): amount}
    graph: object  # graphs.Graph
    times: dict  # {"rows": milliseconds, "tiles": milliseconds}


def parse_counts(text):
    """{(part, unit): amount} of one kernel."""
    line = next(line for line in text.splitlines() if "per edge of a row:" in line)
    counts = {}
    for part, units in re.findall(r"per ([a-z ]+): ([^;]*)", line):
        for amount, unit in re.findall(r"([-0-9.e+]+) ([a-z]+)", units):
            counts[part, unit] = float(amount)
    counts["tile", "rows"] = int(re.search("rows of a tile: ([0-9]+)", line)[1])
    return counts


def parse_rates(path, column):
    """{(part, unit): picoseconds} of one processor in Rates.h."""
    text, rates = path.read_text(), {}
    for table, part in TABLES.items():
        body = re.search(rf"Rate {table}\[\] = \{{(.*?)\}};", text, re.S)[1]
        for unit, values in re.findall(r'\{"(\w+)", \{([^}]*)\}\}', body):
            rates[part, unit] = float(values.split(",")[column])
    return rates


def far_terms(counts, graph):
    """In lines that come from far: of each edge, and of the first use of all sources."""
    lines = counts.get(FAR, 0)
    sources = min(graph.nodes, graph.edges / graph.nodes) if graph.intervals else graph.span
    size = max(LINE * lines * sources, 1)
    in_order = graph.intervals or graph.edges > 2 / 3 * graph.nodes ** 2
    first, second = (IN_ORDER * (size > cache) if in_order else max(0, 1 - cache / size)
                     for cache in (FIRST_CACHE_PART * caches()["L1"], caches()["L2"]))
    far = second + SECOND_CACHE * (first - second)
    from_memory = max(0, 1 - caches()["L3"] / 2 / max(1, 2 * graph.nodes * LINE * lines))
    use = FIRST_USE * max(0, 1 - STREAMED_LINES / max(lines, 1))
    return far * lines, graph.nodes * (1 - second) * from_memory * use * lines


def matrices(samples, units):
    """What rows and tiles have of each unit; times the rates, milliseconds."""
    at = {unit: column for column, unit in enumerate(units)}
    rows, tiles = np.zeros((2, len(samples), len(units)))
    for sample, row, tile in zip(samples, rows, tiles):
        graph = sample.graph
        full, mixed, even, blocks = graph.count_tiles(sample.counts["tile", "rows"])
        # Sums of sources alone need no mask where all rows have the same.
        copies = all(part != "pair of a tile" or unit in ("pair", "copy")
                     for part, unit in sample.counts)
        many = {"edge of a row": (row, graph.edges), "row": (row, graph.nodes),
                "pair of a tile": (tile, full + MASKED_PAIR * (mixed + even)),
                "masked pair": (tile, mixed + even), "edge of a tile": (tile, graph.edges),
                "register block": (tile, blocks)}
        for (part, unit), amount in sample.counts.items():
            if part in many:
                target, count = many[part]
                if part == "masked pair" and (copies or unit in UNEVEN):
                    count = mixed
                target[at[part, unit]] += amount * count
        far, first = far_terms(sample.counts, graph)
        row[at[FAR]] += graph.edges * far + first
        if graph.ordered:  # tiles look for each node twice
            tile[at[FAR]] += 2 * graph.nodes * far
    return rows * 1e-9, tiles * 1e-9


def fit(samples, rates, softness=0.05, keep=0.003, calibrate=0.01, rounds=5):
    """Rates near `rates` that have the least expected loss: the logarithm of how many times as long
    the chosen version takes, where the smaller estimate is chosen with a probability that falls with
    the ratio of both, over `softness`. `calibrate` weighs the estimates' own errors near the
    crossing, `keep` the distance from `rates`."""
    units = list(rates)
    rows, tiles = matrices(samples, units)
    row_times, tile_times = (np.array([sample.times[name] for sample in samples])
                             for name in ("rows", "tiles"))
    least = np.minimum(row_times, tile_times)
    row_loss, tile_loss = (np.minimum(np.log(taken / least), 1)
                           for taken in (row_times, tile_times))
    near = np.clip(1 - np.abs(np.log(row_times / tile_times)) / 1.5, 0, 1)
    start = np.array([rates[unit] for unit in units])
    free = (start > 0) & (rows.any(axis=0) | tiles.any(axis=0))

    def estimate(logarithms, before):
        now = start.copy()
        now[free] = np.exp(logarithms)
        by_row, by_tile = rows @ now, tiles @ now
        takes_tiles = 1 / (1 + np.exp(np.clip(np.log(by_tile / by_row) / softness, -50, 50)))
        row_error, tile_error = np.log(by_row / row_times), np.log(by_tile / tile_times)
        loss = (takes_tiles * tile_loss + (1 - takes_tiles) * row_loss).mean() \
            + calibrate * (near * (row_error ** 2 + tile_error ** 2)).mean() \
            + keep * ((logarithms - before) ** 2).mean()
        slope = (tile_loss - row_loss) * takes_tiles * (takes_tiles - 1) / softness
        of_row = (-slope + 2 * calibrate * near * row_error) / by_row / len(samples)
        of_tile = (slope + 2 * calibrate * near * tile_error) / by_tile / len(samples)
        gradient = (rows[:, free].T @ of_row + tiles[:, free].T @ of_tile) * now[free]
        return loss, gradient + 2 * keep * (logarithms - before) / len(before)

    found = np.log(start[free])
    for _ in range(rounds):
        found = minimize(estimate, found, (found,), "L-BFGS-B", jac=True,
                         options={"maxiter": 300}).x
    start[free] = np.exp(found)
    return dict(zip(units, start))


def losses(samples, rates):
    """Of each sample: expected over measured times of rows and tiles, and the time of the chosen
    version over that of the better one."""
    rows, tiles = (matrix @ np.array(list(rates.values()))
                   for matrix in matrices(samples, list(rates)))
    return [(by_row / sample.times["rows"], by_tile / sample.times["tiles"],
             sample.times["tiles" if by_tile < by_row else "rows"] / min(sample.times.values()))
            for sample, by_row, by_tile in zip(samples, rows, tiles)]
