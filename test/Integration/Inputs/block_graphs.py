# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix Market graphs of random blocks, with edges missing in them and edges elsewhere: what
tiles are full of, have a part of, and have none of. No parallel edges."""

import pathlib

import numpy as np


def random_blocks(num_dst, num_src, size, density, changes, seed):
    """Which pairs are edges. `changes`: that share of the pairs is the other way; rows at the
    end of the first block of rows are isolated."""
    random = np.random.default_rng(seed)
    blocks = random.random((-(-num_dst // size), -(-num_src // size))) < density
    edges = np.kron(blocks, np.ones((size, size), bool))[:num_dst, :num_src]
    edges ^= random.random(edges.shape) < changes
    edges[size - 3:size] = False
    return edges


def write(path, edges):
    rows, columns = np.nonzero(edges)
    order = np.random.default_rng(1).permutation(len(rows))
    with open(path, "w", encoding="ascii") as file:
        print("%%MatrixMarket matrix coordinate pattern general", file=file)
        print(*edges.shape, len(rows), file=file)
        for row, column in zip(rows[order] + 1, columns[order] + 1):
            print(row, column, file=file)
    return str(path)


def write_all(folder):
    """Square ones, wide and high ones, and some smaller than a tile."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {"blocks64": (200, 200, 64, 0.5, 0.0), "ragged": (200, 200, 32, 0.4, 0.01),
             "wide": (37, 333, 48, 0.5, 0.002), "high": (333, 37, 20, 0.5, 0.002),
             "unaligned": (150, 150, 43, 0.5, 0.001), "small": (7, 9, 4, 0.5, 0.1)}
    return [write(folder / f"{name}.mtx", random_blocks(*kind, seed))
            for seed, (name, kind) in enumerate(kinds.items())]


if __name__ == "__main__":
    import sys
    write_all(sys.argv[1])
