# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse layers, forward and backward, beside PyG and DGL; the memory of a step."""

import numpy as np

from ..buffers import normal
from ..cases import CLIQUE, NORMAL, QUICK, Case, Footprint, Runner, Workload
from ..sparse import dgl_layers, memory, pyg
from ..sparse.layers import ATTENTION, make_problem, spec_sizes
from .training import clique_runner, torch_runner

LAYERS = ("gat", "gatv2", "dot", "gcn", "sage", "edgeconv", "rgcn")
GRAPHS = ("cora", "amazon_computers", "ogbn_arxiv", "github_social", "rmat-1m", "rmat-10m")
TYPED = ("aifb", "fb15k_237")
QUICK_GRAPHS = ("cora", "rmat-1m", "aifb")
# Tensors per edge that are kept for the backward pass, or made in it.
KEPT = 3


def make_cotangent(problem):
    return normal(np.random.default_rng(7), problem.out_shape)


def bind(context, problem):
    arrays = {"h": problem.h, "grad_out": make_cotangent(problem), **problem.weights}
    if problem.layer in ATTENTION:
        shape = (problem.graph.nodes, problem.heads, problem.size)
        arrays["grad_out"] = arrays["grad_out"].reshape(shape)
    if problem.layer == "rgcn":
        arrays["type"] = problem.graph.types
    gradient = context.clique.gradient(problem.layer, **spec_sizes(problem))
    return gradient.bind(problem.graph.clique(context.clique), **arrays)


def own(context, problem):
    return clique_runner(bind(context, problem))


def own_forward(context, problem):
    """The forward pass alone: what the whole is a multiple of."""
    layer = context.clique.layer(problem.layer, **spec_sizes(problem))
    types = [problem.graph.types] if problem.layer == "rgcn" else []
    call = layer.bind(problem.graph.clique(context.clique), problem.h, *types,
                      *problem.weights.values())
    return Runner(call, lambda: call(keep=True))


def with_pyg(problem, compiled=False):
    import torch_geometric.typing as typing
    pyg.require_edge_tensors(problem, KEPT)
    typing.WITH_TORCH_SCATTER = False
    module, more = pyg.build(problem)
    function = pyg.compile_forward(problem.layer, problem.features, problem.heads) if compiled \
        else lambda module, *arguments: module(*arguments)
    edges = problem.graph.edge_index
    return torch_runner(lambda h: function(module, h, edges, *more), pyg.torch_of(problem.h),
                        list(module.parameters()), pyg.torch_of(make_cotangent(problem)))


def with_dgl(problem):
    pyg.require_edge_tensors(problem, KEPT)
    function, parameters = dgl_layers.build(problem)
    return torch_runner(function, pyg.torch_of(problem.h), parameters,
                        pyg.torch_of(make_cotangent(problem)))


def make(layer, graph_name, features, heads):
    def workload(context):
        problem = make_problem(layer, context.graphs.get(graph_name), features, heads)
        return Workload({
            CLIQUE: lambda: own(context, problem),
            "pyg": lambda: with_pyg(problem),
            "pyg-compile": lambda: with_pyg(problem, compiled=True),
            "dgl": lambda: with_dgl(problem),
        }, unlike={"clique-forward": lambda: own_forward(context, problem)}, calls_torch=False)
    return workload


MAKERS = {
    "clique": own,
    "pyg": lambda _, problem: with_pyg(problem),
    "dgl": lambda _, problem: with_dgl(problem),
}


def memory_case(graph_name, size, features=64, heads=8):
    def footprint(context):
        context.graphs.get(graph_name)  # made once, before the processes that read it
        return Footprint({name: lambda name=name: memory.in_child(
            name, "gat", graph_name, features, heads, context.options, module=__name__)
            for name in MAKERS})
    return Case("memory", f"gat/{graph_name}/f{features}-h{heads}", footprint, size)


def cases():
    found = []
    for layer in LAYERS:
        heads = 8 if layer in ATTENTION else 1
        for graph in TYPED if layer == "rgcn" else GRAPHS:
            name = f"{graph}/f64" + (f"-h{heads}" if layer in ATTENTION else "")
            found.append(Case(layer, name, make(layer, graph, 64, heads),
                              QUICK if graph in QUICK_GRAPHS else NORMAL))
    return found + [memory_case("rmat-1m", QUICK), memory_case("rmat-10m", NORMAL)]


if __name__ == "__main__":
    memory.main(MAKERS)
