# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example that trains, for some epochs, on a graph that it makes up: four groups are told
apart. Where the data are, a graph classifier too."""

# RUN: %python %s %python %examples/training/train.py %t.svg %data

import pathlib
import re
import subprocess
import sys

PYTHON, TRAIN, PICTURE, DATA = sys.argv[1:]


def train(*options):
    result = subprocess.run([PYTHON, TRAIN, *options], text=True, capture_output=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return [float(number) for number in re.findall(r"accuracy ([\d.]+) \+-", result.stdout)]


# By chance it were 25.
accuracies = train("planted", "--model=gcn,gat", "--seeds=1", "--epochs=40", f"--picture={PICTURE}")
assert len(accuracies) == 2 and min(accuracies) > 85, accuracies
assert pathlib.Path(PICTURE).read_text().count("<polyline") == 2

# Two thirds are of one class.
mutag = pathlib.Path(DATA) / "mutag"
if mutag.is_dir():
    accuracies = train(str(mutag), "--model=gin", "--seeds=2", "--epochs=40")
    assert accuracies[0] > 75, accuracies
print("training ok")
