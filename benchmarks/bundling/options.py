# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line of benchmarks/bundle."""

import argparse
import os
import pathlib

from harness.options import ROOT, regex

EPILOG = """\
examples:
  benchmarks/bundle
  benchmarks/bundle --emulate --layers 'example-gat|sum' -o try.tar.gz

It takes some minutes: every layer is compiled for each architecture. docs/benchmarks.md says what
to do with the file."""
TOOLS = ("bin/clique-compile", "bin/clique-run", "bin/clique-device",
         "lib/libclique_runtime.so")


def parse(description):
    parser = argparse.ArgumentParser(
        prog="benchmarks/bundle", description=description, epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE",
                        default=pathlib.Path("clique-gpu.tar.gz"),
                        help="the bundle (default: clique-gpu.tar.gz)")
    parser.add_argument("--emulate", action="store_true",
                        help="for the emulated driver, which comes along, and for no GPU")
    parser.add_argument("--gpu-arch", metavar="NAMES",
                        help="architectures, as of clique-compile; code for sm_90a alone is made "
                        "of wgmma (default: multi, with --emulate emulated)")
    parser.add_argument("--layers", type=regex, metavar="REGEX",
                        help="only layers whose name contains a match")
    parser.add_argument("--list", action="store_true", help="list the layers and do nothing else")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), metavar="N",
                        help="layers compiled at once (default: one for each core)")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", metavar="FOLDER",
                        help="Clique's build (default: build)")
    parser.add_argument("--data", type=pathlib.Path, metavar="FOLDER",
                        default=os.environ.get("CLIQUE_DATA") or ROOT.parent / "shared" / "data",
                        help="real graphs, cora and ogbn_arxiv, which are left out where they "
                        "are missing (default: $CLIQUE_DATA or ../shared/data)")
    chosen = parser.parse_args()
    if chosen.gpu_arch is None:
        chosen.gpu_arch = "emulated" if chosen.emulate else "multi"
    if chosen.jobs < 1:
        parser.error(f"--jobs: expected a number from 1, got {chosen.jobs}")
    if not chosen.output.name.endswith(".tar.gz"):
        parser.error(f"-o {chosen.output}: the bundle's name must end in .tar.gz")
    tools = TOOLS + (("lib/libclique_emulated_cuda.so",) if chosen.emulate else ())
    for name in tools:
        if not chosen.list and not (chosen.build / name).exists():
            parser.error(f"{chosen.build / name} is missing: build Clique first "
                         "(./demo.sh, or cmake --preset default && ninja -C build)")
    return chosen
