# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Acyclic graphs level by level, as DGL's tutorial goes through trees: which nodes a level has, and
their edges, is made before. torch.compile makes one step."""

import numpy as np

from .parts import functions, scatter


def number_levels(graph):
    """Of each node: how many edges the longest way to it has."""
    level = np.zeros(graph.nodes, np.int64)
    while True:
        after = np.zeros_like(level)
        np.maximum.at(after, graph.destinations, level[graph.indices] + 1)
        if np.array_equal(after, level):
            return level
        level = after


def levels_of(setting, inputs):
    """Of each level: its nodes, the sources of their edges, the places of the destinations among
    the nodes, and the edges."""
    import torch
    level = number_levels(setting.graph)
    place, found = np.empty_like(level), []
    for number in range(level.max() + 1):
        nodes = np.flatnonzero(level == number)
        edges = np.flatnonzero(level[setting.graph.destinations] == number)
        place[nodes] = np.arange(len(nodes))
        parts = (nodes, setting.graph.indices[edges].astype(np.int64),
                 place[setting.graph.destinations[edges]], edges)
        found.append(tuple(map(torch.from_numpy, parts)))
    return found


def by_levels(function):
    """What it calls for each level is compiled, and not the loop over them."""
    function.before, function.goes_by_steps = levels_of, True
    return function


def project(x, w):
    """x W, [nodes, gates, size]."""
    return (x @ w.flatten(1)).unflatten(1, w.shape[1:])


def cell(gates, kept):
    i, o, u = gates.unbind(1)
    c = i.sigmoid() * u.tanh() + kept
    return o.sigmoid() * c.tanh(), c


def tree_lstm_level(wx, h, c, i, u, uf):
    """h, c: those of the sources, an edge each."""
    forget = (wx[:, 3][i] + h @ uf).sigmoid()
    sums = scatter(project(h, u), i, len(wx), "sum")
    return cell(wx[:, :3] + sums, scatter(forget * c, i, len(wx), "sum"))


@by_levels
def tree_lstm(levels, x, w, u, uf):
    h, c, wx = x.new_zeros(x.shape), x.new_zeros(x.shape), project(x, w)
    for nodes, j, i, _ in levels:
        h[nodes], c[nodes] = tree_lstm_level(wx[nodes], h[j], c[j], i, u, uf)
    return h, c


def nary_level(wx, h, c, i, place, u):
    import torch
    parts = torch.einsum("ea,eagb->egb", h, u[place])
    sums = scatter(parts, i, len(wx), "sum")
    forget = (wx[:, 3][i] + sums[i, 3 + place]).sigmoid()
    return cell(wx[:, :3] + sums[:, :3], scatter(forget * c, i, len(wx), "sum"))


@by_levels
def nary_tree_lstm(levels, x, place, w, u):
    h, c, wx = x.new_zeros(x.shape), x.new_zeros(x.shape), project(x, w)
    for nodes, j, i, edges in levels:
        h[nodes], c[nodes] = nary_level(wx[nodes], h[j], c[j], i, place[edges], u)
    return h, c


def dagnn_level(wx, a, h, i, w2, u):
    from torch_geometric.utils import softmax
    weight = softmax(a[i] + h @ w2, i, num_nodes=len(wx))
    m = scatter(weight[:, None] * h, i, len(wx), "sum")
    um = project(m, u)
    r, z = (wx[:, :2] + um[:, :2]).sigmoid().unbind(1)
    n = (wx[:, 2] + r * um[:, 2]).tanh()
    return (1 - z) * n + z * m


@by_levels
def dagnn(levels, x, w1, w2, w, u):
    h, wx, a = x.new_zeros(x.shape), project(x, w), x @ w1
    for nodes, j, i, _ in levels:
        h[nodes] = dagnn_level(wx[nodes], a[nodes], h[j], i, w2, u)
    return h


FUNCTIONS = functions(tree_lstm, nary_tree_lstm, dagnn)
