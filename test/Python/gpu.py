# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers on the emulated GPU, with arrays of two made-up libraries: nothing is copied, all work is
in the caller's stream, memory is the caller's, and what is on another device is refused."""
# RUN: rm -f %t.log && env CLIQUE_EMULATION_LOG=%t.log %library_python %s %S/Inputs %t.log | FileCheck %s
# CHECK: the chosen stream
# CHECK-NEXT: the library's stream and memory
# CHECK-NEXT: two streams are ordered
# CHECK-NEXT: gradients are freed
# CHECK-NEXT: other devices are refused

import sys

sys.path.insert(0, sys.argv[1])

import gc

import clique
import numpy as np
from device import Array, Library, Tensor, download
from layers import DST, NODES, SPEC, SRC, mean, raises

SUM = """
func.func @sum(%g: !mp.graph, %h: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x3xf32>) -> !mp.edges<3xf32> {
    mp.yield %hj : tensor<3xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<3xf32>) -> tensor<?x3xf32>
  return %o : tensor<?x3xf32>
}"""
ONES = """
func.func @ones(%g: !mp.graph) -> tensor<2xf32> {
  %o = arith.constant dense<1.0> : tensor<2xf32>
  return %o : tensor<2xf32>
}"""
seen = 0


def work():
    """What the streams were given since the last call, but for the arrays' own copies."""
    global seen
    with open(sys.argv[2]) as file:
        lines = file.read().splitlines()
    new, seen = lines[seen:], len(lines)
    return new


def streams(lines):
    return {line.split(":")[0] for line in lines}


layer = clique.compile(SPEC, "mean", target="cuda", gpu_arch="emulated")
graph = clique.Graph.from_coo(DST, SRC, NODES)
random = np.random.default_rng(0)
h, w = random.standard_normal((NODES, 4)), random.standard_normal((4, 3))
raises(clique.SpecError, "there is no header of layers for GPUs", layer.ir, "header")

# A library that does not tell its stream: that of set_cuda_stream, else the default one.
for stream, number in ((5, 5), (0, 1)):
    clique.set_cuda_stream(stream)
    arrays = Array(h), Array(w)
    work()
    out = layer(graph, *arrays)
    done = work()
    assert any("launch" in line for line in done), done
    # The graph's own arrays go to the device in the stream that first asks for them.
    assert streams(done) == {f"stream {stream:#x}"}, done
    assert [array.streams for array in arrays] == [[number], [number]]
    assert isinstance(out, clique.Tensor) and out.__dlpack_device__() == (2, 0)
    # The consumer's stream waits for the layer's, without the host waiting.
    values, _ = download(out, stream=9)
    assert np.allclose(values, mean(h, w), atol=1e-5)
    assert work()[0] == f"stream 0x9: wait for stream {stream:#x}"
clique.set_cuda_stream(5)
for stream, waits in ((5, 0), (-1, 0), (None, 1)):
    out = layer(graph, *arrays)
    work()
    download(out, stream)
    assert sum("wait for" in line for line in work()) == waits, stream
raises(AttributeError, "no memory that NumPy could read", getattr, layer(graph, *arrays),
       "__array_struct__")
raises(BufferError, "stream 0 is ambiguous", layer(graph, *arrays).__dlpack__, stream=0)
raises(BufferError, "where it is, without a copy", layer(graph, *arrays).__dlpack__, copy=True)
raises(BufferError, "where it is", layer(graph, *arrays).__dlpack__, dl_device=(1, 0))
# A result is an argument as it is.
raises(clique.ArgumentError, "'h': has shape [4, 3], expected [n, 4]", layer, graph,
       layer(graph, *arrays), arrays[1])
assert layer.verify(graph, *arrays)[0].error < 1e-5
print("the chosen stream")

