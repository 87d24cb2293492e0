# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights from a file of safetensors: the length of a header in 8 bytes, the header in JSON, the
elements (https://huggingface.co/docs/safetensors)."""

from __future__ import annotations

import json
import math
import mmap
import os
from typing import Any, Union

from . import _native
from ._files import file_errors, path_text

_SIZES = {"BOOL": 1, "I8": 1, "U8": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2, "I32": 4, "U32": 4,
          "F32": 4, "I64": 8, "U64": 8, "F64": 8}
_MOST_HEADER = 100 << 20


def load_safetensors(path: Union[str, "os.PathLike[str]"],
                     framework: str = "numpy") -> dict[str, Any]:
    """The tensors of a file by their names, for a call or a module:

        layer(graph, h=h, **clique.load_safetensors("weights.safetensors"))
        module.load_state_dict(clique.load_safetensors("weights.safetensors", "torch"))

    framework: "numpy" (arrays in the file's memory, read only; BF16 as ml_dtypes' if that is
    installed, else as float32) or "torch" (copies). Raises clique.FileError, clique.FormatError."""
    if framework not in ("numpy", "torch"):
        raise _native.ArgumentError(f"framework '{framework}': expected numpy or torch")
    name = path_text(path)
    with file_errors(name), open(name, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < 8:
            raise _native.FormatError(f"{name}: has {size} bytes, a file of safetensors begins with "
                                      "8 that say how long its header is")
        data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    length = int.from_bytes(data[:8], "little")
    if length > min(size - 8, _MOST_HEADER):
        raise _native.FormatError(f"{name}: its header would be {length} bytes long, of {size}: "
                                  "this is no file of safetensors, or a part of one")
    try:
        header = json.loads(bytes(data[8:8 + length]))
        header.pop("__metadata__", None)
        entries = {str(key): (str(entry["dtype"]), _sizes(entry["shape"]),
                              _sizes(entry["data_offsets"]))
                   for key, entry in header.items()}
        make = _to_numpy if framework == "numpy" else _to_torch
        tensors = {}
        for key, (dtype, shape, (begin, end)) in entries.items():
            _check(name, key, dtype, shape, begin, end, size - 8 - length)
            tensors[key] = make(data[8 + length + begin:8 + length + end], dtype, shape)
        return tensors
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError,
            RecursionError) as error:
        if isinstance(error, _native.Error):
            raise
        raise _native.FormatError(f"{name}: its header is damaged: {error}") from None


def _sizes(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(size) is int for size in value):
        raise TypeError(f"{value!r} is no list of whole numbers")
    return tuple(value)


def _check(file: str, key: str, dtype: str, shape: tuple[int, ...], begin: int, end: int,
           size: int) -> None:
    if dtype not in _SIZES:
        raise _native.FormatError(f"{file}: tensor '{key}' has element type {dtype}; expected one "
                                  f"of {', '.join(_SIZES)}")
    expected = math.prod(shape) * _SIZES[dtype]
    if min((begin, *shape), default=0) < 0 or end - begin != expected or end > size:
        raise _native.FormatError(f"{file}: tensor '{key}', {dtype}{list(shape)}, has the bytes "
                                  f"{begin} to {end} of {size}, expected {expected} of them")


def _to_numpy(data: memoryview, dtype: str, shape: tuple[int, ...]) -> Any:
    import numpy as np

    if dtype == "BF16":
        bits = _to_numpy(data, "U16", shape)
        try:
            import ml_dtypes  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return bits.view(ml_dtypes.bfloat16)
    kind = {"B": "?", "I": "i", "U": "u", "F": "f"}[dtype[0]]
    text = "?" if kind == "?" else f"<{kind}{_SIZES[dtype]}"
    array = np.frombuffer(data, text).reshape(shape)
    # Most writers pad the header, not all.
    return array if array.flags.aligned else array.copy()


def _to_torch(data: memoryview, dtype: str, shape: tuple[int, ...]) -> Any:
    import torch

    names = {"BOOL": "bool", "I8": "int8", "U8": "uint8", "I16": "int16", "I32": "int32",
             "I64": "int64", "F16": "float16", "BF16": "bfloat16", "F32": "float32",
             "F64": "float64"}
    if dtype not in names:
        raise ValueError(f"PyTorch has no type for {dtype}")
    kind = getattr(torch, names[dtype])
    if not data:
        return torch.empty(shape, dtype=kind)
    return torch.frombuffer(bytearray(data), dtype=kind).reshape(shape)


__all__ = ["load_safetensors"]
