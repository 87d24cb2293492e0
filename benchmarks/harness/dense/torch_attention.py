# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's attention: its fused kernel, FlexAttention through torch.compile, and eager."""

import math

from ..cases import Runner


def as_torch(array):
    import torch
    return torch.from_numpy(array)


def by_head(array):
    """[n, heads, size] as the [1, heads, n, size], contiguous, that PyTorch likes best."""
    return as_torch(array).transpose(0, 1).unsqueeze(0).contiguous()


def by_node(tensor):
    return tensor.squeeze(0).transpose(0, 1).contiguous().numpy()


def runner(function, *tensors):
    """Runs without recording gradients."""
    import torch

    def call():
        with torch.inference_mode():
            return function(*tensors)

    return Runner(call, lambda: by_node(call()))


def sdpa(inputs, topology, window=0, bias=None):
    """scaled_dot_product_attention; a window, or a bias [heads, n, n] or [n, n], is a mask made
    before."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention
    nodes = inputs[0].shape[0]
    mask = bias
    if topology == "window":
        position = torch.arange(nodes)
        mask = (position[:, None] - position[None, :]).abs() <= window
    return runner(lambda q, k, v: scaled_dot_product_attention(
        q, k, v, attn_mask=mask, is_causal=topology == "causal"), *map(by_head, inputs))


def flex(inputs, topology, window=0, score_mod=None, mask_mod=None, block_size=128):
    import torch
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention
    nodes = inputs[0].shape[0]
    masks = {"causal": lambda b, h, i, j: i >= j,
             "window": lambda b, h, i, j: (i - j).abs() <= window}
    mask_mod = masks.get(topology, mask_mod)
    block_mask = None
    if mask_mod:
        block_mask = create_block_mask(mask_mod, None, None, nodes, nodes, device="cpu",
                                       BLOCK_SIZE=block_size)
    torch._dynamo.reset()
    compiled = torch.compile(flex_attention, dynamic=False)
    return runner(lambda q, k, v: compiled(q, k, v, score_mod=score_mod, block_mask=block_mask),
                  *map(by_head, inputs))


def eager(inputs, score):
    """softmax(score(q k^T / sqrt(size))) v, op by op."""
    def function(q, k, v):
        scores = q @ k.transpose(-1, -2) * (1 / math.sqrt(q.shape[-1]))
        return score(scores).softmax(-1) @ v
    return runner(function, *map(by_head, inputs))
