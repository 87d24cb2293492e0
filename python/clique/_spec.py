# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Specs as a program names them."""

from __future__ import annotations

import os
import pathlib
from typing import NamedTuple, Union

from . import _native
from ._files import Path, file_errors
from ._trace import TracedLayer

Source = Union[Path, TracedLayer]


class Spec(NamedTuple):
    text: bytes
    name: str


def _bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise _native.ArgumentError(f"the text of the spec has {text[error.start]!r} at {error.start}, "
                                    "which UTF-8 has no bytes for") from None


def read_spec(spec: Source) -> Spec:
    """A path, or the text itself: what has a line end or a function is text."""
    if isinstance(spec, TracedLayer):
        return Spec(_bytes(spec.spec), f"<{spec.__name__}>")
    if isinstance(spec, str) and ("\n" in spec or "func.func" in spec):
        return Spec(_bytes(spec), "<spec>")
    path = os.fsdecode(spec)
    if not path or "\0" in path:
        raise _native.ArgumentError(f"the spec is {path!r}, expected a path, or the text of a spec")
    with file_errors(path):
        return Spec(pathlib.Path(path).read_bytes(), path)


__all__ = ["Source", "Spec", "read_spec"]
