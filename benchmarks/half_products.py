#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in bf16 beside the same in f32, and beside PyTorch's bf16 where it can be imported: one
thread, milliseconds, the least of rounds in which all take turns.

    benchmarks/half_products.py build/bin [--rounds=5] [--filter=attention]
"""

import argparse
import math
import pathlib
import re
import string
import subprocess
import tempfile
import time

import numpy as np

from harness.clique import spec_text
from harness.machine import Machine

LINEAR = """func.func @linear(%h: tensor<?x${width}xf32>, %w: tensor<${width}x${width}xf32>)
    -> tensor<?x${width}xf32> {
  %o = mp.update (%x = %h : tensor<?x${width}xf32>) -> tensor<?x${width}xf32> {
    %r = mp.linear %x, %w : (tensor<${width}xf32>, tensor<${width}x${width}xf32>) -> tensor<${width}xf32>
    mp.yield %r : tensor<${width}xf32>
  }
  return %o : tensor<?x${width}xf32>
}
"""


class Attention:
    def __init__(self, nodes, size):
        self.name, self.nodes, self.size = f"attention h8/d{size}/n{nodes}", nodes, size
        self.flops = 4.0 * nodes * nodes * 8 * size
        self.graph = f"--graph=complete:{nodes}"

    def spec(self):
        return spec_text("attention", {"topology": "complete", "heads": 8, "size": self.size,
                                       "scale": 1 / math.sqrt(self.size)})

    def peer(self, torch):
        q, k, v = (torch.randn(1, 8, self.nodes, self.size, dtype=torch.bfloat16)
                   for _ in range(3))
        return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v)


class Linear:
    def __init__(self, rows, width):
        self.name, self.rows, self.width = f"linear {rows} x {width} x {width}", rows, width
        self.flops = 2.0 * rows * width * width

    def spec(self):
        return string.Template(LINEAR).substitute(width=self.width)

    @property
    def graph(self):
        return f"--input=h=h{self.rows}x{self.width}.npy"

    def peer(self, torch):
        h = torch.randn(self.rows, self.width, dtype=torch.bfloat16)
        w = torch.randn(self.width, self.width, dtype=torch.bfloat16)
        return lambda: h @ w


class Encoder:
    def __init__(self, length, width, heads):
        self.name = f"encoder 4 x {length}, width {width}"
        self.length, self.width, self.heads = length, width, heads
        nodes = 4 * length
        self.flops = 2.0 * nodes * width * width * 12 + 4.0 * nodes * length * width
        self.graph = "--graph=cliques:" + ",".join([str(length)] * 4)

    def spec(self):
        size = self.width // self.heads
        return spec_text("encoder", {"width": self.width, "heads": self.heads, "size": size,
                                     "hidden": 4 * self.width, "scale": 1 / math.sqrt(size)})

    def peer(self, torch):
        block = torch.nn.TransformerEncoderLayer(
            self.width, self.heads, 4 * self.width, dropout=0.0, activation="gelu",
            batch_first=True, dtype=torch.bfloat16).eval()
        x = torch.randn(4, self.length, self.width, dtype=torch.bfloat16)
        return lambda: block(x)


CASES = [Attention(512, 64), Attention(1024, 64), Attention(2048, 64), Attention(1024, 128),
         Linear(4096, 256), Linear(4096, 768), Encoder(128, 256, 4), Encoder(512, 768, 12)]


def run_clique(tools, spec, case, folder):
    command = [tools / "clique-run", spec, case.graph, "--threads=1", "--repeat=7"]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                         cwd=folder).stdout
    return float(re.search(r"min ([0-9.]+)", out)[1])


def run_peer(call, torch):
    least = float("inf")
    with torch.inference_mode():
        for _ in range(7):
            start = time.perf_counter()
            call()
            least = min(least, time.perf_counter() - start)
    return 1e3 * least


def measure(case, options, machine, torch, folder):
    """Milliseconds of f32, bf16 and the peer, and the peak of bf16 in GFLOP/s."""
    if isinstance(case, Linear):
        values = np.random.default_rng(0).standard_normal((case.rows, case.width))
        np.save(folder / f"h{case.rows}x{case.width}.npy", values.astype(np.float32))
    specs = [folder / "f32.mlir", folder / "bf16.mlir"]
    specs[0].write_text(case.spec())
    specs[1].write_text(re.sub(r"(?<=[x<])f32\b", "bf16", case.spec()))
    call = case.peer(torch) if torch else None
    times, peak = [float("inf")] * 3, 0
    for _ in range(options.rounds):
        peak = max(peak, machine.bf16(1) / 1e9)
        for k, spec in enumerate(specs):
            times[k] = min(times[k], run_clique(options.tools, spec, case, folder))
        if call:
            times[2] = min(times[2], run_peer(call, torch))
    return times, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", type=lambda path: pathlib.Path(path).resolve(),
                        help="the folder of clique-run")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--filter", default="")
    options = parser.parse_args()
    try:
        import torch
        from torch.nn.functional import scaled_dot_product_attention  # noqa: F401, from 2.0 on
        torch.set_num_threads(1)
    except ImportError:
        torch = None
    print("| case | bf16, ms | of its peak | f32 | PyTorch's bf16 |")
    print("| --- | ---: | ---: | ---: | ---: |")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        machine = Machine(folder, 1)
        for case in CASES:
            if not re.search(options.filter, case.name):
                continue
            (f32, bf16, peer), peak = measure(case, options, machine, torch, folder)
            share = f"{case.flops / bf16 / 1e6 / peak:.2f}" if peak else ""
            beside = f"{peer / bf16:.2f}" if torch else ""
            print(f"| {case.name} | {bf16:.2f} | {share} | {f32 / bf16:.2f} | {beside} |",
                  flush=True)


if __name__ == "__main__":
    main()
