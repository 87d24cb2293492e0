# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Score functions beyond the plain dot product, on complete graphs."""

import math

import numpy as np

from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from . import torch_attention
from .attention import HEADS, attention_flops, clique_runner, make_graph, random_inputs

REACH, CAP = 128, 30.0


def extra_inputs(score, nodes):
    """Arguments of the spec after q, k and v."""
    random = np.random.default_rng(5)
    if score == "alibi":
        return [np.float32(2.0) ** -np.arange(1, HEADS + 1, dtype=np.float32)]
    if score == "relative_bias":
        return [random.standard_normal((2 * REACH + 1, HEADS), dtype=np.float32)]
    if score == "gaussian":
        return [random.uniform(0.5, 2, HEADS).astype(np.float32),
                random.standard_normal((nodes, 3), dtype=np.float32)]
    return []


def make_bias(score, extra, nodes):
    """The bias [heads, n, n] of PyTorch's users, from tensors."""
    import torch
    if score == "gaussian":
        return -extra[0][:, None, None] * torch.cdist(extra[1], extra[1]).square()
    i = torch.arange(nodes)
    if score == "alibi":
        return -extra[0][:, None, None] * (i[:, None] - i[None, :]).abs()
    row = (i[None, :] - i[:, None]).clamp(-REACH, REACH) + REACH
    return extra[0][row].permute(2, 0, 1)


def bias_function(score, extra):
    """The bias as a function of the number of nodes, made anew when called; None for soft_cap."""
    import torch
    extra = [torch.from_numpy(array) for array in extra]
    return None if score == "soft_cap" else lambda nodes: make_bias(score, extra, nodes)


def eager(score, inputs, extra):
    nodes, bias = inputs[0].shape[0], bias_function(score, extra)
    if bias is None:
        return torch_attention.eager(inputs, lambda s: (s / CAP).tanh() * CAP)
    return torch_attention.eager(inputs, lambda s: s + bias(nodes))


def with_mask(score, inputs, extra):
    """The fused kernel with the bias as a mask that was made before: n^2 memory, not timed."""
    bias = bias_function(score, extra)(inputs[0].shape[0])
    return torch_attention.sdpa(inputs, "complete", bias=bias.contiguous())


def score_mod(score, extra):
    import torch
    extra = [torch.from_numpy(array) for array in extra]
    return {
        "alibi": lambda s, b, h, i, j: s - extra[0][h] * (i - j).abs(),
        "relative_bias": lambda s, b, h, i, j:
            s + extra[0][(j - i).clamp(-REACH, REACH) + REACH, h],
        "soft_cap": lambda s, b, h, i, j: (s / CAP).tanh() * CAP,
        "gaussian": lambda s, b, h, i, j: s - extra[0][h] * (
            (extra[1][i, 0] - extra[1][j, 0]) ** 2 + (extra[1][i, 1] - extra[1][j, 1]) ** 2 +
            (extra[1][i, 2] - extra[1][j, 2]) ** 2),
    }[score]


def scored_runner(context, score, inputs, extra):
    nodes, heads, size = inputs[0].shape
    layer = context.clique.layer(score, topology="complete", heads=heads, size=size,
                                 scale=1 / math.sqrt(size))
    call = layer.bind(make_graph(context.clique, "complete", nodes), *inputs, *extra)
    return Runner(call, lambda: call(keep=True))


def make(score, nodes, size):
    def workload(context):
        inputs, extra = random_inputs(nodes, HEADS, size), extra_inputs(score, nodes)
        contenders = {
            CLIQUE: lambda: scored_runner(context, score, inputs, extra),
            "torch-flex": lambda: torch_attention.flex(inputs, "complete",
                                                       score_mod=score_mod(score, extra)),
            "torch-eager": lambda: eager(score, inputs, extra),
        }
        if score != "soft_cap":  # no mask expresses it
            contenders["torch-sdpa-mask"] = lambda: with_mask(score, inputs, extra)
        flops = attention_flops(nodes * nodes, HEADS, size)
        # Another result, to compare the time with.
        return Workload(contenders, flops=flops, unlike={
            "clique-plain": lambda: clique_runner(context, "complete", inputs)})
    return workload


def cases():
    return [Case("scores", f"{score}/h{HEADS}/d{size}/n{nodes}", make(score, nodes, size),
                 QUICK if (size, nodes) == (64, 1024) else NORMAL)
            for score in ("alibi", "relative_bias", "soft_cap", "gaussian")
            for size in (64, 128) for nodes in (1024, 4096)]
