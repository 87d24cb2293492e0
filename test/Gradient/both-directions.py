# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention whose sums for destinations and sources are those of one kernel, where
heads or the cliques of a batch have one owner: they agree with central differences and the
reference interpreter, and do not depend on the number of threads, bit for bit."""

# RUN: %python %s %t

import pathlib
import string
import subprocess
import sys

SPEC = string.Template("""
func.func @attention(%g: !mp.graph$topology, %q: tensor<?x$head${d}xf32>, %k: tensor<?x$head${d}xf32>,
                     %v: tensor<?x$head${d}xf32>) -> tensor<?x$head${d}xf32> {
  %s, %value = mp.message %g : !mp.graph$topology dst(%qi = %q : tensor<?x$head${d}xf32>)
      src(%kj = %k : tensor<?x$head${d}xf32>, %vj = %v : tensor<?x$head${d}xf32>)
      -> !mp.edges<$score>, !mp.edges<$head${d}xf32> {
    %d = mp.dot %qi, %kj : (tensor<$head${d}xf32>, tensor<$head${d}xf32>) -> tensor<$score>
    mp.yield %d, %vj : tensor<$score>, tensor<$head${d}xf32>
  }
  %m = mp.aggregate %g : !mp.graph$topology softmax(%s) %value
      : (!mp.edges<$score>, !mp.edges<$head${d}xf32>) -> tensor<?x$head${d}xf32>
  return %m : tensor<?x$head${d}xf32>
}
""")
# Topology, heads, elements, graphs, and whether it is one kernel.
CASES = [
    ("<complete>", 8, "f32", ("complete:77", "complete:1", "complete:300"), True),
    ("<complete, no_self>", 8, "f32", ("complete_no_self:70",), True),
    ("<complete>", 9, "f64", ("complete:67",), True),
    ("<complete>", 8, "bf16", ("complete:67",), True),
    ("<complete>", 2, "f32", ("complete:67",), False),
    ("<bipartite>", 8, "f32", ("bipartite:45x77", "bipartite:130x13"), True),
    ("<causal>", 8, "f32", ("causal:131",), True),
    ("<window, 17>", 8, "f32", ("window:200,17",), True),
    ("", 8, "f32", ("complete:99", "cliques:33,70,9", "window:90,20"), True),
    # Eight cliques and more have owners, fewer have two kernels.
    ("<cliques>", 1, "f32", ("cliques:7,30,1,65,12,9,28,31,33,8,50,0,64", "cliques:300,9"), True),
    ("<cliques>", 8, "bf16", ("cliques:7,300,1",), True),
    ("<causal_cliques>", 1, "f64", ("causal_cliques:7,30,1,65,12,9,28,31,33,8,50",), True),
]


def check(spec, graph):
    """--verify compares the bits that one and two threads give, too."""
    command = ["clique-run", "-O1", str(spec), "--gradients", f"--graph={graph}", "--lowering=dense",
               "--verify", "--repeat=1", "--threads=2"]
    result = subprocess.run(command, text=True, capture_output=True, check=False)
    if result.returncode != 0 or result.stdout.count(": ok") != 7:
        sys.exit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")


def is_one_kernel(spec):
    command = ["clique-compile", str(spec), "--gradients", "--emit=fusion", "-o", "-"]
    return "mp.source_sum" in subprocess.run(command, text=True, capture_output=True,
                                             check=True).stdout


def main(work):
    work.mkdir(parents=True, exist_ok=True)
    spec = work / "attention.mlir"
    for topology, heads, element, graphs, is_one in CASES:
        size = 11
        text = SPEC.substitute(topology=topology, head="" if heads == 1 else f"{heads}x", d=size,
                               score="f32" if heads == 1 else f"{heads}xf32")
        spec.write_text(text.replace("f32", element))
        assert is_one_kernel(spec) == is_one, (topology, heads, element)
        for graph in graphs:
            check(spec, graph)
            print(topology, heads, element, graph, "ok", flush=True)


main(pathlib.Path(sys.argv[1]))
