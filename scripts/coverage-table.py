#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""coverage-table.py ROOT FOLDERS: a table of covered lines from what `llvm-cov
export --summary-only` prints, of the files in the folders (a regular
expression), the least covered first."""

import json
import os
import re
import sys

GOAL = 90.0


def main():
    root, folders = sys.argv[1:]
    files = []
    for entry in json.load(sys.stdin)["data"][0]["files"]:
        name = os.path.relpath(entry["filename"], root)
        lines = entry["summary"]["lines"]
        if re.match(rf"({folders})/", name) and lines["count"]:
            files.append((lines["percent"], lines["count"], lines["covered"], name))
    if not files:
        print("coverage-table.py: error: no file of these folders was measured", file=sys.stderr)
        return 1
    for percent, count, covered, name in sorted(files):
        print(f"{percent:6.1f} % {covered:5}/{count:<5} {name}")
    count, covered = sum(file[1] for file in files), sum(file[2] for file in files)
    below = [file[3] for file in files if file[0] < GOAL]
    print(f"{100 * covered / count:.1f} % of {count} lines in {len(files)} files; "
          f"{len(below)} files below {GOAL:.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
