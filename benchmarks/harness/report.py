# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table on the screen, as Markdown and as JSON."""

import json
import pathlib

from .cases import CLIQUE
from .picture import draw
from .ratios import peer_ratios

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS, PICTURES = ROOT / "benchmarks" / "results", ROOT / "docs" / "images"


def time_text(seconds):
    for unit, scale in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def cell_text(name, cell):
    if "bytes" in cell:
        own = f"{cell['bytes'] / 2**20:.0f} MiB, inputs {cell['inputs'] / 2**20:.0f}"
        return own if name == CLIQUE else f"{cell['ratio']:.2f}x" if "ratio" in cell else own
    if "seconds" not in cell:
        return "fails" if cell else "-"
    if name == CLIQUE:
        share = f" ({cell['share']:.0%})" if "share" in cell else ""
        return time_text(cell["seconds"]) + share
    return f"{cell['ratio']:.2f}x" if "ratio" in cell else time_text(cell["seconds"])


def console_row(row):
    if "skipped" in row:
        return f"  {row['name']:24} skipped: {row['skipped']}"
    cells = []
    for name, cell in row["contenders"].items():
        text = cell_text(name, cell)
        cells.append(f"{name} {text}")
        if "share" in cell and name != CLIQUE:
            cells[-1] += f" ({cell['share']:.0%})"
    wrong = f"  WRONG: {row['wrong']}" if "wrong" in row else ""
    problems = "".join(f"\n      {name}: {cell['problem']}"
                       for name, cell in row["contenders"].items() if "problem" in cell)
    return f"  {row['name']:24} " + "  ".join(f"{cell:28}" for cell in cells) + wrong + problems


def machine_lines(found):
    machine, limits = found["machine"], found["limits"]
    caches = ", ".join(f"{name} {size >> 10} KiB" for name, size in machine["caches"].items())
    packages = ", ".join(f"{name} {version}" if version else f"no {name}"
                         for name, version in machine["packages"].items())
    return [
        f"{machine['cpu']}, {machine['threads']} of {machine['cores']} cores, "
        f"{', '.join(machine['isa'])}; {caches}; {machine['memory_gib']} GiB",
        f"multiply-add peak {limits['fma_gflops']:.0f} GFLOP/s ({limits['fma_gflops_1_core']:.0f} "
        f"of one core); copy {limits['copy_gbs']:.1f}, triad {limits['triad_gbs']:.1f}, gather of "
        f"rows {limits['gather_gbs']:.1f} GB/s",
        f"{packages}; Python {machine['python']}; {machine['c_compiler']}",
    ]


def print_machine(found):
    print("\n".join(machine_lines(found)), flush=True)


def table(rows):
    """A Markdown table of the rows of one group."""
    names = list(dict.fromkeys(name for row in rows for name in row["contenders"]))
    lines = ["| case | " + " | ".join(names) + " |", "| --- |" + " ---: |" * len(names)]
    for row in rows:
        if "skipped" in row:
            cells = [f"skipped: {row['skipped']}"] + [""] * (len(names) - 1)
        elif "wrong" in row:
            cells = [f"wrong: {row['wrong']}"] + [""] * (len(names) - 1)
        else:
            cells = [cell_text(name, row["contenders"].get(name, {})) for name in names]
        lines.append(f"| {row['name']} | " + " | ".join(cells) + " |")
    return lines


def problem_lines(rows):
    """Why a peer has no figure, each reason once."""
    reasons = {}
    for row in rows:
        for name, cell in row["contenders"].items():
            if "problem" in cell:
                reasons.setdefault((name, cell["problem"]), row)
    return [f"- {name}, first at {row['group']}/{row['name']}: {problem}"
            for (name, problem), row in reasons.items()]


def markdown(found):
    lines = [f"# {found['what'].capitalize()}, {found['date']}", "",
             f"`{found['command']}`", ""]
    lines += [line + "  " for line in machine_lines(found)] + [""]
    lines += ["Clique: median time and, in brackets, its share of the multiply-add peak or of the "
              "machine's bound for this case. Others: how many times as long they take. "
              "See [docs/benchmarks.md](../../docs/benchmarks.md).", ""]
    lines += ["## All together", "", *summary(found["rows"]), ""]
    groups = {}
    for row in found["rows"]:
        groups.setdefault(row["group"], []).append(row)
    for group, rows in groups.items():
        lines += [f"## {group}", "", *table(rows), ""]
    problems = problem_lines(found["rows"])
    if problems:
        lines += ["## Without a figure", "", *problems, ""]
    return "\n".join(lines)


def summary(rows):
    """A Markdown table of means: a line per group and peer."""
    lines = ["| cases | peer | geometric mean | least | most |",
             "| --- | --- | ---: | ---: | ---: |"]
    for group, peers in peer_ratios(rows).items():
        for name, figures in peers.items():
            cells = " | ".join(f"{figure:.2f}x" for figure in figures)
            lines.append(f"| {group} | {name} | {cells} |")
    return lines


def write(found, chosen):
    """Files of a whole run, or of any run for which a folder was named."""
    if (chosen.filter is not None or chosen.peers is not None) and not chosen.output:
        return
    folder = chosen.output or RESULTS
    folder.mkdir(parents=True, exist_ok=True)
    stem = folder / f"{found['date']}-{found['what']}"
    written = [stem.with_suffix(".json"), stem.with_suffix(".md")]
    written[0].write_text(json.dumps(found, indent=1) + "\n")
    written[1].write_text(markdown(found))
    picture = (chosen.output or PICTURES) / f"benchmark-{found['what']}.svg"
    try:
        if draw(found, picture):
            written.append(picture)
    except ImportError as error:
        print(f"no picture: {error}")
    print("\nwritten: " + ", ".join(map(str, written)))
