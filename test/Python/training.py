# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples that train, for some epochs: on a graph that one makes up, whose four groups are told
apart, and on a text. Where the data are, a graph classifier and a knowledge graph too."""

# The examples are run by a Python without a sanitizer's functions.
# UNSUPPORTED: asan
# RUN: %python %s %python %examples/training/train.py %t.svg %data

import pathlib
import re
import subprocess
import sys

PYTHON, TRAIN, PICTURE, DATA = sys.argv[1:]


def run(program, *options):
    result = subprocess.run([PYTHON, pathlib.Path(TRAIN).with_name(program), *options], text=True,
                            capture_output=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def train(*options, program="train.py"):
    return [float(number) for number in
            re.findall(r"accuracy ([\d.]+) \+-", run(program, *options))]


# By chance it were 25.
accuracies = train("planted", "--model=gcn,gat_mean", "--seeds=1", "--epochs=40",
                   f"--picture={PICTURE}")
assert len(accuracies) == 2 and min(accuracies) > 85, accuracies
assert pathlib.Path(PICTURE).read_text().count("<polyline") == 2
# The epoch whose loss is least.
assert train("planted", "--seeds=1", "--epochs=40", "--by=loss")[0] > 85

# Two thirds are of one class.
mutag = pathlib.Path(DATA) / "mutag"
if mutag.is_dir():
    accuracies = train(str(mutag), "--model=gin", "--seeds=2", "--epochs=40")
    assert accuracies[0] > 75, accuracies
# 4 classes; three of four entities are told apart after a few steps.
aifb = pathlib.Path(DATA) / "aifb"
if aifb.is_dir():
    accuracies = train(str(aifb), "--seeds=1", "--epochs=10", program="relations.py")
    assert accuracies[0] > 75, accuracies

# By chance the loss were log 128 = 4.85. With PyTorch it is the same, step by step.
text = run("text.py", "--steps=12")
assert float(re.search(r"clique: mean loss of the last 10 steps ([\d.]+)", text)[1]) < 4.2, text
difference = re.search(r"largest difference of a loss: ([\d.e+-]+)", text)
assert difference is None or float(difference[1]) < 1e-3, text
print("training ok")
