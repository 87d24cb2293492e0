# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clique-run --verify finds a layer whose results depend on the number of threads: one
whose code was changed to multiply by it."""
# UNSUPPORTED: asan
# RUN: %python %s %S/../Integration/Inputs/scaled.mlir %t

import pathlib
import re
import subprocess
import sys

import numpy as np

SPEC, WORK = sys.argv[1], pathlib.Path(sys.argv[2])


def run(*command):
    return subprocess.run([str(word) for word in command], text=True, capture_output=True,
                          check=False)


def multiply_by_threads(match):
    result, kind, value = match.groups()
    return f"""
  %threads_{result} = call i32 @omp_get_max_threads()
  %number_{result} = sitofp i32 %threads_{result} to float
  %one_{result} = insertelement {kind} poison, float %number_{result}, i64 0
  %all_{result} = shufflevector {kind} %one_{result}, {kind} poison, {kind.replace("float", "i32")} zeroinitializer
  %{result} = fmul {kind} {value}, %all_{result}"""


WORK.mkdir(parents=True, exist_ok=True)
spec = WORK / "scaled.mlir"
spec.write_text(pathlib.Path(SPEC).read_text().replace("dense<1.0>", "dense<3.0>"))
code, library, output = WORK / "scaled.ll", WORK / "scaled.so", WORK / "o.npy"
values = WORK / "h.npy"
np.save(values, np.ones((5, 32), np.float32))
compiled = run("clique-compile", spec, "-o", code)
assert compiled.returncode == 0, compiled.stderr
text, changes = re.subn(r"\n *%(\w+) = fmul (?:contract )?(<\d+ x float>) (%\w+), splat \(float 3.0+e\+00\)",
                        multiply_by_threads, code.read_text())
assert changes, text
code.write_text(text + "\ndeclare i32 @omp_get_max_threads()\n")
linked = run("clang-22", "-w", "-O1", "-fPIC", "-shared", code, "-o", library)
assert linked.returncode == 0, linked.stderr

for threads, other in ((1, "two threads"), (2, "one thread")):
    output.unlink(missing_ok=True)
    result = run("clique-run", library, f"--spec={spec}", f"--input=h={values}", "--verify",
                 f"--threads={threads}", f"--output={output}")
    assert result.returncode == 1, result.stdout
    expected = (f"clique-run: error: scaled: result number 0 has other bits with {other}; results "
                "must not depend on the number of threads; no output was written")
    assert expected in result.stderr, result.stderr
    assert not output.exists()
