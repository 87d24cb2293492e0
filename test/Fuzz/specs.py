# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changed specs through clique-opt, clique-lsp-server, clique-compile and clique-run: each ends
in exit status 0, or in 1 with an error and without a file; none crashes, hangs or takes all
memory. By hand, for longer:

  test/Fuzz/specs.py build/bin --cases=5000 --seed=7 --keep=failures

The texts in corpus/ failed once; they come first."""
# RUN: %python %s %clique_obj_root/bin --cases=120 --seed=1 --folder=%t

import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "Inputs"))

import mutation
from limits import Limits

SPLIT = "\n// -----\n"
GRAPHS = {"complete": "complete:5", "complete, no_self": "complete_no_self:5",
          "bipartite": "bipartite:5x5", "causal": "causal:5", "window, 2": "window:5,2",
          "cliques": "cliques:2,3", "causal_cliques": "causal_cliques:2,3",
          "blocks, 4": "blocks:8,4,2"}


def read_seeds(root):
    """The functions of the examples and of the dialect's tests, one text each."""
    files = sorted((root / "examples").glob("*.mlir")) + \
        sorted((root / "test/Dialect").glob("roundtrip*.mlir")) + \
        sorted((root / "test/Dialect").glob("canon*.mlir")) + \
        [root / "test/Tools/Inputs/layers.mlir"]
    seeds = []
    for file in files:
        text = re.sub(r"//[^\n]*\n", "\n", file.read_text())
        seeds += [part for part in re.split(r"(?m)^(?=func\.func)", text) if "func.func" in part]
    return seeds


