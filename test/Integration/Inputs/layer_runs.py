# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs layers with arrays, and compares what they return with what NumPy says."""

import pathlib
import subprocess
import sys

import numpy as np


class Runner:
    """Runs layers in a folder, which is made, and counts."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.runs = 0
        folder.mkdir(parents=True, exist_ok=True)

    def __call__(self, layer, arrays, *options, outputs=(), kernel=""):
        """The outputs of a run that has to succeed; `kernel` is in what it prints."""
        for name, array in arrays.items():
            np.save(self.folder / f"{name}.npy", array)
        command = ["clique-run", str(layer), *options,
                   *(f"--input={name}={self.folder / name}.npy" for name in arrays),
                   *(f"--output={name}={self.folder / name}.npy" for name in outputs)]
        result = subprocess.run(command, text=True, capture_output=True, check=False)
        if result.returncode != 0:
            sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
        self.runs += 1
        assert kernel in result.stdout, result.stdout
        assert "--verify" not in options or ": ok" in result.stdout, result.stdout
        return [np.load(self.folder / f"{name}.npy") for name in outputs]


def compare(name, found, expected, tolerance=2e-5):
    scale = np.abs(expected).max(initial=1)
    error = np.abs(found - expected).max(initial=0) / scale
    assert error < tolerance, (name, error)
