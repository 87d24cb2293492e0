# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of a library that is not there: memory of the emulated GPU, through DLPack."""

import ctypes
import os

import clique
import numpy as np

_DRIVER = os.path.join(os.path.dirname(clique._native.runtime_path()), "libclique_emulated_cuda.so")
os.environ["CLIQUE_CUDA_DRIVER"] = _DRIVER
CUDA, F32 = 2, (2, 32, 1)
TENSOR, EXCHANGE = b"dltensor", b"dlpack_exchange_api"  # capsules point to their names


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", DLTensor)]


_driver = ctypes.CDLL(_DRIVER)
_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def _call(name, *args):
    context = ctypes.c_void_p()
    assert _driver.cuInit(0) == 0
    assert _driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
    assert _driver.cuCtxPushCurrent_v2(context) == 0
    status = getattr(_driver, name)(*args)
    assert _driver.cuCtxPopCurrent_v2(ctypes.byref(context)) == 0
    assert status == 0, (name, status)


def allocate(size):
    """The address of that many bytes of the device."""
    pointer = ctypes.c_uint64()
    _call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
    return pointer.value


def free(address):
    _call("cuMemFree_v2", ctypes.c_uint64(address))


def fill(tensor, address, shape, device_id=0):
    """Describes f32 at an address; the caller keeps what it returns."""
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    tensor.data, tensor.device_type, tensor.device_id = address, CUDA, device_id
    tensor.code, tensor.bits, tensor.lanes = F32
    tensor.ndim, tensor.shape = len(shape), sizes
    return sizes


class Array:
    """An array of the device whose library has a current stream, but does not tell it."""

    def __init__(self, values, device_id=0):
        values = np.ascontiguousarray(values, np.float32)
        self.shape, self.device_id, self.streams = values.shape, device_id, []
        self.address = allocate(values.nbytes)
        _call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(self.address),
              values.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(values.nbytes), None)

    def __dlpack_device__(self):
        return CUDA, self.device_id

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        self.managed = Managed()
        self.sizes = fill(self.managed.tensor, self.address, self.shape, self.device_id)
        return _python.PyCapsule_New(ctypes.addressof(self.managed), TENSOR, None)


def download(tensor, stream=None):
    """The values of a result, as a consumer in `stream` takes it, and their address."""
    capsule = tensor.__dlpack__(stream=stream)
    address = _python.PyCapsule_GetPointer(capsule, TENSOR)
    found = Managed.from_address(address).tensor
    values = np.empty([found.shape[k] for k in range(found.ndim)], np.float32)
    _call("cuMemcpyDtoHAsync_v2", values.ctypes.data_as(ctypes.c_void_p),
          ctypes.c_uint64(found.data + found.byte_offset), ctypes.c_size_t(values.nbytes), None)
    return values, found.data


# A library that lends a table of C functions, as PyTorch does.

_DELETER = ctypes.CFUNCTYPE(None, ctypes.POINTER(Versioned))
_ALLOCATE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(DLTensor), ctypes.POINTER(ctypes.c_void_p),
                             ctypes.c_void_p, ctypes.c_void_p)
_EXPORT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_IMPORT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Versioned), ctypes.POINTER(ctypes.c_void_p))
_LEND = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
_STREAM = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32,
                           ctypes.POINTER(ctypes.c_void_p))


class Exchange(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("previous", ctypes.c_void_p), ("allocate", _ALLOCATE), ("export", _EXPORT),
                ("import_", _IMPORT), ("lend", _LEND), ("stream", _STREAM)]


class Library:
    """Its allocator: `live` and `streams` say what is in use and for which stream it was asked."""

    current, capacity = 7, 1 << 40
    live, taken = {}, []

    @staticmethod
    @_DELETER
    def delete(made):
        address = made.contents.tensor.data
        del Library.live[address]
        free(address)

    @staticmethod
    @_ALLOCATE
    def allocate(prototype, out, _, __):
        size = prototype.contents.shape[0]
        if size > Library.capacity:
            return -1
        made = Versioned(major=1, deleter=ctypes.cast(Library.delete, ctypes.c_void_p))
        sizes = fill(made.tensor, allocate(size), (size,))
        Library.live[made.tensor.data] = made, sizes
        Library.taken.append((size, Library.current))
        out[0] = ctypes.addressof(made)
        return 0

    @staticmethod
    @_IMPORT
    def adopt(tensor, out):
        array = Tensor.__new__(Tensor)
        array.imported = tensor
        _python.Py_IncRef(ctypes.py_object(array))
        out[0] = id(array)
        return 0

    @staticmethod
    @_LEND
    def lend(array, out):
        array.sizes = fill(out.contents, array.address, array.shape, array.device_id)
        return 0

    @staticmethod
    @_STREAM
    def stream(_, device, out):
        assert device == 0
        out[0] = Library.current
        return 0


class Tensor(Array):
    """An array of that library."""

    imported = None

    def __setitem__(self, _, other):
        self.taken = other

    def values(self):
        found = self.imported.contents.tensor
        values = np.empty([found.shape[k] for k in range(found.ndim)], np.float32)
        _call("cuMemcpyDtoHAsync_v2", values.ctypes.data_as(ctypes.c_void_p),
              ctypes.c_uint64(found.data + found.byte_offset), ctypes.c_size_t(values.nbytes), None)
        return values

    def __del__(self):
        if self.imported:
            _DELETER(self.imported.contents.deleter)(self.imported)


_exchange = Exchange(1, 3, None, Library.allocate, _EXPORT(), Library.adopt, Library.lend,
                     Library.stream)
Tensor.__dlpack_c_exchange_api__ = _python.PyCapsule_New(ctypes.addressof(_exchange), EXCHANGE,
                                                         None)
