# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled layers on disk, by what they were compiled from.

A file's name is a hash of the spec, the options, the compiler and the processor, so that it is
never stale. Several processes may use a cache at once: files appear whole, one process compiles
and the others wait for it, and a file that is removed stays usable where it is loaded."""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import pathlib
import re
import shutil
import struct
import tempfile
import time
from typing import Callable, Iterator, Optional

from . import _native
from ._files import whole_file

#: MiB; CLIQUE_CACHE_MIB overrides it.
DEFAULT_LIMIT = 512
#: What is removed: a folder that the user names may have files of others, too.
OWN = re.compile(r"[0-9a-f]{40}\.(so|lock)|tmp\w{8}\.tmp")
#: Seconds after which an unfinished file is what a crash left.
ABANDONED = 3600


def folder() -> pathlib.Path:
    """CLIQUE_CACHE_DIR, or `clique` in the user's folder of caches."""
    chosen = os.environ.get("CLIQUE_CACHE_DIR")
    if chosen:
        return pathlib.Path(chosen)
    root = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(root) / "clique"


@functools.lru_cache(maxsize=None)
def _own_folder(process: int) -> pathlib.Path:
    """A folder of this process, which is removed when it ends."""
    made = tempfile.mkdtemp(prefix="clique-")

    def remove() -> None:
        if os.getpid() == process:  # not a child of it
            shutil.rmtree(made, ignore_errors=True)

    atexit.register(remove)
    return pathlib.Path(made)


def _writable(root: pathlib.Path) -> pathlib.Path:
    """The folder, made if need be. Instead of the user's folder of caches, where that cannot be
    written (in a container, say), one of this process; CLIQUE_CACHE_DIR was asked for."""
    try:
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(root, os.W_OK):
            return root
    except OSError:
        if os.environ.get("CLIQUE_CACHE_DIR"):
            raise
    return root if os.environ.get("CLIQUE_CACHE_DIR") else _own_folder(os.getpid())


def limit() -> int:
    """Bytes that the cache may take."""
    wanted = os.environ.get("CLIQUE_CACHE_MIB", str(DEFAULT_LIMIT))
    if not wanted.isdecimal() or len(wanted) > 12:
        raise _native.ArgumentError(f"CLIQUE_CACHE_MIB is '{wanted}', expected a number of MiB")
    return int(wanted) << 20


def processor() -> str:
    """The kind and the features of this machine's first processor."""
    wanted = ("vendor_id", "cpu family", "model", "stepping", "flags", "Features",
              "CPU implementer", "CPU part")
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            lines = []
            for line in file:
                if not line.strip():
                    break
                if line.partition(":")[0].strip() in wanted:
                    lines.append(line)
            return "".join(lines)
    except OSError:
        return " ".join(os.uname())


def build_id(path: str) -> bytes:
    """The hash of a library's contents that its linker left in it; else its size and time."""
    with open(path, "rb") as file:
        header = file.read(64)
        if header[:5] == b"\x7fELF\x02":
            offset, = struct.unpack_from("<Q", header, 32)
            size, count = struct.unpack_from("<HH", header, 54)
            file.seek(offset)
            segments = file.read(size * count)
            for k in range(count):
                kind, = struct.unpack_from("<I", segments, k * size)
                if kind != 4:  # PT_NOTE
                    continue
                start, = struct.unpack_from("<Q", segments, k * size + 8)
                length, = struct.unpack_from("<Q", segments, k * size + 32)
                file.seek(start)
                found = _find_build_id(file.read(length))
                if found:
                    return found
    status = os.stat(path)
    return f"{status.st_size} {status.st_mtime_ns}".encode()


def _find_build_id(notes: bytes) -> Optional[bytes]:
    position = 0
    while position + 12 <= len(notes):
        names, values, kind = struct.unpack_from("<III", notes, position)
        name = notes[position + 12:position + 12 + names]
        start = position + 12 + (names + 3) // 4 * 4
        if kind == 3 and name == b"GNU\0":
            return notes[start:start + values]
        position = start + (values + 3) // 4 * 4
    return None


def key(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(str(len(part)).encode() + b":" + part)
    return digest.hexdigest()[:40]


@contextlib.contextmanager
def _locked(path: pathlib.Path) -> Iterator[None]:
    """Keeps other processes from the same work, where the file system can."""
    import fcntl

    with open(path, "w", encoding="ascii") as file:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _touch(path: pathlib.Path) -> bool:
    """Whether the file is there; it was used now."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    except OSError:
        return path.exists()  # of a folder that is shared and only read
    return True


def _evict(root: pathlib.Path, keep: pathlib.Path) -> None:
    """Removes those that were not used for longest, and what crashes left, until the rest fits."""
    files = []
    for entry in os.scandir(root):
        if not OWN.fullmatch(entry.name):
            continue
        with contextlib.suppress(OSError):
            status = entry.stat()
            # What is being written belongs to its process, unless that is long gone.
            if entry.name.endswith(".so") or time.time() - status.st_mtime > ABANDONED:
                files.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in files)
    for _, size, path in sorted(files):
        if total <= limit():
            break
        if path != str(keep):
            with contextlib.suppress(OSError):
                os.remove(path)
                total -= size


def fetch(name: str, compile_to: Callable[[str], None], again: bool = False) -> pathlib.Path:
    """The library of this name; compiled by `compile_to(path)` if it is not there, or if it is
    wanted `again` because it cannot be used."""
    target = folder() / f"{name}.so"
    if not again and _touch(target):
        return target
    limit()  # one that is none is an error before it takes a compilation
    root = _writable(folder())
    target = root / f"{name}.so"
    try:
        with _locked(root / f"{name}.lock"):
            if again or not _touch(target):
                with whole_file(target) as temporary:
                    compile_to(temporary)
                _evict(root, target)
    finally:
        with contextlib.suppress(OSError):
            os.remove(root / f"{name}.lock")
    return target
