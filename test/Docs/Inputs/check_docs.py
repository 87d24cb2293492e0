# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tries what a page of the documentation shows.

Every ```mlir block that holds a function is parsed by clique-opt, and every link to
a file of the repository must lead somewhere. Comments before a block ask for more:

  <!-- file: layer.mlir -->   the block is written to this file first
  <!-- run -->                the ```sh block is run by bash; the block after it, if
                              no comment stands between, is the expected output
  <!-- run: fails -->         the same, and the exit status must not be 0

Commands run in a folder that looks like the root of the repository after a build,
with build/bin in PATH, in the order of the page. In expected output, names of values
and spaces match any other, and so do the numbers with a point or an exponent in lines
that report a measurement; '...' stands for any lines, or any part of one. With
--without-run blocks are only parsed."""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

LINKS = ("examples", "runtime", "docs")
# First words of lines that report measurements.
MEASURED = ("kernel", "memory", "time", "verify")


class Block:
    """A fenced block, the comment before it and where it stands."""

    def __init__(self, line, language, text, marker):
        self.line, self.language, self.text, self.marker = line, language, text, marker


def read_blocks(path):
    """The blocks of a page; a block with nothing but blank lines before it and
    after another one has the marker 'output'."""
    blocks, marker, fence = [], None, None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if fence is not None:
            if line.strip() == "```":
                language, start, body = fence
                blocks.append(Block(start, language, "\n".join(body) + "\n", marker))
                fence, marker = None, "output"
            else:
                fence[2].append(line)
        elif opened := re.match(r"\s*```(\w*)$", line):
            fence = (opened.group(1), number, [])
        elif comment := re.match(r"<!-- (.*) -->$", line):
            marker = comment.group(1)
        elif line.strip():
            marker = None
    return blocks


def read_links(path):
    """(line, file, heading) of every link that leads into the repository."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if "://" not in target:
                file, _, heading = target.partition("#")
                yield number, file, heading


def headings(path):
    """The headings of a page, as links spell them."""
    titles = re.findall(r"^#+ (.*)$", path.read_text(), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def normalised(line):
    line = re.sub(r"%\w+(#\d+|:\d+)?", "%", line)
    line = re.sub(r"#map\d*", "#map", line)
    line = re.sub(r"median of \d+ warm runs?", "median of <number> warm runs", line)
    # Of what is expected each processor has times of its own.
    if line.lstrip().startswith(MEASURED) or " expected of one core" in line:
        line = re.sub(r"\d+(\.\d+(e[-+]?\d+)?|e[-+]?\d+)", "<number>", line)
    return re.sub(r"\s+", " ", line).strip()


def as_pattern(line):
    return re.compile(r".*?".join(map(re.escape, normalised(line).split("..."))))


def difference(expected, actual):
    """None if the output is as expected, else the first line that is not there."""
    actual = [line for line in map(normalised, actual.splitlines()) if line]
    position, anywhere = 0, False
    run = []  # The lines since the last '...' that have matched.
    lines = [line for line in expected.splitlines() if line.strip()]
    for index, line in enumerate(lines):
        if line.strip() == "...":
            anywhere, run = True, []
            continue
        run.append((line, as_pattern(line)))
        if index + 1 < len(lines) and lines[index + 1].strip() != "...":
            continue
        starts = range(position, len(actual) - len(run) + 1) if anywhere else [position]
        for start in starts:
            if start + len(run) <= len(actual) and all(
                    pattern.fullmatch(actual[start + k])
                    for k, (_, pattern) in enumerate(run)):
                position, anywhere = start + len(run), False
                break
        else:
            return first_missing(run, actual)
    if not anywhere and position < len(actual):
        return f"nothing more, got: {actual[position]}"
    return None


def first_missing(run, actual):
    for line, pattern in run:
        if not any(pattern.fullmatch(other) for other in actual):
            return line
    return f"these lines together: {' / '.join(line.strip() for line, _ in run)}"


class Page:
    def __init__(self, arguments):
        self.path = arguments.root / arguments.page
        self.name = arguments.page
        self.folder = arguments.folder.absolute()
        self.runs = not arguments.without_run
        self.failures = 0
        self.prepare(arguments)

    def prepare(self, arguments):
        if self.folder.exists():
            shutil.rmtree(self.folder)
        (self.folder / "build").mkdir(parents=True)
        for name in LINKS:
            (self.folder / name).symlink_to(arguments.root / name)
        (self.folder / "build" / "bin").symlink_to(arguments.tools)
        (self.folder / "build" / "lib").symlink_to(arguments.libraries)
        (self.folder / "build" / "python").symlink_to(arguments.libraries.parent / "python")
        self.environment = dict(os.environ)
        self.environment["PATH"] = f"{arguments.tools}:{os.environ['PATH']}"

    def fail(self, line, message):
        print(f"{self.name}:{line}: error: {message}", file=sys.stderr)
        self.failures += 1

    def execute(self, command, text=None):
        done = subprocess.run(command, cwd=self.folder, env=self.environment, input=text,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        return done.returncode, done.stdout

    def parse(self, block):
        status, output = self.execute(["clique-opt", "-o", os.devnull], block.text)
        if status:
            self.fail(block.line, f"this spec does not verify:\n{output}")

    def run(self, block, expected):
        status, output = self.execute(["bash", "-euo", "pipefail", "-c", block.text])
        if (status != 0) != (block.marker == "run: fails"):
            self.fail(block.line, f"exit status {status}:\n{block.text}{output}")
            return
        missing = difference(expected.text, output) if expected else None
        if missing:
            self.fail(expected.line, f"the output of the block at line {block.line} lacks\n"
                      f"  {missing.strip()}\nit is\n{output}")

    def check_links(self):
        """How many there are."""
        links = list(read_links(self.path))
        for line, file, heading in links:
            target = self.path.parent / file if file else self.path
            if not target.exists():
                self.fail(line, f"the link to {file} leads nowhere")
            elif heading and heading not in headings(target):
                self.fail(line, f"{target.name} has no heading #{heading}")
        return len(links)

    def check(self):
        blocks = read_blocks(self.path)
        tried = self.check_links()
        for index, block in enumerate(blocks):
            marker = block.marker or ""
            if marker.startswith("file: "):
                (self.folder / marker.removeprefix("file: ")).write_text(block.text)
            if block.language == "mlir" and "func.func" in block.text and marker != "output":
                self.parse(block)
                tried += 1
            elif marker.startswith("run") and self.runs:
                following = blocks[index + 1] if index + 1 < len(blocks) else None
                self.run(block, following if following and following.marker == "output"
                         else None)
                tried += 1
        if not tried:
            sys.exit(f"{self.name}: error: no block and no link to try was found")
        print(f"{self.name}: {tried} blocks and links tried, {self.failures} failed")
        return 1 if self.failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", help="relative to the root of the repository")
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="folder of the tools")
    parser.add_argument("--libraries", type=pathlib.Path, required=True,
                        help="folder of libclique_runtime.so")
    parser.add_argument("--folder", type=pathlib.Path, required=True,
                        help="to work in; made anew")
    parser.add_argument("--without-run", action="store_true")
    return Page(parser.parse_args()).check()


sys.exit(main())
