# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The interpreter ends while other threads run layers, make graphs and inspect them: so does the
process, without a crash."""
# RUN: %library_python %s | FileCheck %s
# CHECK: ends

import threading
import time

import clique
import numpy as np

SPEC = """
func.func @sum(%g: !mp.graph, %h: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
    mp.yield %hj : tensor<16xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
  return %o : tensor<?x16xf32>
}
"""
layer = clique.compile(SPEC)
dst, src = np.arange(20000) % 1000, np.arange(20000) * 7 % 1000
graph, h = clique.Graph.from_coo(dst, src), np.ones((1000, 16), np.float32)


def forever(function, *args):
    while True:
        function(*args)


for work in ((layer, graph, h), (clique.Graph.from_coo, dst, src),
             (lambda: clique.Graph.from_coo(dst, src).inspect(),)):
    threading.Thread(target=forever, args=work, daemon=True).start()
time.sleep(0.2)
print("ends", flush=True)
