# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts kernels of an image through the CUDA driver API: libcuda, or the emulated driver."""

import ctypes

import numpy as np

NAMES_OF_TODAY = ("cuMemAlloc", "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuCtxPushCurrent")


class Driver:
    def __init__(self, path):
        # Images find the emulated device's functions in it.
        self.library = ctypes.CDLL(path, mode=ctypes.RTLD_GLOBAL)
        self("cuInit", ctypes.c_uint(0))
        self.context = ctypes.c_void_p()
        self("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), ctypes.c_int(0))
        self("cuCtxPushCurrent", self.context)

    def __call__(self, name, *arguments):
        function = getattr(self.library, name + ("_v2" if name in NAMES_OF_TODAY else ""))
        status = function(*arguments)
        if status != 0:
            raise RuntimeError(f"{name} failed: CUresult {status}")

    def load(self, image):
        module = ctypes.c_void_p()
        self("cuModuleLoadDataEx", ctypes.byref(module), image, ctypes.c_uint(0), None, None)
        return module

    def launch(self, module, kernel, blocks, threads, arguments, shared=0):
        """Arrays are copied to the device and back, as memrefs; ctypes are as they are."""
        function = ctypes.c_void_p()
        self("cuModuleGetFunction", ctypes.byref(function), module, kernel.encode())
        parameters, copies = [], []
        for argument in arguments:
            if not isinstance(argument, np.ndarray):
                parameters.append(argument)
                continue
            memory = ctypes.c_uint64()
            self("cuMemAlloc", ctypes.byref(memory), ctypes.c_size_t(argument.nbytes))
            self("cuMemcpyHtoDAsync", memory, argument.ctypes.data_as(ctypes.c_void_p),
                 ctypes.c_size_t(argument.nbytes), None)
            copies.append((argument, memory))
            numbers = [0, *argument.shape, *(s // argument.itemsize for s in argument.strides)]
            parameters += [memory, memory] + [ctypes.c_int64(number) for number in numbers]
        pointers = (ctypes.c_void_p * len(parameters))(
            *(ctypes.addressof(parameter) for parameter in parameters))
        self("cuLaunchKernel", function, *map(ctypes.c_uint, (blocks, 1, 1, threads, 1, 1, shared)),
             None, pointers, None)
        for array, memory in copies:
            self("cuMemcpyDtoHAsync", array.ctypes.data_as(ctypes.c_void_p), memory,
                 ctypes.c_size_t(array.nbytes), None)
        self("cuStreamSynchronize", None)
