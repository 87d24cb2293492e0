# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers that are written in Python: symbols, and what is known of them while a function is
traced. Words are in clique.mp, the text of the spec is written by _trace_writer.

A symbol is a feature of a node, of an edge, or of neither (a weight, a number). Features of nodes
become features of edges by `g.dst(h)` and `g.src(h)`, and come back by an aggregation. What is
computed of them between is a region of the dialect: mp.message for edges, mp.update for nodes."""

from __future__ import annotations

import inspect
import itertools
import os
import sys
from typing import Any, Callable, Optional, Sequence, Union

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


class Annotation:
    """What an argument is: `clique.Node[64]`, `clique.Weight[64, 8, "bf16"]` ..."""

    def __init__(self, kind: str, shape: Shape, dtype: str):
        self.kind, self.shape, self.dtype = kind, shape, dtype


class _Kind:
    def __init__(self, kind: str, text: str):
        self.kind, self.__doc__ = kind, text

    def __getitem__(self, sizes: Any) -> Annotation:
        parts = list(sizes) if isinstance(sizes, tuple) else [sizes]
        dtype = parts.pop() if parts and isinstance(parts[-1], str) else "f32"
        if dtype not in DTYPES:
            raise fail(f"element type '{dtype}': expected one of {', '.join(DTYPES)}")
        if not all(isinstance(size, int) and size > 0 for size in parts):
            raise fail(f"sizes are positive integers, not {parts}")
        if self.kind == "scalar" and parts:
            raise fail("a scalar has an element type and no sizes: Scalar['f32']")
        return Annotation(self.kind, tuple(parts), dtype)


Node = _Kind("node", "A feature of each node: Node[64] is tensor<?x64xf32>, Node['i32'] a number.")
Edge = _Kind("edge", "A feature of each edge: Edge[8], Edge['bf16'].")
Weight = _Kind("weight", "A tensor of the layer's own: Weight[64, 8].")
Scalar = _Kind("scalar", "A number from the caller: Scalar['f32'].")


class Topology:
    """A graph of a class: Topology["causal"], Topology["window, 128"], Topology["complete, no_self"]."""

    def __init__(self, text: str):
        self.text = text

    def __class_getitem__(cls, text: str) -> "Topology":
        return cls(text)


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
    def __and__(self, other: Any) -> "Symbol": return self._binary(other, "and")
    def __or__(self, other: Any) -> "Symbol": return self._binary(other, "or")
    def __lt__(self, other: Any) -> "Symbol": return self._binary(other, "lt")
    def __le__(self, other: Any) -> "Symbol": return self._binary(other, "le")
    def __gt__(self, other: Any) -> "Symbol": return self._binary(other, "gt")
    def __ge__(self, other: Any) -> "Symbol": return self._binary(other, "ge")

    def __neg__(self) -> "Symbol":
        return self._binary(0, "sub", True) if not self.is_float else self._binary(-1.0, "mul")

    def __getitem__(self, index: Any) -> "Symbol":
        from . import mp

        return mp.part(self, index if isinstance(index, tuple) else (index,))

    def reshape(self, *shape: int) -> "Symbol":
        from . import mp

        return mp.reshape(self, shape)


class GraphSymbol:
    """A graph while a layer is traced."""

    def __init__(self, form: str, operand: Optional["GraphSymbol"], kind: str, name: str = ""):
        self.form, self.operand, self.kind, self.name = form, operand, kind, name
        self.where = place()
        self._derived: dict[str, GraphSymbol] = {}

    # Features of its edges.

    def _end(self, value: Symbol, end: str) -> Symbol:
        if not isinstance(value, Symbol) or value.space != NODES:
            raise fail(f"{end}: expected a feature of nodes, not {value!r}")
        return Symbol(end, [value], value.dtype, value.shape, self)

    def dst(self, value: Symbol) -> Symbol:
        """The feature of an edge's destination."""
        return self._end(value, "dst")

    def src(self, value: Symbol) -> Symbol:
        """The feature of an edge's source."""
        return self._end(value, "src")

    def edge(self, value: Symbol) -> Symbol:
        """The edge's own feature, of an argument."""
        if not isinstance(value, Symbol) or value.form != "argument" or value.space != "edges":
            raise fail(f"edge: expected an argument that is a feature of edges, not {value!r}")
        return Symbol("edge", [value], value.dtype, value.shape, self)

    def position(self, end: str = "dst", dtype: str = "i32") -> Symbol:
        """The number of an edge's destination ("dst"), source ("src"), or of the edge ("edge")."""
        if end not in ("dst", "src", "edge"):
            raise fail(f"position of '{end}': expected dst, src or edge")
        return Symbol(f"mp.position {end} : {{t}}", [], dtype, (), self)

    # Other graphs.

    def _derive(self, form: str) -> "GraphSymbol":
        if form not in self._derived:
            self._derived[form] = GraphSymbol(form, self, "")
        return self._derived[form]

    def reverse(self) -> "GraphSymbol":
        """Every edge turned round."""
        return self._derive("mp.reverse")

    def self_loops(self) -> "GraphSymbol":
        """One edge i -> i for each node that has none."""
        return self._derive("mp.self_loops")

    def degree(self, dtype: str = "f32") -> Symbol:
        """The in-degree of every destination."""
        return Symbol("degree", [], dtype, (), NODES, self)

    # Aggregations.

    def _aggregate(self, kind: str, values: Sequence[Any], score: Any = None,
                   with_log_sum: bool = False) -> Any:
        from .mp import as_edges

        values = [as_edges(value, self, kind) for value in values]
        if not values:
            raise fail(f"{kind}: there is nothing to aggregate")
        operands = list(values)
        results = [(value.dtype, value.shape) for value in values]
        if score is not None:
            score = as_edges(score, self, kind)
            operands.insert(0, score)
            for value in values:
                if value.shape[:score.ndim] != score.shape or value.dtype != score.dtype:
                    raise fail(f"softmax: the score {score!r} has no shape that {value!r} begins "
                               "with, or another element type")
            if with_log_sum:
                results.append((score.dtype, score.shape))
        for value in operands:
            if not value.is_float:
                raise fail(f"{kind}: expected floats, not {value!r}")
        return _results(_Aggregation(self, kind, operands, results))

    def sum(self, *values: Symbol) -> Any:
        return self._aggregate("sum", values)

    def mean(self, *values: Symbol) -> Any:
        return self._aggregate("mean", values)

    def max(self, *values: Symbol) -> Any:
        return self._aggregate("max", values)

    def min(self, *values: Symbol) -> Any:
        return self._aggregate("min", values)

    def std(self, *values: Symbol) -> Any:
        return self._aggregate("std", values)

    def softmax(self, score: Symbol, *values: Symbol, log_sum: bool = False) -> Any:
        """sum_j softmax_j(score) value; with `log_sum` also log sum_j exp(score)."""
        return self._aggregate("softmax", values, score, log_sum)

    def custom(self, *values: Symbol, identity: Any, combine: Callable[..., Any],
               lift: Optional[Callable[..., Any]] = None,
               finalise: Optional[Callable[..., Any]] = None) -> Any:
        """A monoid. `lift` makes its state of the values of an edge (default: they are the state),
        `combine` joins two states, `finalise` makes the results of one. A state of several parts
        is a tuple: combine((a, b), (c, d)) -> (x, y). identity: the numbers, or values, of the
        state before any edge."""
        from .mp import as_edges, as_value

        edges = [as_edges(value, self, "custom") for value in values]
        monoid = _Monoid()
        given = [_parameter(value.dtype, value.shape) for value in edges]
        lifted = _tuple(lift(*given) if lift else tuple(given))
        monoid.lift = given, lifted
        types = [(part.dtype, part.shape) for part in lifted]
        a, b = ([_parameter(*part) for part in types] for _ in range(2))
        joined = _tuple(combine(_one(a), _one(b)))
        last = [_parameter(*part) for part in types]
        made = _tuple(finalise(_one(last)) if finalise else tuple(last))
        identities = _tuple(identity)
        for name, parts in (("identity", identities), ("combine", joined)):
            if len(parts) != len(types):
                raise fail(f"custom: {name} gives {len(parts)} parts, the state has {len(types)}")
        first = tuple(as_value(part, *kind) for part, kind in zip(identities, types))
        for name, parts in (("identity", first), ("combine", joined)):
            for part, kind in zip(parts, types):
                if (part.dtype, part.shape) != kind:
                    raise fail(f"custom: {name} gives {part!r} where the state is "
                               f"{kind[0]}{list(kind[1])}")
        monoid.identity, monoid.combine = ([], first), (a + b, joined)
        monoid.finalise = last, made
        results = [(part.dtype, part.shape) for part in made]
        return _results(_Aggregation(self, "custom", edges, results, monoid))


