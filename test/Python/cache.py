# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cache of compiled layers: what finds a layer again, several processes, a limit, damage."""
# RUN: rm -rf %t && env CLIQUE_CACHE_DIR=%t/layers %library_python %s %S/Inputs | FileCheck %s
# CHECK: one compilation for 4 processes
# CHECK-NEXT: a cached layer takes {{[0-9.]+}} ms
# CHECK-NEXT: options, text and name are told apart
# CHECK-NEXT: damage is mended
# CHECK-NEXT: the limit holds
# CHECK-NEXT: a full disk is no mistake of the spec
# CHECK-NEXT: no folder

import sys

sys.path.insert(0, sys.argv[1])

import multiprocessing
import os
import resource
import time

import clique
import numpy as np
from clique import _cache, _layer
from layers import raises

SPEC = """
func.func @add(%g: !mp.graph, %h: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x2xf32>) -> !mp.edges<2xf32> {
    mp.yield %hj : tensor<2xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %o : tensor<?x2xf32>
}
"""
compilations = []
compile_library = _layer._compiler.compile_library


def count(*args):
    compilations.append(args)
    compile_library(*args)


_layer._compiler.compile_library = count


def use(_):
    before = len(compilations)
    out = clique.compile(SPEC)(clique.Graph.complete(3), np.ones((3, 2), np.float32))
    assert np.array_equal(out, np.full((3, 2), 3))
    return len(compilations) - before


def files():
    return sorted(path for path in clique.cache_folder().iterdir() if path.suffix == ".so"
                  and path.name != "theirs.so")


with multiprocessing.get_context("fork").Pool(4) as pool:
    assert sum(pool.map(use, range(4), chunksize=1)) == 1, compilations
print("one compilation for 4 processes")

taken = []
for _ in range(20):
    start = time.perf_counter()
    clique.compile(SPEC)
    taken.append(time.perf_counter() - start)
assert not compilations and min(taken) < 0.02, taken
print(f"a cached layer takes {min(taken) * 1e3:.2f} ms")
assert oct(clique.cache_folder().stat().st_mode)[-3:] == "700"

clique.compile(SPEC.replace("sum", "max"))
clique.compile(SPEC, cpu="x86-64-v3")
assert len(compilations) == 2 and len(files()) == 3, files()
print("options, text and name are told apart")

try:
    clique.compile(SPEC.replace("sum %m", "none %m"))
    raise AssertionError("compiled")
except clique.SpecError:
    assert not list(clique.cache_folder().glob("*.lock"))

for path in files():  # anew: some are loaded
    contents = path.read_bytes()
    path.unlink()
    path.write_bytes(contents[:1000])
del compilations[:]
assert use(0) == 1 and use(0) == 0
print("damage is mended")

# A limit that is none is said before anything is compiled, each time.
for text in "many", "9" * 5000:
    os.environ["CLIQUE_CACHE_MIB"] = text
    for _ in range(2):
        raises(clique.ArgumentError, "expected a number of MiB", clique.compile, SPEC + f"// {len(text)}")
del os.environ["CLIQUE_CACHE_MIB"]

# What was not used for longest goes; what is in use by others, and is young, stays.
(clique.cache_folder() / "tmpother_12.tmp").write_bytes(b"unfinished")
(clique.cache_folder() / "tmpleft_123.tmp").write_bytes(b"of a crash")
(clique.cache_folder() / "theirs.so").write_bytes(b"of the user")
for name in "tmpleft_123.tmp", "theirs.so":
    os.utime(clique.cache_folder() / name, (1, 1))
limit = max(path.stat().st_size for path in files()) + 100
_cache.limit = lambda: limit
clique.compile(SPEC.replace("sum", "min"))
assert len(files()) == 1 and (clique.cache_folder() / "theirs.so").exists()
assert not (clique.cache_folder() / "tmpleft_123.tmp").exists()
assert (clique.cache_folder() / "tmpother_12.tmp").exists()
print("the limit holds")

limits = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
try:
    clique.compile(SPEC.replace("sum", "mean"))
    raise AssertionError("written")
except clique.FileError as error:
    assert isinstance(error, OSError), error
finally:
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
assert not [path for path in clique.cache_folder().glob("*.tmp") if "other" not in path.name]
print("a full disk is no mistake of the spec")

# Where the user's folder cannot be made, this process has one; one that was asked for has to be.
chosen = os.environ.pop("CLIQUE_CACHE_DIR")
os.environ["XDG_CACHE_HOME"] = os.devnull
del compilations[:]
assert use(0) == 1 and use(0) == 0
os.environ["CLIQUE_CACHE_DIR"] = os.devnull
try:
    use(0)
    raise AssertionError("written")
except clique.FileError as error:
    assert os.devnull in str(error), error
print("no folder")
