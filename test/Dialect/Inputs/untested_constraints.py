# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the dialect's reference page from standard input and the error tests
given as arguments, and names every numbered constraint Cn of an op or type that
has no test function called <op>_c<n>, and every such function whose constraint
does not exist."""

import re
import sys

TYPES = {"MPGraphType": "graph_type", "EdgesType": "edges_type", "CpuAttr": "cpu", "GpuAttr": "gpu",
         "NodeBlocksAttr": "node_blocks", "RowBlocksAttr": "row_blocks",
         "TypedBlocksAttr": "typed_blocks", "EdgeBlocksAttr": "edge_blocks",
         "TilesAttr": "tiles", "CostAttr": "cost"}


def documented(page):
    """The names that the constraints' tests should begin with."""
    names, subject = set(), None
    for line in page.splitlines():
        op = re.match(r"#+ `mp\.(\w+)`", line)
        if op:
            subject = op[1]
        elif re.match(r"#+ \w+", line):
            subject = TYPES.get(line.split()[1])
        constraint = re.match(r"\s*- C(\d+):", line)
        if constraint and not subject:
            sys.exit(f"whose constraint is this? {line}")
        if constraint:
            names.add(f"{subject}_c{constraint[1]}")
    return names


def main():
    tested = set()
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            tested.update(re.findall(r"@(\w+?_c\d+)(?![0-9])\w*\(", file.read()))
    names = documented(sys.stdin.read())
    if not names:
        sys.exit("the reference page names no constraint")
    for name in sorted(names - tested):
        print(f"no test is called {name}...")
    for name in sorted(tested - names):
        print(f"the constraint of the test {name}... does not exist")
    print(f"{len(names & tested)} constraints tested")
    sys.exit(bool(names ^ tested))


main()
