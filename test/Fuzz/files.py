# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changed files through clique-run: graphs (.mtx, .npz), arrays (.npy) and weights
(.safetensors). Each run ends in status 0 and agrees with the reference interpreter, or in
status 1 with one error and no output. By hand, for longer:

  test/Fuzz/files.py build/bin --cases=5000 --seed=7 --keep=failures

The files in corpus/ failed once; they come first. runtime/tests/fuzz does the same to the
runtime's readers alone, led by coverage."""
# RUN: %python %s %clique_obj_root/bin --cases=160 --seed=1 --folder=%t | FileCheck %s
# CHECK: 160 files: {{[1-9][0-9]*}} accepted, {{[1-9][0-9]*}} refused, 0 failed

import argparse
import io
import json
import pathlib
import random
import re
import shutil
import struct
import subprocess
import sys
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "Inputs"))

from limits import Limits

SPEC = """
func.func @layer(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4xf32> {mp.name = "w"}) -> tensor<?x4xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %p = arith.mulf %hj, %w : tensor<4xf32>
    mp.yield %p : tensor<4xf32>
  }
  %o = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %o : tensor<?x4xf32>
}
"""
NUMBERS = (b"0", b"1", b"2", b"5", b"9", b"100", b"-1", b"1.5", b"nan", b"1e400", b"70000",
           b"2147483647", b"2147483648", b"9223372036854775807", b"18446744073709551616")
SMALL = NUMBERS[:-4]  # where nothing limits the memory
BYTES = b"\x00\x01\x7f\x80\xff\n ,()[]{}:'\"%<>|"


def write_npy(values):
    stream = io.BytesIO()
    np.save(stream, values)
    return stream.getvalue()


def write_safetensors(header, data):
    return struct.pack("<Q", len(header)) + header + data


def make_good_files():
    """By ending, a file that is read without an error and into which parts it falls: with
    these and `join` it can be put together again."""
    ptr, idx = np.array([0, 2, 3, 3, 5, 6], np.int32), np.array([1, 4, 0, 2, 3, 0], np.int32)
    mtx = b"%%MatrixMarket matrix coordinate real general\n% by hand\n5 5 6\n" + b"".join(
        b"%d %d 1.5\n" % (i + 1, j + 1) for i in range(5) for j in idx[ptr[i]:ptr[i + 1]])
    weights = np.arange(1, 5, dtype=np.float32)
    header = json.dumps({"__metadata__": {"format": "pt"},
                         "w": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]},
                         "other": {"dtype": "F16", "shape": [1, 2], "data_offsets": [16, 20]}})
    return {
        "mtx": [mtx],
        "npy": [write_npy(np.arange(20, dtype=np.float32).reshape(5, 4))],
        "npz": [write_npy(np.array(b"csr")), write_npy(np.array([5, 5])), write_npy(ptr),
                write_npy(idx), write_npy(np.ones(6))],
        "safetensors": [header.encode(), weights.tobytes() + bytes(4)],
    }


def join(ending, parts):
    if ending == "npz":
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w") as archive:
            for name, part in zip(("format", "shape", "indptr", "indices", "data"), parts):
                archive.writestr(f"{name}.npy", part)
        return stream.getvalue()
    return write_safetensors(*parts) if ending == "safetensors" else parts[0]


