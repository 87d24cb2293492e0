# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DGL: its layers where they compute the same, else its message functions."""

import math

import numpy as np

from .pyg import perceptron, runner, set_weight, torch_of


def build(problem):
    """A function of the features, and its parameters."""
    import dgl.function as fn
    import torch
    from dgl.nn import pytorch as nn
    from dgl.nn.functional import edge_softmax
    graph, weights = problem.graph.dgl, problem.weights
    f, heads, size, layer = problem.features, problem.heads, problem.size, problem.layer
    if layer == "sum":
        def function(h):
            graph.srcdata["h"] = h
            graph.update_all(fn.copy_u("h", "m"), fn.sum("m", "out"))
            return graph.dstdata.pop("out")
        return function, []
    if layer == "gcn":
        module = nn.GraphConv(f, f, norm="none", bias=False, allow_zero_in_degree=True)
        module.weight.data = torch_of(weights["w"])
        edge_weight = torch_of(problem.graph.gcn_weights)
        return lambda h: module(graph, h, edge_weight=edge_weight), list(module.parameters())
    if layer == "sage":
        module = nn.SAGEConv(f, f, "mean", bias=False)
        set_weight(module.fc_self, weights["u"])
        set_weight(module.fc_neigh, weights["v"])
    elif layer == "gin":
        module = nn.GINConv(perceptron(weights), "sum")
    elif layer == "gat":
        module = nn.GATConv(f, size, heads, bias=False, allow_zero_in_degree=True)
        set_weight(module.fc, weights["w"])
        module.attn_l.data, module.attn_r.data = (torch_of(weights[n][None]) for n in "ab")
    elif layer == "gatv2":
        module = nn.GATv2Conv(f, size, heads, bias=False, allow_zero_in_degree=True)
        set_weight(module.fc_src, weights["l"])
        set_weight(module.fc_dst, weights["r"])
        module.attn.data = torch_of(weights["a"][None])
    elif layer == "dot":
        q, k, v = (torch_of(weights[name].reshape(f, f)) for name in "qkv")

        def function(h):
            graph.dstdata["q"] = (h @ q).view(-1, heads, size)
            graph.srcdata["k"] = (h @ k).view(-1, heads, size)
            graph.srcdata["v"] = (h @ v).view(-1, heads, size)
            graph.apply_edges(fn.u_dot_v("k", "q", "s"))
            graph.edata["a"] = edge_softmax(graph, graph.edata.pop("s") / math.sqrt(size))
            graph.update_all(fn.u_mul_e("v", "a", "m"), fn.sum("m", "out"))
            graph.edata.pop("a")
            return graph.dstdata.pop("out")
        return function, [q, k, v]
    elif layer == "edgeconv":
        module = perceptron(weights)

        def function(h):
            graph.ndata["h"] = h
            graph.apply_edges(lambda edges: {"m": module(torch.cat(
                [edges.dst["h"], edges.src["h"] - edges.dst["h"]], 1))})
            graph.update_all(fn.copy_e("m", "m"), fn.max("m", "out"))
            graph.edata.pop("m")
            return graph.dstdata.pop("out")
        return function, list(module.parameters())
    elif layer == "pna":
        return pna(problem)
    else:
        module = nn.RelGraphConv(f, f, len(weights["w"]), bias=False)
        module.linear_r.W.data = torch_of(weights["w"])
        module.loop_weight.data = torch_of(weights["w0"])
        types = torch_of(problem.graph.types).long()
        return lambda h: module.eval()(graph, h, types), list(module.parameters())
    return lambda h: module.eval()(graph, h), list(module.parameters())


def pna(problem):
    """The message as a sum of two node features, then one pass for each aggregator."""
    import dgl.function as fn
    import torch
    graph, weights, f = problem.graph.dgl, problem.weights, problem.features
    own, other = (torch_of(part) for part in np.split(weights["w"], 2))
    u, o = torch_of(weights["u"]), torch_of(weights["o"])
    degrees = torch_of(problem.graph.degrees.astype(np.float32)[:, None])
    scale = torch.log(degrees.clamp(min=1) + 1) / float(weights["delta"])

    def function(h):
        graph.dstdata["i"], graph.srcdata["j"] = h @ own, h @ other
        graph.apply_edges(fn.u_add_v("j", "i", "m"))
        graph.edata["mm"] = graph.edata["m"].square()
        for name, reduce in (("mean", fn.mean), ("max", fn.max), ("min", fn.min)):
            graph.update_all(fn.copy_e("m", "m"), reduce("m", name))
        graph.update_all(fn.copy_e("mm", "mm"), fn.mean("mm", "square"))
        mean, high, low, square = (graph.dstdata.pop(name)
                                   for name in ("mean", "max", "min", "square"))
        graph.edata.pop("m"), graph.edata.pop("mm")
        std = (square - mean.square()).clamp(min=0).sqrt()
        a = torch.cat([mean, high, low, std], 1)
        return torch.cat([h, a, a * scale, a / scale], 1) @ u @ o
    return function, [own, other, u, o]


def layer(problem):
    from .pyg import require_edge_tensors
    if problem.layer in ("edgeconv", "pna"):
        require_edge_tensors(problem)
    function, _ = build(problem)
    return runner(problem, function, torch_of(problem.h))
