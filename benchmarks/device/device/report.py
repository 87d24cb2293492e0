# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table, on the screen and as Markdown, and everything as JSON."""

import json

from . import tests


def time_text(seconds):
    return f"{seconds * 1e3:.3g} ms"


def cell_text(name, cell):
    if cell is None:
        return "-"
    if "problem" in cell:
        return "fails"
    return time_text(cell["seconds"]) if name == "clique" else f"{cell['ratio']:.2f}x"


def table(rows):
    """Of the rows of one group."""
    peers = [name for name in dict.fromkeys(name for row in rows for name in row["contenders"])
             if name != "clique"]
    lines = ["| " + " | ".join(["case", "clique", "rate", *peers]) + " |",
             "| --- | ---: | ---: |" + " ---: |" * len(peers)]
    for row in rows:
        problem = row.get("skipped") or row.get("wrong")
        if problem:
            cells = [("skipped: " if "skipped" in row else "wrong: ") + problem, ""]
        else:
            cells = [cell_text("clique", row["contenders"]["clique"]),
                     f"{row['rate']['value']:.4g} {row['rate']['unit']}"]
        cells += [cell_text(name, row["contenders"].get(name)) for name in peers]
        lines.append(f"| {row['name']} | " + " | ".join(cells) + " |")
    return lines


def reasons(rows):
    """Why peers have no figure, each reason once."""
    found = {}
    for row in rows:
        for name, cell in row["contenders"].items():
            if "problem" in cell:
                found.setdefault((name, cell["problem"]), row)
    return [f"- {name}, first at {row['group']} {row['name']}: {problem}"
            for (name, problem), row in found.items()]


def machine_line(found):
    packages = ", ".join(f"{name} {version}" for name, version in found["packages"].items())
    return (f"{found['gpu']} ({found['architecture']}), driver {found['driver']}; "
            f"{packages or 'no packages'}; {found['date']}; Clique {found['commit']}")


def test_lines(rows):
    counts = tests.count(rows)
    lines = [f"device tests: {counts['passed']} passed, {counts['failed']} failed, "
             f"{counts['skipped']} skipped"]
    lines += [f"- {row['result']}: {row['name']}: {row['reason']}" for row in rows
              if row["result"] != tests.PASSED]
    return lines


def markdown(found):
    lines = ["# Clique on a GPU", "", machine_line(found), ""]
    if found["emulated"]:
        lines += ["Emulated, on small graphs: times mean nothing.", ""]
    if found["tests"] is not None:
        lines += [*test_lines(found["tests"]), ""]
    rows = found["benchmarks"] or []
    if rows:
        lines += ["Clique: the median time of a call. Others: how many times as long they take, "
                  "above 1 Clique is faster.", ""]
    groups = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    for group, members in groups.items():
        lines += [f"## {group}", "", *table(members), ""]
    if found["missing"]:
        lines += ["Not installed: " + "; ".join(found["missing"]), ""]
    problems = reasons(rows)
    if problems:
        lines += ["Without a figure:", "", *problems, ""]
    return "\n".join(lines)


def write(found, output):
    """Writes the JSON and the table; returns what is printed."""
    text = markdown(found)
    output.write_text(json.dumps(found, indent=1) + "\n")
    output.with_suffix(".md").write_text(text)
    return text
