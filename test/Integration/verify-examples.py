# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every pass makes of every example is valid IR, for the processor; cuda-examples.py
looks at the other target."""
# RUN: %python %s %examples | FileCheck %s
# CHECK: {{[1-9][0-9]+}} examples

import os
import pathlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor


def verify(spec):
    done = subprocess.run(["clique-compile", spec, "--verify-each", "--emit=llvm-dialect",
                           "-o", os.devnull],
                          text=True, check=False, stderr=subprocess.PIPE)
    return f"{spec.name}: {done.stderr}" if done.returncode else None


specs = sorted(pathlib.Path(sys.argv[1]).glob("*.mlir"))
with ThreadPoolExecutor(os.cpu_count()) as pool:
    failures = [text for text in pool.map(verify, specs) if text]
if failures:
    sys.exit("\n".join(failures))
print(f"{len(specs)} examples")
