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
                   Optional[Callable[[Any], Any]], Optional[Callable[[int], int]], Any]

#: What both clique.torch and plain calls say of an argument.
HAS_TANGENT = ("has a tangent; layers have derivatives in reverse mode (backward, "
               "torch.autograd.grad), not in forward mode (jvp, jacfwd)")
IS_TRANSFORMED = ("is traced by a transform of torch.func (grad, vmap ...) or of autograd "
                  "(vectorize, is_grads_batched), which layers do not take; derivatives are those "
                  "of backward and torch.autograd.grad")


def adapt(kind: type) -> Adaptation:
    """(kind, exporter, importer, compact, stream, forward mode) of a type."""
    if is_number(kind):
        return NUMBER, None, None, None, None, None
    if issubclass(kind, _native.Tensor):
        return NATIVE, None, None, None, None, None
    if is_torch(kind):
        return adapt_torch()
    if hasattr(kind, "__array_struct__"):
        return ARRAY_STRUCT, None, to_numpy, compact_numpy, None, None
    if hasattr(kind, "__dlpack__"):
        return CAPSULE, None, importer_of(kind), None, None, None
    # NumPy's other scalars are arrays of rank 0.
    if kind.__module__ == "numpy":
        return ARRAY_STRUCT, None, to_numpy, compact_numpy, None, None
    return NONE, None, None, None, None, None


def is_number(kind: type) -> bool:
    """Whether this is a type of numbers: Python's, or NumPy's (numpy.int64, ml_dtypes.bfloat16)."""
    if issubclass(kind, (int, float)):
        return True
    np = sys.modules.get("numpy")
    if np is None or not issubclass(kind, np.generic) or issubclass(kind, np.timedelta64):
        return False
    return issubclass(kind, (np.bool_, np.integer, np.floating)) or kind.__name__ == "bfloat16"


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
        self.bits = bits

    # Of the class: what an array is read by is asked of its type.
    @property
    def __array_struct__(self) -> Any:
        return self.bits.__array_struct__


def compact_numpy(array: Any) -> Any:
    import numpy as np

    return np.ascontiguousarray(array)


def is_torch(kind: type) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and issubclass(kind, getattr(torch, "Tensor", ()))


def adapt_torch() -> Adaptation:
    import torch
    from torch.autograd import forward_ad
    from torch.utils import dlpack

    def export(tensor: Any) -> Any:
        if forward_ad._current_level >= 0 and has_tangent(tensor):
            raise _native.ArgumentError(HAS_TANGENT)
        if tensor.requires_grad:
            if torch.is_grad_enabled():
                if is_functorch(tensor):
                    raise _native.ArgumentError(IS_TRANSFORMED)
                raise TypeError(
                    "requires gradients, which a plain call does not record; use clique.torch, "
                    "or call it under torch.no_grad()")
            tensor = tensor.detach()
        try:
            return dlpack.to_dlpack(tensor)  # type: ignore[attr-defined]
        except (RuntimeError, BufferError) as error:
            raise _native.ArgumentError(_why_not(tensor, error)) from error

    def make(tensor: _native.Tensor) -> Any:
        # Made in the current stream, if it is on a GPU.
        stream = None if tensor.__dlpack_device__()[0] == CPU else -1
        return dlpack.from_dlpack(tensor.__dlpack__(stream=stream))

    def stream(device: int) -> int:
        current: int = torch.cuda.current_stream(device).cuda_stream
        return current

    return CAPSULE, export, make, lambda tensor: tensor.contiguous(), stream, forward_ad


def has_tangent(tensor: Any) -> bool:
    """Whether a derivative in forward mode goes through it."""
    from torch.autograd import forward_ad

    if forward_ad._current_level < 0:
        return False
    dual = forward_ad.unpack_dual(tensor)  # type: ignore[no-untyped-call, unused-ignore]
    return dual.tangent is not None


def is_functorch(tensor: Any) -> bool:
    """Whether it stands for a batch, or for a tensor whose derivative is taken."""
    import torch

    functorch = getattr(torch._C, "_functorch", None)
    return functorch is not None and any(
        getattr(functorch, name, lambda _: False)(tensor)
        for name in ("is_batchedtensor", "is_gradtrackingtensor", "is_legacy_batchedtensor"))


def _why_not(tensor: Any, error: Exception) -> str:
    """Why DLPack does not read a tensor of PyTorch."""
    import torch

    if is_functorch(tensor):
        return IS_TRANSFORMED
    if tensor.layout != torch.strided:
        return f"has the layout {tensor.layout}, expected a dense tensor: tensor.to_dense()"
    return f"a tensor on '{tensor.device}' that DLPack does not read: {str(error).splitlines()[0]}"


def importer_of(kind: type) -> Callable[[Any], Any]:
    """What makes an array of the library that a type belongs to."""
    root = sys.modules[kind.__module__.partition(".")[0]]
    if root.__name__ in ("jaxlib", "jax"):
        import jax.numpy as root  # type: ignore[no-redef, import-not-found, unused-ignore]
    make = getattr(root, "from_dlpack", None)
    # Without one a result stays a clique.Tensor, which every library takes.
    return make if make is not None else lambda tensor: tensor


_native.set_adapt(adapt)
