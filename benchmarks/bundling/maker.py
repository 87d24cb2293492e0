# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, computes what is expected, and packs."""

import concurrent.futures
import datetime
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile

from . import contents, libraries, options
from .options import ROOT

LIMIT = 60_000_000
TEST_GRAPHS = ROOT / "test" / "Integration" / "Inputs" / "graphs"
EXAMPLE_GRAPHS = ROOT / "examples" / "graphs"
# Runs everywhere: the code for the processor only starts kernels.
HOST_CPU = "x86-64-v2"


class ToolError(RuntimeError):
    """What a tool printed before it failed."""


def execute(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr + done.stdout).strip().splitlines()
        raise ToolError(next((line for line in lines if "error:" in line), "") or
                        (lines[0] if lines else f"exit status {done.returncode}"))


def find_data(data):
    """The real graphs that are there: name -> file."""
    files = {name: pathlib.Path(data) / path for name, path in contents.REAL_GRAPHS.items()}
    return {name: file for name, file in files.items() if file.exists()}


class Maker:
    def __init__(self, chosen, folder, real_graphs):
        self.chosen, self.folder, self.real_graphs = chosen, folder, real_graphs
        for name in ("bin", "lib", "specs", "cases", "graphs", "python"):
            (folder / name).mkdir(parents=True)

    def graph(self, name):
        """The path, in the bundle, of a graph that is a file; other descriptions as they are."""
        if name in self.real_graphs:
            source = self.real_graphs[name]
            path = pathlib.Path("graphs", name, source.name)
        elif name.endswith(".mtx"):
            source = EXAMPLE_GRAPHS / name
            source = source if source.exists() else TEST_GRAPHS / name
            path = pathlib.Path("graphs", name)
        else:
            return name
        target = self.folder / path
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            shutil.copyfile(source, target)
        return str(path)

    def compile(self, layer):
        """The problem, or None."""
        spec = self.folder / "specs" / f"{layer.name}.mlir"
        spec.write_text(layer.spec)
        arch = self.chosen.gpu_arch
        try:
            execute(self.chosen.build / "bin" / "clique-compile", spec, "--target=cuda",
                    f"--gpu-arch={arch}", f"--cpu={HOST_CPU}", "-o",
                    self.folder / "lib" / f"{layer.name}.so")  # beside the runtime, as it asks
        except ToolError as error:
            return str(error)
        return None

    def make_case(self, layer, test, name):
        """Inputs and expected outputs, where the folder is not there yet."""
        folder = self.folder / "cases" / name
        if folder.exists():
            return
        command = [self.chosen.build / "bin" / "clique-run",
                   self.folder / "specs" / f"{layer.name}.mlir", f"--entry={test.entry}",
                   f"--save-case={folder}"]
        if test.graph:
            graph = self.graph(test.graph)
            command.append(f"--graph={graph if ':' in graph else self.folder / graph}")
        with tempfile.TemporaryDirectory() as scratch:
            for argument, array in test.arrays.items():
                file = pathlib.Path(scratch, f"{argument}.npy")
                file.write_bytes(npy_of(array))
                command.append(f"--input={argument}={file}")
            execute(*command)

    def make_tests(self, layer):
        for test in layer.tests:
            graph = self.graph(test.graph)
            short = test.graph.replace(":", "-").replace(",", "-").replace(".mtx", "")
            case = "-".join(word for word in (layer.name, test.entry, short) if word)
            self.make_case(layer, test, case)
            for lowering in test.lowerings:
                words = (layer.name, test.entry, test.graph,
                         "" if lowering == "auto" else lowering)
                yield {"name": " ".join(word for word in words if word), "layer": layer.name,
                       "entry": test.entry, "graph": graph, "lowering": lowering,
                       "case": f"cases/{case}"}

    def make_benchmarks(self, layer):
        for benchmark in layer.benchmarks:
            yield dict(benchmark, layer=layer.name, graph=self.graph(benchmark["graph"]),
                       small=self.graph(benchmark["small"]))

    def make_layer(self, layer):
        """The layer's part of the manifest."""
        problem = self.compile(layer)
        print(f"  {layer.name}: {problem or 'ok'}", flush=True)
        return {"layer": {"name": layer.name, "problem": problem},
                "tests": list(self.make_tests(layer)),
                "benchmarks": list(self.make_benchmarks(layer))}

    def copy_programs(self):
        build = self.chosen.build
        shutil.copy2(build / "bin" / "clique-device", self.folder / "bin")
        files = [build / "lib" / "libclique_runtime.so"]
        if self.chosen.emulate:
            files.append(build / "lib" / "libclique_emulated_cuda.so")
        found = libraries.copy(files, self.folder / "lib")
        device, harness = ROOT / "benchmarks" / "device", ROOT / "benchmarks" / "harness"
        shutil.copy2(device / "run-device", self.folder)
        shutil.copy2(ROOT / "LICENSE", self.folder)
        unwanted = shutil.ignore_patterns("__pycache__")
        shutil.copytree(device / "device", self.folder / "python" / "device", ignore=unwanted)
        shutil.copytree(harness, self.folder / "python" / "harness", ignore=unwanted)
        return found

    def share_equal_files(self):
        """Weights are the same on all graphs: one file, and links to it."""
        seen = {}
        for file in sorted((self.folder / "cases").glob("*/*.npy")):
            key = hashlib.sha256(file.read_bytes()).digest()
            if key in seen:
                file.unlink()
                os.link(seen[key], file)
            seen.setdefault(key, file)