class _Monoid:
    """(parameters, results) of each region."""

    identity: Any
    lift: Any
    combine: Any
    finalise: Any


class _Aggregation:
    def __init__(self, graph: GraphSymbol, kind: str, operands: Sequence[Symbol],
                 results: Sequence[tuple[str, Shape]], monoid: Optional[_Monoid] = None):
        self.graph, self.kind, self.operands = graph, kind, tuple(operands)
        self.monoid, self.where = monoid, place()
        self.results = tuple(Symbol("aggregate", operands, dtype, shape, NODES, self)
                             for dtype, shape in results)


def _results(aggregation: _Aggregation) -> Any:
    return _one(aggregation.results)


def _parameter(dtype: str, shape: Shape) -> Symbol:
    return Symbol("parameter", [], dtype, shape, STATIC)


def _one(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def _tuple(parts: Any) -> tuple[Any, ...]:
    return tuple(parts) if isinstance(parts, (tuple, list)) else (parts,)


class TracedLayer:
    """What @clique.layer makes of a function: a spec, `spec`, and a layer once it is called.
    clique.compile, clique.torch.op and clique.torch.Layer take it where they take a spec."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__
        self._where = function.__code__.co_filename, function.__code__.co_firstlineno
        self._layer: Any = None
        self._texts: Optional[tuple[str, str]] = None

    def _trace(self) -> tuple[str, str]:
        """The spec, and the same with the lines of the Python program."""
        if self._texts is None:
            from ._trace_writer import write

            arguments = _arguments(self.function)
            results = self.function(*arguments.values())
            if not isinstance(results, dict):
                results = {"": _tuple(results)} if results is not None else {"": ()}
                results = {(k if len(results[""]) > 1 else ""): part
                           for k, part in enumerate(results[""])}
            where = self._where
            for part in results.values():
                if not isinstance(part, Symbol) or part.space == STATIC:
                    raise fail(f"'{self.__name__}' returns {part!r}: expected features of nodes or "
                               "edges", where)
            if not results:
                raise fail(f"'{self.__name__}' returns nothing", where)
            self._texts = (write(self.__name__, arguments, results, False),
                           write(self.__name__, arguments, results, True))
        return self._texts

    @property
    def spec(self) -> str:
        """The spec in MLIR."""
        return self._trace()[0]

    def compile(self, **options: Any) -> Any:
        """clique.compile of it; errors are at the lines of the Python program."""
        from ._layer import compile

        text = self.spec
        try:
            return compile(text, self.__name__, **options)
        except SpecError:
            try:
                compile(self._trace()[1], self.__name__, **options)
            except SpecError as error:
                if error.filename != "<spec>":
                    raise
                # Of the text itself, an argument's type for instance.
                raise fail(error.message, self._where) from None
            raise

    @property
    def compiled(self) -> Any:
        if self._layer is None:
            self._layer = self.compile()
        return self._layer

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.compiled(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.compiled, name)

    def __repr__(self) -> str:
        return repr(self.compiled)


def _arguments(function: Callable[..., Any]) -> dict[str, Union[Symbol, GraphSymbol]]:
    kinds = inspect.get_annotations(function, eval_str=True)
    where = function.__code__.co_filename, function.__code__.co_firstlineno
    return {name: _symbol(name, kinds.get(name), where)
            for name in inspect.signature(function).parameters}


def _symbol(name: str, kind: Any, where: Place) -> Union[Symbol, GraphSymbol]:
    """The argument of this annotation."""
    from ._graph import Graph

    if kind is None or kind is Graph or isinstance(kind, Topology):
        return GraphSymbol("argument", None, getattr(kind, "text", ""), name)
    if isinstance(kind, _Kind):
        kind = kind[()]
    if not isinstance(kind, Annotation):
        raise fail(f"argument '{name}': expected clique.Graph, Topology[...], Node[...], "
                   f"Edge[...], Weight[...] or Scalar[...], not {kind!r}", where)
    space = {"node": NODES, "edge": "edges"}.get(kind.kind, STATIC)
    made = Symbol("argument", [], kind.dtype, kind.shape, space, (name, kind.kind))
    made.where = where
    return made


def trace(name: str, kinds: dict[str, Any], function: Callable[..., Any]) -> str:
    """The spec of a function of symbols that it gets by name."""
    from ._trace_writer import write

    arguments = {key: _symbol(key, kind, place()) for key, kind in kinds.items()}
    return write(name, arguments, {"": function(**arguments)}, False)


def layer(function: Callable[..., Any]) -> TracedLayer:
    """Makes a layer of a function of symbols, with the words of clique.mp:

        @clique.layer
        def gat(g, h: clique.Node[64], w: clique.Weight[64, 8, 8], a: clique.Weight[8, 16]):
            n = g.self_loops()
            zi, zj = mp.linear(n.dst(h), w), mp.linear(n.src(h), w)
            s = mp.leaky_relu(mp.dot(a, mp.concat([zi, zj], 1)), 0.2)
            return mp.elu(n.softmax(s, zj).reshape(64))

    Arguments without an annotation are graphs. It is traced when it is first needed: control flow
    of Python runs then, once. Several results are a tuple, or a dict that names them."""
    return TracedLayer(function)


__all__ = ["Edge", "Node", "Scalar", "Topology", "Weight", "layer"]
