# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention on complete graphs: the backward pass by itself, and scores that no fused kernel has,
forward and backward."""

import math

import numpy as np

from ..buffers import normal
from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from ..clique import copy_of, free
from ..dense import scores
from ..dense.attention import HEADS, make_graph, random_inputs
from ..dense.torch_attention import as_torch, by_head
from .training import clique_runner, torch_runner

NODES = (512, 1024, 2048, 4096)
SIZES = (64, 128)
# Scores and <g, v>, once for both sides, and the three sums: products of n x n x size.
PRODUCTS = 5
# Cotangents of keys and values, and of a bias table, are those of what the biases are made from.
SCORES = ("alibi", "soft_cap", "relative_bias")


def make_cotangent(inputs):
    return normal(np.random.default_rng(7), inputs[0].shape)


def bind(context, spec, inputs, more=()):
    nodes, heads, size = inputs[0].shape
    gradient = context.clique.gradient(spec, topology="complete", heads=heads, size=size,
                                       scale=1 / math.sqrt(size))
    names = [name for name in gradient.forward.arg_names if name != "g"]
    return gradient.bind(make_graph(context.clique, "complete", nodes),
                         grad_out=make_cotangent(inputs), **dict(zip(names, [*inputs, *more])))


def own_backward(context, inputs):
    """The forward pass is run before; what it keeps is there."""
    bound = bind(context, "attention", inputs)
    kept = bound.run_forward()

    def call():
        free(bound.run_backward(kept))

    def result():
        gradients = bound.run_backward(kept)
        copies = [copy_of(gradient.contents.tensor) for gradient in gradients]
        free(gradients)
        return np.stack(copies)
    return Runner(call, result)


def sdpa_backward(inputs):
    import torch
    from torch.nn.functional import scaled_dot_product_attention
    leaves = [by_head(array).requires_grad_() for array in inputs]
    with torch.enable_grad():
        out = scaled_dot_product_attention(*leaves)
    cotangent = by_head(make_cotangent(inputs))

    def call():
        return torch.autograd.grad(out, leaves, cotangent, retain_graph=True)

    def result():
        return np.stack([gradient.squeeze(0).transpose(0, 1).numpy() for gradient in call()])
    return Runner(call, result)


def make_backward(nodes, size):
    def workload(context):
        inputs = random_inputs(nodes, HEADS, size)
        return Workload({CLIQUE: lambda: own_backward(context, inputs),
                         "torch-sdpa": lambda: sdpa_backward(inputs)},
                        flops=2.0 * PRODUCTS * nodes * nodes * HEADS * size, calls_torch=False)
    return workload


def eager(score, inputs, extra):
    """q leads, as Clique's first cotangent; by node, as Clique's."""
    extra = [as_torch(array) for array in extra]
    k, v = (as_torch(array) for array in inputs[1:])

    def function(q):
        heads = [part.transpose(0, 1).unsqueeze(0) for part in (q, k, v)]
        made = heads[0] @ heads[1].transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]))
        if score == "soft_cap":
            made = (made / scores.CAP).tanh() * scores.CAP
        else:
            made = made + scores.make_bias(score, extra, len(q))
        return (made.softmax(-1) @ heads[2]).squeeze(0).transpose(0, 1)
    return torch_runner(function, as_torch(inputs[0]), [k, v, *extra],
                        as_torch(make_cotangent(inputs)))


def make_scored(score, nodes, size):
    def workload(context):
        inputs, extra = random_inputs(nodes, HEADS, size), scores.extra_inputs(score, nodes)
        return Workload({CLIQUE: lambda: clique_runner(bind(context, score, inputs, extra)),
                         "torch-eager": lambda: eager(score, inputs, extra)}, calls_torch=False)
    return workload


def cases():
    backward = [Case("backward", f"h{HEADS}/d{size}/n{nodes}", make_backward(nodes, size),
                     QUICK if (size, nodes) == (64, 1024) else NORMAL)
                for size in SIZES for nodes in NODES]
    scored = [Case("scores", f"{score}/h{HEADS}/d64/n{nodes}", make_scored(score, nodes, 64),
                   QUICK if nodes == 1024 else NORMAL)
              for score in SCORES for nodes in (1024, 4096)]
    return backward + scored
