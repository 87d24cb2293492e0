# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The systems in PyTorch, with PyG's scatter and softmax, as one writes them there: what depends
on one end of an edge is computed once for each node."""

import functools

from ..cases import Runner
from ..edges.peers import scatter
from ..sparse.pyg import torch_of


def layer_norm(x, scale=None, shift=None):
    from torch.nn.functional import layer_norm as of_torch
    return of_torch(x, x.shape[-1:], scale, shift)


def deepgcn(edges, h, scale, shift, t, w):
    from torch_geometric.utils import softmax
    j, i = edges
    z = layer_norm(h, scale, shift).relu()
    m = z[j] + 1e-7
    return h + (z + scatter(softmax(t * m, i, num_nodes=len(h)) * m, i, len(h), "sum")) @ w


def gatedgcn(edges, h, e, a, b, c, d, u, sn, tn, se, te):
    j, i = edges
    x = e @ c + (h @ d)[i] + (h @ u)[j]
    gate = x.sigmoid()
    top = scatter(gate * (h @ b)[j], i, len(h), "sum")
    mean = top / (scatter(gate, i, len(h), "sum") + 1e-6)
    return (h + layer_norm(h @ a + mean, sn, tn).relu(), e + layer_norm(x, se, te).relu())


def ggnn(edges, h, w, wz, wr, wc, steps):
    import torch
    j, i = edges
    for _ in range(int(steps)):
        a = scatter((h @ w)[j], i, len(h), "sum")
        both = torch.cat([a, h], 1)
        z, r = (both @ wz).sigmoid(), (both @ wr).sigmoid()
        h = (1 - z) * h + z * (torch.cat([a, r * h], 1) @ wc).tanh()
    return h


def appnp(edges, h, alpha, steps):
    from torch_geometric.utils import add_remaining_self_loops, degree
    (j, i), _ = add_remaining_self_loops(edges, num_nodes=len(h))
    c = degree(i, len(h)).rsqrt()
    weight = (c[i] * c[j])[:, None]
    z = h
    for _ in range(int(steps)):
        z = (1 - alpha) * scatter(weight * z[j], i, len(h), "sum") + alpha * h
    return z


def sparse(edges, h, p, wp, wq, wk, wv, wo, s1, t1, s2, t2, w1, w2):
    from torch_geometric.utils import softmax
    j, i = edges
    x = h + p @ wp
    q, k, v = ((x @ w.flatten(1)).unflatten(1, w.shape[1:]) for w in (wq, wk, wv))
    weight = softmax((q[i] * k[j]).sum(2) / q.shape[2] ** 0.5, i, num_nodes=len(h))
    m = scatter(weight[..., None] * v[j], i, len(h), "sum").flatten(1)
    y = layer_norm(x + m @ wo, s1, t1)
    return layer_norm(y + (y @ w1).relu() @ w2, s2, t2)


def linear_attention(_, x, wq, wk, wv):
    import torch
    from torch.nn.functional import elu
    q, k, v = ((x @ w.flatten(1)).unflatten(1, w.shape[1:]) for w in (wq, wk, wv))
    q, k = elu(q) + 1, elu(k) + 1
    top = torch.einsum("ihd,hde->ihe", q, torch.einsum("jhd,jhe->hde", k, v))
    return top / torch.einsum("ihd,hd->ih", q, k.sum(0))[..., None]


def lightweight(_, x, w):
    from torch.nn.functional import conv1d
    nodes, heads, size = x.shape
    kernel = w.softmax(0).T.repeat_interleave(size, 0)[:, None]
    out = conv1d(x.flatten(1).T[None], kernel, padding=len(w) // 2, groups=heads * size)
    return out[0].T.reshape(nodes, heads, size)


FUNCTIONS = {function.__name__: function for function in (
    deepgcn, gatedgcn, ggnn, appnp, sparse, linear_attention, lightweight)}


def runner(graph, inputs, function):
    import torch
    edges = getattr(graph, "edge_index", None)
    arguments = [array.item() if array.ndim == 0 else torch_of(array)
                 for array in inputs.values()]

    def call():
        with torch.inference_mode():
            out = function(edges, *arguments)
            return out[0] if isinstance(out, tuple) else out

    return Runner(call, lambda: call().reshape(graph.nodes, -1).numpy())


def eager(system, graph, inputs):
    return runner(graph, inputs, FUNCTIONS[system.entry])


def compiled(system, graph, inputs):
    return runner(graph, inputs, compile_system(system.entry))


@functools.cache
def compile_system(entry):
    import torch
    torch._dynamo.reset()
    return torch.compile(FUNCTIONS[entry], dynamic=True)
