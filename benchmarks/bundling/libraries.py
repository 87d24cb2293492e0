# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shared libraries that a program needs beside those of every Linux system."""

import pathlib
import re
import shutil
import subprocess

# Those of the C library and of GCC: a process can have only one of each, and PyTorch has it too.
SYSTEM = re.compile(r"(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s))\.so\b.*")
COMPILER = re.compile(r"lib(LLVM|MLIR|clang)")


class MissingLibrary(RuntimeError):
    pass


def needed(file):
    """Paths of what `file` needs, directly or not; what a library needs stands before it."""
    lines = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
    found = {}
    for name, path in re.findall(r"^\s*(\S+) => (.*?)(?: \(0x\w+\))?$", lines, re.MULTILINE):
        if SYSTEM.fullmatch(name):
            continue
        if COMPILER.match(name):
            raise MissingLibrary(f"{file} needs {name}, a library of the compiler")
        if not pathlib.Path(path).exists():
            raise MissingLibrary(f"{file} needs {name}, which was not found")
        found[name] = pathlib.Path(path)
    return dict(reversed(found.items()))


def copy(files, folder):
    """Copies the files and all they need to `folder`; the names, in an order of loading."""
    libraries = {}
    for file in files:
        for name, path in {**needed(file), file.name: file}.items():
            libraries.setdefault(name, path)
    for name, path in libraries.items():
        shutil.copyfile(path, folder / name)
    return list(libraries)


def least_versions(folders):
    """What the programs and libraries of folders ask of the system's: {"GLIBC": "2.34" ...}."""
    found = {"GLIBC": (0,), "GLIBCXX": (0,)}
    for file in (file for folder in folders for file in folder.iterdir()):
        text = subprocess.run(["readelf", "--version-info", file], capture_output=True,
                              text=True, check=False).stdout
        for name, version in re.findall(r"\b(GLIBC|GLIBCXX)_([0-9.]+)", text):
            found[name] = max(found[name], tuple(map(int, version.split("."))))
    return {name: ".".join(map(str, version)) for name, version in found.items()}
