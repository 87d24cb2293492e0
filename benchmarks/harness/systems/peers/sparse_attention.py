# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention to some of the tokens with PyTorch's fused kernel and a mask of truth values, or along
edges with PyG; convolutions; linear attention."""

from .parts import (attend, attend_along, flex_attend, functions, heads, made_before, square)
from .transformers import block_mask, one_head


def is_window_global(i, j, count):
    return ((i - j).abs() <= 4) | (i < count) | (j < count)


def is_dilated(i, j, dilation):
    far = (i - j).abs()
    return (far <= 4 * dilation) & (far % dilation == 0)


def mask_of(allowed, name):
    """Truth values for each pair of nodes; allowed(i, j, value of the input)."""
    def make(setting, inputs):
        import torch
        i = torch.arange(setting.sizes["nodes"])
        return allowed(i[:, None], i, inputs[name])
    return make


def blocks_of(allowed, name):
    def make(setting, inputs):
        value = inputs[name]
        return block_mask(lambda b, h, i, j: allowed(i, j, value), setting.sizes["nodes"])
    return make


@made_before(mask_of(is_window_global, "globals"))
def window_global(mask, x, globals, wq, wk, wv):
    return attend(*one_head(x, wq, wk, wv), mask)


@made_before(mask_of(is_dilated, "dilation"))
def dilated(mask, x, dilation, wq, wk, wv):
    return attend(*one_head(x, wq, wk, wv), mask)


@made_before(blocks_of(is_window_global, "globals"))
def window_global_flex(blocks, x, globals, wq, wk, wv):
    return flex_attend(*one_head(x, wq, wk, wv), block_mask=blocks)


@made_before(blocks_of(is_dilated, "dilation"))
def dilated_flex(blocks, x, dilation, wq, wk, wv):
    return flex_attend(*one_head(x, wq, wk, wv), block_mask=blocks)


@made_before(lambda setting, inputs: square(setting, inputs).abs())
def adaptive_span(far, x, span, wq, wk, wv):
    part = ((span + 8 - far) / 8).clamp(0, 1)
    return attend(*one_head(x, wq, wk, wv), part.log())


def adaptive_span_flex(_, x, span, wq, wk, wv):
    def score(s, b, h, i, j):
        return s + ((span + 8 - (i - j).abs()) / 8).clamp(0, 1).log()
    return flex_attend(*one_head(x, wq, wk, wv), score)


def partition(edges, x, type, table, wq, wk, wv):
    bias = table[type.clamp(max=len(table) - 1)]
    return attend_along(edges, *one_head(x, wq, wk, wv), bias[:, None])


def lsh_attention(_, x, r, wq, wv):
    """The buckets one after the other."""
    import torch
    from torch.nn.functional import normalize
    p = x @ r
    bucket = torch.cat([p, -p], 1).argmax(1)
    order = bucket.argsort(stable=True)
    sizes = bucket.bincount(minlength=8).tolist()
    q, v = heads(x[order], wq, wv)
    parts = (part.split(sizes) for part in (q, normalize(q, dim=2), v))
    out = torch.empty_like(x)
    out[order] = torch.cat([attend(*part) for part in zip(*parts)]).flatten(1)
    return out, bucket


def lightweight(_, x, w):
    from torch.nn.functional import conv1d
    nodes, count, size = x.shape
    kernel = w.softmax(0).T.repeat_interleave(size, 0)[:, None]
    out = conv1d(x.flatten(1).T[None], kernel, padding=len(w) // 2, groups=count * size)
    return out[0].T.reshape(nodes, count, size)


def dynamic(_, x, w):
    import torch
    from torch.nn.functional import pad
    weight = (x.flatten(1) @ w.flatten(0, 1).flatten(1)).unflatten(1, w.shape[2:]).softmax(1)
    reach = w.shape[2] // 2
    windows = pad(x, (0, 0, 0, 0, reach, reach)).unfold(0, w.shape[2], 1)
    return torch.einsum("nkh,nhdk->nhd", weight, windows)


def linear_attention(_, x, wq, wk, wv):
    import torch
    from torch.nn.functional import elu
    q, k, v = heads(x, wq, wk, wv)
    q, k = elu(q) + 1, elu(k) + 1
    top = torch.einsum("ihd,hde->ihe", q, torch.einsum("jhd,jhe->hde", k, v))
    return top / torch.einsum("ihd,hd->ih", q, k.sum(0))[..., None]


FUNCTIONS = functions(window_global, dilated, adaptive_span, partition, lsh_attention, lightweight,
                      dynamic, linear_attention)
FLEX = {"window_global": window_global_flex, "dilated": dilated_flex,
        "adaptive_span": adaptive_span_flex}
