# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler's library, compiler/CApi/clique_compiler.h, through ctypes.

It is loaded when something has to be compiled: a layer that is cached does without it."""

from __future__ import annotations

import concurrent.futures
import contextlib
import ctypes
import dataclasses
import functools
import os
import re
import threading
from typing import Any, Callable, Optional, TypeVar

from . import _native
from ._version import __version__

T = TypeVar("T")

IO_ERROR = 2  # of clique_status


class SpecError(_native.ArgumentError):
    """A spec that cannot be compiled.

    `filename`, `line` and `column` say where; `str()` is all that the compiler said, with the
    lines of the spec."""

    def __init__(self, text: str):
        super().__init__(text)
        found = re.search(r"^(.*?):(\d+):(\d+): error: (.*)$", text, flags=re.M)
        self.filename: Optional[str] = found.group(1) if found else None
        self.line: Optional[int] = int(found.group(2)) if found else None
        self.column: Optional[int] = int(found.group(3)) if found else None
        self.message: str = found.group(4) if found else text


@dataclasses.dataclass(frozen=True)
class Options:
    """What to compile for; as the options of clique-compile that are spelled alike."""

    target: str = "cpu"
    cpu: str = "native"
    features: str = ""
    gpu_arch: str = "multi"
    f32_products: str = "exact"
    entry: str = ""  #: the layers, with commas between; all
    derivative: int = 0  #: 1: the gradient of each layer instead, 2: that of the gradient ...
    gradients: str = ""  #: ... by these arguments, with commas between; all of floats
    prune_heads: str = ""  #: heads to remove, as --prune-heads has them


class Request(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char_p), ("size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("entry", ctypes.c_char_p), ("cpu", ctypes.c_char_p),
                ("features", ctypes.c_char_p), ("target", ctypes.c_char_p),
                ("gpu_arch", ctypes.c_char_p), ("f32_products", ctypes.c_char_p),
                ("remarks", ctypes.c_int32), ("derivative", ctypes.c_int32),
                ("gradients", ctypes.c_char_p), ("prune_heads", ctypes.c_char_p)]


class Buffer(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    def take(self) -> bytes:
        """The bytes; the buffer is free after it."""
        contents = ctypes.string_at(self.data, self.size) if self.data else b""
        library().clique_buffer_free(ctypes.byref(self))
        return contents

    def text(self) -> str:
        return self.take().decode("utf-8", "replace")


def path() -> str:
    """The file of the compiler's library: beside the runtime's."""
    return os.path.join(os.path.dirname(os.path.realpath(_native.runtime_path())),
                        "libclique_compiler.so")


@functools.lru_cache(maxsize=None)
def library() -> ctypes.CDLL:
    loaded = ctypes.CDLL(path())
    loaded.clique_compiler_version.restype = ctypes.c_char_p
    version = loaded.clique_compiler_version().decode()
    if version != __version__:
        raise _native.IncompatibleError(f"{path()} is of version {version}, this package of "
                                        f"{__version__}: install the package again")
    return loaded


def make_request(text: bytes, name: str, options: Options, entry: str = "",
                 remarks: bool = False) -> Request:
    # What is made of a gradient holds both of its functions: an entry is the layer's.
    wanted = options.entry if options.derivative else entry or options.entry
    return Request(text, len(text), os.fsencode(name), wanted.encode(), options.cpu.encode(),
                   options.features.encode(), options.target.encode(),
                   options.gpu_arch.encode(), options.f32_products.encode(), int(remarks),
                   options.derivative, options.gradients.encode(),
                   options.prune_heads.encode())


def check(status: int, messages: str) -> None:
    if status == IO_ERROR:
        raise _native.FileError(messages.strip())
    if status:
        raise SpecError(messages.strip() or "the compiler failed without a message")


def _run(function: Callable[[], T]) -> T:
    """What it returns or raises. The main thread waits for another one, so that Ctrl-C interrupts
    it: what is under way then is finished all the same, and dropped."""
    if threading.current_thread() is not threading.main_thread():
        return function()
    made: concurrent.futures.Future[T] = concurrent.futures.Future()

    def work() -> None:
        try:
            made.set_result(function())
        except BaseException as error:
            made.set_exception(error)

    threading.Thread(target=work, name="clique compiler").start()
    return made.result()


def compile_library(text: bytes, name: str, options: Options, output: str) -> None:
    """Compiles all layers of a spec to a library at `output`."""
    messages = Buffer()
    request = make_request(text, name, options)
    compiler = library()
    dropped = threading.Event()

    def work() -> int:
        status: int = compiler.clique_compile_library(
            ctypes.byref(request), os.fsencode(output), ctypes.byref(messages))
        if dropped.is_set():  # whoever asked has removed it already
            with contextlib.suppress(OSError):
                os.remove(output)
        return status

    try:
        status = _run(work)
    except BaseException:
        dropped.set()
        raise
    check(status, messages.text())


def emit(text: Optional[bytes], name: str, options: Options, kind: str, entry: str = "",
         remarks: bool = False) -> tuple[bytes, str]:
    """(what `kind` names, remarks)."""
    assert text is not None
    contents, messages = Buffer(), Buffer()
    request = make_request(text, name, options, entry, remarks)
    compiler = library()
    status = _run(lambda: compiler.clique_compile_emit(
        ctypes.byref(request), kind.encode(), ctypes.byref(contents), ctypes.byref(messages)))
    made, said = contents.take(), messages.text()
    check(status, said)
    return made, said


def verify(layer: Any, text: Optional[bytes], name: str, options: Options, args: tuple[Any, ...],
           keywords: dict[str, Any]) -> list[tuple[float, float, float, float]]:
    """(error, tolerance, actual, expected) for each result of a call."""
    assert text is not None
    messages = Buffer()
    request = make_request(text, name, options)
    function = ctypes.cast(library().clique_compile_verify, ctypes.c_void_p).value
    status, deviations = _run(lambda: layer._verify(
        function, ctypes.addressof(request), ctypes.addressof(messages), args, keywords))
    check(status, messages.text())
    found: list[tuple[float, float, float, float]] = deviations
    return found
