# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains graph networks with compiled gradients, NumPy and nothing else.

    export PYTHONPATH=build/python
    python3 examples/training/train.py DATA/cora                      # GCN, ten seeds
    python3 examples/training/train.py DATA/pubmed --model=gat_mean    # as the paper has it there
    python3 examples/training/train.py DATA/mutag --model=gin         # whole graphs, ten folds
    python3 examples/training/train.py planted --model=sage           # made up: no files
    python3 examples/training/train.py DATA/cora --model=gcn,sage,gat --picture=loss.svg

A folder of data holds graph.mtx, features.npy or .mtx (.gz), labels.npy and masks (train_mask.npy,
val_mask.npy, test_mask.npy), or graph_ids.npy and graph_labels.npy. What is reported is the accuracy
on the test nodes at the epoch that is best on the validation nodes, by accuracy or by loss; of whole
graphs, that on each tenth of them after the last epoch, trained with the rest."""

import argparse
import gzip
import pathlib
import re
import time

import clique
import numpy as np

SPEC = (pathlib.Path(__file__).parent / "models.mlir").read_text()
# Learning rate, weight decay, share that dropout takes, epochs: those of the papers, where they say.
SETTINGS = {"gcn": (0.01, 5e-4, 0.5, 200), "sage": (0.01, 5e-4, 0.5, 200),
            "gat": (0.005, 5e-4, 0.6, 400), "gat_mean": (0.01, 1e-3, 0.6, 400),
            "gin": (0.01, 0.0, 0.5, 100)}


# ---------------------------------------------------------------------------------------------
# Data
# ---------------------------------------------------------------------------------------------

def read_features(folder):
    for path in sorted(folder.glob("features.*")):
        data = gzip.open(path) if path.suffix == ".gz" else path.open("rb")
        if ".npy" in path.name:
            return np.load(data).astype(np.float32)
        lines = [line for line in data.read().decode().splitlines() if not line.startswith("%")]
        features = np.zeros([int(size) for size in lines[0].split()[:2]], np.float32)
        entries = np.array([line.split() for line in lines[1:]], dtype=np.float64)
        values = entries[:, 2] if entries.shape[1] > 2 else 1
        features[entries[:, 0].astype(int) - 1, entries[:, 1].astype(int) - 1] = values
        return features
    raise SystemExit(f"{folder}: has no features.npy or features.mtx, nor with .gz")


def read_data(folder):
    if not folder.is_dir():
        raise SystemExit(f"{folder}: is no folder of data; see --help")
    graph = clique.Graph.read(next(folder.glob("graph.mtx*")))
    arrays = {path.stem: np.load(path) for path in folder.glob("*.npy")}
    return graph, read_features(folder), arrays


def plant(rng, nodes=400, classes=4):
    """Four groups with few edges between them, with features that say little."""
    labels = np.arange(nodes) % classes
    same = labels[:, None] == labels
    pairs = np.triu(rng.random((nodes, nodes)) < np.where(same, 0.06, 0.004), 1)
    dst, src = np.nonzero(pairs | pairs.T)
    features = rng.random((nodes, 32)) < 0.1 + 0.2 * (np.arange(32) % classes == labels[:, None])
    split = rng.permutation(nodes)
    masks = {f"{name}_mask": np.isin(np.arange(nodes), part) for name, part in
             zip(("train", "val", "test"), (split[:60], split[60:160], split[160:]))}
    return (clique.Graph.from_coo(dst, src, nodes), features.astype(np.float32),
            {"labels": labels, **masks})


# ---------------------------------------------------------------------------------------------
# Training
# ---------------------------------------------------------------------------------------------

class Adam:
    """Kingma, Ba: Adam, ICLR 2015; `decay` is added to the gradients of matrices."""

    def __init__(self, rate, decay):
        self.rate, self.decay, self.step, self.state = rate, decay, 0, {}

    def update(self, params, gradients):
        self.step += 1
        for name, g in gradients.items():
            if params[name].ndim > 1:
                g = g + self.decay * params[name]
            m, v = self.state.get(name, (0, 0))
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            self.state[name] = m, v
            m, v = m / (1 - 0.9**self.step), v / (1 - 0.999**self.step)
            params[name] = (params[name] - self.rate * m / (np.sqrt(v) + 1e-8)).astype(np.float32)


class Network:
    """A model of models.mlir for data of this size: its layer, its gradient, its parameters."""

    def __init__(self, model, features, classes, drop):
        spec = re.sub(r"(?<=[<x])7(?=xf32)", str(classes), SPEC)
        spec = re.sub(r"(?<!\d)1433(?=x)", str(features), spec)
        self.drop = drop
        self.layer = clique.compile(spec, model)
        shapes = {arg.name: arg.shape for arg in self.layer.args}
        self.shapes = {name: shape for name, shape in shapes.items()
                       if re.fullmatch(r"[a-z]\d", name)}
        self.masks = {name: shape[1:] for name, shape in shapes.items() if name.startswith("keep")}
        self.gradient = self.layer.gradient(*self.shapes)

    def start(self, rng):
        """Uniform, as Glorot and Bengio have it (AISTATS 2010); biases are 0."""
        def draw(name, shape):
            if name.startswith("b"):
                return np.zeros(shape, np.float32)
            bound = np.sqrt(6 / (shape[0] + (np.prod(shape[1:]) if len(shape) > 1 else 1)))
            return rng.uniform(-bound, bound, shape).astype(np.float32)
        self.params = {name: draw(name, shape) for name, shape in self.shapes.items()}

    def make_masks(self, sizes, rng=None):
        """Factors of dropout, by the name of the input; all 1 without a generator."""
        masks = {}
        for name, shape in self.masks.items():
            shape = (sizes[name], *shape)
            masks[name] = np.ones(shape, np.float32)
            if rng:
                masks[name] = (rng.random(shape) >= self.drop).astype(np.float32) / (1 - self.drop)
        return masks

    def step(self, inputs, get_cotangent, optimiser):
        """Forward, the loss, backward, a step. The loss."""
        values = {**inputs, **self.params}
        made = self.gradient.forward(**values)
        made = made if isinstance(made, tuple) else (made,)
        loss, cotangent = get_cotangent(made[0])
        gradients = self.gradient.backward(*(values[arg.name] for arg in self.layer.args),
                                           *(made[k] for k in self.gradient.kept), cotangent)
        optimiser.update(self.params, dict(zip(self.gradient.wrt, gradients)))
        return loss


def cross_entropy(logits, labels, rows):
    """The mean over these rows, and its cotangent."""
    chosen = logits[rows].astype(np.float64)
    chosen -= chosen.max(1, keepdims=True)
    log = chosen - np.log(np.exp(chosen).sum(1, keepdims=True))
    own = np.arange(len(rows)), labels[rows]
    cotangent = np.zeros_like(logits)
    cotangent[rows] = np.exp(log) / len(rows)
    cotangent[rows, labels[rows]] -= 1 / len(rows)
    return -log[own].mean(), cotangent


class FeatureDropout:
    """Of features most of which are 0: only the others are drawn."""

    def __init__(self, features, share):
        self.places = np.flatnonzero(features)
        self.values = features.ravel()[self.places] / np.float32(1 - share)
        self.share, self.dropped = share, np.zeros_like(features)

    def draw(self, rng):
        kept = rng.random(len(self.places)) >= self.share
        self.dropped.ravel()[self.places] = self.values * kept
        return self.dropped


def show(epoch, epochs, text):
    if epoch % 10 == 0 or epoch == epochs:
        print(f"\r  epoch {epoch} of {epochs}: {text}", end="\n" if epoch == epochs else "", flush=True)


def train_nodes(data, model, seed, epochs, by):
    graph, features, arrays = data
    rng = np.random.default_rng(seed)
    labels = arrays["labels"]
    train, val, test = (np.flatnonzero(arrays[f"{name}_mask"]) for name in ("train", "val", "test"))
    rate, decay, drop, most = SETTINGS[model]
    epochs = epochs or most
    # Each node's features have the sum 1; GraphSAGE alone does not count itself as a neighbour.
    features = features / np.maximum(features.sum(1, keepdims=True), 1e-9)
    if model != "sage":
        graph = graph.with_self_loops()
    sizes = {"keep": graph.num_dst, "keep1": graph.num_edges, "keep2": graph.num_edges}
    network = Network(model, features.shape[1], labels.max() + 1, drop)
    network.start(rng)
    optimiser, losses, best = Adam(rate, decay), [], (-np.inf, 0)
    dropout = FeatureDropout(features, drop)
    whole = {"g": graph, "x": features, **network.make_masks(sizes)}
    for epoch in range(1, epochs + 1):
        inputs = {"g": graph, "x": dropout.draw(rng), **network.make_masks(sizes, rng)}
        losses.append(network.step(inputs, lambda out: cross_entropy(out, labels, train), optimiser))
        out = network.layer(**whole, **network.params)
        hits = out.argmax(1) == labels
        found = hits[val].mean() if by == "accuracy" else -cross_entropy(out, labels, val)[0]
        if found >= best[0]:
            best = found, hits[test].mean()
        show(epoch, epochs, f"loss {losses[-1]:.3f}, validation {abs(best[0]):.3f}, test {best[1]:.3f}")
    return best[1], losses


def train_graphs(data, model, fold, epochs, _):
    """Trains with all graphs but a tenth: these have no part in the loss."""
    graph, features, arrays = data
    rng = np.random.default_rng(0)
    labels = arrays["graph_labels"]
    labels = (labels == labels.max()).astype(int)
    test = rng.permutation(len(labels))[fold % 10::10]
    train = np.setdiff1d(np.arange(len(labels)), test)
    offsets = np.searchsorted(arrays["graph_ids"], np.arange(len(labels) + 1)).astype(np.int64)
    rate, decay, drop, most = SETTINGS[model]
    epochs = epochs or most
    network = Network(model, features.shape[1], 2, drop)
    rng = np.random.default_rng(fold)
    network.start(rng)
    optimiser, losses = Adam(rate, decay), []
    inputs, sizes = {"g": graph, "graphs": offsets, "x": features}, {"keep": len(labels)}
    for epoch in range(1, epochs + 1):
        masks = network.make_masks(sizes, rng)
        losses.append(network.step({**inputs, **masks},
                                   lambda out: cross_entropy(out, labels, train), optimiser))
        show(epoch, epochs, f"loss {losses[-1]:.3f}")
    out = network.layer(**inputs, **network.make_masks(sizes), **network.params)
    return (out.argmax(1) == labels)[test].mean(), losses


# ---------------------------------------------------------------------------------------------
# The picture
# ---------------------------------------------------------------------------------------------

def draw(curves, title, path, dashed=False):
    """Losses over epochs, one colour a model: the mean of all runs, between the least and the most.
    dashed: all but the first curve, so that it is seen beneath another."""
    width, height, left, top = 560, 300, 46, 34
    colours = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd")
    epochs = max(len(losses) for _, runs in curves for losses in runs)
    most = max(max(losses) for _, runs in curves for losses in runs)
    def at(epoch, loss):
        return (f"{left + epoch / epochs * (width - left - 12):.1f},"
                f"{height - 30 - loss / most * (height - 30 - top):.1f}")
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{left}" y="18" font-weight="bold">{title}</text>']
    for k in range(5):
        x, y = at(epochs * k / 4, most * k / 4).split(",")
        parts.append(f'<line x1="{left}" x2="{width - 12}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{float(y) + 4}" text-anchor="end">{most * k / 4:.1f}</text>')
        parts.append(f'<text x="{x}" y="{height - 12}" text-anchor="middle">{epochs * k // 4}</text>')
    for k, (name, runs) in enumerate(curves):
        runs = np.array(runs)
        shown = np.unique(np.linspace(0, runs.shape[1] - 1, 101).astype(int))
        def trace(losses, order):
            return " ".join(at(epoch + 1, losses[epoch]) for epoch in order)
        band = trace(runs.min(0), shown) + " " + trace(runs.max(0), shown[::-1])
        parts.append(f'<polygon points="{band}" fill="{colours[k % 4]}" opacity="0.2"/>')
        parts.append(f'<polyline points="{trace(runs.mean(0), shown)}" fill="none" '
                     f'stroke="{colours[k % 4]}" stroke-width="1.4"'
                     + (' stroke-dasharray="6 6"' if dashed and k else "") + "/>")
        parts.append(f'<text x="{width - 16}" y="{top + 14 + 16 * k}" text-anchor="end" '
                     f'fill="{colours[k % 4]}">{name}</text>')
    pathlib.Path(path).write_text("\n".join(parts) + "\n</svg>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", help="a folder, or 'planted'")
    parser.add_argument("--model", default="gcn", help="gcn, sage, gat, gat_mean or gin; several with commas")
    parser.add_argument("--seeds", type=int, default=10, help="runs (default: 10)")
    parser.add_argument("--epochs", type=int, default=0, help="of each run (default: the paper's)")
    parser.add_argument("--by", default="accuracy", choices=["accuracy", "loss"],
                        help="of the validation nodes, which says what epoch is best (default: accuracy)")
    parser.add_argument("--picture", help="a file for the curves of the loss, SVG")
    options = parser.parse_args()
    data = (plant(np.random.default_rng(0)) if options.data == "planted"
            else read_data(pathlib.Path(options.data)))
    curves = []
    for model in options.model.split(","):
        if model not in SETTINGS:
            parser.error(f"--model={model}: there is: {', '.join(SETTINGS)}")
        if (model == "gin") != ("graph_labels" in data[2]):
            parser.error(f"--model={model} does not go with {options.data}: gin is for whole graphs")
        train = train_graphs if model == "gin" else train_nodes
        start = time.perf_counter()
        runs = [train(data, model, seed, options.epochs, options.by)
                for seed in range(options.seeds)]
        accuracies = 100 * np.array([accuracy for accuracy, _ in runs])
        print(f"{model}: accuracy {accuracies.mean():.1f} +- {accuracies.std():.1f} % over {len(runs)} "
              f"runs, {time.perf_counter() - start:.0f} s", flush=True)
        curves.append((f"{model}: {accuracies.mean():.1f} +- {accuracies.std():.1f} %",
                       [losses for _, losses in runs]))
    if options.picture:
        name = pathlib.Path(options.data).name
        draw(curves, f"{name}: training loss over epochs, accuracy on the test set, "
             f"{options.seeds} runs each", options.picture)


if __name__ == "__main__":
    main()
