# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in half precision, and updates of many widths, from CUDA kernels on the
emulated driver: weights larger than a round takes, several warps with the same rows, sizes
that are no multiples of an instruction's, results of other widths than inputs. The
same in f32, exact and rounded to tf32; and products by warpgroups, as on sm_90a."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: half precision: {{[0-9]+}} specs, {{[0-9]+}} runs

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from emulated_suite import Spec, run_suite
from layer_suite import ISOLATED, KARATE

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
GRAPHS = [ISOLATED, "complete:100", KARATE]
# Examples with products in updates, whose inputs may be any numbers.
NAMES = ("attention", "transformer", "gat", "gin", "graphsage", "grouped_query")

# Closer than --verify asks; those of an update alone are closer still.
TOLERANCES = {"f32": "1e-5", "bf16": "1.2e-2", "f16": "2e-3"}

UPDATE = """
func.func @NAME(%g: !mp.graph, %h: tensor<?xKxT>, %w: tensor<KxNxT>, %b: tensor<NxT>,
    %v: tensor<NxMxT>, %s: tensor<MxT>) -> tensor<?xMxT> {
  %e = mp.message %g src(%hj = %h : tensor<?xKxT>) -> !mp.edges<KxT> {
    %a = math.absf %hj : tensor<KxT>
    mp.yield %a : tensor<KxT>
  }
  %m = mp.aggregate %g max %e : (!mp.edges<KxT>) -> tensor<?xKxT>
  %o = mp.update (%mi = %m : tensor<?xKxT>) -> tensor<?xMxT> {
    %y = mp.linear %mi, %w bias %b : (tensor<KxT>, tensor<KxNxT>, tensor<NxT>) -> tensor<NxT>
    %z = mp.gelu %y : tensor<NxT>
    %p = mp.linear %z, %v : (tensor<NxT>, tensor<NxMxT>) -> tensor<MxT>
    %n = mp.layer_norm %p scale %s : (tensor<MxT>, tensor<MxT>) -> tensor<MxT>
    mp.yield %n : tensor<MxT>
  }
  return %o : tensor<?xMxT>
}
"""
HOPPER = ("--gpu-arch=emulated_90a",)
# Features before, between and behind two products.
WIDTHS = [(16, 64, 16), (40, 24, 7), (48, 96, 80), (256, 64, 128), (64, 256, 64), (96, 512, 128),
          (32, 1024, 32), (32, 2048, 256)]


def make_updates(folder, dtype, widths, options=(), tolerance=""):
    name = "_".join([dtype, *options]).replace("--", "").replace("=", "_")
    path = folder / f"updates_{name}.mlir"
    layers = {f"update_{k}_{n}_{m}": (k, n, m) for k, n, m in widths}
    path.write_text("".join(
        UPDATE.replace("NAME", layer).replace("K", str(k)).replace("N", str(n))
        .replace("M", str(m)).replace("xT>", f"x{dtype}>")
        for layer, (k, n, m) in layers.items()))
    return Spec(path, {layer: GRAPHS for layer in layers}, options=options,
                only={layer: "sparse" for layer in layers},
                tolerance=tolerance or TOLERANCES[dtype])


def make_example(folder, name, dtype, options=()):
    text = (EXAMPLES / f"{name}.mlir").read_text()
    path = folder / f"{name}_{dtype}.mlir"
    path.write_text(re.sub(r"\bf32>|xf32>", lambda found: found[0].replace("f32", dtype), text))
    layers = re.findall(r"func\.func @(\w+)", text)
    return Spec(path, {layer: GRAPHS for layer in layers}, tolerance=TOLERANCES[dtype],
                options=options)


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    run_suite([make_updates(folder, "bf16", WIDTHS), make_updates(folder, "f16", WIDTHS[:5]),
               make_updates(folder, "f32", WIDTHS[1:4]),
               make_updates(folder, "f32", WIDTHS[1:4], ("--f32-products=tf32",), "5e-3")] +
              [make_example(folder, name, "bf16") for name in NAMES] +
              [make_example(folder, name, "f16") for name in NAMES[:2]] +
              [make_updates(folder, "bf16", WIDTHS[:4], HOPPER),
               make_example(folder, "attention", "bf16", HOPPER),
               make_example(folder, "gat", "f16", HOPPER)], "half precision")