class Fuzzer:
    def __init__(self, options):
        self.tools = pathlib.Path(options.tools).resolve()
        self.folder = pathlib.Path(options.folder)
        self.keep = pathlib.Path(options.keep) if options.keep else None
        self.random = random.Random(options.seed)
        self.limits = Limits(self.tools, gigabytes=12)
        self.counts = {"accepted": 0, "compiled": 0, "ran": 0, "differ": 0, "failed": 0}
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.spec = self.folder / "spec.mlir"
        self.outputs = self.folder / "outputs"

    def run(self, tool, *arguments, text=None):
        return subprocess.run([str(self.tools / tool), *map(str, arguments)], input=text,
                              capture_output=True, text=True, errors="replace", check=False,
                              preexec_fn=self.limits, cwd=self.folder)

    def report(self, text, command, why):
        self.counts["failed"] += 1
        name = f"failure-{self.counts['failed']}.mlir"
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            (self.keep / name).write_text(f"// {command}: {why.splitlines()[0]}\n{text}")
        print(f"FAILED: {command}\n{why}\n--- {name}\n{text}\n---", flush=True)

    #--- All texts in one process.

    def parse(self, texts):
        """Those that clique-opt takes."""
        done = self.run("clique-opt", "--split-input-file", "--canonicalize", "--cse", "-",
                        text=SPLIT.join(texts))
        if done.returncode not in (0, 1):
            if len(texts) == 1:
                self.report(texts[0], "clique-opt --canonicalize --cse",
                            f"status {done.returncode}\n{done.stderr[-3000:]}")
                return []
            half = len(texts) // 2
            return self.parse(texts[:half]) + self.parse(texts[half:])
        chunks = [k for k, text in enumerate(texts) for _ in range((text + SPLIT).count("\n"))]
        wrong = {chunks[min(int(line), len(chunks)) - 1]
                 for line in re.findall(r"(?m)^<stdin>:(\d+):\d+: error", done.stderr)}
        return [text for k, text in enumerate(texts) if k not in wrong]

    def edit(self, texts):
        """In the editor: opened, hovered over, closed by the next."""
        messages = [{"id": 0, "method": "initialize", "params":
                     {"processId": 1, "rootPath": "", "capabilities": {}, "trace": "off"}}]
        for k, text in enumerate(texts):
            document = {"uri": f"test:///{k}.mlir"}
            at = self.random.randrange(len(text) + 1)
            position = {"line": text.count("\n", 0, at), "character": self.random.randrange(60)}
            messages.append({"method": "textDocument/didOpen", "params": {"textDocument": {
                **document, "languageId": "mlir", "version": 1, "text": text}}})
            for method in ("hover", "definition", "completion", "references"):
                messages.append({"id": k, "method": f"textDocument/{method}", "params": {
                    "textDocument": document, "position": position,
                    "context": {"includeDeclaration": True, "triggerKind": 1}}})
            messages.append({"method": "textDocument/didClose",
                             "params": {"textDocument": document}})
        messages += [{"id": 1, "method": "shutdown"}, {"method": "exit"}]
        lines = "\n// -----\n".join(json.dumps({"jsonrpc": "2.0", **message})
                                    for message in messages) + "\n"
        done = self.run("clique-lsp-server", "-lit-test", text=lines)
        if done.returncode == 0:
            return
        if len(texts) == 1:
            self.report(texts[0], "clique-lsp-server",
                        f"status {done.returncode}\n{done.stderr[-3000:]}")
            return
        half = len(texts) // 2
        self.edit(texts[:half])
        self.edit(texts[half:])

    #--- One text at a time.

    def check(self, text, tool, arguments, writes):
        """True if the tool succeeded. `writes`: it then leaves a file."""
        self.spec.write_text(text)
        shutil.rmtree(self.outputs, ignore_errors=True)
        self.outputs.mkdir()
        done = self.run(tool, self.spec, *arguments)
        files = sorted(path.name for path in self.outputs.iterdir())
        command = " ".join([tool, "SPEC.mlir", *map(str, arguments)])
        if done.returncode not in (0, 1):
            self.report(text, command, f"status {done.returncode}\n{done.stderr[-3000:]}")
        elif "too large; at [" in done.stdout + done.stderr:
            self.counts["differ"] += 1
            print(f"differs: {command}\n{done.stdout}{done.stderr}{text}\n---", flush=True)
        elif done.returncode == 1 and "error" not in done.stderr:
            self.report(text, command, f"fails without an error\n{done.stderr[-3000:]}")
        elif done.returncode == 1 and files:
            self.report(text, command, f"fails and leaves {files}\n{done.stderr[-3000:]}")
        elif done.returncode == 0 and writes and not files:
            self.report(text, command, "leaves nothing")
        return done.returncode == 0

    def compile(self, text):
        kind = self.random.choice((["-o", self.outputs / "layer.so"],
                                   ["-o", self.outputs / "layer.o", "--verify-each"],
                                   ["-o", self.outputs / "layer.ll", "--cpu=x86-64-v2"],
                                   ["-o", self.outputs / "layer.ptx", "--target=cuda",
                                    "--gpu-arch=sm_90a"]))
        header = ["--header", self.outputs / "layer.h"] if self.random.random() < 0.3 else []
        self.counts["compiled"] += self.check(text, "clique-compile", kind + header, True)

    def execute(self, text):
        arguments = []
        signature = text[:text.find("{")]
        for name, topology in re.findall(r"%(\w+): !mp\.graph(?:<([^>]*)>)?", signature):
            graph = GRAPHS.get(topology) or self.random.choice(
                [*GRAPHS.values(), "complete:0", "complete:1", "complete:70"])
            arguments.append(f"--graph={name}={graph}")
        for name in re.findall(r"%(\w+): (?:index|i32|i64)\b", signature):
            arguments.append(f"--input={name}=5")
        arguments += [f"--lowering={self.random.choice(('auto', 'dense', 'sparse'))}", "--verify",
                      f"--threads={self.random.choice((1, 2))}"]
        self.counts["ran"] += self.check(text, "clique-run", arguments, False)

    def test(self, texts, everything=False):
        self.edit(texts)
        for text in self.parse(texts):
            self.counts["accepted"] += 1
            compiles = self.random.random() < 0.4
            if compiles or everything:
                self.compile(text)
            if not compiles or everything:
                self.execute(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tools", help="the folder of the programs")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", default="/tmp/clique-fuzz", help="for files while it runs")
    parser.add_argument("--keep", help="a folder for the texts that fail")
    options = parser.parse_args()
    fuzzer = Fuzzer(options)
    corpus = [path.read_text() for path in sorted((HERE / "corpus").glob("*.mlir"))]
    if corpus:
        fuzzer.test(corpus, everything=True)
    seeds = read_seeds(HERE.parents[1])
    chooser = random.Random(options.seed)
    done = 0
    while done < options.cases:
        size = min(100, options.cases - done)
        fuzzer.test([mutation.mutate(chooser, chooser.choice(seeds), chooser.choice(seeds))
                     for _ in range(size)])
        done += size
        print(f"{done} texts: {fuzzer.counts}", flush=True)
    return 1 if fuzzer.counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
