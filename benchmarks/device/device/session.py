# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A run: the device, the tests, the benchmarks, the table."""

import datetime
import json
import shutil
import sys

from . import machine, options, report, tests, times
from .driver import GOOD, Driver

FAILED, NO_DEVICE = 1, 3
# A case that takes longer, compilation of the peers included, is given up.
CASE_LIMIT = 300


class Session:
    def __init__(self, folder, chosen):
        self.folder, self.chosen = folder, chosen
        self.manifest = json.loads((folder / "manifest.json").read_text())
        self.driver = Driver(folder, chosen.emulate, limit=300 if chosen.emulate else 120)

    def find_device(self):
        """Name and architecture; ends the run if there is no device."""
        if self.chosen.emulate and not self.manifest["emulated"]:
            fail("--emulate: this bundle was made for GPUs only; make another by "
                 "benchmarks/bundle --emulate")
        outcome = self.driver.run("--device")
        if outcome.status != GOOD:
            fail(f"the GPU cannot be used: {outcome.message}")
        if self.manifest["emulated"] and not self.chosen.emulate:
            fail("this bundle has no code for GPUs, only for --emulate; make another by "
                 "benchmarks/bundle")
        return outcome.get("device"), outcome.get("architecture")

    def run_tests(self):
        driver = self.driver
        if self.chosen.sanitize:
            if not shutil.which("compute-sanitizer"):
                fail("--sanitize: compute-sanitizer is not on PATH; it comes with the CUDA Toolkit")
            driver = Driver(self.folder, limit=600, prefix=[
                "compute-sanitizer", f"--error-exitcode={tests.SANITIZER_STATUS}"])
        print("device tests", flush=True)
        return tests.run(self.manifest, driver, self.chosen.tests)

    def benchmarks(self):
        """Those that are wanted and whose layers were compiled; emulated, one of each layer."""
        broken = {layer["name"] for layer in self.manifest["layers"] if layer["problem"]}
        seen = set()
        for benchmark in self.manifest["benchmarks"]:
            name, layer = f"{benchmark['group']} {benchmark['name']}", benchmark["layer"]
            if self.chosen.benchmarks is not None and not self.chosen.benchmarks.search(name):
                continue
            if layer not in broken and not (self.chosen.emulate and layer in seen):
                yield benchmark
            seen.add(layer)

    def measure(self, packages):
        """The rows, as they come."""
        if "cuda" not in packages:
            for benchmark in self.benchmarks():
                yield times.measure(benchmark, self.driver, self.chosen.time, self.chosen.emulate)
            return
        from harness.supervise import supervised

        def make_rows(cases):  # in the child: PyTorch is loaded there only
            from . import compare
            return compare.make_rows(self.folder, self.manifest["libraries"], self.chosen.time,
                                     self.wanted_peers())(cases)

        yield from supervised([Case(benchmark) for benchmark in self.benchmarks()], make_rows,
                              CASE_LIMIT)

    def wanted_peers(self):
        """None for all."""
        names = self.chosen.peers
        return None if names is None else [] if names == "none" else names.split(",")

    def run_benchmarks(self, packages):
        print("benchmarks", flush=True)
        rows = []
        for row in self.measure(packages):
            rows.append(row)
            print("  " + row["group"] + report.table([row])[-1], flush=True)
        return rows


class Case:
    """What harness.supervise asks for."""

    def __init__(self, benchmark):
        self.benchmark = benchmark
        self.group, self.name = benchmark["group"], benchmark["name"]


def fail(message, status=NO_DEVICE):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(status)


def main(folder, description):
    chosen = options.parse(description)
    session = Session(folder, chosen)
    gpu, architecture = session.find_device()
    packages = {} if chosen.emulate else machine.packages()
    found = {"gpu": gpu, "architecture": architecture,
             "driver": "emulated" if chosen.emulate else machine.driver_version(),
             "date": datetime.date.today().isoformat(), "commit": session.manifest["commit"],
             "emulated": chosen.emulate, "packages": packages,
             "missing": [] if chosen.emulate else machine.missing_peers(packages),
             "tests": None, "benchmarks": None}
    print(report.machine_line(found), flush=True)
    if not chosen.no_tests:
        found["tests"] = session.run_tests()
    if not chosen.no_benchmarks and not chosen.sanitize:
        found["benchmarks"] = session.run_benchmarks(packages)
    print("\n" + report.write(found, chosen.output))
    print(f"written: {chosen.output}, {chosen.output.with_suffix('.md')}")
    return verdict(found)


def verdict(found):
    counts = tests.count(found["tests"] or [])
    wrong = any("wrong" in row for row in found["benchmarks"] or [])
    none_ran = found["tests"] is not None and not counts["passed"]
    return FAILED if counts["failed"] or wrong or none_ran else GOOD
