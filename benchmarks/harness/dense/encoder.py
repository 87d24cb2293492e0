# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Transformer's encoder block on a batch of sequences, each a clique."""

import math

import numpy as np

from ..buffers import aligned, normal
from ..cases import CLIQUE, NORMAL, QUICK, Case, Runner, Workload
from . import encoder_peers, onnx_models
from .cliques import cliques_graph, make_offsets


def make_weights(width, heads, hidden):
    """Name -> array, in the order of the spec's arguments."""
    random = np.random.default_rng(4)
    split = (heads, width // heads)

    def matrix(*shape):
        return aligned((random.standard_normal(shape) / math.sqrt(shape[0])).astype(np.float32))

    def vector(*shape):
        return (0.1 * random.standard_normal(shape)).astype(np.float32)

    return {
        "wq": matrix(width, *split), "bq": vector(*split),
        "wk": matrix(width, *split), "bk": vector(*split),
        "wv": matrix(width, *split), "bv": vector(*split),
        "wo": matrix(width, width), "bo": vector(width),
        "s1": 1 + vector(width), "t1": vector(width),
        "w1": matrix(width, hidden), "b1": vector(hidden),
        "w2": matrix(hidden, width), "b2": vector(width),
        "s2": 1 + vector(width), "t2": vector(width),
    }


def run_clique(context, graph, tokens, weights, heads):
    """tokens: [n, width], the nodes of a graph of cliques."""
    width = tokens.shape[1]
    layer = context.clique.layer("encoder", width=width, heads=heads, size=width // heads,
                                 hidden=weights["w1"].shape[1],
                                 scale=1 / math.sqrt(width // heads))
    call = layer.bind(graph, tokens, *weights.values())
    return Runner(call, lambda: call(keep=True).reshape(tokens.shape))


def clique_runner(context, x, weights, heads):
    batch, length, width = x.shape
    graph = cliques_graph(context.clique, make_offsets(np.full(batch, length)))
    runner = run_clique(context, graph, x.reshape(-1, width), weights, heads)
    return Runner(runner.call, lambda: runner.result().reshape(x.shape))


def packed(weights, width):
    """Weights [width, 3 width] and biases of queries, keys and values together."""
    return (np.concatenate([weights[name].reshape(width, width) for name in ("wq", "wk", "wv")],
                           axis=1),
            np.concatenate([weights[name].reshape(-1) for name in ("bq", "bk", "bv")]))


def torch_module(weights, width, heads, compiled):
    import torch
    module = torch.nn.TransformerEncoderLayer(width, heads, weights["w1"].shape[1], dropout=0.0,
                                              activation="gelu", batch_first=True).eval()
    matrix, bias = packed(weights, width)
    values = {
        "self_attn.in_proj_weight": matrix.T, "self_attn.in_proj_bias": bias,
        "self_attn.out_proj.weight": weights["wo"].T, "self_attn.out_proj.bias": weights["bo"],
        "linear1.weight": weights["w1"].T, "linear1.bias": weights["b1"],
        "linear2.weight": weights["w2"].T, "linear2.bias": weights["b2"],
        "norm1.weight": weights["s1"], "norm1.bias": weights["t1"],
        "norm2.weight": weights["s2"], "norm2.bias": weights["t2"],
    }
    module.load_state_dict({name: torch.from_numpy(np.ascontiguousarray(value))
                            for name, value in values.items()})
    if compiled:
        torch._dynamo.reset()
        return torch.compile(module, dynamic=False)
    return module


def torch_runner(x, weights, heads, compiled):
    """Not compiled, inference takes PyTorch's fused path of the whole block."""
    import torch
    module = torch_module(weights, x.shape[2], heads, compiled)
    tensor = torch.from_numpy(x)

    def call():
        with torch.inference_mode():
            return module(tensor)

    return Runner(call, lambda: call().numpy())


def onnx_runner(x, weights, heads, threads, lengths=None):
    """The operators that ONNX Runtime's optimiser for Transformers fuses such a block to;
    lengths: of the sequences, the rest of each is padding."""
    from onnx import helper

    def node(operator, inputs, output, domain=onnx_models.CONTRIB, **attributes):
        return helper.make_node(operator, inputs, [output], domain=domain, **attributes)

    matrix, bias = packed(weights, x.shape[2])
    constants = dict({name: weights[name] for name in
                      ("wo", "bo", "s1", "t1", "w1", "b1", "w2", "b2", "s2", "t2")},
                     w=matrix, b=bias)
    given = {"x": x} if lengths is None else {"x": x, "lengths": lengths}
    nodes = [
        node("Attention", ["x", "w", "b", *list(given)[1:]], "a", num_heads=heads),
        node("MatMul", ["a", "wo"], "ao", domain=""),
        node("SkipLayerNormalization", ["ao", "x", "s1", "t1", "bo"], "y", epsilon=1e-5),
        node("MatMul", ["y", "w1"], "h", domain=""),
        node("BiasGelu", ["h", "b1"], "g"),
        node("MatMul", ["g", "w2"], "m", domain=""),
        node("SkipLayerNormalization", ["m", "y", "s2", "t2", "b2"], "out", epsilon=1e-5),
    ]
    call, output = onnx_models.bound_call(
        onnx_models.session(nodes, given, x.shape, threads, constants), given)

    def result():
        call()
        return output()

    return Runner(call, result)


def openvino_runner(x, weights, heads, threads, inside=None):
    return encoder_peers.openvino_runner(x, weights, *packed(weights, x.shape[2]), heads, threads,
                                         inside)


def ctranslate2_runner(tokens, lengths, weights, heads, threads):
    return encoder_peers.ctranslate2_runner(tokens, lengths, weights,
                                            *packed(weights, tokens.shape[1]), heads, threads)


def make(batch, length, width, heads):
    def workload(context):
        x = normal(np.random.default_rng(6), (batch, length, width))
        hidden = 4 * width
        weights = make_weights(width, heads, hidden)
        tokens = batch * length

        def ctranslate2():
            runner = ctranslate2_runner(x.reshape(-1, width), np.full(batch, length), weights,
                                        heads, context.threads)
            return Runner(runner.call, lambda: runner.result().reshape(x.shape))

        flops = tokens * (8.0 * width**2 + 4.0 * width * hidden) + 4.0 * tokens * length * width
        return Workload({
            CLIQUE: lambda: clique_runner(context, x, weights, heads),
            "torch": lambda: torch_runner(x, weights, heads, False),
            "torch-compile": lambda: torch_runner(x, weights, heads, True),
            "onnxruntime": lambda: onnx_runner(x, weights, heads, context.threads),
            "openvino": lambda: openvino_runner(x, weights, heads, context.threads),
            "ctranslate2": ctranslate2,
        }, flops=flops)
    return workload


def cases():
    return [Case("encoder", f"{batch}x{length}/width{width}/h{heads}",
                 make(batch, length, width, heads), QUICK if batch == 128 else NORMAL)
            for batch, length, width, heads in ((128, 32, 384, 12), (8, 512, 384, 12),
                                                (1, 512, 768, 12))]
