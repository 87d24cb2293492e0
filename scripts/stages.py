#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/stages.md and docs/images/stages.svg: the passes in the order in which they run,
as clique-opt prints its own pipelines, with the dialects that each stage leaves.

    scripts/stages.py build/bin OUTPUT     # OUTPUT/stages.md and OUTPUT/stages.svg
    ninja -C build clique-docs             # both into docs/, with the other generated pages"""

import html
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples" / "attention.mlir"
# In every stage, and of no interest there.
CLEANING = ("canonicalize", "cse", "symbol-dce", "reconcile-unrealized-casts")
EVERYWHERE = ("builtin", "func", "arith", "cf", "ub")
HEAD = """# Stages

<!-- Written by scripts/stages.py: ninja -C build clique-docs -->

The passes in the order in which they run, stage by stage. `clique-compile --emit=STAGE` prints the module after a
stage, `--from=STAGE` goes on from there, `clique-opt` runs a stage (`--clique-stage-STAGE`) or a single pass.
[How it works](how-it-works.md) takes a layer through them; Clique's passes are described, with IR before and
after, in [passes.md](passes.md), the others in MLIR's own documentation.

![Passes and dialects of each stage](images/stages.svg)
"""


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


class Passes:
    """What the sources say of the passes of this project."""

    def __init__(self, opt):
        self.summaries = dict(re.findall(r"^\s+--([a-z0-9-]+)\s+-\s+(.*)$", run(opt, "--help"),
                                         re.MULTILINE))
        self.files = {}
        implementations = {}
        for source in sorted(ROOT.glob("compiler/**/*.cpp")):
            for name in re.findall(r"define GEN_PASS_DEF_(\w+)", source.read_text()):
                implementations[name] = source.relative_to(ROOT)
        for definitions in ROOT.glob("compiler/**/*Passes.td"):
            for name, argument in re.findall(r'def (\w+)\s*:\s*(?:Interface)?Pass<\s*"([^"]+)"',
                                             definitions.read_text()):
                self.files[argument] = implementations[name.upper()]

    def is_own(self, name):
        return name in self.files

    def summarise(self, name):
        return self.summaries[name].replace("|", "\\|")


class Stage:
    """The passes of one stage, without options, and the dialects of the IR that it leaves."""

    def __init__(self, opt, target, name, before):
        options = "" if target == "cpu" else "=target=cuda"
        self.name = name
        self.passes = list_passes(opt, f"--clique-stage-{name}{options}")
        done = [f"--clique-stage-{n}{options}" for n in (*before, name)]
        generic = run(opt, EXAMPLE, *done, "--mlir-print-op-generic")
        used = set(re.findall(r'"([a-z_0-9]+)\.[a-z_0-9.]+"\(', generic))
        self.dialects = sorted(used - set(EVERYWHERE))


def list_stages(compiler, target):
    """All stages of a target by name, but for the one that is the spec as it was parsed."""
    lines = run(compiler, "--print-stages", f"--target={target}").splitlines()
    return [line.split()[0] for line in lines][1:]


def make_stages(binaries, target):
    names = list_stages(binaries / "clique-compile", target)
    return [Stage(binaries / "clique-opt", target, name, names[:k])
            for k, name in enumerate(names)]


def list_passes(opt, pipeline):
    printed = subprocess.run((opt, pipeline, "--dump-pass-pipeline", "/dev/null"),
                             capture_output=True, text=True, check=True).stderr
    lines = [line.strip() for line in printed.splitlines()]
    names = [re.match(r"[a-z0-9-]+", line) for line in lines
             if not re.match(r"(builtin\.module|func\.func|gpu\.module|any)\(|Pass Manager", line)]
    return [name[0] for name in names if name and name[0] not in CLEANING]


def write_table(passes, stage):
    yield f"\n### {stage.name}\n"
    yield f"Dialects in the IR that it leaves: {', '.join(f'`{d}`' for d in stage.dialects)}.\n"
    yield "| pass | does | in |"
    yield "| --- | --- | --- |"
    for name in stage.passes:
        if passes.is_own(name):
            path = passes.files[name]
            yield (f"| [`{name}`](passes.md#-{name}) | {passes.summarise(name)} "
                   f"| [{path.parent.name}/{path.name}](../{path}) |")
        else:
            yield f"| `{name}` | {passes.summarise(name)} | MLIR |"


