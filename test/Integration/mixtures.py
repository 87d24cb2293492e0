# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Several weights of an edge for as many rows of its source, summed for the edge, of which
dense tiles make one product of matrices: against the reference interpreter, with masks, in
half precision, with infinite elements that only some destinations receive, and with
gradients."""
# RUN: %python %s %S/Inputs/mixtures.mlir %graphs/karate.mtx %t.so

import subprocess
import sys

spec, karate, library = sys.argv[1:]
GRAPHS = ("complete:131", "causal:70", "cliques:3,0,40,1", "window:90,5", karate)


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


run("clique-compile", "-O1", spec, "-o", library)
for entry in ("mixture", "mean", "half", "infinite"):
    for graph in GRAPHS:
        for lowering in ("dense", "sparse"):
            printed = run("clique-run", library, f"--spec={spec}", f"--entry={entry}",
                          f"--graph={graph}", f"--lowering={lowering}", "--threads=2",
                          "--repeat=1", "--verify")
            assert "verify" in printed and "ok" in printed, printed
for entry in ("mixture", "mean"):
    printed = run("clique-run", "-O1", spec, f"--entry={entry}", "--graph=causal:40", "--gradients",
                  "--verify")
    assert "differences" in printed, printed
