# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the inner loops of products in the assembly of dense kernels.

usage: check_inner_loops.py FILE.s REGISTER   (zmm or ymm)

An inner loop that multiplies and adds vectors must keep its accumulators in
registers: it stores nothing, reloads no register from a fixed place on the
stack, and calls nothing. Outside of them nothing may call the mathematical
library for one number."""

import re
import sys

LIBM = re.compile(r"\bcall\w*\s+(exp|log|tanh|erf|pow|sin|cos|fmax|fmin|fma)\w*(@PLT)?$")


def main():
    path, register = sys.argv[1:]
    function, labels, loops, problems = None, {}, [], []
    lines = [line.split("#")[0].strip() for line in open(path)]
    for number, line in enumerate(lines):
        if match := re.match(r"([\w.$]+):$", line):
            if not match[1].startswith(".L"):
                function = match[1]
            labels[match[1]] = number
        if LIBM.search(line):
            problems.append(f"{path}:{number + 1}: {function} calls the library: {line}")
        match = re.match(r"j\w+\s+(\.L\w+)$", line)
        if match and match[1] in labels:
            body = lines[labels[match[1]] + 1:number]
            if not any(re.match(r"(\.L\w+:|j\w+\s)", step) for step in body):
                loops.append((labels[match[1]] + 1, body))

    products = 0
    for start, body in loops:
        steps = [step for step in body if re.match("vfmadd|vdpbf16ps", step) and register in step]
        shared = [step for step in body
                  if re.match(r"v(broadcastss|pbroadcastd)\s+.*\(", step) or "{1to" in step]
        if len(steps) < 8 or len(shared) < 4 or any(re.match("v(min|max|div|psll)", step) for step in body):
            continue
        products += 1
        for offset, step in enumerate(body):
            stores = re.search(rf"^vmov\S+\s+%{register}\d+,\s*\S*\(", step)
            reloads = re.search(rf"-?\w*\(%r[sb]p\),\s*%{register}\d+", step)
            if stores or reloads or step.startswith("call"):
                problems.append(f"{path}:{start + offset + 1}: in a product's inner loop: {step}")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{products} inner loops of products in {register} registers, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
