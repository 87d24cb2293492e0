# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes NAME.npy for each argument NAME=SIZExSIZE...: f32, normally distributed."""

import argparse

import numpy as np

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--mean", type=float, default=0)
parser.add_argument("array", nargs="+")
arguments = parser.parse_args()
for number, array in enumerate(arguments.array):
    name, _, shape = array.partition("=")
    values = np.random.default_rng(number).standard_normal(list(map(int, shape.split("x"))))
    np.save(name + ".npy", (arguments.mean + values).astype(np.float32))
