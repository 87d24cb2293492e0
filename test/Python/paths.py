# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files with odd names, and what is no file: links stay links, devices stay what they are, and of
several files all are written or none."""
# RUN: rm -rf %t && mkdir %t
# RUN: %library_python %s %S/Inputs %t %examples/attention.mlir | FileCheck %s
# CHECK: names
# CHECK-NEXT: kinds
# CHECK-NEXT: all or none
# CHECK-NEXT: the tools

import os
import signal
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
os.chdir(sys.argv[2])

import clique
from layers import SPEC, raises

# Names that are no UTF-8, as text and as bytes, in messages of the compiler and the runtime too.
for name in (os.fsdecode(b"\xff.mlir"), b"\xff.mlir"):
    with open(name, "w", encoding="utf-8") as file:
        file.write(SPEC)
    layer = clique.compile(name, "mean")
    with open(name, "w", encoding="utf-8") as file:
        file.write(SPEC.replace("mean %m", "median %m"))
    assert raises(clique.SpecError, "unknown aggregator 'median'", clique.compile, name).line == 7
raises(clique.FileError, "\\xff.mtx: cannot be read: No such file", clique.Graph.read, b"\xff.mtx")
raises(clique.FileError, "\\xff.so: cannot be read: No such file", clique.load,
       os.fsdecode(b"\xff.so"))
raises(clique.ArgumentError, "the text of the spec has '\\udcff' at 8, which UTF-8 has no bytes for",
       clique.compile, "// name \udcff\n")
layer.save(b"\xff.so", os.fsdecode(b"\xff.h"))
assert clique.load(b"\xff.so").name == os.fsdecode(b"\xff.so")
for function in (clique.Graph.read, clique.load, clique.load_safetensors, layer.save,
                 lambda path: layer.save("nul.so", path)):
    raises(clique.ArgumentError, "the path 'a\\x00b' has a NUL byte, as no file's name has", function,
           "a\0b")
assert not os.path.exists("nul.so")
print("names")

os.symlink("target.so", "link.so")
for _ in range(2):  # to what is not there, and to what is
    layer.save("link.so")
    assert os.readlink("link.so") == "target.so" and len(clique.load("target.so")) == 1
os.mkfifo("pipe")
raises(clique.FileError, "is no regular file: 'pipe'", layer.save, "pipe")
raises(clique.FileError, "is no regular file: '/dev/null'", clique.compile_module(SPEC).save,
       "/dev/null")
raises(clique.FileError, "Is a directory: ''", layer.save, "")
print("kinds")

raises(clique.FileError, "is no regular file: 'pipe'", layer.save, "new.so", "pipe")
raises(clique.ArgumentError, "./new.so: is the library and its header, expected two files",
       layer.save, "new.so", "./new.so")
assert not os.path.exists("new.so") and not [name for name in os.listdir() if "tmp" in name]
print("all or none")

# `python -m clique` is what the tools are: for these names, when its output goes nowhere, and
# when Ctrl-C ends it.
TOOL = [sys.executable, "-m", "clique"]
with open("\udcff.mlir", "w", encoding="utf-8") as file:
    file.write(SPEC)
subprocess.run([*TOOL, "compile", "\udcff.mlir", "-o", "\udcff.s"], check=True)
subprocess.run([*TOOL, "explain", "\udcff.mlir"], check=True, stdout=subprocess.DEVNULL)
for arguments in (["--help"], ["explain", "\udcff.mlir"]):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*TOOL, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (
        1, b"error: standard output: cannot be written: No space left on device\n"), done
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background process ignores it
with subprocess.Popen([*TOOL, "run", sys.argv[3], "--graph=complete:500000"],
                      stdout=subprocess.PIPE) as running:
    running.stdout.read(1)  # that it has a graph; minutes are left
    running.send_signal(signal.SIGINT)
    try:
        assert running.wait(timeout=30) == -signal.SIGINT, running.returncode
    finally:
        running.kill()
print("the tools")
