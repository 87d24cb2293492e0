# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers without some of their heads give what they give with all heads where the values of
these heads are 0, because the weights that make them are: on rows, on tiles, on the emulated
GPU, of one softmax of several, and for the gradient."""
# RUN: rm -rf %t && mkdir %t
# RUN: %python %s %examples %graphs/karate.mtx %t | FileCheck %s
# CHECK: pruned: 7 layers

import pathlib
import re
import subprocess
import sys

import numpy as np

EXAMPLES, KARATE, WORK = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])


def run(*words):
    done = subprocess.run([str(word) for word in words], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"{words}:\n{done.stdout}")
    return done.stdout


def shapes(spec, entry):
    """The shapes of the arguments of f32; a free dimension is 34, as many nodes as karate has."""
    text = re.search(rf"func\.func @{entry}\((.*?)\)\s*->", spec.read_text(), re.S).group(1)
    found = re.findall(r'%(\w+)\s*:\s*tensor<([\dx?]+)xf32>(?:\s*\{mp\.name = "([\w.]+)")?',
                       text)
    return {given or name: [34 if size == "?" else int(size) for size in sizes.split("x")]
            for name, sizes, given in found}


def check(name, heads, zeroed, *options, entry=None, values=None):
    """`values`: the argument, and its dimension of heads, that makes the values; all of the
    heads `zeroed` are 0 in it for the run with all heads."""
    spec = EXAMPLES / f"{name}.mlir"
    entry = entry or spec.stem
    random = np.random.default_rng(1)
    arrays = {key: (random.standard_normal(shape) / np.sqrt(shape[0])).astype(np.float32)
              for key, shape in shapes(spec, entry).items()}
    given = [f"--input={key}={WORK}/{key}.npy" for key in arrays]
    outputs = []
    for pruning in ([], [f"--prune-heads={heads}"]):
        for key, array in arrays.items():
            np.save(WORK / f"{key}.npy", array)
        if not pruning:
            argument, dimension = values
            whole = arrays[argument].copy()
            whole[(slice(None),) * dimension + (zeroed,)] = 0
            np.save(WORK / f"{argument}.npy", whole)
        result = WORK / "out.npy"
        verify = ["--verify"] if pruning else []
        run("clique-run", "-O1", spec, f"--entry={entry}", *given, *pruning, *options, *verify,
            f"--output={result}")
        outputs.append(np.load(result))
    error = np.abs(outputs[0] - outputs[1]).max() / np.abs(outputs[0]).max()
    if not error <= 1e-5:
        sys.exit(f"{name}: without heads {heads} the result differs by {error:.1e}")
    if error == 0 and not (outputs[0] == outputs[1]).all():
        sys.exit(f"{name}: NaN")


karate = f"--graph={KARATE}"
check("attention", "0,3,6", [0, 3, 6], karate, values=("wv", 1))
check("attention", "7", [7], "--graph=complete:34", "--lowering=dense", values=("wv", 1))
check("gat", "1,2", [1, 2], karate, "--target=cuda", "--emulate", values=("w", 1))
check("grouped_query", "2", range(64, 96), "--graph=causal:34", values=("wo", 0))
check("families/encoder_decoder", "1:0,1:2", [0, 2], entry="encoder_decoder", values=("v2", 1))
check(pathlib.Path(__file__).parent / "Inputs" / "head_ops", "0,3", [0, 3], karate, entry="ops",
      values=("wv", 1))
check("networks/networks", "5", [5], karate, entry="gat",
      values=("conv1.lin.weight", 1))

# The gradient of what is left: the weights of heads that are gone have none.
run("clique-run", "-O1", EXAMPLES / "attention.mlir", karate, "--prune-heads=2,3",
    "--gradients=wv,wo", "--verify", f"--output=grad_wv={WORK}/wv.npy")
gradient = np.load(WORK / "wv.npy")
if gradient[:, 2:4].any() or not gradient[:, :2].any() or not gradient[:, 4:].any():
    sys.exit("the gradient by the weights of pruned heads is not 0, or that of others is")
print("pruned: 7 layers")
