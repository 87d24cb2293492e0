# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a Matrix Market graph whose hubs have more edges than a block of sparse
rows (4096): in-degrees at, around and at multiples of that, among ordinary nodes."""

import random
import sys

NODES = 300
HUBS = {7: 4096, 8: 4097, 9: 10000, 150: 8192, 299: 4095}


def main(path):
    numbers = random.Random(5)
    edges = [(row, numbers.randrange(NODES)) for row in range(NODES)
             for _ in range(HUBS.get(row, row % 4))]
    numbers.shuffle(edges)
    with open(path, "w", encoding="ascii") as file:
        print("%%MatrixMarket matrix coordinate pattern general", file=file)
        print(NODES, NODES, len(edges), file=file)
        for row, column in edges:
            print(row + 1, column + 1, file=file)


if __name__ == "__main__":
    main(sys.argv[1])
