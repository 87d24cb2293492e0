# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the machine is, and its limits, measured by machine/machine.c."""

import ctypes
import functools
import glob
import hashlib
import importlib.metadata
import os
import pathlib
import platform
import subprocess

import numpy as np

SOURCE = pathlib.Path(__file__).resolve().parents[1] / "machine" / "machine.c"
FLAGS = ("-O3", "-march=native", "-shared", "-fPIC", "-pthread")
COMPILERS = ("cc", "gcc", "clang-22", "clang")
PACKAGES = ("torch", "onnxruntime", "openvino", "ctranslate2", "torch_geometric", "dgl", "numpy",
            "scipy", "mkl")
PREFETCH_ROWS = (0, 16, 32, -16, -40)  # below 0: into the first cache


class Machine:
    def __init__(self, cache, threads):
        self.threads = threads
        lib = ctypes.CDLL(str(build(cache)))
        for name in ("machine_fma", "machine_bf16", "machine_stream", "machine_gather"):
            getattr(lib, name).restype = ctypes.c_double
        self.lib = lib

    def fma(self, threads=None, seconds=0.2):
        """Floating-point operations per second, a multiply-add being two."""
        return self.lib.machine_fma(threads or self.threads, ctypes.c_double(seconds))

    def bf16(self, threads=None, seconds=0.2):
        """The same of products of pairs of bf16; 0 where the machine has none."""
        return self.lib.machine_bf16(threads or self.threads, ctypes.c_double(seconds))

    def stream(self, kind, repeats=7):
        """Bytes per second of copy (a = b) or triad (a = b + 3 c) on arrays far larger than
        the caches, as STREAM counts them."""
        size = max(64 << 20, last_level_cache())
        b, c = np.ones(size, np.float32), np.ones(size, np.float32)
        a = np.zeros(size, np.float32)
        arrays = 3 if kind == "triad" else 2
        third = c.ctypes.data_as(ctypes.c_void_p) if kind == "triad" else None
        best = min(self.lib.machine_stream(a.ctypes.data_as(ctypes.c_void_p),
                                           b.ctypes.data_as(ctypes.c_void_p), third,
                                           ctypes.c_int64(size), self.threads)
                   for _ in range(repeats))
        return arrays * a.nbytes / best

    def gather(self, rows, table, ahead):
        """Seconds to read the rows of a table once each time they are named; `ahead`: how many
        rows ahead to fetch into the second cache, or, below 0, into the first."""
        return self.lib.machine_gather(
            rows.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(len(rows)),
            table.ctypes.data_as(ctypes.c_void_p), ctypes.c_int64(table.shape[1]),
            ctypes.c_int64(ahead), self.threads)

    def limits(self):
        width = 64
        table = np.ones((4 * last_level_cache() // (4 * width), width), np.float32)
        rows = np.random.default_rng(0).integers(0, len(table), 1 << 19, dtype=np.int32)
        gathered = min(self.gather(rows, table, ahead) for ahead in PREFETCH_ROWS
                       for _ in range(3))
        return {
            "vector_bits": self.lib.machine_vector_bits(),
            "fma_gflops_1_core": max(self.fma(1) for _ in range(3)) / 1e9,
            "fma_gflops": max(self.fma() for _ in range(3)) / 1e9,
            "bf16_gflops_1_core": max(self.bf16(1) for _ in range(3)) / 1e9,
            "bf16_gflops": max(self.bf16() for _ in range(3)) / 1e9,
            "copy_gbs": self.stream("copy") / 1e9,
            "triad_gbs": self.stream("triad") / 1e9,
            "gather_gbs": len(rows) * width * 4 / gathered / 1e9,
        }


def build(cache):
    """machine.c compiled by the first of the system's compilers."""
    cache.mkdir(parents=True, exist_ok=True)
    key = hashlib.sha256(SOURCE.read_bytes() + cpu_model().encode()).hexdigest()[:16]
    library = cache / f"machine-{key}.so"
    if library.exists():
        return library
    problems = []
    for compiler in COMPILERS:
        try:
            subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(library)], check=True,
                           capture_output=True, text=True)
            return library
        except FileNotFoundError:
            problems.append(f"{compiler}: not found")
        except subprocess.CalledProcessError as error:
            problems.append(f"{compiler}: {error.stderr}")
    raise RuntimeError(f"{SOURCE} cannot be compiled: " + "; ".join(problems))


def cpu_field(name):
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == name:
            return value.strip()
    return ""


def cpu_model():
    return (f"{cpu_field('model name')} (family {cpu_field('cpu family')}, "
            f"model {cpu_field('model')})")


@functools.cache
def caches():
    """'L2' -> bytes, of the first core."""
    found = {}
    for folder in sorted(glob.glob("/sys/devices/system/cpu/cpu0/cache/index*")):
        read = lambda name: (pathlib.Path(folder) / name).read_text().strip()
        if read("type") != "Instruction":
            size = read("size")
            found[f"L{read('level')}"] = int(size[:-1]) * {"K": 1 << 10, "M": 1 << 20}[size[-1]]
    return found


def last_level_cache():
    return max(caches().values(), default=32 << 20)


def compiler_version():
    for compiler in COMPILERS:
        try:
            return subprocess.run([compiler, "--version"], capture_output=True,
                                  text=True).stdout.splitlines()[0]
        except FileNotFoundError:
            continue
    return "none"


def package_versions():
    versions = {}
    for name in PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = None
    return versions


def describe(threads):
    flags = cpu_field("flags").split()
    wanted = ("avx2", "fma", "avx512f", "avx512bw", "avx512_bf16", "avx512_vnni", "amx_tile")
    return {
        "cpu": cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "threads": threads,
        "isa": [name for name in wanted if name in flags],
        "caches": caches(),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "kernel": platform.release(),
        "python": platform.python_version(),
        "c_compiler": compiler_version(),
        "packages": package_versions(),
    }
