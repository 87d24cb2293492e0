# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled layers called on PyTorch's tensors, in PyTorch's stream."""

import ctypes
import os

import torch

from harness.clique import Clique, DLManagedTensor, DLTensor, Layer

CUDA_DEVICE = 2
TYPES = {torch.float32: (2, 32), torch.float16: (2, 16), torch.bfloat16: (4, 16)}
CAPSULE = b"dltensor"  # PyTorch compares the name, and the capsule does not copy it

make_capsule = ctypes.pythonapi.PyCapsule_New
make_capsule.restype = ctypes.py_object
make_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


def load_libraries(folder, names):
    """Loads what the runtime needs, but for what PyTorch has loaded already."""
    for name in names:
        try:
            ctypes.CDLL(name, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
        except OSError:
            ctypes.CDLL(str(folder / "lib" / name))


def open_runtime(folder, names):
    load_libraries(folder, names)
    clique = Clique(folder, cache=None, threads=0)
    stream = torch.cuda.current_stream().cuda_stream
    clique.lib.clique_set_cuda_stream(ctypes.c_void_p(stream))
    return clique


def describe(tensor):
    """The DLTensor of a contiguous tensor, which it keeps alive."""
    assert tensor.is_contiguous()
    code, bits = TYPES[tensor.dtype]
    shape = (ctypes.c_int64 * tensor.dim())(*tensor.shape)
    described = DLTensor(tensor.data_ptr(), CUDA_DEVICE, tensor.device.index or 0, tensor.dim(),
                         code, bits, 1, shape, None, 0)
    described.keep = (tensor, shape)
    return described


def take(result):
    """A tensor of PyTorch's that owns the result."""
    return torch.from_dlpack(make_capsule(ctypes.addressof(result.contents), CAPSULE, None))


class DeviceLayer(Layer):
    def prepare(self, graph, tensors):
        """A function of no arguments that runs the layer and frees its results; with keep=True
        it returns the first one."""
        described = [describe(tensor) for tensor in tensors]
        values = (ctypes.c_void_p * (len(described) + 1))(
            graph.handle.value, *(ctypes.addressof(tensor) for tensor in described))
        results = (ctypes.POINTER(DLManagedTensor) * self.num_results)()
        invoke, check = self.clique.lib.clique_layer_invoke, self.clique.check
        handle, count, number = self.handle, len(values), self.num_results

        def call(keep=False, held=(graph, described)):  # keeps them alive
            check(invoke(handle, values, count, results, number))
            if keep:
                return take(results[0])
            for result in results:
                result.contents.deleter(result)
            return None

        return call
