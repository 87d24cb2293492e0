# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The encoder block in OpenVINO and CTranslate2, made without a converter."""

import math
import tempfile

import numpy as np

from ..cases import Runner


def openvino_runner(x, weights, matrix, bias, heads, threads, inside=None):
    """x: [batch, length, width]; matrix, bias: the maps of queries, keys and values together;
    inside: [batch, length], true where x is no padding."""
    import openvino
    from openvino import opset13 as ops
    batch, length, width = x.shape

    def linear(value, weight, offset):
        return ops.add(ops.matmul(value, weight, False, False), ops.constant(offset))

    def norm(value, scale, shift):
        normal = ops.mvn(value, ops.constant([-1], np.int64), True, 1e-5, "INSIDE_SQRT")
        return ops.add(ops.multiply(normal, ops.constant(scale)), ops.constant(shift))

    given = ops.parameter(list(x.shape), np.float32)
    split = ops.constant([batch, length, 3, heads, width // heads], np.int64)
    by_head = ops.transpose(ops.reshape(linear(given, matrix, bias), split, False),
                            ops.constant([2, 0, 3, 1, 4], np.int64))
    q, k, v = (ops.squeeze(part, ops.constant([0], np.int64)) for part in
               ops.split(by_head, ops.constant(0, np.int64), 3).outputs())
    masks = [] if inside is None else [ops.parameter((batch, 1, 1, length), np.float32)]
    attended = ops.transpose(ops.scaled_dot_product_attention(q, k, v, *masks),
                             ops.constant([0, 2, 1, 3], np.int64))
    joined = ops.reshape(attended, ops.constant(list(x.shape), np.int64), False)
    y = norm(ops.add(linear(joined, weights["wo"], weights["bo"]), given),
             weights["s1"], weights["t1"])
    hidden = ops.gelu(linear(y, weights["w1"], weights["b1"]), "ERF")
    out = norm(ops.add(linear(hidden, weights["w2"], weights["b2"]), y),
               weights["s2"], weights["t2"])
    # In f32 also where the processor has products of bf16.
    compiled = openvino.Core().compile_model(
        openvino.Model([out], [given, *masks]), "CPU",
        {"INFERENCE_PRECISION_HINT": "f32", "PERFORMANCE_HINT": "LATENCY",
         "INFERENCE_NUM_THREADS": threads})
    request = compiled.create_infer_request()
    held = [np.ascontiguousarray(x)]  # The request only points to them.
    if inside is not None:
        held.append(np.where(inside, 0, -math.inf).astype(np.float32)[:, None, None, :])
    for index, array in enumerate(held):
        request.set_input_tensor(index, openvino.Tensor(array, shared_memory=True))

    def result(held=held):
        request.infer()
        return request.get_output_tensor(0).data.copy()

    return Runner(request.infer, result)


def ctranslate2_runner(tokens, lengths, weights, matrix, bias, heads, threads):
    """tokens: [n, width], one sequence behind the other. The library knows whole models, which
    begin with an embedding: each token is a word of its own. Linear maps leave padding out."""
    import ctranslate2
    from ctranslate2.specs import Activation, TransformerEncoderModelSpec, TransformerEncoderSpec
    encoder = TransformerEncoderSpec(1, heads, pre_norm=False, activation=Activation.GELU)
    encoder.scale_embeddings = False
    encoder.embeddings[0].weight = tokens
    encoder.position_encodings.encodings = np.zeros((lengths.max(), tokens.shape[1]), np.float32)
    layer = encoder.layer[0]

    def set_linear(linear, weight, offset):
        linear.weight, linear.bias = np.ascontiguousarray(weight.T), offset

    def set_norm(layer_norm, number):
        layer_norm.gamma, layer_norm.beta = weights[f"s{number}"], weights[f"t{number}"]

    attention, network = layer.self_attention, layer.ffn
    set_linear(attention.linear[0], matrix, bias)
    set_linear(attention.linear[1], weights["wo"], weights["bo"])
    set_norm(attention.layer_norm, 1)
    set_linear(network.linear_0, weights["w1"], weights["b1"])
    set_linear(network.linear_1, weights["w2"], weights["b2"])
    set_norm(network.layer_norm, 2)
    spec = TransformerEncoderModelSpec(encoder)
    spec.register_vocabulary([str(number) for number in range(len(tokens))])
    with tempfile.TemporaryDirectory() as folder:
        spec.validate()
        spec.save(folder)
        model = ctranslate2.Encoder(folder, device="cpu", compute_type="float32",
                                    inter_threads=1, intra_threads=threads)
    inside = np.arange(lengths.max()) < lengths[:, None]
    words = np.zeros(inside.shape, np.int32)
    words[inside] = np.arange(len(tokens))
    ids = ctranslate2.StorageView.from_array(words)
    sizes = ctranslate2.StorageView.from_array(lengths.astype(np.int32))

    def call():
        return model.forward_batch(ids, sizes)

    return Runner(call, lambda: np.array(call().last_hidden_state)[inside])
