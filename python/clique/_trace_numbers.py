# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of Python and NumPy beside the values of a traced layer: constants of its spec."""

from __future__ import annotations

import math
from typing import Any, Sequence

from ._arrays import is_number
from ._trace_symbols import FLOATS, STATIC, Symbol, fail


def holds(dtype: str, value: Any) -> bool:
    """Whether a type of integers has this number."""
    half = 1 << (int(dtype[1:]) - 1)
    least, most = (0, 1) if dtype == "i1" else (-half, half - 1)
    return bool(least <= value <= most)


def number(value: Any, dtype: str) -> str:
    """As MLIR writes a constant."""
    if dtype not in FLOATS:
        if not holds(dtype, value) or value != int(value):
            raise fail(f"{value!r} is no number of {dtype}: convert the other operand with mp.cast")
        if dtype == "i1":
            return "true" if value else "false"
        return str(int(value))
    try:
        value = float(value)
    except OverflowError:
        raise fail(f"{value!r} is no number of {dtype}") from None
    if math.isinf(value) or math.isnan(value):
        bits = {"bf16": ("0x7F80", "0xFF80", "0x7FC0"), "f16": ("0x7C00", "0xFC00", "0x7E00"),
                "f32": ("0x7F800000", "0xFF800000", "0x7FC00000"),
                "f64": ("0x7FF0000000000000", "0xFFF0000000000000", "0x7FF8000000000000")}[dtype]
        return bits[2] if math.isnan(value) else bits[value < 0]
    text = repr(value)
    mantissa, exponent, power = text.partition("e")
    return text if "." in mantissa else f"{mantissa}.0{exponent}{power}"


def as_value(value: Any, dtype: str, shape: Sequence[int]) -> Symbol:
    """A value as it is, or a number as a constant."""
    if isinstance(value, Symbol):
        return value
    if not is_number(type(value)):
        raise fail(f"expected a value of the layer or a number, not {value!r}")
    return Symbol(f"arith.constant dense<{number(value, dtype)}> : {{t}}", [], dtype, shape, STATIC)


__all__ = ["as_value", "holds", "number"]