def npy_of(array):
    """The bytes of its file."""
    header = f"{{'descr': '<{array.code}', 'fortran_order': False, 'shape': {array.shape}, }}"
    header = header.ljust(117) + "\n"
    pack = {"i8": "q", "f4": "f"}[array.code]
    return (b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
            struct.pack(f"<{len(array.values)}{pack}", *array.values))


def describe_commit():
    done = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"],
                          capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def pack(folder, output):
    """Writes all of it or nothing."""
    temporary = output.with_name(output.name + ".part")
    with tarfile.open(temporary, "w:gz") as archive:
        archive.add(folder, arcname=folder.name)
    temporary.replace(output)
    return output.stat().st_size


def make(chosen, layers, real_graphs, folder):
    bundle = Maker(chosen, folder, real_graphs)
    manifest = {"commit": describe_commit(), "made": datetime.date.today().isoformat(),
                "emulated": chosen.emulate, "libraries": bundle.copy_programs(),
                "layers": [], "tests": [], "benchmarks": []}
    manifest["needs"] = libraries.least_versions([folder / "bin", folder / "lib"])
    for layer in layers:  # before several at once ask for them
        for test in layer.tests:
            bundle.graph(test.graph)
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        for part in pool.map(bundle.make_layer, layers):
            manifest["layers"].append(part["layer"])
            manifest["tests"] += part["tests"]
            manifest["benchmarks"] += part["benchmarks"]
    bundle.share_equal_files()
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return manifest


def main(description):
    chosen = options.parse(description)
    real_graphs = find_data(chosen.data)
    layers = [layer for layer in contents.all_layers(ROOT, real_graphs)
              if chosen.layers is None or chosen.layers.search(layer.name)]
    if chosen.list:
        print("\n".join(layer.name for layer in layers))
        return
    if not layers:
        sys.exit(f"error: --layers {chosen.layers.pattern}: no layer has such a name; see --list")
    for name in contents.REAL_GRAPHS.keys() - real_graphs.keys():
        print(f"no {name} at {chosen.data}: left out; --data names the folder of real graphs")
    with tempfile.TemporaryDirectory() as scratch:
        try:
            manifest = make(chosen, layers, real_graphs, pathlib.Path(scratch, "clique-gpu"))
        except (ToolError, libraries.MissingLibrary) as error:
            sys.exit(f"error: {error}")
        size = pack(pathlib.Path(scratch, "clique-gpu"), chosen.output)
    failed = [layer["name"] for layer in manifest["layers"] if layer["problem"]]
    needs = manifest["needs"]
    print(f"{chosen.output}: {size / 1e6:.1f} MB, {len(layers) - len(failed)} layers, "
          f"{len(manifest['tests'])} tests, {len(manifest['benchmarks'])} benchmarks; for x86-64 "
          f"Linux with glibc {needs['GLIBC']} and GLIBCXX_{needs['GLIBCXX']} or later")
    if size > LIMIT:
        print(f"warning: more than {LIMIT / 1e6:.0f} MB; choose some layers with --layers")
    if failed:
        print(f"warning: not compiled, so skipped there: {', '.join(failed)}")
