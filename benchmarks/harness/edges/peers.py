# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layers in PyTorch, with PyG's scatter: eager and through torch.compile. What depends on one
end is computed once for each node there too."""

import functools

from ..cases import Runner
from ..memory import require_memory
from ..sparse.pyg import torch_of


def scatter(values, rows, nodes, reduce):
    from torch_geometric.utils import scatter as of_pyg
    return of_pyg(values, rows, 0, nodes, reduce)


def egnn(edges, h, x, w1, b1, w2, b2, w3, b3, c, u):
    import torch
    from torch.nn.functional import silu
    j, i = edges
    f = h.shape[1]
    d = x[i] - x[j]
    square = d.square().sum(1, keepdim=True)
    m = silu((h @ w1[:f] + b1)[i] + (h @ w1[f:2 * f])[j] + square * w1[2 * f])
    m = silu(m @ w2 + b2)
    moved = d * (silu(m @ w3 + b3) @ c)
    own = torch.cat([h, scatter(m, i, len(h), "sum")], 1) @ u
    return torch.cat([h + own, x + scatter(moved, i, len(h), "mean")], 1)


def schnet(edges, h, x, mu, w1, b1, w2, b2, v):
    import math

    import torch
    from torch.nn.functional import softplus
    j, i = edges
    r = (x[i] - x[j]).norm(dim=1, keepdim=True)
    basis = torch.exp(-10 * (r - mu).square())
    kernel = (softplus(basis @ w1 + b1) - math.log(2)) @ w2 + b2
    return scatter((h @ v)[j] * kernel, i, len(h), "sum")


def edge_update(edges, h, e, w1, b1, w2, b2, u):
    j, i = edges
    f = h.shape[1]
    hidden = ((h @ w1[:f] + b1)[i] + (h @ w1[f:2 * f])[j] + e @ w1[2 * f:]).relu()
    new = e + hidden @ w2 + b2
    return h + scatter(new, i, len(h), "sum") @ u, new


def edgeconv(edges, h, w1, b1, w2, b2):
    j, i = edges
    f = h.shape[1]
    hidden = ((h @ (w1[:f] - w1[f:]) + b1)[i] + (h @ w1[f:])[j]).relu()
    return scatter(hidden @ w2 + b2, i, len(h), "max")


FUNCTIONS = {"egnn": egnn, "schnet": schnet, "edge_update": edge_update, "edgeconv": edgeconv}
EDGE_TENSORS = 8  # of `features` floats, at once


def runner(problem, function):
    import torch
    require_memory(EDGE_TENSORS * problem.graph.edges * problem.features * 4)
    edges = problem.graph.edge_index
    arguments = [torch_of(array) for array in problem.inputs.values()]

    def call():
        with torch.inference_mode():
            out = function(edges, *arguments)
            return out[0] if isinstance(out, tuple) else out

    return Runner(call, lambda: call().numpy())


def eager(problem):
    return runner(problem, FUNCTIONS[problem.layer])


def compiled(problem):
    """One compilation serves all graphs of a layer and size: node and edge counts are dynamic."""
    return runner(problem, compile_layer(problem.layer, problem.features))


@functools.cache
def compile_layer(layer, features):
    import torch
    torch._dynamo.reset()
    return torch.compile(FUNCTIONS[layer], dynamic=True)
