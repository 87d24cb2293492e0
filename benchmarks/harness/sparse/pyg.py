# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyG's layers with the weights of a problem: eager, with torch-scatter, through torch.compile,
and with torch.sparse's products where a layer takes a sparse matrix."""

import functools

import numpy as np

from ..cases import Runner
from ..memory import require_memory

SPARSE_MATRIX = ("sum", "gcn", "sage", "gin")
# Edge tensors of `features` floats that exist at once.
EDGE_TENSORS = {"sum": 1, "gcn": 2, "sage": 1, "gin": 1, "gat": 2, "gatv2": 4, "dot": 4,
                "edgeconv": 5, "pna": 10, "rgcn": 2}


def torch_of(array):
    import torch
    return torch.from_numpy(np.ascontiguousarray(array))


def set_weight(linear, weight, bias=None):
    """weight: [in, ...]."""
    linear.weight.data = torch_of(weight.reshape(len(weight), -1).T)
    if linear.bias is not None:
        linear.bias.data = torch_of(bias if bias is not None else
                                    np.zeros(linear.weight.shape[0], np.float32))


def perceptron(weights):
    from torch import nn
    module = nn.Sequential(nn.Linear(*weights["w1"].shape), nn.ReLU(),
                           nn.Linear(*weights["w2"].shape))
    set_weight(module[0], weights["w1"], weights["b1"])
    set_weight(module[2], weights["w2"], weights["b2"])
    return module


def build(problem):
    """The module, and what forward takes after x and the edges."""
    from torch.nn import Identity
    from torch_geometric import nn
    f, heads, size, weights = problem.features, problem.heads, problem.size, problem.weights
    layer, more = problem.layer, ()
    if layer == "sum":
        module = nn.SimpleConv(aggr="sum")
    elif layer == "gcn":
        module = nn.GCNConv(f, f, normalize=False, bias=False)
        set_weight(module.lin, weights["w"])
        more = (torch_of(problem.graph.gcn_weights),)
    elif layer == "sage":
        module = nn.SAGEConv(f, f, bias=False)
        set_weight(module.lin_r, weights["u"])
        set_weight(module.lin_l, weights["v"])
    elif layer == "gin":
        module = nn.GINConv(Identity())  # would reset what it is given
        module.nn = perceptron(weights)
    elif layer == "gat":
        module = nn.GATConv(f, size, heads, add_self_loops=False, bias=False)
        set_weight(module.lin, weights["w"])
        module.att_src.data, module.att_dst.data = (torch_of(weights[n][None]) for n in "ab")
    elif layer == "gatv2":
        module = nn.GATv2Conv(f, size, heads, add_self_loops=False, bias=False)
        set_weight(module.lin_l, weights["l"])
        set_weight(module.lin_r, weights["r"])
        module.att.data = torch_of(weights["a"][None])
    elif layer == "dot":
        module = nn.TransformerConv(f, size, heads, bias=False, root_weight=False)
        for linear, name in ((module.lin_query, "q"), (module.lin_key, "k"),
                             (module.lin_value, "v")):
            set_weight(linear, weights[name])
    elif layer == "edgeconv":
        module = nn.EdgeConv(Identity(), aggr="max")
        module.nn = perceptron(weights)
    elif layer == "pna":
        histogram = torch_of(np.bincount(problem.graph.degrees))
        module = nn.PNAConv(f, f, ["mean", "max", "min", "std"],
                            ["identity", "amplification", "attenuation"], histogram)
        set_weight(module.pre_nns[0][0], weights["w"])
        set_weight(module.post_nns[0][0], weights["u"])
        set_weight(module.lin, weights["o"])
    else:
        module = nn.RGCNConv(f, f, len(weights["w"]), aggr="sum", bias=False)
        module.weight.data, module.root.data = torch_of(weights["w"]), torch_of(weights["w0"])
        more = (torch_of(problem.graph.types).long(),)
    return module.eval(), more


def runner(problem, function, *arguments):
    import torch

    def call():
        with torch.inference_mode():
            return function(*arguments)

    return Runner(call, lambda: call().numpy().reshape(problem.out_shape))


def require_edge_tensors(problem, extra=1):
    require_memory((EDGE_TENSORS[problem.layer] + extra) * problem.graph.edges *
                   problem.features * 4)


def eager(problem, scatter=False):
    """scatter: with torch-scatter's kernels in place of PyTorch's."""
    import torch_geometric.typing as typing
    if scatter and typing.torch_scatter is object:
        raise ImportError("the package torch-scatter is not installed")
    require_edge_tensors(problem)
    module, more = build(problem)

    def forward(*arguments):
        typing.WITH_TORCH_SCATTER = scatter
        return module(*arguments)

    return runner(problem, forward, torch_of(problem.h), problem.graph.edge_index, *more)


def compiled(problem):
    """One compilation serves all graphs of a layer and size: node and edge counts are dynamic."""
    import torch_geometric.typing as typing
    require_edge_tensors(problem)
    typing.WITH_TORCH_SCATTER = False
    module, more = build(problem)
    function = compile_forward(problem.layer, problem.features, problem.heads)
    return runner(problem, lambda *arguments: function(module, *arguments),
                  torch_of(problem.h), problem.graph.edge_index, *more)


@functools.cache
def compile_forward(layer, features, heads):
    import torch
    torch._dynamo.reset()
    return torch.compile(lambda module, *arguments: module(*arguments), dynamic=True)


def matrix(problem):
    """The layer on a sparse matrix (CSR by destination) in place of a list of edges."""
    module, more = build(problem)
    values = problem.graph.gcn_weights if problem.layer == "gcn" else None
    return runner(problem, module, torch_of(problem.h), problem.graph.torch_csr(values))
