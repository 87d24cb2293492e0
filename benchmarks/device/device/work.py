# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much a benchmark computes or moves, and by what figure it is judged."""

FLOAT = 4


def count(benchmark, nodes, edges):
    """(unit, amount per second that is 1 of the unit, amount of a call)."""
    if benchmark["kind"] == "attention":
        # Two products of `size` per edge and head.
        return "TFLOP/s", 1e12, 4.0 * edges * benchmark["heads"] * benchmark["size"]
    # What a kernel without any cache would read of the sources of the edges, and what it must
    # read and write of the nodes; the reading of the graph itself.
    features = benchmark["features"]
    per_edge = {"sum": features, "gat": features + benchmark["heads"], "dot": 2 * features}
    rows = edges * per_edge[benchmark["kind"]] + 2 * nodes * features
    return "GB/s", 1e9, FLOAT * rows + 4.0 * edges + 8.0 * nodes


def rate(benchmark, nodes, edges, seconds):
    unit, scale, amount = count(benchmark, nodes, edges)
    return {"unit": unit, "value": amount / seconds / scale}
