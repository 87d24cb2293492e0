# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of run-device."""

import argparse
import pathlib

from harness.options import positive, regex

EPILOG = """\
examples:
  ./run-device
  ./run-device --no-benchmarks --sanitize
  ./run-device --no-tests --benchmarks 'attention bf16.*d128' --time 3

Exit status: 0 if tests passed and none failed, 1 if a test failed or a benchmark's result is wrong,
2 for a wrong command line, 3 if the GPU cannot be used."""


def parse(description):
    parser = argparse.ArgumentParser(prog="run-device", description=description, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tests", type=regex, metavar="REGEX",
                        help="only tests whose name contains a match")
    parser.add_argument("--benchmarks", type=regex, metavar="REGEX",
                        help="only benchmarks whose 'GROUP NAME' contains a match")
    parser.add_argument("--no-tests", action="store_true", help="no tests")
    parser.add_argument("--no-benchmarks", action="store_true", help="no benchmarks")
    parser.add_argument("--peers", metavar="NAMES",
                        help="only these peers (commas between them), or 'none'")
    parser.add_argument("--time", type=positive, metavar="SECONDS", default=1.0,
                        help="for each contender of a benchmark (default: 1)")
    parser.add_argument("--sanitize", action="store_true",
                        help="run the tests under compute-sanitizer, which must be on PATH, and "
                        "no benchmarks")
    parser.add_argument("--emulate", action="store_true",
                        help="on the emulated driver of a bundle that was made with --emulate: "
                        "small sizes, times that mean nothing")
    parser.add_argument("--output", type=pathlib.Path, metavar="FILE.json",
                        default=pathlib.Path("results.json"),
                        help="where the results go (default: results.json), and as a table to "
                        "the same name with .md")
    chosen = parser.parse_args()
    if chosen.emulate and chosen.sanitize:
        parser.error("--sanitize needs a GPU: leave --emulate out")
    if chosen.output.suffix != ".json":
        parser.error(f"--output {chosen.output}: the file's name must end in .json")
    return chosen
