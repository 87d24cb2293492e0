# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/families.md: its rows, and beside them the figures of a run."""

# What the peers are called there.
PEERS = {"pytorch": "PyTorch", "pytorch-compile": "compiled", "pytorch-flex": "FlexAttention"}
START = "| spec | function |"


def figure(row, peer):
    cell = row["contenders"].get(peer)
    if "wrong" in row or "skipped" in row:
        return "wrong" if "wrong" in row else "skipped"
    if not cell:
        return ""
    if "ratio" not in cell:
        return "fails"
    ratio = cell["ratio"]
    return f"{ratio:.2f}x" if ratio < 1 else f"{ratio:.1f}x" if ratio < 9.95 else f"{ratio:.0f}x"


def speed_cells(rows):
    """Of one function: the names of its cases, and a cell for each peer."""
    peers = [", ".join(filter(None, (figure(row, peer) for row in rows))) for peer in PEERS]
    return [", ".join(row["name"] for row in rows), *peers]


def with_figures(lines, rows):
    """The lines of a table, with more columns: functions are found by name in its second one."""
    groups = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    added = [["measured on", *PEERS.values()], ["---", *("---:" for _ in PEERS)]]
    added += [speed_cells(groups.get(line.split("|")[2].strip(" `"), [])) for line in lines[2:]]
    return [" ".join([line, *(f"{cell} |" for cell in cells)])
            for line, cells in zip(lines, added)]


def find_table(lines):
    """Its first line and the one behind its last."""
    first = next(k for k, line in enumerate(lines) if line.startswith(START))
    end = first
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    return first, end
