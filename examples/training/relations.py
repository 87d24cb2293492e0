# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains an R-GCN to tell the classes of a knowledge graph's entities, with compiled gradients and
NumPy.

    export PYTHONPATH=build/python
    python3 examples/training/relations.py DATA/aifb            # ten seeds

The folder holds graph.mtx, whose rows receive from its columns, edge_type.npy, labels.npy,
train_mask.npy and test_mask.npy. Each edge is also taken the other way round, with a relation of its
own. What is reported is the accuracy on the test entities after the last epoch."""

import argparse
import pathlib
import time

import clique
import numpy as np

from train import Adam, cross_entropy, draw, show

SPEC = (pathlib.Path(__file__).parent / "relations.mlir").read_text()
RATE, DECAY, EPOCHS = 0.01, 5e-4, 50


def read(folder):
    """The graph, the relation of each edge and its weight 1/|N_r(i)|, labels and masks."""
    with (folder / "graph.mtx").open() as lines:
        sizes = next(line for line in lines if not line.startswith("%"))
        pairs = np.loadtxt(lines, dtype=np.int64, ndmin=2)[:, :2] - 1
    types = np.load(folder / "edge_type.npy")
    dst, src = np.concatenate([pairs, pairs[:, ::-1]]).T
    relations = np.concatenate([types, types + types.max() + 1]).astype(np.int32)
    groups = dst * (relations.max() + 1) + relations
    _, group, counts = np.unique(groups, return_inverse=True, return_counts=True)
    graph = clique.Graph.from_coo(dst, src, int(sizes.split()[0]))
    arrays = {name: np.load(folder / f"{name}.npy") for name in ("labels", "train_mask", "test_mask")}
    return graph, relations, (1 / counts[group]).astype(np.float32), arrays


def start(layer, rng, nodes):
    """As Glorot and Bengio have it; biases are 0."""
    params = {}
    for arg in layer.args:
        if arg.name in ("g", "r", "c"):
            continue
        shape = [nodes, *arg.shape[1:]] if arg.name == "e" else arg.shape
        bound = np.sqrt(6 / sum(shape[-2:])) if len(shape) > 1 and arg.name != "e" else 1
        params[arg.name] = (np.zeros(shape, np.float32) if arg.name.startswith("b")
                            else rng.uniform(-bound, bound, shape).astype(np.float32))
    return params


def train(data, layer, gradient, seed, epochs):
    graph, relations, weights, arrays = data
    params = start(layer, np.random.default_rng(seed), graph.num_dst)
    inputs = {"g": graph, "r": relations, "c": weights}
    rows = np.flatnonzero(arrays["train_mask"])
    optimiser, losses = Adam(RATE, DECAY), []
    for epoch in range(1, epochs + 1):
        values = {**inputs, **params}
        made = gradient.forward(**values)
        loss, cotangent = cross_entropy(made[0], arrays["labels"], rows)
        gradients = gradient.backward(*(values[arg.name] for arg in layer.args),
                                      *(made[k] for k in gradient.kept), cotangent)
        optimiser.update(params, dict(zip(gradient.wrt, gradients)))
        losses.append(loss)
        show(epoch, epochs, f"loss {loss:.3f}")
    hits = layer(**inputs, **params).argmax(1) == arrays["labels"]
    return hits[arrays["test_mask"].astype(bool)].mean(), losses


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, help="a folder")
    parser.add_argument("--seeds", type=int, default=10, help="runs (default: 10)")
    parser.add_argument("--epochs", type=int, default=EPOCHS, help=f"of each (default: {EPOCHS})")
    parser.add_argument("--picture", help="a file for the curves of the loss, SVG")
    options = parser.parse_args()
    if not (options.data / "edge_type.npy").exists():
        parser.error(f"{options.data}: has no edge_type.npy; see --help")
    data = read(options.data)
    sizes = data[1].max() + 1, data[3]["labels"].max() + 1
    layer = clique.compile(SPEC.replace("90x", f"{sizes[0]}x").replace("4xf32", f"{sizes[1]}xf32"),
                           "rgcn")
    gradient = layer.gradient(*(arg.name for arg in layer.args if arg.name not in ("g", "r", "c")))
    begin = time.perf_counter()
    runs = [train(data, layer, gradient, seed, options.epochs) for seed in range(options.seeds)]
    accuracies = 100 * np.array([accuracy for accuracy, _ in runs])
    print(f"rgcn: accuracy {accuracies.mean():.1f} +- {accuracies.std():.1f} % over {len(runs)} "
          f"runs, {time.perf_counter() - begin:.0f} s")
    if options.picture:
        draw([(f"rgcn: {accuracies.mean():.1f} %", [losses for _, losses in runs])],
             f"{options.data.name}: training loss over epochs, accuracy on the test set",
             options.picture)


if __name__ == "__main__":
    main()
