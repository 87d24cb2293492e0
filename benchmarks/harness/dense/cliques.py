# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches of small complete graphs: attention inside each of 2,000 cliques of 8 to 64 nodes."""

import ctypes
import math

import numpy as np

from ..buffers import normal
from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from ..clique import pointer
from . import onnx_models
from .attention import attention_flops

COUNT, HEADS = 2000, 8


def make_offsets(sizes):
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def cliques_graph(clique, offsets):
    return clique.graph("cliques", ctypes.c_int64(len(offsets) - 1),
                        pointer(offsets, ctypes.c_int64), ctypes.c_int32(0), ctypes.c_int32(0),
                        make=lambda graphs: graphs.cliques(np.diff(offsets)))


def clique_runner(context, inputs, offsets):
    _, heads, size = inputs[0].shape
    layer = context.clique.layer("attention", topology="cliques", heads=heads, size=size,
                                 scale=1 / math.sqrt(size))
    call = layer.bind(cliques_graph(context.clique, offsets), *inputs)
    return Runner(call, lambda: call(keep=True))


def padded(array, offsets):
    """[n, heads, size] as [cliques, longest, heads, size], and where nodes are."""
    sizes = np.diff(offsets)
    inside = np.arange(sizes.max())[None, :] < sizes[:, None]
    out = np.zeros(inside.shape + array.shape[1:], np.float32)
    out[inside] = array
    return out, inside


def torch_padded(inputs, offsets):
    """Padded beforehand; the result stays padded."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention
    inside = padded(inputs[0], offsets)[1]
    q, k, v = (torch.from_numpy(padded(array, offsets)[0]).transpose(1, 2).contiguous()
               for array in inputs)
    mask = torch.from_numpy(inside)[:, None, None, :]

    def call():
        with torch.inference_mode():
            return scaled_dot_product_attention(q, k, v, attn_mask=mask)

    return Runner(call, lambda: call().transpose(1, 2).numpy()[inside])


def torch_nested(inputs, offsets):
    """Nested tensors: [cliques, heads, its nodes, size]."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention
    sizes = np.diff(offsets).tolist()
    q, k, v = (torch.nested.nested_tensor(
        [part.transpose(0, 1).contiguous() for part in torch.from_numpy(array).split(sizes)])
        for array in inputs)

    def call():
        with torch.inference_mode():
            return scaled_dot_product_attention(q, k, v)

    return Runner(call, lambda: np.concatenate([part.transpose(0, 1).numpy()
                                                for part in call().unbind()]))


def onnx_padded(inputs, offsets, threads):
    from onnx import helper
    inside = padded(inputs[0], offsets)[1]
    count, longest = inside.shape
    heads, size = inputs[0].shape[1:]
    arrays = {name: np.ascontiguousarray(padded(array, offsets)[0].reshape(count, longest, -1))
              for name, array in zip(("query", "key", "value"), inputs)}
    arrays["mask"] = inside.astype(np.int32)
    node = helper.make_node("MultiHeadAttention", ["query", "key", "value", "", "mask"], ["out"],
                            domain=onnx_models.CONTRIB, num_heads=heads)
    call, output = onnx_models.bound_call(
        onnx_models.session([node], arrays, (count, longest, heads * size), threads), arrays)

    def result():
        call()
        return output().reshape(count, longest, heads, size)[inside]

    return Runner(call, result)


def make(low, high, size):
    def workload(context):
        random = np.random.default_rng(3)
        sizes = random.integers(low, high + 1, COUNT)
        offsets = make_offsets(sizes)
        inputs = [normal(random, (offsets[-1], HEADS, size)) for _ in range(3)]
        return Workload({
            CLIQUE: lambda: clique_runner(context, inputs, offsets),
            "torch-padded": lambda: torch_padded(inputs, offsets),
            "torch-nested": lambda: torch_nested(inputs, offsets),
            "onnxruntime-padded": lambda: onnx_padded(inputs, offsets, context.threads),
        }, flops=attention_flops(int((sizes.astype(np.int64) ** 2).sum()), HEADS, size))
    return workload


def cases():
    return [Case("cliques", f"{COUNT}x{low}..{high}/h{HEADS}/d{size}", make(low, high, size),
                 QUICK if (low, size) in ((8, 16), (8, 64)) else NORMAL)
            for size in (16, 64) for low, high in ((8, 64), (32, 32), (64, 128))]
