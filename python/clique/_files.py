# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that a program names: their paths, what is raised of them, and how they are written."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from typing import Iterator, Optional, Union

from . import _native

Path = Union[str, "os.PathLike[str]"]


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


def path_text(path: Path) -> str:
    """A path as text, whose bytes os.fsencode gives back."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise _native.ArgumentError(f"the path {text!r} has a NUL byte, as no file's name has")
    return text


def _find_target(path: str) -> str:
    """The file that is written: behind links, which stay. Devices and folders are not replaced."""
    target = os.path.realpath(path)
    with contextlib.suppress(FileNotFoundError):
        mode = os.stat(target).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "is no regular file")
    return target


@contextlib.contextmanager
def whole_file(target: Path) -> Iterator[str]:
    """A path to write to: the file appears at `target` when all of it is there."""
    handle, temporary = tempfile.mkstemp(prefix="tmp", suffix=".tmp", dir=os.path.dirname(target))
    os.close(handle)
    try:
        yield temporary
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(temporary)
        raise


def save(library: Path, contents: bytes, header: Optional[Path] = None, text: bytes = b"") -> None:
    """Writes a library, and its header if it is named: both or neither."""
    targets = []
    with contextlib.ExitStack() as files:
        for path, data, mode in ((library, contents, 0o755), (header, text, 0o644)):
            if path is None:
                continue
            name = path_text(path)
            with file_errors(path):
                targets.append(_find_target(name))
                if targets.count(targets[-1]) > 1:
                    raise _native.ArgumentError(
                        f"{name}: is the library and its header, expected two files")
                temporary = files.enter_context(whole_file(targets[-1]))
                with open(temporary, "wb") as file:
                    file.write(data)
                os.chmod(temporary, mode)


__all__ = ["Path", "file_errors", "path_text", "save", "whole_file"]
