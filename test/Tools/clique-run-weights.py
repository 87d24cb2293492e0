# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clique-run --weights: arrays of a .safetensors file by the names of arguments, in the
type and the order that they are stored in; and files that are not what they should be."""
# RUN: rm -rf %t && mkdir %t && cd %t && %python %s | FileCheck %s
# CHECK: weights: 2 ways alike, {{[0-9]+}} errors

import json
import re
import struct
import subprocess
import sys

import numpy as np

SPEC = """
func.func @layer(%x: tensor<?x6xf32>,
    %w: tensor<6x2x4xf32> {mp.name = "layer.0.weight", mp.stored = "transposed f16"},
    %b: tensor<2x4xf32> {mp.name = "layer.0.bias"},
    %s: tensor<8xf32> {mp.name = "scale", mp.stored = "bf16"},
    %t: tensor<?x8xf32> {mp.name = "table"}) -> tensor<?x8xf32> {
  %o = mp.update (%xi = %x : tensor<?x6xf32>, %ti = %t : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %y = mp.linear %xi, %w bias %b : (tensor<6xf32>, tensor<6x2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %f = tensor.collapse_shape %y [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %z = arith.mulf %f, %s : tensor<8xf32>
    %r = arith.addf %z, %ti : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %o : tensor<?x8xf32>
}
"""
open("layer.mlir", "w").write(SPEC)
random = np.random.default_rng(0)
ARRAYS = {
    "layer.0.weight": ("F16", random.standard_normal((8, 6)).astype(np.float16)),
    "layer.0.bias": ("F32", random.standard_normal(8).astype(np.float32)),
    # The upper halves of numbers of f32.
    "scale": ("BF16", (random.standard_normal(8).astype(np.float32).view(np.uint32) >> 16).astype("<u2")),
    "odd": ("I8", np.zeros(3, np.int8)),  # what follows is not aligned
    "table": ("F32", random.standard_normal((5, 8)).astype(np.float32)),
}


def write(path, arrays, change=lambda header: header, cut=0):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, (dtype, values) in arrays.items():
        header[name] = {"dtype": dtype, "shape": list(values.shape),
                        "data_offsets": [len(data), len(data) + values.nbytes]}
        data += values.tobytes()
    text = json.dumps(change(header)).encode()
    everything = struct.pack("<Q", len(text)) + text + data
    open(path, "wb").write(everything[:len(everything) - cut])


def run(*options, spec="layer.mlir"):
    return subprocess.run(["clique-run", spec, "--output=out.npy", *options], text=True,
                          check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


write("all.safetensors", ARRAYS)
np.save("x.npy", random.standard_normal((5, 6)).astype(np.float32))
done = run("--weights=all.safetensors", "--input=x=x.npy", "--verify")
assert done.returncode == 0, done.stdout
assert "weights  all.safetensors: 4 of 5 arrays, not taken: odd\n" in done.stdout, done.stdout
from_file = open("out.npy", "rb").read()

# A graph without nodes.
write("no_rows.safetensors", {**ARRAYS, "table": ("F32", np.zeros((0, 8), np.float32))})
np.save("no_rows.npy", np.zeros((0, 6), np.float32))
none = run("--weights=no_rows.safetensors", "--input=x=no_rows.npy", "--verify")
assert none.returncode == 0, none.stdout
assert np.load("out.npy").shape == (0, 8)

# The same as arrays of NumPy.
np.save("w.npy", ARRAYS["layer.0.weight"][1].astype(np.float32).T.reshape(6, 2, 4))
np.save("b.npy", ARRAYS["layer.0.bias"][1].reshape(2, 4))
np.save("s.npy", (ARRAYS["scale"][1].astype(np.uint32) << 16).view(np.float32))
np.save("t.npy", ARRAYS["table"][1])
done = run("--input=x=x.npy", "--input=layer.0.weight=w.npy", "--input=layer.0.bias=b.npy",
           "--input=scale=s.npy", "--input=table=t.npy")
assert done.returncode == 0, done.stdout
assert open("out.npy", "rb").read() == from_file
# What is given goes before what is in the file; two files are as one.
write("a.safetensors", {name: ARRAYS[name] for name in ("scale", "layer.0.weight")})
write("b.safetensors", {name: ARRAYS[name] for name in ("table", "layer.0.bias")})
done = run("--weights=a.safetensors", "--weights=b.safetensors", "--input=x=x.npy",
           "--input=layer.0.bias=b.npy")
assert "b.safetensors: 1 of 2 arrays, not taken: layer.0.bias" in done.stdout, done.stdout
assert open("out.npy", "rb").read() == from_file


def with_field(name, field, value):
    return lambda header: {**header, name: {**header[name], field: value}}


def with_array(name, dtype, values):
    return {**ARRAYS, name: (dtype, values)}


ZERO = np.zeros
errors = 0


def expect(pattern, path="bad.safetensors", spec="layer.mlir"):
    global errors
    done = run(f"--weights={path}", "--input=x=x.npy", spec=spec)
    wanted = rf"clique-run: error: --weights: {pattern}\n\Z"
    if done.returncode != 1 or not re.search(wanted, done.stdout) or done.stdout.count("error:") != 1:
        sys.exit(f"expected {wanted}\nfound {done.stdout}")
    errors += 1


def expect_file(pattern, arrays=None, **options):
    write("bad.safetensors", arrays or ARRAYS, **options)
    expect(r"bad\.safetensors: " + pattern)


def expect_bytes(pattern, content):
    open("bad.safetensors", "wb").write(content)
    expect(r"bad\.safetensors: " + pattern)


expect("none.safetensors: cannot be read: No such file or directory", "none.safetensors")
expect_bytes("has 3 bytes; expected a safetensors file, which begins with the 8 bytes of a length",
             b"abc")
expect_bytes("has a header of 9 bytes by its first 8; expected .*", struct.pack("<Q", 9) + b"{}")
expect_bytes("has a header of 18446744073709551615 bytes .*", b"\xff" * 8 + b"{}")
expect_bytes("has a header that is no JSON: .*", struct.pack("<Q", 2) + b"{]")
expect_bytes("has a header that is no JSON object", struct.pack("<Q", 2) + b"[]")
expect_bytes("has a header of 200000 levels of objects and lists; expected at most 100",
             struct.pack("<Q", 200000) + b"[" * 200000)
# Brackets in a name are none.
expect_bytes(r"array '.*' is no object with dtype, shape and data_offsets",
             struct.pack("<Q", 208) + b'{"\\"' + b"[" * 200 + b'":1}')
expect_bytes("array 'a' is no object with dtype, shape and data_offsets",
             struct.pack("<Q", 7) + b'{"a":1}')
expect_file("array 'table' has the dtype 'F8_E4M3'; expected F64, .* or BOOL",
            change=with_field("table", "dtype", "F8_E4M3"))
expect_file("array 'table' has the dtype ''; expected .*", change=with_field("table", "dtype", 3))
expect_file("array 'table' has no shape; expected a list of sizes",
            change=with_field("table", "shape", [5, -8]))
expect_file("array 'table' has no data_offsets; expected .*",
            change=with_field("table", "data_offsets", [9, 3]))
expect_file(r"array 'table' ends at byte 307 of the data, which has 306: the file is cut off", cut=1)
expect_file("array 'table' has 160 bytes, which are not those of its shape and dtype",
            change=with_field("table", "shape", [5, 9]))
expect_file("array 'table' has 160 bytes, which are not those of its shape and dtype",
            change=with_field("table", "shape", [2 ** 62, 16]))
expect_file("array 'scale' holds elements of type f32, expected bf16; mp.stored = \"f32\" "
            "on the argument has floats converted",
            with_array("scale", "F32", ZERO(8, np.float32)))
expect_file("array 'scale' holds elements of type i32, expected bf16",
            with_array("scale", "I32", ZERO(8, np.int32)))
expect_file(r"array 'layer.0.bias' has shape \[4, 2\], expected \[2, 4\]",
            with_array("layer.0.bias", "F32", ZERO((4, 2), np.float32)))
expect_file(r"array 'table' has shape \[5, 7\], expected \[n, 8\]",
            with_array("table", "F32", ZERO((5, 7), np.float32)))
expect_file(r"array 'layer.0.weight' has shape \[6, 8\], expected the transpose of \[6, 2, 4\] as a matrix",
            with_array("layer.0.weight", "F16", ZERO((6, 8), np.float16)))
expect_file("array 'layer.0.bias' has element 2, which is no finite number; expected only such",
            with_array("layer.0.bias", "F32", np.array([0, 0, np.nan, 0, 0, 0, 0, 0], np.float32)))
open("narrow.mlir", "w").write(SPEC.replace("%t: tensor<?x8xf32>", "%v: tensor<3xf16> {mp.stored = \"f64\"},"
                                           "\n    %t: tensor<?x8xf32>"))
write("bad.safetensors", with_array("v", "F64", np.array([1.0, 65519, -65520])))
expect(r"bad\.safetensors: array 'v' has element 2, which is too large for f16, the type of the argument",
       spec="narrow.mlir")
expect_file("no array for layer.0.weight, scale; expected one of the name of each weight, or .*",
            {name: ARRAYS[name] for name in ("table", "layer.0.bias")})
open("words.mlir", "w").write(SPEC.replace("transposed f16", "backwards"))
expect("argument 'layer.0.weight' has mp.stored with 'backwards'; expected a text of .*",
       "all.safetensors", "words.mlir")
subprocess.run(["clique-compile", "layer.mlir", "-o", "layer.so"], check=True)
expect("a library does not say how its weights are stored; name its spec with --spec",
       "all.safetensors", "layer.so")
done = run("--weights=all.safetensors", "--input=x=x.npy", "--spec=layer.mlir", spec="layer.so")
assert open("out.npy", "rb").read() == from_file, done.stdout
print(f"weights: 2 ways alike, {errors} errors")
