# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Block-sparse attention: of the blocks of a sequence each receives from itself and some others, at random."""

import math

import numpy as np

from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from . import torch_attention
from .attention import HEADS, attention_flops, clique_runner, random_inputs


def block_table(count, density):
    """Which blocks receive from which: as many for each of them."""
    random = np.random.default_rng(count)
    table = np.eye(count, dtype=bool)
    for row, block in zip(table, range(count)):
        others = np.setdiff1d(np.arange(count), [block])
        row[random.choice(others, round(density * count) - 1, replace=False)] = True
    return table


def blocks_graph(clique, table, size):
    allowed = np.kron(table, np.ones((size, size), bool))
    indptr = np.concatenate([[0], np.cumsum(allowed.sum(1))]).astype(np.int64)
    return clique.csr_graph(indptr, np.nonzero(allowed)[1].astype(np.int32))


def blocks_runner(context, inputs, table, size):
    heads, head_size = inputs[0].shape[1:]
    layer = context.clique.layer("attention", topology=f"blocks, {size}", heads=heads,
                                 size=head_size, scale=1 / math.sqrt(head_size))
    call = layer.bind(blocks_graph(context.clique, table, size), *inputs)
    return Runner(call, lambda: call(keep=True))


def with_mask(inputs, table, size):
    """The fused kernel with a mask of n^2 truth values that was made before."""
    import torch
    mask = np.kron(table, np.ones((size, size), bool))
    return torch_attention.sdpa(inputs, "blocks", bias=torch.from_numpy(mask))


def flex(inputs, table, size):
    import torch
    allowed = torch.from_numpy(table)
    return torch_attention.flex(inputs, "blocks", block_size=size,
                                mask_mod=lambda b, h, i, j: allowed[i // size, j // size])


def make(nodes, size, density):
    def workload(context):
        inputs = random_inputs(nodes, HEADS, 64)
        table = block_table(nodes // size, density)
        edges = int(table.sum()) * size * size
        # Another result, to compare the time with.
        return Workload({
            CLIQUE: lambda: blocks_runner(context, inputs, table, size),
            "torch-flex": lambda: flex(inputs, table, size),
            "torch-sdpa-mask": lambda: with_mask(inputs, table, size),
        }, {"clique-complete": lambda: clique_runner(context, "complete", inputs)},
            flops=attention_flops(edges, HEADS, 64))
    return workload


def cases():
    return [Case("blocks", f"{size}x{size}/{density:.1%}/h{HEADS}/d64/n{nodes}",
                 make(nodes, size, density), QUICK if (nodes, density) == (4096, 0.125) else NORMAL)
            for nodes in (4096, 8192) for size in (64, 128) for density in (0.125, 0.25)]
