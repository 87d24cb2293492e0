# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of weights and of features, with strides, that are then regrouped or written, in CUDA
kernels on the emulated driver: their elements do not lie in memory as they are counted."""
# REQUIRES: emulation
# RUN: %python %s %S/Inputs | FileCheck %s
# CHECK: slices: 1 specs, {{[0-9]+}} runs

import pathlib
import sys
import tempfile

sys.path.insert(0, sys.argv[1])

from emulated_suite import Spec, run_suite
from layer_suite import ISOLATED, KARATE

# What is done with a slice %s : tensor<5x7xf32>, to give %r : tensor<5xf32>.
USES = {
    # A map joins the dimensions that it sums over.
    "linear": """
    %r = mp.linear %s, %w : (tensor<5x7xf32>, tensor<5x7x5xf32>) -> tensor<5xf32>""",
    "collapse": """
    %f = tensor.collapse_shape %s [[0, 1]] : tensor<5x7xf32> into tensor<35xf32>
    %r = tensor.extract_slice %f[2] [5] [7] : tensor<35xf32> to tensor<5xf32>""",
    "expand": """
    %t = tensor.expand_shape %s [[0], [1, 2]] output_shape [5, 7, 1]
      : tensor<5x7xf32> into tensor<5x7x1xf32>
    %r = mp.reduce sum %t dims [1, 2] : tensor<5x7x1xf32> -> tensor<5xf32>""",
    # An index lies in shared memory as other elements do.
    "scatter": """
    %e = tensor.extract_slice %s[0, 1] [1, 1] [1, 1] : tensor<5x7xf32> to tensor<1xf32>
    %j = arith.fptosi %e : tensor<1xf32> to tensor<1xi32>
    %i = arith.index_cast %j : tensor<1xi32> to tensor<1xindex>
    %c = tensor.extract_slice %s[0, 2] [5, 1] [1, 1] : tensor<5x7xf32> to tensor<5xf32>
    %f = tensor.extract_slice %s[1, 3] [1, 1] [1, 1] : tensor<5x7xf32> to tensor<f32>
    %r = tensor.scatter %f into %c[%i] scatter_dims([0]) unique
      : (tensor<f32>, tensor<5xf32>, tensor<1xindex>) -> tensor<5xf32>""",
}
# From what the slice is taken.
SOURCES = {"weight": "%v", "feature": "%h"}

LAYER = """
func.func @NAME(%g: !mp.graph, %n: tensor<?x12x7xf32>, %v: tensor<12x7xf32>,
    %w: tensor<5x7x5xf32>) -> tensor<?x5xf32> {
  %m = mp.message %g src(%h = %n : tensor<?x12x7xf32>) -> !mp.edges<5xf32> {
    %s = tensor.extract_slice SOURCE[0, 0] [5, 7] [2, 1] : tensor<12x7xf32> to tensor<5x7xf32>USE
    %x = tensor.extract_slice %h[4, 1] [1, 5] [1, 1] : tensor<12x7xf32> to tensor<5xf32>
    %y = arith.addf %x, %r : tensor<5xf32>
    mp.yield %y : tensor<5xf32>
  }
  %a = mp.aggregate %g max %m : (!mp.edges<5xf32>) -> tensor<?x5xf32>
  %o = mp.update (%h = %n : tensor<?x12x7xf32>, %b = %a : tensor<?x5xf32>) -> tensor<?x5xf32> {
    %s = tensor.extract_slice SOURCE[0, 0] [5, 7] [2, 1] : tensor<12x7xf32> to tensor<5x7xf32>USE
    %y = arith.mulf %r, %b : tensor<5xf32>
    mp.yield %y : tensor<5xf32>
  }
  return %o : tensor<?x5xf32>
}
"""

with tempfile.TemporaryDirectory() as name:
    path = pathlib.Path(name) / "slices.mlir"
    layers = {f"{use}_{source}": LAYER.replace("USE", USES[use])
              .replace("SOURCE", SOURCES[source])
              for use in USES for source in SOURCES}
    path.write_text("".join(text.replace("NAME", layer) for layer, text in layers.items()))
    run_suite([Spec(path, {layer: [KARATE, ISOLATED, KARATE] for layer in layers},
                    tolerance="2e-6", only=dict.fromkeys(layers, "sparse"))], "slices")
