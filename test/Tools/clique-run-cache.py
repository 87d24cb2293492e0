# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clique-run keeps the code of a spec on disk, by a hash of all that it was made of, and runs
what it finds there."""

# RUN: rm -rf %t && mkdir %t && %python %s %t

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np

WORK = pathlib.Path(sys.argv[1])
CACHE = WORK / "cache"
SPEC = """
func.func @scale(%g: !mp.graph, %h: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x1xf32>) -> !mp.edges<1xf32> {
    %c = arith.constant dense<FACTOR> : tensor<1xf32>
    %p = arith.mulf %hj, %c : tensor<1xf32>
    mp.yield %p : tensor<1xf32>
  }
  %n = mp.aggregate %g mean %m : (!mp.edges<1xf32>) -> tensor<?x1xf32>
  return %n : tensor<?x1xf32>
}
"""
SUM = """
func.func @sum(%h: tensor<?x1xf32>) -> tensor<?x1xf32> {
  %y = arith.addf %h, %h : tensor<?x1xf32>
  return %y : tensor<?x1xf32>
}
"""


def run(spec, *options, graph="complete:3", folder=CACHE, **environment):
    """The exit status, and what was printed."""
    variables = {**os.environ, "CLIQUE_CACHE_DIR": str(folder), **environment}
    if folder is None:
        del variables["CLIQUE_CACHE_DIR"]
    graphs = [f"--graph={graph}"] if graph else []
    done = subprocess.run(["clique-run", WORK / spec, *graphs, *options], text=True, env=variables,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout


def scale(spec="two.mlir", *options, **where):
    """What the layer makes of 1."""
    np.save(WORK / "h.npy", np.ones((3, 1), np.float32))
    status, text = run(spec, f"--input=h={WORK}/h.npy", f"--output={WORK}/out.npy", *options,
                       **where)
    assert status == 0, text
    return np.load(WORK / "out.npy").ravel().tolist()


def files(folder=CACHE):
    return sorted((folder / "run").glob("llvmcache-*"))


def check_keys():
    """One file for any graph, number of threads and check; others for other code."""
    assert scale() == [2, 2, 2]
    status, text = run("two.mlir", "--threads=1", "--verify", "--explain", graph="causal:9")
    assert status == 0, text
    assert len(files()) == 1
    for count, (spec, *options) in enumerate((
            ("three.mlir",), ("two.mlir", "--lowering=sparse"), ("two.mlir", "--gradients"),
            ("two.mlir", "--gradients", "--second-order"),
            ("two.mlir", "--target=cuda", "--gpu-arch=emulated", "--emulate")), 2):
        for _ in range(2):
            status, text = run(spec, *options)
            assert status == 0, text
            assert len(files()) == count, (spec, options, files())
    # Specs without an op of the mp dialect are no exception.
    for _ in range(2):
        assert scale("sum.mlir", graph=None) == [2, 2, 2]
        assert len(files()) == count + 1


def check_contents():
    """It is the code of the file that runs, unless the file is damaged."""
    shutil.rmtree(CACHE)
    assert scale() == [2, 2, 2]
    two, = files()
    assert scale("three.mlir") == [3, 3, 3]
    three, = set(files()) - {two}
    code = two.read_bytes()
    two.write_bytes(three.read_bytes())
    assert scale() == [3, 3, 3]
    assert scale("two.mlir", "--no-cache") == [2, 2, 2]
    for damaged in code[:-1], code[:3000] + bytes(100) + code[3100:], b"":
        two.write_bytes(damaged)
        assert scale() == [2, 2, 2]
        assert two.read_bytes() == code


def check_limit():
    assert scale("three.mlir", CLIQUE_CACHE_MIB="1") == [3, 3, 3] and len(files()) == 2
    files()[0].unlink()
    files()[0].unlink()
    assert scale("three.mlir", CLIQUE_CACHE_MIB="0") == [3, 3, 3] and not files()
    for wrong in "much", "-1", "", "1" + 20 * "0":
        status, text = run("two.mlir", CLIQUE_CACHE_MIB=wrong)
        assert status == 1, text
        assert f"error: CLIQUE_CACHE_MIB is '{wrong}', expected a number of MiB" in text, text


def check_unfinished():
    """What another run is writing stays, whatever the limit; what a killed one left goes."""
    fresh, old = (CACHE / "run" / f"unfinished-{name}" for name in ("fresh", "old"))
    for file in fresh, old:
        file.write_bytes(bytes(1000))
    os.utime(old, (0, 0))
    assert scale("sum.mlir", graph=None, CLIQUE_CACHE_MIB="0") == [2, 2, 2]
    assert fresh.exists() and not old.exists() and not files()
    fresh.unlink()
    variables = {**os.environ, "CLIQUE_CACHE_DIR": str(CACHE), "CLIQUE_CACHE_MIB": "0"}
    runs = [subprocess.Popen(["clique-run", WORK / "sum.mlir", "--O1", f"--input=h={WORK}/h.npy"],
                             env=variables, stdout=subprocess.DEVNULL) for _ in range(6)]
    assert [run.wait() for run in runs] == 6 * [0]


def check_folder():
    """The user's folder of caches is used where it can be; one that is asked for must be."""
    assert scale(folder=None, XDG_CACHE_HOME=str(WORK / "home")) == [2, 2, 2]
    assert len(files(WORK / "home" / "clique")) == 1
    file = WORK / "file"
    file.touch()
    assert scale(folder=None, XDG_CACHE_HOME=str(file)) == [2, 2, 2]
    status, text = run("two.mlir", folder=file)
    assert status == 1, text
    expected = f"error: CLIQUE_CACHE_DIR: {file}/run: cannot be written: Not a directory"
    assert expected in text, text


for factor, name in (2.0, "two.mlir"), (3.0, "three.mlir"):
    (WORK / name).write_text(SPEC.replace("FACTOR", str(factor)))
(WORK / "sum.mlir").write_text(SUM)
check_keys()
check_contents()
check_limit()
check_unfinished()
check_folder()
