# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What several systems have in common in PyTorch."""

import functools

from ...edges.peers import scatter


def layer_norm(x, scale=None, shift=None):
    from torch.nn.functional import layer_norm as of_torch
    return of_torch(x, x.shape[-1:], scale, shift)


def heads(x, *weights):
    """x W of each, [nodes, heads, size]."""
    return ((x @ w.flatten(1)).unflatten(1, w.shape[1:]) for w in weights)


def attend(q, k, v, mask=None, is_causal=False, scale=None):
    """Fused attention on [nodes, heads, size]."""
    from torch.nn.functional import scaled_dot_product_attention
    q, k, v = (x.transpose(0, 1)[None] for x in (q, k, v))
    out = scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=is_causal, scale=scale)
    return out[0].transpose(0, 1)


def flex_attend(q, k, v, score=None, block_mask=None):
    """FlexAttention on [nodes, heads, size]."""
    q, k, v = (x.transpose(0, 1)[None] for x in (q, k, v))
    return flex()(q, k, v, score_mod=score, block_mask=block_mask)[0].transpose(0, 1)


@functools.cache
def flex():
    import torch
    from torch.nn.attention.flex_attention import flex_attention
    return torch.compile(flex_attention, dynamic=False)


def attend_along(edges, q, k, v, bias=0):
    """Attention along edges, on [nodes, heads, size]."""
    from torch_geometric.utils import softmax
    j, i = edges
    scores = (q[i] * k[j]).sum(2) / q.shape[2] ** 0.5 + bias
    weight = softmax(scores, i, num_nodes=len(q))
    return scatter(weight[..., None] * v[j], i, len(q), "sum")


def made_before(function):
    """Declares what `function(setting, inputs)` makes as the first argument of a system."""
    def declare(system):
        system.before = function
        return system
    return declare


def ahead(rows, sources=None, first=0):
    """j - i of each pair, where the first row is number `first` of the sources."""
    import torch
    i = first + torch.arange(rows)
    return torch.arange(sources or rows) - i[:, None]


def square(setting, inputs):
    """j - i of each pair of nodes."""
    return ahead(setting.sizes["nodes"])


def functions(*listed):
    return {function.__name__: function for function in listed}
