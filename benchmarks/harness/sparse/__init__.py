# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sparse cases: layers on real, power-law and uniform graphs."""

from ..cases import CLIQUE, FULL, NORMAL, QUICK, Case, Footprint, Workload
from ..clique import ORDERS
from . import dgl_layers, memory, pyg, spmm
from .graphs import Graphs
from .layers import (ATTENTION, LAYERS, LEAST_REORDERED, MOST_REORDERED, clique_runner,
                     gather_bound, layer_flops, make_problem)

REAL = ("cora", "amazon_computers", "ogbn_arxiv", "github_social", "ego_twitter", "ppi",
        "road_ny", "proteins")
TYPED = ("aifb", "fb15k_237")
SYNTHETIC = ("rmat-1m", "uniform-1m", "rmat-10m", "uniform-10m")
LARGE = ("rmat-100m", "uniform-100m")
QUICK_GRAPHS = ("ogbn_arxiv", "rmat-1m")
FEATURES = (16, 128, 256)  # beside 64
HEADS = (1, 4)             # beside 8


def reordered_runners(context, problem):
    """Clique's own with the nodes in other orders, where that is worth a try."""
    if problem.layer not in ("sum", "gat") or problem.h.nbytes < LEAST_REORDERED \
            or problem.graph.edges > MOST_REORDERED:
        return {}
    return {f"{CLIQUE}-{order}": lambda order=order: clique_runner(context, problem, order)
            for order in ORDERS if order != "auto"}


def make(layer, graph_name, features, heads):
    def workload(context):
        graphs = context.graphs
        problem = make_problem(layer, graphs.get(graph_name), features, heads)
        contenders = {
            CLIQUE: lambda: clique_runner(context, problem),
            **reordered_runners(context, problem),
            "pyg": lambda: pyg.eager(problem),
            "pyg-scatter": lambda: pyg.eager(problem, scatter=True),
            "pyg-compile": lambda: pyg.compiled(problem),
        }
        if layer in pyg.SPARSE_MATRIX:
            contenders["pyg-matrix"] = lambda: pyg.matrix(problem)
        contenders["dgl"] = lambda: dgl_layers.layer(problem)
        if layer == "sum":
            contenders["torch-sparse"] = lambda: spmm.torch_sparse(problem)
            contenders["mkl"] = lambda: spmm.mkl(problem)
            contenders["scipy"] = lambda: spmm.scipy(problem)
        return Workload(contenders, flops=layer_flops(problem),
                        seconds_bound=gather_bound(context.machine, problem))
    return workload


def layer_cases(layer):
    heads = 8 if layer in ATTENTION else 1

    def case(graph, size, features=64, heads=heads):
        name = f"{graph}/f{features}" + (f"-h{heads}" if layer in ATTENTION else "")
        return Case(layer, name, make(layer, graph, features, heads), size)

    graphs = TYPED if layer == "rgcn" else REAL + SYNTHETIC
    for graph in graphs:
        yield case(graph, QUICK if graph in QUICK_GRAPHS + TYPED[:1] else NORMAL)
    for graph in TYPED[:1] if layer == "rgcn" else QUICK_GRAPHS:
        for features in FEATURES:
            yield case(graph, NORMAL, features)
        for count in HEADS if layer in ATTENTION else ():
            yield case(graph, NORMAL, heads=count)
    if layer in ("sum", "gcn", "gat", "dot"):
        for graph in LARGE:
            yield case(graph, FULL)
            yield case(graph, FULL, features=16)


def memory_case(layer, graph_name, size, features=64, heads=8):
    def footprint(context):
        context.graphs.get(graph_name)  # made once, before the processes that read it
        return Footprint({name: lambda name=name: memory.in_child(
            name, layer, graph_name, features, heads, context.options)
            for name in memory.MAKERS})
    return Case("memory", f"{layer}/{graph_name}/f{features}-h{heads}", footprint, size)


def cases():
    found = [case for layer in LAYERS for case in layer_cases(layer)]
    return found + [memory_case("gat", "rmat-1m", QUICK), memory_case("gat", "rmat-10m", NORMAL),
                    memory_case("gat", "uniform-10m", NORMAL)]