class Mutator:
    def __init__(self, seed, numbers):
        self.random = random.Random(seed)
        self.numbers = numbers

    def change(self, content):
        """One change: a byte, a number that is written out, a stretch that goes, comes twice
        or is cut off."""
        draw = self.random
        at = draw.randrange(len(content) + 1)
        end = min(len(content), at + draw.randrange(1, 24))
        kind = draw.randrange(8)
        found = list(re.finditer(rb"-?\d+(\.\d+)?", content))
        if kind < 3 and found:
            match = draw.choice(found)
            return content[:match.start()] + draw.choice(self.numbers) + content[match.end():]
        if kind < 5:
            byte = bytes([draw.choice(BYTES) if draw.random() < 0.7 else draw.randrange(256)])
            return content[:at] + byte + content[at + 1:]
        if kind == 5:
            return content[:at] + content[end:]
        if kind == 6:
            return content[:end] + content[at:]
        return content[:at]

    def mutate(self, ending, parts):
        """A part is changed and the file put together as it should be, or all its bytes are."""
        parts = list(parts)
        inside = self.random.random() < 0.7
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            if inside:
                k = self.random.randrange(len(parts))
                parts[k] = self.change(parts[k])
        content = join(ending, parts)
        return content if inside else self.change(content)


class Runner:
    def __init__(self, options):
        self.tools = pathlib.Path(options.tools).resolve()
        self.folder = pathlib.Path(options.folder).resolve()
        self.keep = pathlib.Path(options.keep) if options.keep else None
        self.limits = Limits(self.tools, gigabytes=4)
        self.counts = {"accepted": 0, "refused": 0, "failed": 0}
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.output = self.folder / "output.npy"
        (self.folder / "layer.mlir").write_text(SPEC)
        subprocess.run([self.tools / "clique-compile", "layer.mlir", "-o", "layer.so"],
                       cwd=self.folder, check=True)
        self.good = make_good_files()
        for ending, parts in self.good.items():
            (self.folder / f"good.{ending}").write_bytes(join(ending, parts))

    def execute(self, ending, content):
        """The status, and why it is not as it should be."""
        (self.folder / f"changed.{ending}").write_bytes(content)
        self.output.unlink(missing_ok=True)
        name = {kind: f"{'changed' if kind == ending else 'good'}.{kind}" for kind in self.good}
        graph = name["npz" if ending == "npz" else "mtx"]
        done = subprocess.run(
            [self.tools / "clique-run", "layer.so", "--spec=layer.mlir", "--verify",
             f"--graph={graph}", f"--input=h={name['npy']}", f"--weights={name['safetensors']}",
             f"--output={self.output.name}"],
            capture_output=True, text=True, errors="replace", check=False,
            preexec_fn=self.limits, cwd=self.folder)
        errors = done.stderr.count("error:")
        if done.returncode not in (0, 1):
            return done.returncode, f"status {done.returncode}\n{done.stderr[-3000:]}"
        if done.returncode == 1 and errors != 1:
            return 1, f"{errors} errors\n{done.stdout}{done.stderr}"
        if (done.returncode == 0) != self.output.exists():
            return done.returncode, f"status {done.returncode}, output: {self.output.exists()}"
        return done.returncode, None

    def test(self, ending, content):
        status, why = self.execute(ending, content)
        self.counts["failed" if why else "refused" if status else "accepted"] += 1
        if not why:
            return
        name = f"failure-{self.counts['failed']}.{ending}"
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / name).write_bytes(content)
        print(f"FAILED: {name}: {content!r}\n{why}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", help="the folder of the programs")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", default="/tmp/clique-fuzz-files", help="for files while it runs")
    parser.add_argument("--keep", help="a folder for the files that fail")
    options = parser.parse_args()
    runner = Runner(options)
    for ending, parts in runner.good.items():
        status, why = runner.execute(ending, join(ending, parts))
        assert status == 0, f"the unchanged .{ending} is refused: {why}"
    for path in sorted((HERE / "corpus").glob("*")):
        if path.suffix[1:] in runner.good:
            runner.test(path.suffix[1:], path.read_bytes())
    mutator = Mutator(options.seed, SMALL if runner.limits.isInstrumented else NUMBERS)
    endings = list(runner.good)
    for case in range(options.cases):
        ending = endings[case % len(endings)]
        runner.test(ending, mutator.mutate(ending, runner.good[ending]))
    print(f"{options.cases} files: " +
          ", ".join(f"{count} {kind}" for kind, count in runner.counts.items()))
    return 1 if runner.counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
