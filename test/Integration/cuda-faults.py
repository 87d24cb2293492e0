# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests on the emulated driver find what is wrong with a kernel: the device IR of a dense
attention in bf16, which verifies, is damaged in one place at a time, compiled on, and put
into the library in place of the right one. Then it must not verify, or be a fault."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: undamaged: verifies
# CHECK: no barrier before a tile is read: found
# CHECK: no barrier before a tile is overwritten: found
# CHECK: nobody waits for copies: found
# CHECK: columns of ldmatrix: found
# CHECK: swizzle of ldmatrix: found
# CHECK: swizzle of a copy: found
# CHECK: tiles that overlap: found
# CHECK: the mask's limit: found
# CHECK: rows beyond the end: found

import functools
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from attention_layer import make_layer
from emulated_suite import ORDERS, execute

TARGET = ["--target=cuda", "--gpu-arch=emulated"]
# A result that differs from the reference's, or an access that the device refuses.
FOUND = r"max error .* too large|error: .* on CUDA device 0 .*thread"


class Attention:
    """A library whose kernels can be replaced."""

    def __init__(self, folder):
        self.folder, self.spec = folder, folder / "attention.mlir"
        self.spec.write_text(make_layer("attention", 2, 64, "bf16"))
        library, kernels = folder / "attention.so", folder / "kernels.mlir"
        execute(["clique-compile", self.spec, *TARGET, "-o", library], ORDERS[0])
        execute(["clique-compile", self.spec, *TARGET, "--emit=kernels", "-o", kernels], ORDERS[0])
        self.library, self.kernels = library.read_bytes(), kernels.read_text()
        self.image = self.compile(self.kernels)
        assert self.library.count(self.image) == 1, "the library's kernels are not those of the IR"

    @functools.cache
    def compile(self, kernels):
        source, image = self.folder / "damaged.mlir", self.folder / "damaged.cubin"
        source.write_text(kernels)
        execute(["clique-compile", source, "--from=kernels", *TARGET, "-o", image], ORDERS[0])
        return image.read_bytes()

    def run(self, kernels, order, nodes=100):
        """What clique-run says of the layer with these kernels, or None if it verifies."""
        image = self.compile(kernels)
        assert len(image) <= len(self.image), "damage may not make the kernels longer"
        library = self.folder / "damaged.so"
        library.write_bytes(self.library.replace(self.image, image.ljust(len(self.image), b"\0")))
        try:
            execute(["clique-run", library, f"--spec={self.spec}", f"--graph=complete:{nodes}",
                     "--lowering=dense", "--emulate", "--verify=6e-3", "--threads=1"], order)
        except RuntimeError as failure:
            return str(failure)
        return None


def find_all(pattern, text):
    """Places in the dense kernel."""
    start = text.index("gpu.func @attention_0_dense")
    matches = re.compile(pattern).finditer(text, start, text.index("gpu.return", start))
    return list(matches)


def replace(text, match, by):
    return text[:match.start()] + match.expand(by) + text[match.end():]


def expect_found(attention, name, kernels, orders=ORDERS[:1], nodes=100):
    for order in orders:
        output = attention.run(kernels, order, nodes)
        if not output or not re.search(FOUND, output):
            sys.exit(f"{name}, {order}: not found: {output or 'it verifies'}")
    print(f"{name}: found", flush=True)


def find_in_loop(text, pattern):
    """The first place in a round of the loop over tiles."""
    loop = find_all(r"scf\.for .*!nvgpu\.device\.async\.token", text)[0].start()
    return next(match for match in find_all(pattern, text) if match.start() > loop)


def check_order(attention):
    text = attention.kernels
    barrier = find_in_loop(text, r"gpu\.barrier")
    expect_found(attention, "no barrier before a tile is read", replace(text, barrier, ""), ORDERS)
    # The next tile but one comes into the place of one that others may still read.
    started = find_in_loop(text, r"(%\w+ = nvgpu\.device_async_create_group .*)")
    late = replace(replace(text, started, r"\1\n gpu.barrier"), barrier, "")
    expect_found(attention, "no barrier before a tile is overwritten", late, ORDERS[2:], nodes=200)
    wait = find_in_loop(text, r"nvgpu\.device_async_wait %\w+")
    expect_found(attention, "nobody waits for copies", replace(text, wait, ""), ORDERS)


def check_places(attention):
    text = attention.kernels
    load = find_all(r"nvgpu\.ldmatrix (%\w+)\[(%\w+), (%\w+)\]", text)
    expect_found(attention, "columns of ldmatrix",
                 replace(text, load[0], r"nvgpu.ldmatrix \1[\3, \2]"))
    swizzle = r"arith\.xori(?= .*\n.*%s)"
    for name, access in (("ldmatrix", r"nvgpu\.ldmatrix"), ("a copy", r"nvgpu\.device_async_copy")):
        expect_found(attention, f"swizzle of {name}",
                     replace(text, find_all(swizzle % access, text)[0], "arith.ori"))
    views = find_all(r"memref\.view (%\w+)\[(%\w+)\]", text)
    expect_found(attention, "tiles that overlap",
                 replace(text, views[1], rf"memref.view \1[{views[0].group(2)}]"))


def check_limits(attention):
    text = attention.kernels
    # The bits of a row's word up to its last source: none is cleared when ones are shifted in.
    shift = find_all(r"arith\.shrui(?=.*: vector<)", text)
    expect_found(attention, "the mask's limit", replace(text, shift[0], "arith.shrsi"))
    # Copies of rows beyond the end read none: here they do, and where they would lie.
    copy = re.compile(r"(nvgpu\.device_async_copy %\w+)\[%\w+, (%\w+)\], (%\w+)\[(%\w+), (%\w+)\],"
                      r" 8, %\w+ ")
    beyond = copy.sub(r"\1[\4, \2], \3[\4, \5], 8 ", text)
    assert beyond != text, "no copy has a limit"
    expect_found(attention, "rows beyond the end", beyond)


with tempfile.TemporaryDirectory() as name:
    attention = Attention(pathlib.Path(name))
    for order in ORDERS:
        if output := attention.run(attention.kernels, order):
            sys.exit(f"undamaged, {order}: {output}")
    print("undamaged: verifies", flush=True)
    check_order(attention)
    check_places(attention)
    check_limits(attention)
