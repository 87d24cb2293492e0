# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers that are written in Python: annotations of arguments, and the traced function as a
layer. Its values are in _trace_symbols and _trace_graphs, its words in clique.mp; the text of the
spec is written by _trace_writer."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional, Union

from ._compiler import SpecError
from ._trace_graphs import GraphSymbol, as_tuple
from ._trace_symbols import DTYPES, NODES, STATIC, Place, Shape, Symbol, fail, place, whole


class Annotation:
    """What an argument is: `clique.Node[64]`, `clique.Weight[64, 8, "bf16"]` ..."""

    def __init__(self, kind: str, shape: Shape, dtype: str):
        self.kind, self.shape, self.dtype = kind, shape, dtype


class _Kind:
    def __init__(self, kind: str, text: str):
        self.kind, self.__doc__ = kind, text

    def __getitem__(self, sizes: Any) -> Annotation:
        parts = [*map(whole, sizes if isinstance(sizes, tuple) else (sizes,))]
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


class TracedLayer:
    """What @clique.layer makes of a function: a spec, `spec`, and a layer once it is called.
    clique.compile, clique.torch.op and clique.torch.Layer take it where they take a spec."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__
        self._where = function.__code__.co_filename, function.__code__.co_firstlineno
        self._layer: Any = None
        self._texts: Optional[tuple[str, str]] = None

    def _trace(self) -> tuple[str, str]:
        """The spec, and the same with the lines of the Python program."""
        if self._texts is None:
            from ._trace_schedule import write

            arguments = _arguments(self.function)
            keywords = {name: arguments[name]
                        for name, parameter in inspect.signature(self.function).parameters.items()
                        if parameter.kind is parameter.KEYWORD_ONLY}
            positional = [value for name, value in arguments.items() if name not in keywords]
            results = self.function(*positional, **keywords)
            if not isinstance(results, dict):
                results = {"": as_tuple(results)} if results is not None else {"": ()}
                results = {(k if len(results[""]) > 1 else ""): part
                           for k, part in enumerate(results[""])}
            where = self._where
            for part in results.values():
                if not isinstance(part, Symbol) or part.space == STATIC:
                    raise fail(f"'{self.__name__}' returns {part!r}: expected features of nodes or "
                               "edges", where)
            if not results:
                raise fail(f"'{self.__name__}' returns nothing", where)
            if not _is_name(self.__name__):
                raise fail(f"the function is called '{self.__name__}', expected ASCII letters, digits "
                           "and '_', as names of MLIR have: write it as a def", where)
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
        return self._compiled()

    def _compiled(self) -> Any:
        if self._layer is None:
            self._layer = self.compile()
        return self._layer

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.compiled(*args, **keywords)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in ("compiled", "spec"):
            # Its property met an AttributeError of the function: again, so that it is that.
            return self._compiled() if name == "compiled" else self._trace()[0]
        return getattr(self._compiled(), name)

    def __repr__(self) -> str:
        try:
            return repr(self.compiled)
        except Exception:  # in the message of another error, maybe
            return f"<layer {self.__name__}, which does not compile>"

    def __reduce__(self) -> str:
        return self.__qualname__  # by its name, as functions are


def _is_name(name: str) -> bool:
    """Whether MLIR takes it, too."""
    return name.isascii() and name.isidentifier()


def _arguments(function: Callable[..., Any]) -> dict[str, Union[Symbol, GraphSymbol]]:
    kinds = inspect.get_annotations(function, eval_str=True)
    where = function.__code__.co_filename, function.__code__.co_firstlineno
    parameters = inspect.signature(function).parameters
    for parameter in parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise fail(f"argument '{parameter}': expected arguments that are named one by one", where)
        if not _is_name(parameter.name):
            raise fail(f"argument '{parameter.name}': expected a name of ASCII letters, digits and "
                       "'_', as MLIR has", where)
    return {name: _symbol(name, kinds.get(name), where) for name in parameters}


def _symbol(name: str, kind: Any, where: Place) -> Union[Symbol, GraphSymbol]:
    """The argument of this annotation."""
    from ._graph import Graph

    if kind is None or kind is Graph or isinstance(kind, Topology):
        return GraphSymbol("argument", [], getattr(kind, "text", ""))
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
    from ._trace_schedule import write

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
    if not hasattr(function, "__code__"):
        raise TypeError(f"clique.layer: expected a function, not {function!r}")
    return TracedLayer(function)


__all__ = ["Edge", "Node", "Scalar", "Topology", "Weight", "layer"]