def count_shared(cpu, cuda):
    """How many stages of both targets have the same names, from the first on."""
    return next(k for k, (a, b) in enumerate(zip(cpu, cuda)) if a.name != b.name)


def write_page(passes, cpu, cuda):
    yield HEAD
    yield "## For CPUs"
    for stage in cpu:
        yield from write_table(passes, stage)
    shared = count_shared(cpu, cuda)
    yield "\n## For GPUs\n"
    yield (f"Up to `{cpu[shared - 1].name}` the stages have the names of the CPU's, and differ in these passes: " +
           ", ".join(f"`{name}`" for a, b in zip(cpu[:shared], cuda) for name in
                     sorted(set(a.passes) ^ set(b.passes))) + ". Then:")
    for stage in cuda[shared:]:
        yield from write_table(passes, stage)


# The picture: a column for each stage, a row of them for each target.
WIDTH, GAP, LINE, TOP = 214, 10, 15, 92


def draw_column(passes, stage, x, y):
    height = TOP + 12 + LINE * len(stage.passes)
    folders = sorted({str(passes.files[p].parent.relative_to("compiler"))
                      for p in stage.passes if passes.is_own(p)})
    yield f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{height}" rx="6" fill="#eaf1fb" stroke="#3a5f95"/>'
    middle = x + WIDTH / 2
    yield f'<text x="{middle}" y="{y + 18}" text-anchor="middle" font-weight="bold">{stage.name}</text>'
    for k, dialects in enumerate(wrap(stage.dialects, 33)):
        yield (f'<text x="{middle}" y="{y + 35 + 13 * k}" text-anchor="middle" font-size="11" '
               f'fill="#4d7d38">{html.escape(dialects)}</text>')
    for k, line in enumerate(wrap(folders, 33)):
        yield (f'<text x="{middle}" y="{y + 66 + 13 * k}" text-anchor="middle" font-size="11" '
               f'fill="#3a5f95">{line}</text>')
    for k, name in enumerate(stage.passes):
        color = "#1a1a1a" if passes.is_own(name) else "#777"
        yield (f'<text x="{x + 8}" y="{y + TOP + 10 + LINE * k}" font-size="11" fill="{color}">'
               f'{name}</text>')


def wrap(words, width):
    lines = [""]
    for word in words:
        if len(lines[-1]) + len(word) + 1 > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def draw(passes, cpu, cuda):
    def height(stages):
        return TOP + 12 + LINE * max(len(s.passes) for s in stages)

    shared = count_shared(cpu, cuda)
    first, second = height(cpu), height(cuda[shared:])
    width = len(cpu) * (WIDTH + GAP) + GAP
    total = first + second + 76
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" width="{width}" '
           f'height="{total}" font-family="Helvetica, Arial, sans-serif" font-size="14">')
    yield "  <title>The passes of each stage, and the dialects that it leaves</title>"
    yield f'<rect width="{width}" height="{total}" fill="#ffffff"/>'
    yield (f'<text x="{GAP}" y="20">For CPUs: passes of Clique in black, of MLIR in grey; the '
           f'dialects that a stage leaves in green, folders of compiler/ in blue</text>')
    for k, stage in enumerate(cpu):
        yield from draw_column(passes, stage, GAP + k * (WIDTH + GAP), 30)
    yield f'<text x="{GAP}" y="{first + 58}">For GPUs, in place of the last ones</text>'
    for k, stage in enumerate(cuda[shared:], shared):
        yield from draw_column(passes, stage, GAP + k * (WIDTH + GAP), first + 66)
    yield "</svg>"


def main():
    binaries, output = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    passes = Passes(binaries / "clique-opt")
    cpu, cuda = make_stages(binaries, "cpu"), make_stages(binaries, "cuda")
    (output / "stages.md").write_text("\n".join(write_page(passes, cpu, cuda)) + "\n")
    (output / "stages.svg").write_text("\n".join(draw(passes, cpu, cuda)) + "\n")


if __name__ == "__main__":
    main()