# A library that tells its stream, and whose memory scratch and results are.
tensors = Tensor(h), Tensor(w)
work()
out = layer(graph, *tensors)
assert streams(work()) == {"stream 0x7"}
assert type(out) is Tensor and np.allclose(out.values(), mean(h, w), atol=1e-5)
assert (NODES * 3 * 4, 7) in Library.taken
assert out.imported.contents.tensor.data in Library.live
Library.current = 11
other = layer(graph, *tensors)
assert streams(line for line in work() if "launch" in line) == {"stream 0xb"}
assert np.array_equal(other.values(), out.values())
del out, other
gc.collect()
assert not Library.live, Library.live
Library.capacity = 8
raises(clique.OutOfMemoryError, "no memory for 48 bytes on CUDA device 0", layer, graph, *tensors)
Library.capacity = 1 << 40
assert not Library.live
print("the library's stream and memory")

# The first array's stream is taken, and waits for that of another library.
work()
out = layer(graph, arrays[0], tensors[1])
done = work()
assert done[0] == "stream 0x5: wait for stream 0xb", done
# Whose memory may be used again there, once the layer has read it.
assert done[-1] == "stream 0xb: wait for stream 0x5", done
assert streams(line for line in done[1:-1]) == {"stream 0x5"}
assert isinstance(out, clique.Tensor)
# A result of a layer that is made in another stream, where its memory goes back to.
made = layer(graph, *arrays)
clique.set_cuda_stream(6)
work()
total = clique.compile(SUM, target="cuda", gpu_arch="emulated")
values, _ = download(total(graph, made), stream=-1)
done = work()
assert done[0] == "stream 0x6: wait for stream 0x5", done
assert done[-2] == "stream 0x5: wait for stream 0x6", done
clique.set_cuda_stream(5)
work()
assert type(layer(graph, tensors[0], arrays[1])) is Tensor and arrays[1].streams[-1] == 11
assert not any("wait for" in line for line in work())
# A library that copies a result into an array of its own does so in its stream.
layer(graph, *arrays, out=tensors[0])
assert work()[-1] == "stream 0xb: wait for stream 0x5"
assert np.array_equal(tensors[0].taken.values(), download(layer(graph, *arrays), stream=-1)[0])
print("two streams are ordered")

# What a gradient's forward layer keeps goes to the backward one, and is freed with it.
softmax = SUM.replace("@sum", "@softmax").replace(
    "sum %m : (", "softmax(%m) %m : (!mp.edges<3xf32>, ")
cotangent = random.standard_normal((NODES, 3))
given = Tensor(h[:, :3]), Tensor(cotangent)
found = clique.compile(softmax, target="cuda", gpu_arch="emulated").gradient()(
    graph, given[0], grad_out=given[1])
expected = clique.compile(softmax).gradient()(
    graph, h[:, :3].astype("f4"), grad_out=cotangent.astype("f4"))
assert type(found) is Tensor and np.allclose(found.values(), expected, atol=1e-5)
del found, given
gc.collect()
assert not Library.live, Library.live
print("gradients are freed")

on_cpu = clique.compile(SPEC, "mean")
raises(clique.ArgumentError, "argument 'h': is on CUDA device 0, expected the CPU", on_cpu, graph,
       *arrays)
raises(clique.ArgumentError, "argument 'w': is on the CPU, expected CUDA device 0", layer, graph,
       arrays[0], np.float32(w))
raises(clique.ArgumentError, "argument 'h': is on the CPU, expected CUDA device 0", layer, graph,
       np.float32(h), np.float32(w))
raises(clique.ArgumentError, "argument 'w': is on CUDA device 1, but the layer runs on CUDA device 0",
       layer, graph, arrays[0], Array(w, device_id=1))
raises(clique.ArgumentError, "argument 'w': is on CUDA device 1, but the layer runs on CUDA device 0",
       layer, graph, arrays[0], Tensor(w, device_id=1))
raises(clique.DeviceError, "CUDA device 3: this machine has 1", layer, graph, Array(h, device_id=3),
       Array(w, device_id=3))
# Without arrays it is the first device, whatever the call before had.
ones = clique.compile(ONES, target="cuda", gpu_arch="emulated")
assert ones(graph).__dlpack_device__() == (2, 0)
print("other devices are refused")
