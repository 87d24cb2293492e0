# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes acyclic graphs into the working directory, and one that is none."""

import random

random.seed(7)


def write(name, nodes, edges):
    with open(f"{name}.mtx", "w", encoding="ascii") as file:
        file.write("%%MatrixMarket matrix coordinate pattern general\n")
        file.write(f"{nodes} {nodes} {len(edges)}\n")
        file.writelines(f"{dst + 1} {src + 1}\n" for dst, src in edges)


names = random.sample(range(120), 120)
pairs = {tuple(sorted(random.sample(range(120), 2))) for _ in range(400)}
write("dag", 120, [(names[high], names[low]) for low, high in pairs])
# Each node receives from the next one: as many levels as nodes.
write("chain", 1000, [(k, k + 1) for k in range(999)])
# Layers, each of which receives from all of the one before.
write("layers", 60, [(dst, src) for dst in range(20, 60) for src in range(60)
                     if src // 20 + 1 == dst // 20])
write("one", 1, [])
write("none", 0, [])
write("cycle", 5, [(1, 0), (2, 1), (4, 2), (1, 4), (3, 0)])
