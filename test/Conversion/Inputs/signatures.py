# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the table of compiler/Conversion/RuntimeCalls.cpp with the prototypes of
runtime/compiled.h: that each function exists, with the same types in the same order, and by
descriptor where it takes or gives arrays.

    signatures.py compiled.h RuntimeCalls.cpp
"""

import re
import sys

ARRAYS = {"clique::Memref1D<const int64_t>": "I", "clique::Memref1D<const int32_t>": "J"}
SCALARS = {"int64_t": "n", "bool": "b", "void": ""}


def get_letter(kind):
    """The letter of a type as C spells it."""
    kind = re.sub(r"\s+", " ", kind).strip()
    base = kind.rstrip("* ")
    if kind.endswith("*"):
        return ARRAYS.get(base, "p")
    return SCALARS.get(kind, f"<{kind}>")


def read_prototypes(header):
    """Name -> (result, parameters, whether through the C interface), in letters."""
    text = re.sub(r"//[^\n]*", "", header)
    prototypes = {}
    for result, name, params in re.findall(r"CLIQUE_API\s+([^();]*?)(\w+)\(([^()]*)\);", text):
        kinds = [re.sub(r"\w+\s*$", "", p) for p in params.split(",") if p.strip() not in ("", "void")]
        letters = [get_letter(kind) for kind in kinds]
        given, by_descriptor = get_letter(result), name.startswith("_mlir_ciface_")
        # What the C interface returns by descriptor comes first.
        if by_descriptor and re.search(r"\*out\b", params.split(",")[0]):
            given = letters.pop(0)
        prototypes[name.removeprefix("_mlir_ciface_")] = (given, "".join(letters), by_descriptor)
    return prototypes


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        prototypes = read_prototypes(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        table = re.findall(r'\{"(clique_rt_\w+)",\s*"(\w*)",\s*"(\w*)"(?:, kNeverFails)?\}', file.read())
    wrong = 0
    for name, result, params in table:
        expected = (result, params, bool(set(result + params) & {"I", "J"}))
        if prototypes.get(name) != expected:
            wrong += 1
            print(f"{name}: the compiler has {expected}, the header {prototypes.get(name)}")
    print(f"{len(table)} signatures compared, {wrong} wrong")
    sys.exit(wrong != 0)


main()
