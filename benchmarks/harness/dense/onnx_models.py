# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX Runtime: models made with the onnx package, no exporter."""

import os

import numpy as np

from ..cases import Runner

CONTRIB = "com.microsoft"
# Of onnx.TensorProto.
TYPES = {"float32": 1, "int32": 6}


def session(nodes, inputs, out_shape, threads, weights=()):
    """A session on a graph of `nodes` that makes "out"; inputs: name -> array, which fixes the
    shapes."""
    import onnxruntime
    from onnx import helper, numpy_helper
    graph = helper.make_graph(
        nodes, "benchmark",
        [helper.make_tensor_value_info(name, TYPES[array.dtype.name], array.shape)
         for name, array in inputs.items()],
        [helper.make_tensor_value_info("out", TYPES["float32"], out_shape)],
        [numpy_helper.from_array(array, name) for name, array in dict(weights).items()])
    model = helper.make_model(graph, ir_version=10, opset_imports=[
        helper.make_opsetid("", 20), helper.make_opsetid(CONTRIB, 1)])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    if os.environ.get("OMP_WAIT_POLICY") == "passive":
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(model.SerializeToString(), options,
                                        providers=["CPUExecutionProvider"])


def bound_call(running, inputs):
    """A function that runs with inputs bound once, so that no call copies them, and one that
    returns the last output."""
    import onnxruntime
    binding = running.io_binding()
    held = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array)
            for name, array in inputs.items()}
    for name, value in held.items():
        binding.bind_ortvalue_input(name, value)
    binding.bind_output(running.get_outputs()[0].name)
    return (lambda held=held: running.run_with_iobinding(binding),
            lambda: binding.copy_outputs_to_cpu()[0])


def attention(inputs, causal, threads):
    from onnx import helper
    nodes, heads, size = inputs[0].shape
    arrays = {name: np.ascontiguousarray(array.reshape(1, nodes, heads * size))
              for name, array in zip(("query", "key", "value"), inputs)}
    node = helper.make_node("MultiHeadAttention", ["query", "key", "value"], ["out"],
                            domain=CONTRIB, num_heads=heads, unidirectional=int(causal))
    call, output = bound_call(session([node], arrays, (1, nodes, heads * size), threads),
                               arrays)

    def result():
        call()
        return output().reshape(nodes, heads, size)

    return Runner(call, result)
