# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The crossover as a picture: for each layer and size, the time of tiles over that of rows by
density, and which of them is taken."""

import math

WIDTH, HEIGHT, MARGIN, GAP = 250, 170, 46, 34
COLUMNS = 2
COLOURS = {256: "#3b6ea5", 1024: "#d98032", 4096: "#5a9a68"}
DENSITY = (1e-4, 1.0)
RATIO = (0.05, 50.0)


def place(value, limits, size):
    low, high = (math.log(limit) for limit in limits)
    at = (math.log(min(max(value, limits[0]), limits[1])) - low) / (high - low)
    return at * size


def draw_axes(parts, left, top, title):
    parts.append(f'<text x="{left}" y="{top - 6}" font-weight="bold">{title}</text>')
    parts.append(f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" '
                 'stroke="#999"/>')
    for ratio in (0.1, 1, 10):
        y = top + HEIGHT - place(ratio, RATIO, HEIGHT)
        colour = "#333" if ratio == 1 else "#ddd"
        parts.append(f'<line x1="{left}" y1="{y:.1f}" x2="{left + WIDTH}" y2="{y:.1f}" '
                     f'stroke="{colour}"/>')
        parts.append(f'<text x="{left - 4}" y="{y + 4:.1f}" text-anchor="end">{ratio:g}</text>')
    for density in (1e-4, 1e-3, 1e-2, 1e-1, 1):
        x = left + place(density, DENSITY, WIDTH)
        parts.append(f'<text x="{x:.1f}" y="{top + HEIGHT + 13}" text-anchor="middle">'
                     f'{100 * density:g} %</text>')


def draw_points(parts, left, top, points):
    for nodes, colour in COLOURS.items():
        line = sorted((point for point in points
                       if point["nodes"] == nodes
                       and point["graph"].startswith(("random", "complete"))),
                      key=lambda point: point["density"])
        spots = [(left + place(point["density"], DENSITY, WIDTH),
                  top + HEIGHT - place(point["tiles"] / point["rows"], RATIO, HEIGHT),
                  point["taken"]) for point in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in spots)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}"/>')
        for x, y, taken in spots:
            fill = colour if taken == "tiles" else "white"
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.2" stroke="{colour}" '
                         f'fill="{fill}"/>')


def draw(found):
    """An SVG of all layers: random graphs, one line for each number of nodes."""
    names = list(dict.fromkeys(point["layer"] for point in found))
    rows = -(-len(names) // COLUMNS)
    width = COLUMNS * (WIDTH + MARGIN) + GAP
    height = rows * (HEIGHT + 2 * GAP) + 2 * GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for index, name in enumerate(names):
        left = MARGIN + index % COLUMNS * (WIDTH + MARGIN)
        top = GAP + index // COLUMNS * (HEIGHT + 2 * GAP)
        draw_axes(parts, left, top, name)
        draw_points(parts, left, top, [point for point in found if point["layer"] == name])
    bottom = height - GAP
    parts.append(f'<text x="{MARGIN}" y="{bottom - 4}">time of tiles over that of rows, by the '
                 'density of a random graph; filled: tiles are taken</text>')
    for index, (nodes, colour) in enumerate(COLOURS.items()):
        x = MARGIN + 90 * index
        parts.append(f'<circle cx="{x + 4}" cy="{bottom + 10}" r="3.2" fill="{colour}"/>'
                     f'<text x="{x + 12}" y="{bottom + 14}">{nodes} nodes</text>')
    return "\n".join(parts) + "\n</svg>\n"
