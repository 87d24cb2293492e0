# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Positional encodings: eigenvectors by LAPACK and by ARPACK, checked by what makes them
eigenvectors, and by the eigenvalues of a path, which are known; returns of a random walk by
powers of a dense matrix; the sign; and bad input."""
# RUN: rm -rf %t && mkdir %t && cd %t
# RUN: %python %s %clique_src_root/tools/graph-encodings/graph-encodings.py %graphs/karate.mtx | FileCheck %s
# CHECK: encodings of 3 graphs, 10 errors

import gzip
import os
import subprocess
import sys

import numpy as np
import scipy.io
import scipy.sparse

TOOL, KARATE = sys.argv[1:]


def run(*words):
    return subprocess.run([sys.executable, TOOL, *words], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def encode(graph, *options):
    done = run(graph, *options, "-o", "p.npy")
    assert done.returncode == 0, done.stdout
    p = np.load("p.npy")
    assert p.dtype == np.float32 and f"{p.shape[0]} nodes, {p.shape[1]} columns" in done.stdout
    return p.astype(float)


def check(graph, adjacency, expected=None):
    """Of an undirected graph."""
    scale = 1 / np.sqrt(adjacency.sum(axis=1))
    laplacian = np.eye(len(scale)) - scale[:, None] * adjacency * scale
    p = encode(graph, "--laplacian=5", "--random-walk=4")
    vectors, returns = p[:, :5], p[:, 5:]
    values = np.einsum("ik,ij,jk->k", vectors, laplacian, vectors)
    assert np.abs(laplacian @ vectors - values * vectors).max() < 1e-5
    assert np.abs(vectors.T @ vectors - np.eye(5)).max() < 1e-5
    wanted = np.linalg.eigvalsh(laplacian)[1:6] if expected is None else expected
    assert np.abs(values - wanted).max() < 1e-5, values
    for column in vectors.T:
        top = np.abs(column) >= np.abs(column).max() * (1 - 1e-5)
        assert column[np.argmax(top)] > 0
    step, power = adjacency / adjacency.sum(axis=1)[:, None], np.eye(len(scale))
    for t in range(4):
        power = step @ power
        assert np.abs(returns[:, t] - np.diag(power)).max() < 1e-6


check(KARATE, (scipy.io.mmread(KARATE).toarray() > 0).astype(float))
# A cycle: 1 - cos(2 pi k / n), each twice but the first.
n = 600
with open("cycle.mtx", "w", encoding="ascii") as file:
    file.write(f"%%MatrixMarket matrix coordinate pattern general\n{n} {n} {n}\n")
    file.writelines(f"{i + 1} {(i + 1) % n + 1}\n" for i in range(n))
cycle = np.roll(np.eye(n), 1, axis=1)
p = encode("cycle.mtx", "--laplacian=5")
values = 1 - np.cos(2 * np.pi * np.array([1, 1, 2, 2, 3]) / n)
both = np.eye(n) - (cycle + cycle.T) / 2
assert np.abs(both @ p - values * p).max() < 1e-5
# Of 5 rings each value is there 5 times, and all but the first 10, of which ARPACK misses some.
rings = np.kron(np.eye(5), np.roll(np.eye(200), 1, axis=1))
scipy.io.mmwrite("rings.mtx", scipy.sparse.coo_matrix(rings), field="pattern")
p = encode("rings.mtx", "--laplacian=12")
values = 1 - np.cos(2 * np.pi * np.repeat([0, 1], [4, 8]) / 200)
assert np.abs(p - (rings + rings.T) / 2 @ p - values * p).max() < 1e-5
assert np.abs(p.T @ p - np.eye(12)).max() < 1e-5
# All that there are, which ARPACK does not find.
p = encode("cycle.mtx", f"--laplacian={n - 1}")
values = 1 - np.cos(2 * np.pi * ((np.arange(n - 1) // 2) + 1) / n)
assert np.abs(both @ p - values * p).max() < 1e-5
# It is directed: after n steps, and not before, one is back.
assert not encode("cycle.mtx", "--random-walk=3").any()

with open("wide.mtx", "w", encoding="ascii") as file:
    file.write("%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 3\n")
with gzip.open("cut.mtx.gz", "wb") as file:
    file.write(b"%%MatrixMarket matrix coordinate pattern general\n" + b"1 1\n" * 1000)
os.truncate("cut.mtx.gz", 60)
with open("huge.mtx", "w", encoding="ascii") as file:
    file.write(f"%%MatrixMarket matrix coordinate pattern general\n9 9 {10**15}\n1 3\n")
# A link stays a link, and what is no file stays what it is.
os.symlink("target.npy", "link.npy")
assert run(KARATE, "--laplacian=1", "-o", "link.npy").returncode == 0
assert os.readlink("link.npy") == "target.npy" and os.path.exists("target.npy")
os.mkfifo("pipe")
errors = 0
for words, text in (
        (["absent.mtx", "--laplacian=1", "-o", "q.npy"], "absent.mtx: cannot be read: "),
        ([__file__, "--laplacian=1", "-o", "q.npy"], "is no Matrix Market file: "),
        (["wide.mtx", "--laplacian=1", "-o", "q.npy"],
         "wide.mtx: has 2 rows and 3 columns; expected a graph over one set of nodes"),
        ([KARATE, "--laplacian=34", "-o", "q.npy"],
         "--laplacian=34: a graph of 34 nodes has 33 eigenvectors after the first"),
        ([KARATE, "--laplacian=1", "-o", "absent/q.npy"], "absent/q.npy: cannot be written: "),
        (["cut.mtx.gz", "--laplacian=1", "-o", "q.npy"],
         "cut.mtx.gz: is no Matrix Market file: Compressed file ended before"),
        (["huge.mtx", "--laplacian=1", "-o", "q.npy"],
         "huge.mtx: cannot be read: there is too little memory"),
        ([KARATE, "--laplacian=1", "-o", "pipe"],
         "pipe: cannot be written: is no regular file"),
        ([KARATE, "-o", "q.npy"], "error: give --laplacian=K or --random-walk=K"),
        ([KARATE, "--random-walk=-1", "-o", "q.npy"], "error: a number of columns is negative")):
    done = run(*words)
    assert done.returncode and text in done.stdout, done.stdout
    errors += 1
print(f"encodings of 3 graphs, {errors} errors")
