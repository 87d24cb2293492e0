# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line, read before the peers are there and once more beside them."""

import argparse
import os
import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
EPILOG = """\
examples:
  benchmarks/run dense --quick
  benchmarks/run dense --filter 'complete/.*/n1024$' --budget 5
  benchmarks/run dense --filter causal --peers none --threads 1
  benchmarks/run sparse --list

Results go to benchmarks/results/DATE-WHAT.json and .md, a picture to docs/images/. A run with
--filter, --peers or --output elsewhere is for steering: it only prints its table unless --output
is given. docs/benchmarks.md explains the conditions and how to read the table."""


def regex(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"not a regular expression: {error}") from error


def positive(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text}")
    return value


# Where things lie, which says nothing of what is measured.
PLACES = ("output", "build", "data", "env")


def describe(words):
    """The command for a report: `words` without places."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    for name in PLACES:
        parser.add_argument(f"--{name}")
    parser.add_argument("--no-install", action="store_true")
    _, left = parser.parse_known_args(words)
    return shlex.join(["benchmarks/run", *left])


def parse(description):
    cores = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(prog="benchmarks/run", description=description, epilog=EPILOG,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("dense", "sparse", "edges", "gradients", "systems"),
                        help="which table")
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true",
                      help="fewer cases and less time for each: minutes")
    size.add_argument("--full", action="store_true", help="also the cases that take long")
    parser.add_argument("--filter", type=regex, metavar="REGEX",
                        help="only cases whose name contains a match")
    parser.add_argument("--list", action="store_true", help="list the cases and do nothing else")
    parser.add_argument("--peers", metavar="NAMES",
                        help="only these peers (commas between them), or 'none'")
    parser.add_argument("--threads", type=int, default=cores, metavar="N",
                        help=f"threads of everyone (default: all {cores} cores)")
    parser.add_argument("--passive", action="store_true",
                        help="idle threads of everyone sleep at once in place of spinning: for a "
                        "machine that others use at the same time")
    parser.add_argument("--budget", type=positive, metavar="SECONDS",
                        help="time for each contender of a case (default: 2, quick 0.5)")
    parser.add_argument("--time-limit", type=positive, metavar="MINUTES",
                        help="start no further case after this time")
    parser.add_argument("--output", type=pathlib.Path, metavar="FOLDER",
                        help="where the .json, .md and .svg go")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", metavar="FOLDER",
                        help="Clique's build (default: build)")
    parser.add_argument("--data", type=pathlib.Path, metavar="FOLDER",
                        default=os.environ.get("CLIQUE_DATA") or ROOT.parent / "shared" / "data",
                        help="real graphs (default: $CLIQUE_DATA or ../shared/data)")
    parser.add_argument("--env", type=pathlib.Path, default=ROOT / "benchmarks" / ".venv",
                        metavar="FOLDER", help="the peers' virtual environment "
                        "(default: benchmarks/.venv; several checkouts may share one)")
    parser.add_argument("--no-install", dest="install", action="store_false",
                        help="take the environment as it is")
    chosen = parser.parse_args()
    if not 1 <= chosen.threads <= cores:
        parser.error(f"--threads: expected 1 to {cores}, the cores of this machine, "
                     f"got {chosen.threads}")
    if chosen.budget is None:
        chosen.budget = 0.5 if chosen.quick else 2.0
    return chosen


def find_build_problem(chosen):
    """What of Clique is missing, or None."""
    for name in ("bin/clique-compile", "lib/libclique_runtime.so"):
        if not (chosen.build / name).exists():
            return (f"{chosen.build / name} is missing: build Clique first "
                    "(./demo.sh, or cmake --preset default && ninja -C build)")
    return None
