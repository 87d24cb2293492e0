# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Networks on edges: layers that apply weights to what belongs to an edge, on real graphs, on
batches of molecules and on complete graphs, beside the same layer of PyTorch and PyG's scatter."""

from ..cases import CLIQUE, NORMAL, QUICK, Case, Workload
from . import peers
from .layers import LAYERS, clique_runner, layer_flops, make_problem

GRAPHS = ("mutag", "proteins", "cora", "amazon_computers", "ogbn_arxiv", "complete-16",
          "complete-128")
QUICK_GRAPHS = ("mutag", "proteins")
FEATURES = (32, 128)  # beside 64


def make(layer, graph_name, features):
    def workload(context):
        problem = make_problem(layer, context.graphs, graph_name, features)
        contenders = {
            CLIQUE: lambda: clique_runner(context, problem),
            "pyg": lambda: peers.eager(problem),
            "pyg-compile": lambda: peers.compiled(problem),
        }
        return Workload(contenders, flops=layer_flops(problem))
    return workload


def cases():
    for layer in LAYERS:
        for graph in GRAPHS:
            for features in (64,) if graph not in QUICK_GRAPHS else (64, *FEATURES):
                size = QUICK if graph in QUICK_GRAPHS and features == 64 else NORMAL
                yield Case(layer, f"{graph}/f{features}", make(layer, graph, features), size)
