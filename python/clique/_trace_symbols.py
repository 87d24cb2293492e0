# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values of a layer that is traced, and where in the Python program they come from.

A symbol is a feature of a node, of an edge, or of neither (a weight, a number). Features of nodes
become features of edges by `g.dst(h)` and `g.src(h)`, and come back by an aggregation. What is
computed of them between is a region of the dialect: mp.message for edges, mp.update for nodes."""

from __future__ import annotations

import itertools
import operator
import os
import sys
from typing import Any, Callable, Container, Iterable, Iterator, Optional, Sequence, Union

from ._compiler import SpecError

STATIC, NODES = "static", "nodes"
FLOATS = ("bf16", "f16", "f32", "f64")
DTYPES = (*FLOATS, "i1", "i8", "i32", "i64")
_HERE = os.path.dirname(os.path.abspath(__file__))

_numbers = itertools.count()
Place = tuple[str, int]
Shape = tuple[int, ...]


def place() -> Place:
    """The file and line of the caller outside this package."""
    frame: Any = sys._getframe(1)
    while frame.f_back and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _HERE:
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def fail(message: str, where: Optional[Place] = None) -> SpecError:
    """An error at the line of the Python program."""
    file, line = where or place()
    return SpecError(f"{file}:{line}:1: error: {message}")


def whole(value: Any) -> Any:
    """A size or the number of a dimension, NumPy's too, as an integer of Python; else as it is."""
    return operator.index(value) if hasattr(value, "__index__") else value


# What a long layer is made of is too deep for functions that call themselves.


def walk(roots: Iterable[Any], inner: Callable[[Any], Iterable[Any]]) -> Iterator[Any]:
    """These and what `inner` says each is made of, each once, before its parts."""
    seen: set[int] = set()
    waiting = [*roots][::-1]
    while waiting:
        thing = waiting.pop()
        if id(thing) not in seen:
            seen.add(id(thing))
            yield thing
            waiting += [*inner(thing)][::-1]


def walk_up(root: Any, inner: Callable[[Any], Iterable[Any]],
            known: Container[int]) -> Iterator[Any]:
    """As walk, but each behind its parts, and only what is not known: whose id is not in `known`,
    where the caller puts that of each before it takes the next."""
    waiting = [root]
    while waiting:
        thing = waiting[-1]
        if id(thing) not in known:
            missing = [part for part in inner(thing) if id(part) not in known]
            if missing:
                waiting += missing[::-1]
                continue
            yield thing
        waiting.pop()


class Symbol:
    """A value of the layer while it is traced. Arithmetic and indices are NumPy's, but a smaller
    operand is repeated along trailing dimensions (a weight per head times a vector per head); for
    NumPy's way say mp.broadcast(x, shape, trailing=True)."""

    __slots__ = ("form", "operands", "dtype", "shape", "space", "where", "extra",
                 "number")
    __array_ufunc__ = None

    def __init__(self, form: str, operands: Sequence["Symbol"], dtype: str, shape: Sequence[int],
                 space: Any, extra: Any = None):
        self.form, self.operands = form, tuple(operands)
        self.dtype, self.shape, self.space = dtype, tuple(shape), space
        self.where, self.extra = place(), extra
        self.number = next(_numbers)

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOATS

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        space = self.space if isinstance(self.space, str) else "edges"
        return f"<{space} {self.dtype}{list(self.shape)}>"

    def __bool__(self) -> bool:
        raise fail("a value of the layer has no truth value while it is traced: use mp.where")

    def __iter__(self) -> Any:
        raise fail("a value of the layer cannot be iterated over: take parts by constant indices")

    def _binary(self, other: Any, name: str, swap: bool = False) -> "Symbol":
        from . import mp

        return mp.binary(name, *((other, self) if swap else (self, other)))

    def __add__(self, other: Any) -> "Symbol": return self._binary(other, "add")
    def __radd__(self, other: Any) -> "Symbol": return self._binary(other, "add", True)
    def __sub__(self, other: Any) -> "Symbol": return self._binary(other, "sub")
    def __rsub__(self, other: Any) -> "Symbol": return self._binary(other, "sub", True)
    def __mul__(self, other: Any) -> "Symbol": return self._binary(other, "mul")
    def __rmul__(self, other: Any) -> "Symbol": return self._binary(other, "mul", True)
    def __truediv__(self, other: Any) -> "Symbol": return self._binary(other, "div")
    def __rtruediv__(self, other: Any) -> "Symbol": return self._binary(other, "div", True)
    def __pow__(self, other: Any) -> "Symbol": return self._binary(other, "pow")
    def __rpow__(self, other: Any) -> "Symbol": return self._binary(other, "pow", True)
    def __and__(self, other: Any) -> "Symbol": return self._binary(other, "and")
    def __or__(self, other: Any) -> "Symbol": return self._binary(other, "or")
    def __lt__(self, other: Any) -> "Symbol": return self._binary(other, "lt")
    def __le__(self, other: Any) -> "Symbol": return self._binary(other, "le")
    def __gt__(self, other: Any) -> "Symbol": return self._binary(other, "gt")
    def __ge__(self, other: Any) -> "Symbol": return self._binary(other, "ge")
    def __eq__(self, other: Any) -> "Symbol": return self._binary(other, "equal")  # type: ignore[override]
    def __ne__(self, other: Any) -> "Symbol": return self._binary(other, "not_equal")  # type: ignore[override]

    # Python takes it away from what has comparisons of its own.
    __hash__ = object.__hash__

    def __neg__(self) -> "Symbol":
        return self._binary(0, "sub", True) if not self.is_float else self._binary(-1.0, "mul")

    def __getitem__(self, index: Any) -> "Symbol":
        from . import mp

        return mp.part(self, index if isinstance(index, tuple) else (index,))

    def reshape(self, *shape: Any) -> "Symbol":
        """To sizes, one by one or as a tuple."""
        from . import mp

        is_whole = len(shape) == 1 and isinstance(shape[0], (tuple, list))
        return mp.reshape(self, shape[0] if is_whole else shape)


class Count:
    """A number of nodes or edges, which a call decides: g.num_dst(), mp.num_rows(h) ...; graphs
    are made of counts, and `value` makes a number to compute with of one."""

    def __init__(self, form: str, operand: Any):
        #: What it counts is a graph, or a feature.
        self.form, self.operand, self.where = form, operand, place()

    def __repr__(self) -> str:
        return "<count: its value() is a number>"

    def value(self, dtype: str = "f32") -> Symbol:
        """The count as a number."""
        if dtype not in ("f32", "f64", "i32", "i64"):
            raise fail(f"value: a count is one of f32, f64, i32 and i64, not {dtype}")
        return Symbol("count", [], dtype, (), STATIC, self)


Size = Union[Count, Symbol, int]
