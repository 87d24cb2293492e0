# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a network that PyTorch Geometric trained, and compares it with what PyG computed.

    python3 examples/networks/run.py DATA/cora --network=gat
    python3 examples/networks/run.py DATA/cora --network=gcn --emulate    # kernels of a GPU

DATA/cora holds graph.mtx, features.npy or .mtx (.gz), labels.npy and test_mask.npy: the data of
Planetoid with the public split, as github.com/tkipf/gcn has them. NumPy and SciPy are all it
takes; clique-run is looked for on PATH and in build/bin."""

import argparse
import gzip
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import numpy as np
import scipy.io

HERE = pathlib.Path(__file__).resolve().parent
FILES = ("graph.mtx", "features.*", "labels.npy", "test_mask.npy")


def fail(text):
    sys.exit(f"run.py: error: {text}")


def read_features(folder):
    """Rows that add up to 1."""
    path = sorted(folder.glob("features.*"))[0]
    file = gzip.open(path) if path.suffix == ".gz" else path.open("rb")
    x = np.load(file) if ".npy" in path.name else scipy.io.mmread(file).toarray()
    x = x.astype(np.float32)
    return x / np.maximum(x.sum(axis=1, keepdims=True), 1e-12)


def read_checkpoint(path):
    """PyG's logits of the first nodes, its accuracy, and the heads of the second layer."""
    with path.open("rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        entry = header["logits"]
        begin, end = entry["data_offsets"]
        file.seek(8 + size + begin)
        logits = np.frombuffer(file.read(end - begin), np.float32).reshape(entry["shape"])
    heads = header.get("conv2.att_src", {"shape": [1]})["shape"][0]
    return logits, float(header["__metadata__"]["accuracy"]), heads


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, help="a folder of data")
    parser.add_argument("--network", choices=("gcn", "gat", "sage"), default="gat")
    parser.add_argument("--emulate", action="store_true",
                        help="run the kernels of a GPU, on the CPU")
    arguments = parser.parse_args()
    folder, name = arguments.data, arguments.network
    for pattern in FILES:
        if not any(folder.glob(pattern)):
            fail(f"{folder}: has no {pattern}; expected a folder of the data of Planetoid, as "
                 "github.com/tkipf/gcn has them (see --help)")
    weights = HERE / f"{name}-{folder.name}.safetensors"
    if not weights.exists():
        fail(f"{weights}: no such file; train_pyg.py makes it")
    wanted, accuracy, heads = read_checkpoint(weights)
    x = read_features(folder)
    run = shutil.which("clique-run") or str(HERE.parents[1] / "build" / "bin" / "clique-run")
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        # The spec is written for Cora.
        spec = re.sub(r"(?<=[<x])1(?=x7xf32)", str(heads),
                      (HERE / "networks.mlir").read_text())
        spec = re.sub(r"(?<=<)1(?=xf32)", str(heads), spec)
        spec = re.sub(r"(?<=[<x])7(?=xf32)", str(wanted.shape[1]), spec)
        (work / "networks.mlir").write_text(
            re.sub(r"(?<=[<x])1433(?=x)", str(x.shape[1]), spec))
        np.save(work / "x.npy", x)
        command = [run, work / "networks.mlir", f"--entry={name}", f"--weights={weights}",
                   f"--graph={folder / 'graph.mtx'}", f"--input=x={work / 'x.npy'}",
                   f"--output=logits={work / 'logits.npy'}",
                   *(["--target=cuda", "--emulate"] if arguments.emulate else [])]
        done = subprocess.run([str(word) for word in command], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            fail(f"clique-run failed:\n{done.stdout}")
        logits = np.load(work / "logits.npy")
    labels, mask = (np.load(folder / f"{array}.npy") for array in ("labels", "test_mask"))
    found = (logits.argmax(axis=1) == labels)[mask].mean()
    print(re.sub(rf"{work}/", "", done.stdout), end="")
    print(f"accuracy {100 * found:.1f} % of {mask.sum()} test nodes; PyG's {100 * accuracy:.1f} %")
    error = np.abs(logits[:len(wanted)] - wanted).max()
    print(f"largest difference from PyG's logits: {error:.1e}")
    if not error <= 1e-4 or abs(found - accuracy) > 0.002:
        fail("the network differs from PyG's")


main()
