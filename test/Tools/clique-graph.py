# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What clique-graph says of graphs is what NumPy and SciPy count in them; pictures show
the cells that hold edges; converted graphs are the same graphs."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s %graphs %examples

import gzip
import json
import pathlib
import re
import struct
import subprocess
import sys
import zlib

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

GRAPHS, EXAMPLES = map(pathlib.Path, sys.argv[1:])
BLOCK = 32


def run(*arguments):
    return subprocess.run(["clique-graph", *map(str, arguments)], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def pairs_of(n, m, allowed):
    i, j = np.indices((n, m))
    return np.argwhere(allowed(i, j))


def cliques(sizes, causal=False):
    number = np.repeat(np.arange(len(sizes)), sizes)
    return pairs_of(sum(sizes), sum(sizes),
                    lambda i, j: (number[i] == number[j]) & ((j <= i) | (not causal)))


def write_mtx(path, n, m, edges):
    with open(path, "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix coordinate pattern general\n{n} {m} {len(edges)}\n")
        file.writelines(f"{i + 1} {j + 1}\n" for i, j in edges)
    return path


def degrees(values):
    if not len(values):
        return {"min": 0, "median": 0, "mean": 0, "max": 0, "histogram": []}
    bins = [0, 1]
    while bins[-1] <= values.max():
        bins.append(2 * bins[-1])
    counts = np.histogram(values, bins=bins)[0]
    most = int(np.flatnonzero(counts).max())
    return {"min": values.min(), "median": np.median(values), "mean": values.mean(),
            "max": values.max(),
            "histogram": [{"first": bins[k], "last": bins[k + 1] - 1, "nodes": counts[k]}
                          for k in range(most + 1)]}


def expect(n, m, edges, two_sided=False):
    """What is to be said of a graph, from its list of edges."""
    edges = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
    count = np.zeros((n, m), dtype=np.int64)
    np.add.at(count, (edges[:, 0], edges[:, 1]), 1)
    into, out = count.sum(1), count.sum(0)
    is_square = n == m and not two_sided
    if is_square:
        joined, isolated = sparse.csr_matrix(count), int(((into == 0) & (out == 0)).sum())
    else:
        joined = sparse.bmat([[sparse.csr_matrix((n, n)), sparse.csr_matrix(count)],
                              [None, sparse.csr_matrix((m, m))]])
        isolated = int((into == 0).sum() + (out == 0).sum())
    number, labels = connected_components(joined, directed=False) if joined.shape[0] else (0, [])
    padded = np.zeros((-(-n // BLOCK) * BLOCK, -(-m // BLOCK) * BLOCK))
    padded[:n, :m] = count > 0
    area = np.zeros_like(padded)
    area[:n, :m] = 1
    def blocks(matrix):
        return matrix.reshape(matrix.shape[0] // BLOCK, BLOCK, -1, BLOCK).sum((1, 3)) \
            if matrix.size else np.zeros((0, 0))
    held, sizes = blocks(padded), blocks(area)
    said = {"destinations": n, "sources": m, "edges": len(edges),
            "density": (count > 0).mean() if count.size else 0,
            "in_degree": degrees(into), "out_degree": degrees(out), "isolated": isolated,
            "without_incoming": int((into == 0).sum()), "components": number,
            "largest_component": max(np.bincount(labels)) if number else 0,
            "parallel_edges": int((count - (count > 0)).sum()),
            "blocks": {"size": BLOCK, "all": held.size, "occupied": (held > 0).sum(),
                       "full": ((held == sizes) & (held > 0)).sum(),
                       "fill": held.sum() / sizes[held > 0].sum() if held.any() else 0}}
    if is_square:
        both = np.minimum(count, count.T).sum()
        said |= {"self_loops": int(np.trace(count)), "reciprocal_edges": both,
                 "symmetric": bool(both == len(edges))}
    return said


def check_equal(said, expected, where):
    assert said.keys() - {"graph", "topology", "no_self", "half_width", "block_size",
                          "cliques"} == expected.keys(), (where, said.keys())
    for key, value in expected.items():
        if isinstance(value, dict):
            check_equal(said[key], value, f"{where}: {key}")
        elif isinstance(value, list):
            assert len(said[key]) == len(value), (where, key, said[key], value)
            for one, other in zip(said[key], value):
                check_equal(one, other, f"{where}: {key}")
        else:
            assert np.isclose(said[key], value, rtol=1e-12), (where, key, said[key], value)


def check_pattern(path, n, m, edges):
    """The picture is dark exactly in the cells that hold an edge, and black in the densest."""
    most = 512 if path.suffix == ".png" else 128
    run("inspect", GRAPH_OF[path.stem], "-o", path)
    cell = max(-(-max(n, m) // most), 1)
    shape = (-(-n // cell), -(-m // cell))
    expected = np.zeros(shape, bool)
    for i, j in edges:
        expected[i // cell, j // cell] = True
    drawn = np.zeros(shape, bool)
    if path.suffix == ".svg":
        text = path.read_text()
        assert "<title>rows: destinations, columns: sources" in text
        for x, y, width in re.findall(r'<rect x="(\d+)" y="(\d+)" width="(\d+)" height="1"', text):
            drawn[int(y), int(x):int(x) + int(width)] = True
    else:
        pixels = read_png(path)
        if not n:
            assert (pixels == 255).all()
            return
        scale = max(512 // max(shape), 1)
        assert pixels.shape == (shape[0] * scale, shape[1] * scale), pixels.shape
        drawn = pixels[::scale, ::scale] < 255
        assert pixels.min() == (0 if drawn.any() else 255)
        assert np.array_equal(np.kron(drawn, np.ones((scale, scale), bool)), pixels < 255)
    assert np.array_equal(drawn, expected), path


def read_png(path):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        chunks[kind] = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + chunks[kind]) == struct.unpack(
            ">I", data[at + 8 + size:at + 12 + size])[0]
        at += 12 + size
    width, height, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert kind == [8, 0, 0, 0, 0] and list(chunks)[-1] == b"IEND"
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:]


def read_mtx(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        lines = file.read().splitlines()
    sizes = tuple(map(int, lines[1].split()))
    return sizes, [tuple(int(word) - 1 for word in line.split()) for line in lines[2:]]


def check_conversions(graph, n, m, edges, by_row):
    listed = [tuple(map(int, edge)) for edge in edges]
    for name in ("c.mtx", "c.mtx.gz"):
        run("convert", graph, name)
        assert read_mtx(pathlib.Path(name)) == ((n, m, len(listed)), listed), (graph, name)
    for name, sort in (("c.npz", []), ("s.npz", ["--sort"])):
        if not sort and not by_row:
            continue
        run("convert", graph, name, *sort)
        matrix = sparse.load_npz(name)
        rows = np.repeat(np.arange(n), np.diff(matrix.indptr))
        assert matrix.shape == (n, m) and matrix.dtype == np.int8 and (matrix.data == 1).all()
        read = list(zip(rows.tolist(), matrix.indices.tolist()))
        assert read == (sorted(listed) if sort else listed), (graph, name)
        run("convert", name, "back.mtx")
        assert read_mtx(pathlib.Path("back.mtx"))[1] == read


random = np.random.default_rng(7)
# (what the tool is given, destinations, sources, edges, its class)
CASES = [
    ("complete:70", 70, 70, pairs_of(70, 70, lambda i, j: i >= 0), "complete"),
    ("complete:1", 1, 1, [(0, 0)], "complete"),
    ("complete:0", 0, 0, [], "complete"),
    ("complete_no_self:65", 65, 65, pairs_of(65, 65, lambda i, j: i != j), "complete"),
    ("complete_no_self:1", 1, 1, [], "complete"),
    ("bipartite:40x99", 40, 99, pairs_of(40, 99, lambda i, j: i >= 0), "bipartite"),
    ("bipartite:5x5", 5, 5, pairs_of(5, 5, lambda i, j: i >= 0), "bipartite"),
    ("bipartite:0x5", 0, 5, [], "bipartite"),
    ("causal:100", 100, 100, pairs_of(100, 100, lambda i, j: j <= i), "causal"),
    ("window:150,9", 150, 150, pairs_of(150, 150, lambda i, j: abs(i - j) <= 9), "window"),
    ("window:7,50", 7, 7, pairs_of(7, 7, lambda i, j: i >= 0), "window"),
    ("cliques:3,40,1,0,33", 77, 77, cliques([3, 40, 1, 0, 33]), "cliques"),
    ("causal_cliques:3,40,1,33", 77, 77, cliques([3, 40, 1, 33], True), "causal_cliques"),
    ("blocks:160,16,3", 160, 160,
     pairs_of(160, 160, lambda i, j: (i // 16 - j // 16) % 3 == 0), "blocks"),
]


def files():
    """The same classes as files without self-loops, and graphs of no class."""
    def add(name, n, m, edges, topology):
        CASES.append((write_mtx(name, n, m, edges), n, m, edges, topology))
    add("nocausal.mtx", 80, 80, pairs_of(80, 80, lambda i, j: j < i), "causal")
    add("nowindow.mtx", 80, 80,
        pairs_of(80, 80, lambda i, j: (i != j) & (abs(i - j) <= 4)), "window")
    parts = cliques([4, 1, 50, 1])
    add("nocliques.mtx", 56, 56, parts[parts[:, 0] != parts[:, 1]], "cliques")
    parts = cliques([4, 1, 50], True)
    add("nocausalcliques.mtx", 55, 55, parts[parts[:, 0] != parts[:, 1]], "causal_cliques")
    add("sparse.mtx", 200, 200, random.integers(0, 200, (300, 2)), "sparse")
    add("parallel.mtx", 12, 12, random.integers(0, 12, (400, 2)), "sparse")
    add("rectangle.mtx", 90, 30, np.stack([random.integers(0, 90, 60),
                                           random.integers(0, 30, 60)], 1), "sparse")
    add("large.mtx", 1500, 1500, random.integers(0, 1500, (4000, 2)), "sparse")


files()
GRAPH_OF = {}
for k, (graph, n, m, edges, topology) in enumerate(CASES):
    GRAPH_OF[f"p{k}"] = graph
    said = json.loads(run("inspect", graph, "--json"))
    assert said["graph"] == graph and said["topology"] == topology, said
    check_equal(said, expect(n, m, edges, topology == "bipartite"), graph)
    check_pattern(pathlib.Path(f"p{k}.png" if k % 2 else f"p{k}.svg"), n, m, edges)
    rows = np.asarray(edges).reshape(-1, 2)[:, 0]
    check_conversions(graph, n, m, edges, by_row=(np.diff(rows) >= 0).all())

# Of a class, nothing is listed: this would be 10^12 edges.
said = json.loads(run("inspect", "complete_no_self:1000000", "--json", "-o", "huge.png"))
assert said["edges"] == 999_999_000_000 and said["components"] == 1
assert said["blocks"] == {"size": 32, "all": 31250 ** 2, "occupied": 31250 ** 2,
                          "full": 31250 * 31249, "fill": said["density"]}, said["blocks"]
assert np.unique(read_png(pathlib.Path("huge.png"))).tolist() == [0]

# The text, and what a layer runs.
text = run("inspect", GRAPHS / "karate.mtx", "--layer", EXAMPLES / "gcn.mlir")
for line in ("34 nodes, 156 edges, sparse", "in-degree   min 1, median 3.0, mean 4.59, max 17",
             "density     13.4948 % of all pairs are edges", "in-degrees  and how many nodes have them",
             "components  1, the largest of 34 nodes", "self-loops  0", "symmetric   yes",
             "isolated    0 nodes without any edge, 0 without an incoming one",
             "parallel    0 edges repeat another one",
             "blocks      4 of 4 (100.0 %) of 32 x 32 pairs hold an edge; 0 are full, 13.49 % "
             "of the pairs of all of them are edges"):
    assert line in text, (line, text)
assert re.search(r"^kernel      gcn_\d+: sparse, sparse rows", text, re.M), text
assert re.search(r"^  2-3 +\d+ #+$", text, re.M), text
text = run("inspect", "nocausal.mtx", "--layer", EXAMPLES / "gcn.mlir", "--json")
assert [line for line in json.loads(text)["kernels"] if "gcn_1: causal, " in line], text
assert "symmetric   no: 0 of 3160 edges have a reverse" in run("inspect", "nocausal.mtx")
