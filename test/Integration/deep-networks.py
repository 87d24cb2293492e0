# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of a network does not grow with its depth.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: %python %s %examples %graphs
"""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "benchmarks"))
import deep_networks


def peak(spec, *arguments):
    """The memory of a run that --verify accepts."""
    command = ["clique-run", spec, "--explain", "--verify", *arguments]
    print(*command, flush=True)
    return deep_networks.get_peak(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)


karate = f"--graph={sys.argv[2]}/karate.mtx"
# Where rows or tiles are chosen at run time, a layer is the result of a branch.
for graph in ("!mp.graph<sparse>", "!mp.graph"):
    peaks = []
    for layers in (2, 5):
        pathlib.Path("net.mlir").write_text(deep_networks.make_spec(layers, graph, features=16))
        peaks.append(peak("net.mlir", karate))
    assert peaks[0] == peaks[1], f"{graph}: 2 layers take {peaks[0]} KiB, 5 {peaks[1]}"

# What a loop carries.
steps = [peak(f"{sys.argv[1]}/families/propagation.mlir", "--entry=appnp", karate,
              f"--input=steps={n}") for n in (2, 20)]
assert steps[0] == steps[1], f"2 steps take {steps[0]} KiB, 20 {steps[1]}"
