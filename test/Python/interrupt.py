# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C while a layer runs, a file is read or a graph inspected: the call ends soon, with what the
handler raises, and nothing else ends."""
# RUN: %library_python %s %S/Inputs %t.mtx.gz | FileCheck %s
# CHECK: interrupted
# CHECK-NEXT: handlers that return go on
# CHECK-NEXT: files and graphs

import sys

sys.path.insert(0, sys.argv[1])

import gzip
import signal
import threading
import time

import clique
import numpy as np
from layers import raises

SPEC = """
func.func @attend(%g: !mp.graph, %h: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %s, %v = mp.message %g dst(%hi = %h : tensor<?x16xf32>) src(%hj = %h : tensor<?x16xf32>)
      -> !mp.edges<f32>, !mp.edges<16xf32> {
    %d = mp.dot %hi, %hj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
    mp.yield %d, %hj : tensor<f32>, tensor<16xf32>
  }
  %m = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<16xf32>) -> tensor<?x16xf32>
  return %m : tensor<?x16xf32>
}
"""


def interrupts(seconds, function, *args):
    """Fails unless the call is interrupted that long after it began. The timer starts where its
    exception is caught, however late a busy machine goes on."""

    def call():
        signal.setitimer(signal.ITIMER_REAL, seconds)
        function(*args)

    signal.signal(signal.SIGALRM, signal.default_int_handler)
    raises(KeyboardInterrupt, "", call)


layer = clique.compile(SPEC)
random = np.random.default_rng(0)
# Minutes for the large one, whatever the machine; a moment for the small one.
large, small = clique.Graph.complete(1_000_000), clique.Graph.complete(6000)
wide, narrow = (random.standard_normal((graph.num_dst, 16), dtype=np.float32)
                for graph in (large, small))
expected = layer(small, narrow)

# Another thread's call is none of the interrupted one's.
results = []
other = threading.Thread(target=lambda: results.append(layer(small, narrow)))
for threads in (0, 1):
    clique.set_num_threads(threads)
    if threads == 0:
        other.start()
    start = time.perf_counter()
    interrupts(0.2, layer, large, wide)
    # A block of a few dozen rows is what is waited for; the limit is for machines under load.
    assert time.perf_counter() - start < 20, time.perf_counter() - start
other.join()
clique.set_num_threads(0)
assert np.array_equal(results[0], expected) and np.array_equal(layer(small, narrow), expected)
print("interrupted")

seen = []
signal.signal(signal.SIGALRM, lambda number, frame: seen.append(number))
signal.setitimer(signal.ITIMER_REAL, 0.03, 0.03)
while not seen:
    assert np.array_equal(layer(small, narrow), expected)
signal.setitimer(signal.ITIMER_REAL, 0)
print("handlers that return go on")

# Gigabytes of comments from a few megabytes: seconds to read.
comments = gzip.compress(b"% nothing\n" * 1_000_000)
with open(sys.argv[2], "wb") as file:
    file.write(gzip.compress(b"%%MatrixMarket matrix coordinate pattern general\n"))
    for _ in range(400):
        file.write(comments)
start = time.process_time()
interrupts(0.1, clique.Graph.read, sys.argv[2])
assert time.process_time() - start < 1, time.process_time() - start

# Inspected once, and then known: unless that was interrupted.
rows = np.arange(9001) * 9000
listed = clique.Graph.from_csr(rows, np.tile(np.arange(9000, dtype=np.int32), 9000))
interrupts(0.001, listed.inspect)
times = []
for _ in range(2):
    start = time.perf_counter()
    assert listed.inspect().topology == "complete"
    times.append(time.perf_counter() - start)
assert times[0] > 10 * times[1], times
print("files and graphs")
