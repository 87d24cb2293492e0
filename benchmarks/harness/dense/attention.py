# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plain attention on complete, causal and window graphs."""

import ctypes
import math

import numpy as np

from ..buffers import normal
from ..cases import CLIQUE, FULL, NORMAL, QUICK, Case, Runner, Workload
from . import blas, onnx_models, torch_attention

HEADS = 8
NODES = (64, 128, 256, 512, 1024, 2048, 4096, 8192)
QUICK_NODES = (64, 256, 512, 1024, 2048)
WINDOW = 256


def random_inputs(nodes, heads, size, count=3):
    random = np.random.default_rng(nodes * heads + size)
    return [normal(random, (nodes, heads, size)) for _ in range(count)]


def edge_count(topology, nodes):
    if topology == "complete":
        return nodes * nodes
    if topology == "causal":
        return nodes * (nodes + 1) // 2
    outside = max(nodes - WINDOW - 1, 0)
    return nodes * nodes - outside * (outside + 1)


def attention_flops(edges, heads, size):
    """Two products of `size` per edge and head."""
    return 4.0 * edges * heads * size


def make_graph(clique, topology, nodes):
    count = ctypes.c_int64(nodes)
    no_self = ctypes.c_int32(0)
    if topology == "window":
        return clique.graph("window", count, ctypes.c_int64(WINDOW), no_self,
                            make=lambda graphs: graphs.window(nodes, WINDOW))
    return clique.graph(topology, count, no_self,
                        make=lambda graphs: getattr(graphs, topology)(nodes))


def clique_runner(context, topology, inputs):
    nodes, heads, size = inputs[0].shape
    spelled = f"window, {WINDOW}" if topology == "window" else topology
    layer = context.clique.layer("attention", topology=spelled, heads=heads, size=size,
                                 scale=1 / math.sqrt(size))
    call = layer.bind(make_graph(context.clique, topology, nodes), *inputs)
    return Runner(call, lambda: call(keep=True))


def make(topology, nodes, size, heads=HEADS):
    def workload(context):
        inputs = random_inputs(nodes, heads, size)
        contenders = {
            CLIQUE: lambda: clique_runner(context, topology, inputs),
            "torch-sdpa": lambda: torch_attention.sdpa(inputs, topology, WINDOW),
            "torch-flex": lambda: torch_attention.flex(inputs, topology, WINDOW),
        }
        if topology != "window":
            contenders["onnxruntime"] = lambda: onnx_models.attention(
                inputs, topology == "causal", context.threads)
        if topology == "complete":
            contenders["mkl"] = lambda: blas.attention(inputs)
        # Another result, to compare the time with.
        unlike = {} if topology == "complete" else {
            "clique-complete": lambda: clique_runner(context, "complete", inputs)}
        return Workload(contenders, unlike,
                        flops=attention_flops(edge_count(topology, nodes), heads, size))
    return workload


def cases():
    # What a call costs beside the work.
    found = [Case("call", "h1/d16/n16", make("complete", 16, 16, heads=1), QUICK)]
    for size in (64, 128, 16, 32, 256):
        for nodes in NODES:
            wanted = QUICK if size == 64 and nodes in QUICK_NODES or \
                size == 128 and nodes in (256, 1024) else \
                NORMAL if size in (64, 128) else FULL
            found.append(Case("complete", f"h{HEADS}/d{size}/n{nodes}",
                              make("complete", nodes, size), wanted))
    for size in (64, 128):
        for nodes in (512, 1024, 2048, 4096, 8192):
            quick = QUICK if size == 64 and nodes in (1024, 2048) else NORMAL
            found.append(Case("causal", f"h{HEADS}/d{size}/n{nodes}",
                              make("causal", nodes, size), quick))
    for size in (64, 128):
        for nodes in (2048, 8192):
            quick = QUICK if size == 64 and nodes == 8192 else NORMAL
            found.append(Case("window256", f"h{HEADS}/d{size}/n{nodes}",
                              make("window", nodes, size), quick))
    return found
