# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries: how those of a type are read, and how a result becomes one.

The extension module asks once for each type, and keeps the answer."""

from __future__ import annotations

import sys
from typing import Any, Callable, Optional, Sequence

from . import _native

CPU, CUDA = 1, 2  # DLDeviceType

# Adapter::Kind of python/native/Arrays.h.
NUMBER, ARRAY_STRUCT, EXCHANGE, CAPSULE, NATIVE, NONE = range(6)

Adaptation = tuple[int, Optional[Callable[[Any], Any]], Optional[Callable[[Any], Any]],
                   Optional[Callable[[Any], Any]], Optional[Callable[[int], int]], bool]


def adapt(kind: type) -> Adaptation:
    """(kind, exporter, importer, compact, stream, has gradients) of a type."""
    if issubclass(kind, (int, float)):
        return NUMBER, None, None, None, None, False
    if issubclass(kind, _native.Tensor):
        return NATIVE, None, None, None, None, False
    if is_torch(kind):
        return adapt_torch()
    if hasattr(kind, "__array_struct__"):
        return ARRAY_STRUCT, None, to_numpy, compact_numpy, None, False
    if hasattr(kind, "__dlpack__"):
        return CAPSULE, None, importer_of(kind), None, None, False
    # NumPy's scalars, such as numpy.float32(1), are arrays of rank 0.
    if kind.__module__ == "numpy":
        return ARRAY_STRUCT, None, to_numpy, compact_numpy, None, False
    return NONE, None, None, None, None, False


def to_numpy(tensor: _native.Tensor) -> Any:
    """The memory of a result as an array of NumPy. What NumPy has no type for, bfloat16, becomes
    an array of ml_dtypes if that is installed, else one of float32."""
    import numpy as np

    array = np.asarray(tensor)
    if tensor.dtype != "bf16":
        return array
    if "ml_dtypes" in sys.modules:
        return array.view(sys.modules["ml_dtypes"].bfloat16)
    return (array.astype(np.uint32) << np.uint32(16)).view(np.float32)


def zeros(dtype: str, shape: Sequence[int]) -> Any:
    """An array of zeros of one of the element types of specs."""
    import numpy as np

    names = {"i1": "bool", "i8": "int8", "i32": "int32", "i64": "int64", "f16": "float16",
             "f32": "float32", "f64": "float64"}
    if dtype != "bf16":
        return np.zeros(shape, names[dtype])
    return _Bfloat16(np.zeros(shape, "V2"))


class _Bfloat16:
    """Bits that are read as bfloat16, for which NumPy has no type."""

    dtype = type("dtype", (), {"name": "bfloat16"})()

    def __init__(self, bits: Any):
        self.__array_struct__ = bits.__array_struct__
        self.bits = bits


def compact_numpy(array: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(array)


def is_torch(kind: type) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(kind, getattr(torch, "Tensor", ()))


def adapt_torch() -> Adaptation:
    import torch
    from torch.utils import dlpack

    def export(tensor: Any) -> Any:
        if tensor.requires_grad:
            if torch.is_grad_enabled():
                raise TypeError(
                    "requires gradients, which a plain call does not record; use clique.torch, "
                    "or call it under torch.no_grad()")
            tensor = tensor.detach()
        return dlpack.to_dlpack(tensor)  # type: ignore[attr-defined]

    def make(tensor: _native.Tensor) -> Any:
        # Made in the current stream, if it is on a GPU.
        stream = None if tensor.__dlpack_device__()[0] == CPU else -1
        return dlpack.from_dlpack(tensor.__dlpack__(stream=stream))

    def stream(device: int) -> int:
        current: int = torch.cuda.current_stream(device).cuda_stream
        return current

    return CAPSULE, export, make, lambda tensor: tensor.contiguous(), stream, True


def importer_of(kind: type) -> Callable[[Any], Any]:
    """What makes an array of the library that a type belongs to."""
    root = sys.modules[kind.__module__.partition(".")[0]]
    if root.__name__ in ("jaxlib", "jax"):
        import jax.numpy as root  # type: ignore[no-redef, import-not-found, unused-ignore]
    make = getattr(root, "from_dlpack", None)
    # Without one a result stays a clique.Tensor, which every library takes.
    return make if make is not None else lambda tensor: tensor


_native.set_adapt(adapt)
