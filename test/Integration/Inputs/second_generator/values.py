# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a spec computes with: values that have a type in the spec and their elements in NumPy, and
the number formats of both."""

import numpy as np

# Bits of the fraction, with the one that is not stored.
DIGITS = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8}
MINUS_INFINITY = {"f64": "0xFFF0000000000000", "f32": "0xFF800000", "f16": "0xFC00",
                  "bf16": "0xFF80"}
STORED = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": np.float32,
          "i1": np.bool_, "i8": np.int8, "i32": np.int32, "i64": np.int64}


def round_to(elem, data):
    """The nearest elements of that type, as float64."""
    if elem == "bf16":
        bits = np.atleast_1d(np.asarray(data, np.float32)).view(np.uint32).astype(np.uint64)
        bits = bits + np.uint64(0x7FFF) + ((bits >> np.uint64(16)) & np.uint64(1))
        kept = (bits & np.uint64(0xFFFF0000)).astype(np.uint32).view(np.float32)
        return kept.astype(np.float64).reshape(np.shape(data))
    return np.asarray(data).astype(STORED[elem]).astype(np.float64)


def spell(elem, element):
    """An element as MLIR writes it."""
    if elem == "i1":
        return "true" if element else "false"
    if elem not in DIGITS:
        return str(int(element))
    if element == -np.inf:
        return MINUS_INFINITY[elem]
    text = repr(float(element))
    mantissa, _, exponent = text.partition("e")
    mantissa += "" if "." in mantissa else ".0"
    return f"{mantissa}e{exponent}" if exponent else mantissa


def spell_all(elem, data):
    if np.ndim(data) == 0:
        return spell(elem, data)
    return "[" + ", ".join(spell_all(elem, part) for part in data) + "]"


class Value:
    """kind: 'one', a static tensor of weights or of a region; 'rows', a feature of nodes;
    'edges', a feature of edges. The elements have a first dimension for all rows of nodes or
    edges, of length 1 where they are the same for all."""

    def __init__(self, name, kind, shape, elem, data):
        self.name, self.kind, self.shape, self.elem = name, kind, tuple(shape), elem
        self.data = data
        assert data.shape[1:] == self.shape, (name, data.shape, self.shape)

    @property
    def type(self):
        return type_of(self.kind, self.shape, self.elem)

    @property
    def is_float(self):
        return self.elem in DIGITS


def type_of(kind, shape, elem):
    sizes = [str(size) for size in shape]
    if kind == "edges":
        return f"!mp.edges<{'x'.join(sizes + [elem])}>"
    return f"tensor<{'x'.join(['?'] * (kind == 'rows') + sizes + [elem])}>"
