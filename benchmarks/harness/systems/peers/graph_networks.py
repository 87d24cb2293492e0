# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graph networks with PyG's scatter and softmax, as one writes them there: what depends on one end
of an edge is computed once for each node."""

from .parts import functions, layer_norm, made_before, scatter


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


def propagate_labels(edges, x, y, known):
    j, i = edges
    after = y.where(known[:, None], scatter(x[j], i, len(x), "mean"))
    return after, (after - x).abs().max()


def label_propagation(edges, y, known, tolerance):
    """torch.compile makes one step."""
    x, change, steps = y, float("inf"), 0
    while change > tolerance and steps < 1000:
        x, moved = propagate_labels(edges, x, y, known)
        change, steps = moved.item(), steps + 1
    return x, steps


def edges_and_parts(setting, inputs):
    """PyG's edge_index and batch."""
    import torch
    sizes = inputs["offsets"].diff()
    return setting.graph.edge_index, torch.arange(len(sizes)).repeat_interleave(sizes)


@made_before(edges_and_parts)
def graph_network(edges_parts, h, e, u, offsets, we, be, wv, bv, wu, bu):
    import torch
    (j, i), part = edges_parts
    at_dst, at_src = h @ we[8:24] + (u @ we[40:])[part] + be, h @ we[24:40]
    e1 = (e @ we[:8] + at_dst[i] + at_src[j]).relu()
    en = scatter(e1, i, len(h), "sum")
    h1 = (torch.cat([en, h, u[part]], 1) @ wv + bv).relu()
    totals = scatter(torch.cat([en, h1], 1), part, len(u), "sum")
    return h1, e1, (torch.cat([totals, u], 1) @ wu + bu).relu()


@made_before(lambda setting, inputs: edges_and_parts(setting, inputs)[1])
def attention_pooling(part, x, offsets, seeds, wk, wv):
    from torch_geometric.utils import softmax
    count = len(offsets) - 1
    weight = softmax(x @ (wk @ seeds.T) / 4, part, num_nodes=count)
    return scatter(weight[..., None] * (x @ wv)[:, None], part, count, "sum")


FUNCTIONS = functions(deepgcn, gatedgcn, ggnn, appnp, label_propagation, graph_network,
                      attention_pooling)
