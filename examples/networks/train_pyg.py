# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains GCN, GAT and GraphSAGE in PyTorch Geometric, and keeps what networks.mlir runs.

    pip install torch torch_geometric safetensors scipy
    python3 examples/networks/train_pyg.py DATA/cora                       # all three
    python3 examples/networks/train_pyg.py DATA/pubmed --network=gcn --epochs=100
    python3 examples/networks/train_pyg.py DATA/pubmed --network=gat \
        --output-heads=8 --rate=0.01 --decay=0.001           # as the paper has it

DATA/cora holds graph.mtx, features.npy or .mtx (.gz), labels.npy and the masks of the public
split. For each network a file NETWORK-FOLDER.safetensors beside this script: the weights in
half precision, under PyG's names, as they are at the epoch that is best on the validation
nodes; the logits of the first nodes that PyG computes from just these weights (`logits`); and
in its header the accuracy on the test nodes."""

import argparse
import gzip
import pathlib

import numpy as np
import scipy.io
import torch
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy, dropout, elu, relu
from torch_geometric.nn import GATConv, GCNConv, SAGEConv

HERE = pathlib.Path(__file__).parent
FEW = 200  # nodes whose logits are kept


class Network(torch.nn.Module):
    """Two layers; `drop` of their inputs is left out in training."""

    def __init__(self, conv1, conv2, act, drop):
        super().__init__()
        self.conv1, self.conv2, self.act, self.drop = conv1, conv2, act, drop

    def forward(self, x, edges):
        x = dropout(x, self.drop, self.training)
        x = self.act(self.conv1(x, edges))
        return self.conv2(dropout(x, self.drop, self.training), edges)


def make_network(name, features, classes, output_heads):
    if name == "gcn":
        return Network(GCNConv(features, 16), GCNConv(16, classes), relu, 0.5)
    if name == "gat":
        return Network(GATConv(features, 8, heads=8, dropout=0.6),
                       GATConv(64, classes, heads=output_heads, concat=False, dropout=0.6),
                       elu, 0.6)
    return Network(SAGEConv(features, 16), SAGEConv(16, classes), relu, 0.5)


def read_features(folder):
    for path in sorted(folder.glob("features.*")):
        file = gzip.open(path) if path.suffix == ".gz" else path.open("rb")
        x = np.load(file) if ".npy" in path.name else scipy.io.mmread(file).toarray()
        return x.astype(np.float32)
    raise SystemExit(f"{folder}: has no features.npy or features.mtx, nor with .gz")


def read_data(folder):
    """Features whose rows add up to 1, edges [2, m] from source to destination, labels, masks."""
    graph = scipy.io.mmread(folder / "graph.mtx").tocoo()
    x = read_features(folder)
    x /= np.maximum(x.sum(axis=1, keepdims=True), 1e-12)
    arrays = {path.stem: torch.from_numpy(np.load(path)) for path in folder.glob("*.npy")
              if not path.stem.startswith("features")}
    edges = np.stack([graph.col, graph.row]).astype(np.int64)
    return torch.from_numpy(x), torch.from_numpy(edges), arrays


def accuracy(logits, data, mask):
    return (logits.argmax(1) == data["labels"])[data[mask]].float().mean().item()


def train(network, x, edges, data, options):
    rate = options.rate or (0.005 if isinstance(network.conv1, GATConv) else 0.01)
    optimiser = torch.optim.Adam(network.parameters(), lr=rate, weight_decay=options.decay)
    best, kept = -1.0, None
    for _ in range(options.epochs):
        network.train()
        optimiser.zero_grad()
        mask = data["train_mask"]
        cross_entropy(network(x, edges)[mask], data["labels"][mask].long()).backward()
        optimiser.step()
        network.eval()
        with torch.no_grad():
            found = accuracy(network(x, edges), data, "val_mask")
        if found > best:
            best = found
            kept = {key: value.clone() for key, value in network.state_dict().items()}
    return kept


def export(network, weights, x, edges, data, path):
    half = {key: value.half() for key, value in weights.items()}
    network.load_state_dict({key: value.float() for key, value in half.items()})
    network.eval()
    with torch.no_grad():
        logits = network(x, edges)
    found = accuracy(logits, data, "test_mask")
    # One node has one vector of each head.
    arrays = {key: value.squeeze(0).contiguous() if ".att_" in key else value
              for key, value in half.items()}
    arrays["logits"] = logits[:FEW].contiguous()
    save_file(arrays, path, {"accuracy": f"{found:.4f}"})
    print(f"{path.name}: {100 * found:.1f} % of the test nodes", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path, help="a folder of data")
    parser.add_argument("--network", choices=("gcn", "gat", "sage"), help="only this one")
    parser.add_argument("--epochs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rate", type=float, help="default: 0.005 for GAT, else 0.01")
    parser.add_argument("--decay", type=float, default=5e-4, help="of weights (default: 5e-4)")
    parser.add_argument("--output-heads", type=int, default=1,
                        help="of GAT's second layer, whose mean is taken (default: 1)")
    parser.add_argument("--output", type=pathlib.Path, default=HERE, help="the folder to write to")
    arguments = parser.parse_args()
    x, edges, data = read_data(arguments.data)
    classes = int(data["labels"].max()) + 1
    for name in (arguments.network,) if arguments.network else ("gcn", "gat", "sage"):
        torch.manual_seed(arguments.seed)
        network = make_network(name, x.shape[1], classes, arguments.output_heads)
        weights = train(network, x, edges, data, arguments)
        export(network, weights, x, edges, data,
               arguments.output / f"{name}-{arguments.data.name}.safetensors")


main()
