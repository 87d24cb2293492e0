#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the table of docs/families.md: what runs for each system, from
test/Integration/families.py, and how fast it is, from a run of `benchmarks/run systems`.

    benchmarks/families_table.py build/bin [--results=benchmarks/results/DATE-systems.json]

Without --results the latest run in benchmarks/results is taken."""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from harness.systems.table import find_table, with_figures  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "families.md"


def run_families(tools):
    """The lines of the table without figures."""
    test = ROOT / "test" / "Integration"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, test / "families.py", test / "Inputs", ROOT / "examples" / "families",
             ROOT / "examples" / "graphs" / "karate.mtx", folder, "table"], text=True,
            stdout=subprocess.PIPE,
            env=dict(os.environ, PATH=f"{tools.resolve()}:{os.environ['PATH']}"))
    if done.returncode:
        sys.exit(done.returncode)
    lines = done.stdout.splitlines()
    return lines[slice(*find_table(lines))]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=pathlib.Path, help="the folder of clique-run")
    parser.add_argument("--results", type=pathlib.Path, help="a run's .json")
    options = parser.parse_args()
    results = options.results or max(
        (ROOT / "benchmarks" / "results").glob("*-systems.json"), default=None)
    lines = run_families(options.tools)
    if results:
        lines = with_figures(lines, json.loads(results.read_text())["rows"])
    page = PAGE.read_text().splitlines()
    page[slice(*find_table(page))] = lines
    PAGE.write_text("\n".join(page) + "\n")
    print(f"written: {PAGE}, figures of {results}")


if __name__ == "__main__":
    main()
