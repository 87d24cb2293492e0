# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bin/clique-device, which runs one layer in a process of its own."""

import dataclasses
import os
import subprocess

GOOD, FAILED = range(2)


@dataclasses.dataclass
class Outcome:
    status: int
    facts: list   # of (word, rest of the line)
    message: str  # why it failed

    def get(self, word):
        return next((rest for key, rest in self.facts if key == word), None)


class Driver:
    def __init__(self, folder, emulate=False, prefix=(), limit=120):
        self.folder, self.prefix, self.limit = folder, list(prefix), limit
        self.environment = dict(os.environ)
        if emulate:
            self.environment["CLIQUE_CUDA_DRIVER"] = str(
                folder / "lib" / "libclique_emulated_cuda.so")

    def run(self, *words):
        command = [*self.prefix, str(self.folder / "bin" / "clique-device"), *map(str, words)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder,
                                  env=self.environment, timeout=self.limit, check=False)
        except subprocess.TimeoutExpired:
            return Outcome(FAILED, [], f"no end after {self.limit} s")
        facts = [tuple(line.partition(" ")[::2]) for line in done.stdout.splitlines()]
        return Outcome(done.returncode, facts, explain(done))

    def run_layer(self, entry, *options):
        """Of a test or benchmark of the manifest."""
        words = [f"lib/{entry['layer']}.so", entry["entry"], *options]
        return self.run(*words)


def explain(done):
    """The first line that says what is wrong."""
    if done.returncode == 0:
        return ""
    lines = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
    own = [line.partition(": ")[2] for line in lines if line.startswith("clique-device: ")]
    if done.returncode < 0:
        own.insert(0, f"ended by signal {-done.returncode}")
    sanitizer = [line.strip("= ") for line in lines
                 if line.startswith("=========") and "SANITIZER" not in line and
                 "ERROR SUMMARY" not in line]
    found = sanitizer or own or lines
    return found[0] if found else f"exit status {done.returncode}"
