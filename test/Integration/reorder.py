# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every layer of every example that takes a sparse graph gives, with the nodes in another
order, the reference's results in the given one; those that know nodes by number say so."""
# RUN: rm -rf %t && mkdir %t && %python %s %t %graphs/karate.mtx | FileCheck %s
# CHECK: reorder: {{[0-9]+}} layers, {{[0-9]+}} runs

import pathlib
import re
import subprocess
import sys

import numpy as np

FOLDER = pathlib.Path(__file__).parents[2] / "examples"
WORK, GRAPHS = pathlib.Path(sys.argv[1]), sys.argv[2:]
ORDERS = ("degree", "rcm")
KNOW_NUMBERS = {"distance_attention": "'mp.position'", "graphs": "'mp.readout'"}


def execute(*words):
    command = [str(word) for word in words]
    done = subprocess.run(command, text=True, check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.returncode, f"{' '.join(command)}\n{done.stdout}"


def sparse_layers(text):
    """Public functions whose graph, an argument, may be any."""
    return re.findall(r"^func\.func @(\w+)\((?=[^{]*: !mp\.graph[,)])", text, re.M)


def check(library, spec, layer, graph, order):
    """Nothing, or what is wrong."""
    batch = [f"--input=offsets={WORK}/offsets.npy"] if layer == "graphs" else []
    status, text = execute("clique-run", library, f"--spec={spec}", f"--entry={layer}",
                           f"--graph={graph}", *batch, f"--reorder={order}", "--verify")
    if layer in KNOW_NUMBERS:
        is_right = status and f"must keep their numbers: {KNOW_NUMBERS[layer]}" in text
    else:
        is_right = not status and f"order    {order}\n" in text
    return None if is_right else text


def main():
    np.save(WORK / "offsets.npy", np.array([0, 9, 34], np.int64))
    failures, layers, runs = [], 0, 0
    for spec in sorted(FOLDER.glob("*.mlir")):
        names = sparse_layers(spec.read_text(encoding="utf-8"))
        if not names:
            continue
        library = WORK / f"{spec.stem}.so"
        status, text = execute("clique-compile", spec, "-o", library)
        if status:
            sys.exit(text)
        layers += len(names)
        for name in names:
            for graph in GRAPHS:
                found = [check(library, spec, name, graph, order) for order in ORDERS]
                failures += filter(None, found)
                runs += len(found)
    if failures or not layers:
        sys.exit("\n".join(failures) + f"\n{len(failures)} of {runs} runs failed")
    print(f"reorder: {layers} layers, {runs} runs")


if __name__ == "__main__":
    main()
