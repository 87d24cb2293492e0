# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests on the emulated driver find what is wrong with a kernel: the device IR of a dense
attention in bf16, which verifies, is damaged in one place at a time, compiled on, and put
into the library in place of the right one. Then it must not verify, or be a fault."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: undamaged: verifies
# CHECK: no barrier before a tile is read: found
# CHECK: no barrier before a tile is overwritten: found
# CHECK: columns of ldmatrix: found
# CHECK: padding of shared memory: found
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

    def run(self, kernels, order):
        """What clique-run says of the layer with these kernels, or None if it verifies."""
        image = self.compile(kernels)
        assert len(image) <= len(self.image), "damage may not make the kernels longer"
        library = self.folder / "damaged.so"
        library.write_bytes(self.library.replace(self.image, image.ljust(len(self.image), b"\0")))
        try:
            execute(["clique-run", library, f"--spec={self.spec}", "--graph=complete:100",
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


def expect_found(attention, name, kernels, orders=ORDERS[:1]):
    for order in orders:
        output = attention.run(kernels, order)
        if not output or not re.search(FOUND, output):
            sys.exit(f"{name}, {order}: not found: {output or 'it verifies'}")
    print(f"{name}: found", flush=True)


def check_barriers(attention):
    text = attention.kernels
    read = find_all(r"nvgpu\.ldmatrix", text)[0].start()
    before = [match for match in find_all(r"gpu\.barrier", text) if match.start() < read]
    expect_found(attention, "no barrier before a tile is read", replace(text, before[-1], ""),
                 ORDERS)
    # Of the others at least one keeps a tile until all have read it.
    others = [replace(text, match, "") for match in before[:-1]]
    if not any(attention.run(kernels, ORDERS[0]) for kernels in others):
        sys.exit(f"each of {len(others)} barriers can be removed")
    print("no barrier before a tile is overwritten: found", flush=True)


def store_unpadded(text):
    """One store takes the rows of its tile for shorter than they are."""
    store = find_all(r"vector\.store (%\w+), (%\w+)(\[.*\] \{.*\}) : (memref<(\d+)x(\d+)xbf16, "
                     r"strided<\[\d+, 1\]>, .*workgroup>>), (.*)", text)[0]
    rows, columns = store.group(5, 6)
    return replace(text, store, f"""%short = memref.reinterpret_cast \\2 to offset: [0],
          sizes: [{rows}, {columns}], strides: [{columns}, 1] : \\4
          to memref<{rows}x{columns}xbf16, strided<[{columns}, 1]>, #gpu.address_space<workgroup>>
        vector.store \\1, %short\\3 : memref<{rows}x{columns}xbf16, strided<[{columns}, 1]>,
          #gpu.address_space<workgroup>>, \\7""")


def check_places(attention):
    text = attention.kernels
    load = find_all(r"nvgpu\.ldmatrix (%\w+)\[(%\w+), (%\w+)\]", text)
    expect_found(attention, "columns of ldmatrix",
                 replace(text, load[0], r"nvgpu.ldmatrix \1[\3, \2]"))
    expect_found(attention, "padding of shared memory", store_unpadded(text))
    views = find_all(r"memref\.view (%\w+)\[(%\w+)\]", text)
    expect_found(attention, "tiles that overlap",
                 replace(text, views[1], rf"memref.view \1[{views[0].group(2)}]"))


def check_limits(attention):
    text = attention.kernels
    less = find_all(r"arith\.cmpi slt,(?=.*: vector<)", text)
    expect_found(attention, "the mask's limit", replace(text, less[0], "arith.cmpi sle,"))
    start = text.index("gpu.func @attention_0_dense")
    expect_found(attention, "rows beyond the end",
                 text[:start] + text[start:].replace("arith.minui", "arith.maxui"))


with tempfile.TemporaryDirectory() as name:
    attention = Attention(pathlib.Path(name))
    for order in ORDERS:
        if output := attention.run(attention.kernels, order):
            sys.exit(f"undamaged, {order}: {output}")
    print("undamaged: verifies", flush=True)
    check_barriers(attention)
    check_places(attention)
    check_limits(attention)
