# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every pass makes of every example is valid IR, on both targets."""
# RUN: %python %s %examples | FileCheck %s
# CHECK: {{[1-9][0-9]+}} examples

import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def verify(run):
    spec, target = run
    done = subprocess.run(["clique-compile", spec, f"--target={target}", "--verify-each",
                           "--emit=llvm-dialect", "-o", os.devnull],
                          text=True, check=False, stderr=subprocess.PIPE)
    return f"{spec.name}, {target}: {done.stderr}" if done.returncode else None


specs = sorted(pathlib.Path(sys.argv[1]).glob("*.mlir"))
with ThreadPoolExecutor(os.cpu_count()) as pool:
    failures = [text for text in pool.map(verify, [(spec, target) for spec in specs
                                                   for target in ("cpu", "cuda")]) if text]
if failures:
    sys.exit("\n".join(failures))
print(f"{len(specs)} examples")
