# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The deviation of equal values is 0, and not what rounding leaves of their mean: in dense tiles,
whose edges are added up before they are divided by their number, and in rows."""
# REQUIRES: python-package
# RUN: %library_python %s %clique_obj_root/python | FileCheck %s
# CHECK: equal deviations: 48 results

import sys

sys.path.insert(0, sys.argv[1])

import clique
import numpy

SPEC = """
func.func @layer(%g: !mp.graph, %a: tensor<?x3xT>, %b: tensor<?x3xT>) -> tensor<?x3xT> {
  %m = mp.message %g dst(%x = %a : tensor<?x3xT>) src(%y = %b : tensor<?x3xT>) -> !mp.edges<3xT> {
    RESULT
    mp.yield %z : tensor<3xT>
  }
  %o = mp.aggregate %g std %m : (!mp.edges<3xT>) -> tensor<?x3xT>
  return %o : tensor<?x3xT>
}
"""
MESSAGES = {
    "of the destination": "%z = arith.addf %x, %x : tensor<3xT>",
    "of both ends": "%z = arith.maximumf %x, %y : tensor<3xT>",
}
random = numpy.random.default_rng(3)
count = 0
for dtype, name in (numpy.float32, "f32"), (numpy.float64, "f64"):
    for text, message in MESSAGES.items():
        layer = clique.compile(SPEC.replace("RESULT", message).replace("T", name))
        for nodes in 7, 64, 100, 1000:
            values = random.standard_normal((nodes, 3)).astype(dtype)
            if "both" in text:
                values[:] = values[0]
            for lowering in "dense", "sparse", "auto":
                clique.set_lowering(lowering)
                graph = clique.Graph.complete(nodes) if lowering != "auto" else clique.Graph.causal(nodes)
                got = layer(graph, a=values, b=values)
                assert not got.any(), f"{name}, {text}, {lowering}, {nodes} nodes: {got.max()}"
                count += 1
print(f"equal deviations: {count} results")
