# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the functions that g.custom and g.scan are given may use: what they get, weights and
numbers. Each becomes a region of the dialect, which knows no features of nodes or edges."""

from __future__ import annotations

from typing import Any, Sequence

from ._trace_symbols import STATIC, Shape, Symbol, fail

_MAY_USE = "may use what it gets, weights and numbers; "
#: What each may use, and what to do instead.
_RULES = {
    "identity": "is made of weights and numbers",
    "lift": _MAY_USE + "it also gets what g.custom is given as one value more",
    "combine": _MAY_USE + "what else an edge has belongs to the state that lift makes",
    "finalise": _MAY_USE + "compute the rest with the result of g.custom",
    "step": _MAY_USE + "it also gets what g.scan is given as one value more",
}


def parameter(dtype: str, shape: Shape) -> Symbol:
    return Symbol("parameter", [], dtype, shape, STATIC)


def check_region(word: str, name: str, parameters: Sequence[Symbol],
                 made: Sequence[Any]) -> None:
    """`made`: what the function `name` of g.WORD gives for these parameters."""
    for part in made:
        if not isinstance(part, Symbol):
            raise fail(f"{word}: {name} gives {part!r}, expected values of the layer")
        if part.space != STATIC:
            captured, user = _find_captured(part, parameters)
            raise fail(f"{word}: {name} uses {captured!r}; it {_RULES[name]}", user.where)


def _find_captured(part: Symbol, parameters: Sequence[Symbol]) -> tuple[Symbol, Symbol]:
    """The feature that a function uses, and the op in it that does: symbols are numbered in the
    order in which they are made."""
    first = parameters[0].number if parameters else part.number + 1
    user = captured = part
    while captured.number > first:
        user = captured
        inner = [operand for operand in user.operands if operand.space != STATIC]
        if not inner:
            break  # g.position, made in the function
        captured = inner[0]
    return captured, user


__all__ = ["check_region", "parameter"]
