# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The karate club of examples/graphs is Zachary's: 34 members, 78 friendships
given in both directions, and the published degrees."""
# RUN: %python %s %graphs/karate.mtx | FileCheck %s
# CHECK: 34 members, 78 friendships, symmetric, no self-loop
# CHECK: degrees 16 9 10 6 3 4 4 4 5 2 3 1 2 5 2 2 2 2 2 3 2 2 2 5 3 3 2 4 3 4 4 6 12 17

import sys

import scipy.io

club = scipy.io.mmread(sys.argv[1]).tocsr()
assert club.shape[0] == club.shape[1] and (club.data == 1).all()
symmetric = "symmetric" if (club != club.T).nnz == 0 else "not symmetric"
loops = "no self-loop" if club.diagonal().sum() == 0 else "self-loops"
print(f"{club.shape[0]} members, {club.nnz // 2} friendships, {symmetric}, {loops}")
print("degrees", *(int(degree) for degree in club.sum(axis=1).A1))
