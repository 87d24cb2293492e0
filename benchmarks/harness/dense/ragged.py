# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The encoder block at the sizes of all-MiniLM-L6-v2 on sentences of different lengths, by how
much work padding them adds: batch x longest^2 / sum of squares. Others compute padded sentences,
PyTorch nested ones too."""

import numpy as np

from ..buffers import normal
from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from .cliques import cliques_graph, make_offsets
from .encoder import (ctranslate2_runner, make_weights, onnx_runner, openvino_runner, run_clique,
                      torch_module)

AMPLIFICATIONS = (1, 1.5, 4, 13)
BATCH, LONGEST, WIDTH, HEADS = 32, 128, 384, 12
HIDDEN = 4 * WIDTH


def amplification(lengths):
    return len(lengths) * lengths.max() ** 2 / (lengths ** 2).sum()


def make_lengths(wanted):
    """Lengths L ((k + 1) / batch)^p: the amplification grows with p, about 2 p + 1."""
    places = np.arange(1, BATCH + 1) / BATCH
    powers = np.linspace(0, wanted, 1000)
    found = [np.maximum(np.rint(LONGEST * places ** power), 2).astype(np.int64)
             for power in powers]
    return min(found, key=lambda lengths: abs(amplification(lengths) - wanted))


def torch_padded(x, inside, weights):
    import torch
    module = torch_module(weights, WIDTH, HEADS, False)
    tensor, mask = torch.from_numpy(x), torch.from_numpy(~inside)

    def call():
        with torch.inference_mode():
            return module(tensor, src_key_padding_mask=mask)

    return Runner(call, lambda: call().numpy()[inside])


def torch_nested(tokens, offsets, weights):
    import torch
    module = torch_module(weights, WIDTH, HEADS, False)
    nested = torch.nested.nested_tensor([torch.from_numpy(tokens[first:end])
                                         for first, end in zip(offsets, offsets[1:])])

    def call():
        with torch.inference_mode():
            return module(nested)

    return Runner(call, lambda: torch.cat(call().unbind()).numpy())


def make(wanted):
    def workload(context):
        lengths = make_lengths(wanted)
        offsets = make_offsets(lengths)
        tokens = normal(np.random.default_rng(7), (int(offsets[-1]), WIDTH))
        weights = make_weights(WIDTH, HEADS, HIDDEN)
        inside = np.arange(lengths.max()) < lengths[:, None]
        x = np.zeros((*inside.shape, WIDTH), np.float32)
        x[inside] = tokens
        flops = (len(tokens) * (8.0 * WIDTH**2 + 4.0 * WIDTH * HIDDEN)
                 + 4.0 * (lengths**2).sum() * WIDTH)

        def onnx():
            runner = onnx_runner(x, weights, HEADS, context.threads, lengths.astype(np.int32))
            return Runner(runner.call, lambda: runner.result()[inside])

        def openvino():
            runner = openvino_runner(x, weights, HEADS, context.threads, inside)
            return Runner(runner.call, lambda: runner.result()[inside])

        return Workload({
            CLIQUE: lambda: run_clique(context, cliques_graph(context.clique, offsets), tokens,
                                       weights, HEADS),
            "torch-padded": lambda: torch_padded(x, inside, weights),
            "torch-nested": lambda: torch_nested(tokens, offsets, weights),
            "onnxruntime": onnx,
            "openvino": openvino,
            "ctranslate2": lambda: ctranslate2_runner(tokens, lengths, weights, HEADS,
                                                      context.threads),
        }, flops=flops)
    return workload


def cases():
    return [Case("ragged", f"padding{wanted}/width{WIDTH}/h{HEADS}", make(wanted),
                 QUICK if wanted in (1, 4) else NORMAL) for wanted in AMPLIFICATIONS]
