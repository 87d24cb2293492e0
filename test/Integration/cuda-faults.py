# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests on the emulated driver find what is wrong with a kernel: the device IR of a dense
attention in bf16, and that of narrow rows, eight of which share a warp, verify; they are damaged
in one place at a time, compiled on, and put into the library in place of the right one. Then it
must not verify, or be a fault."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: attention, undamaged: verifies
# CHECK: no barrier before a tile is read: found
# CHECK: no barrier before a tile is overwritten: found
# CHECK: nobody waits for copies: found
# CHECK: columns of ldmatrix: found
# CHECK: swizzle of ldmatrix: found
# CHECK: swizzle of a copy: found
# CHECK: tiles that overlap: found
# CHECK: the mask's limit: found
# CHECK: rows beyond the end: found
# CHECK: rows, undamaged: verifies
# CHECK: the lanes of all groups: found
# CHECK: the lanes of the first group: found
# CHECK: shared memory of the first group: found

import functools
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from attention_layer import make_layer
from emulated_suite import ORDERS, execute
from layer_suite import KARATE

TARGET = ["--target=cuda", "--gpu-arch=emulated"]
# A result that differs from the reference's, or an access that the device refuses.
FOUND = r"max error .* too large|error: .* on CUDA device 0 .*thread"


class Layer:
    """A library whose kernels can be replaced, and the one of them that is damaged."""

    def __init__(self, folder, name, text, lowering, tolerance):
        self.folder, self.name, self.spec = folder, name, folder / f"{name}.mlir"
        self.kernel = f"{name}_0_{lowering}"
        self.options = [f"--lowering={lowering}", f"--verify={tolerance}"]
        self.spec.write_text(text)
        library, kernels = folder / f"{name}.so", folder / "kernels.mlir"
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

    def run(self, kernels, order, graph):
        """What clique-run says of the layer with these kernels, or None if it verifies."""
        image = self.compile(kernels)
        assert len(image) <= len(self.image), "damage may not make the kernels longer"
        library = self.folder / "damaged.so"
        library.write_bytes(self.library.replace(self.image, image.ljust(len(self.image), b"\0")))
        try:
            execute(["clique-run", library, f"--spec={self.spec}", f"--graph={graph}",
                     *self.options, "--emulate", "--threads=1"], order)
        except RuntimeError as failure:
            return str(failure)
        return None

    def find_all(self, pattern):
        """Places in the kernel."""
        text = self.kernels
        start = text.index(f"gpu.func @{self.kernel}(")
        return list(re.compile(pattern).finditer(text, start, text.index("gpu.return", start)))

    def find_in_loop(self, pattern):
        """The first place in a round of the loop over tiles."""
        loop = self.find_all(r"scf\.for .*!nvgpu\.device\.async\.token")[0].start()
        return next(match for match in self.find_all(pattern) if match.start() > loop)


def replace(text, match, by):
    return text[:match.start()] + match.expand(by) + text[match.end():]


def expect_found(layer, name, kernels, orders=ORDERS[:1], graph="complete:100"):
    for order in orders:
        output = layer.run(kernels, order, graph)
        if not output or not re.search(FOUND, output):
            sys.exit(f"{name}, {order}: not found: {output or 'it verifies'}")
    print(f"{name}: found", flush=True)


def expect_fine(layer, graph):
    for order in ORDERS:
        if output := layer.run(layer.kernels, order, graph):
            sys.exit(f"{layer.name}, undamaged, {order}: {output}")
    print(f"{layer.name}, undamaged: verifies", flush=True)


def check_order(attention):
    text = attention.kernels
    barrier = attention.find_in_loop(r"gpu\.barrier")
    expect_found(attention, "no barrier before a tile is read", replace(text, barrier, ""), ORDERS)
    # The next tile but one comes into the place of one that others may still read.
    started = attention.find_in_loop(r"(%\w+ = nvgpu\.device_async_create_group .*)")
    late = replace(replace(text, started, r"\1\n gpu.barrier"), barrier, "")
    expect_found(attention, "no barrier before a tile is overwritten", late, ORDERS[2:],
                 graph="complete:200")
    wait = attention.find_in_loop(r"nvgpu\.device_async_wait %\w+")
    expect_found(attention, "nobody waits for copies", replace(text, wait, ""), ORDERS)


def check_places(attention):
    text = attention.kernels
    load = attention.find_all(r"nvgpu\.ldmatrix (%\w+)\[(%\w+), (%\w+)\]")
    expect_found(attention, "columns of ldmatrix",
                 replace(text, load[0], r"nvgpu.ldmatrix \1[\3, \2]"))
    swizzle = r"arith\.xori(?= .*\n.*%s)"
    for name, access in (("ldmatrix", r"nvgpu\.ldmatrix"), ("a copy", r"nvgpu\.device_async_copy")):
        expect_found(attention, f"swizzle of {name}",
                     replace(text, attention.find_all(swizzle % access)[0], "arith.ori"))
    views = attention.find_all(r"memref\.view (%\w+)\[(%\w+)\]")
    expect_found(attention, "tiles that overlap",
                 replace(text, views[1], rf"memref.view \1[{views[0].group(2)}]"))


def check_limits(attention):
    text = attention.kernels
    # The bits of a row's word up to its last source: none is cleared when ones are shifted in.
    shift = attention.find_all(r"arith\.shrui(?=.*: vector<)")
    expect_found(attention, "the mask's limit", replace(text, shift[0], "arith.shrsi"))
    # Copies of rows beyond the end read none: here they do, and where they would lie.
    copy = re.compile(r"(nvgpu\.device_async_copy %\w+)\[%\w+, (%\w+)\], (%\w+)\[(%\w+), (%\w+)\],"
                      r" 8, %\w+ ")
    beyond = copy.sub(r"\1[\4, \2], \3[\4, \5], 8 ", text)
    assert beyond != text, "no copy has a limit"
    expect_found(attention, "rows beyond the end", beyond)


def check_groups(rows):
    """Eight rows of a warp: each group meets its own four lanes, in shuffles and elsewhere."""
    text = rows.kernels
    lanes = rows.find_all(r"arith\.shli (%c15_i32), (%\w+)(?= : i32)")[0]
    for name, by in (("all groups", "-1"), ("the first group", "15")):
        expect_found(rows, f"the lanes of {name}",
                     replace(text, lanes, f"arith.constant {by}"), ORDERS, KARATE)
    # Four lanes after the other have 64 bytes each.
    own = rows.find_all(r"arith\.muli (%\w+), %c64(?= : index)")[0]
    expect_found(rows, "shared memory of the first group",
                 replace(text, own, r"arith.subi \1, \1"), ORDERS[2:], KARATE)


with tempfile.TemporaryDirectory() as name:
    attention = Layer(pathlib.Path(name), "attention", make_layer("attention", 2, 64, "bf16"),
                      "dense", tolerance="6e-3")
    expect_fine(attention, "complete:100")
    check_order(attention)
    check_places(attention)
    check_limits(attention)
with tempfile.TemporaryDirectory() as name:
    rows = Layer(pathlib.Path(name), "rows", make_layer("rows", 2, 8, "f32", flat=True),
                 "sparse", tolerance="1e-5")
    expect_fine(rows, KARATE)
    check_groups(rows)
