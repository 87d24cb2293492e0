# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs in a notebook: a table, the pattern of the edges, the degrees. Plain SVG."""

from __future__ import annotations

import html
from typing import Any, Sequence

CELLS = 64
SIDE = 256
BARS = 24


def pattern(graph: Any, cells: int = CELLS) -> Any:
    """The share of the pairs (destination, source) that are edges, by cell: [cells, cells], or
    fewer for fewer nodes. Regular graphs are drawn from intervals, without their edges."""
    import numpy as np

    height, width = min(cells, graph.num_dst), min(cells, graph.num_src)
    if not height or not width:
        return np.zeros((0, 0))
    if graph.num_edges > 50_000_000:
        return None  # listing them could take more memory than there is
    indptr, indices, _ = graph.csr()
    rows = np.repeat(np.arange(graph.num_dst) * height // graph.num_dst, np.diff(indptr))
    columns = indices.astype(np.int64) * width // graph.num_src
    counts = np.bincount(rows * width + columns, minlength=height * width)

    def extent(nodes: int, parts: int) -> Any:
        return np.bincount(np.arange(nodes) * parts // nodes, minlength=parts)

    pairs = np.outer(extent(graph.num_dst, height), extent(graph.num_src, width))
    return counts.reshape(height, width) / pairs


def pattern_svg(graph: Any) -> str:
    """Rows are destinations, columns sources; the darker, the more of the pairs are edges."""
    shares = pattern(graph)
    if shares is None:
        return "<p>too many edges for a picture</p>"
    if shares.size == 0:
        return "<p>no nodes</p>"
    height, width = shares.shape
    cell = SIDE / max(height, width)
    densest = shares.max()
    marks = []
    for i in range(height):
        for j in range(width):
            if shares[i, j]:
                # A single edge is seen, and the densest cell is black.
                opacity = 0.25 + 0.75 * float(shares[i, j] / densest) ** 0.5
                marks.append(f'<rect x="{j * cell:.2f}" y="{i * cell:.2f}" '
                             f'width="{cell:.2f}" height="{cell:.2f}" '
                             f'fill-opacity="{opacity:.2f}"/>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{SIDE}" '
            f'viewBox="0 0 {width * cell:.2f} {height * cell:.2f}">'
            '<title>rows: destinations, columns: sources</title>'
            f'<rect width="100%" height="100%" fill="none" stroke="currentColor"/>'
            f'<g fill="currentColor">{"".join(marks)}</g></svg>')


def degrees_svg(graph: Any) -> str:
    """How many nodes have which in-degree."""
    import numpy as np

    if not graph.num_dst:
        return ""
    degrees = graph.degrees()
    bars = min(BARS, int(degrees.max()) + 1)
    counts, edges = np.histogram(degrees, bins=bars)
    width, height, top = SIDE / bars, SIDE / 2, int(counts.max())
    marks = []
    for k, count in enumerate(counts):
        size = height * count / top
        marks.append(f'<rect x="{k * width:.2f}" y="{height - size:.2f}" '
                     f'width="{max(width - 1, 1):.2f}" height="{size:.2f}"><title>'
                     f'{count} nodes of degree {edges[k]:.0f} to {edges[k + 1]:.0f}'
                     '</title></rect>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE}" height="{height:.0f}">'
            f'<g fill="currentColor">{"".join(marks)}</g></svg>')


class Picture:
    """A graph, and what layers would run on it: for a notebook, or as text."""

    def __init__(self, graph: Any, layers: Sequence[Any]):
        self.graph = graph
        #: (layer, its kernels on the graph with their reasons)
        self.kernels = [(layer.name, layer.lowering(graph)) for layer in layers]

    def __repr__(self) -> str:
        lines = [repr(self.graph)]
        for name, kernels in self.kernels:
            lines += [f"  {name}", *(f"    {kernel}" for kernel in kernels)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return graph_html(self.graph, self.kernels)


def graph_html(graph: Any, kernels: Sequence[tuple[str, Sequence[str]]] = ()) -> str:
    """What Jupyter shows of a graph: the pattern of its edges, its degrees, a table, and the kernels
    of layers."""
    info = graph.inspect()
    mean = graph.num_edges / graph.num_dst if graph.num_dst else 0
    rows = [("destinations", graph.num_dst), ("sources", graph.num_src),
            ("edges", graph.num_edges), ("topology", graph.topology()),
            ("in-degree", f"{mean:.1f} on average, at most {info.max_degree}"),
            ("without incoming edge", info.num_isolated)]
    rows += [(name, "\n".join(lines)) for name, lines in kernels]
    table = "".join(f"<tr><th>{html.escape(name)}</th><td>{html.escape(str(value))}</td></tr>"
                    for name, value in rows).replace("\n", "<br/>")
    return (f'<div style="display:flex;gap:1em;align-items:flex-start">{pattern_svg(graph)}'
            f"{degrees_svg(graph)}<table>{table}</table></div>")
