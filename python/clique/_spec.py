# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Specs as a program names them, and errors of files as those of the package."""

from __future__ import annotations

import contextlib
import os
import pathlib
from typing import Iterator, NamedTuple, Optional, Union

from . import _native
from ._trace import TracedLayer

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, TracedLayer]


class Spec(NamedTuple):
    text: bytes
    name: str


@contextlib.contextmanager
def file_errors(path: Optional[Path] = None) -> Iterator[None]:
    """What Python raises of a file becomes clique.FileError, of the file `path` if it is given:
    what is written goes to another one first."""
    try:
        yield
    except OSError as error:
        if isinstance(error, _native.Error):
            raise
        name = error.filename if path is None else os.fspath(path)
        raise _native.FileError(error.errno, error.strerror, name) from error


def read_spec(spec: Source) -> Spec:
    """A path, or the text itself: what has a line end or a function is text."""
    if isinstance(spec, TracedLayer):
        return Spec(spec.spec.encode(), f"<{spec.__name__}>")
    if isinstance(spec, str) and ("\n" in spec or "func.func" in spec):
        return Spec(spec.encode(), "<spec>")
    path = os.fsdecode(spec)
    if not path or "\0" in path:
        raise _native.ArgumentError(f"the spec is {path!r}, expected a path, or the text of a spec")
    with file_errors(path):
        return Spec(pathlib.Path(path).read_bytes(), path)


__all__ = ["Path", "Source", "Spec", "file_errors", "read_spec"]
