# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of a layer that is traced: a step that is repeated, and one for each level of an acyclic
graph. A step is a function of what the loop carries; it is traced once."""

from __future__ import annotations

from typing import Any, Callable, Sequence

from ._trace_graphs import GraphSymbol, as_tuple, one
from ._trace_symbols import NODES, Count, Size, Symbol, fail, place, walk, walk_up


class Loop:
    """`count` steps that carry features of nodes."""

    def __init__(self, word: str, count: Size, values: Sequence[Symbol]):
        self.word, self.count, self.where = word, count, place()
        self.initial = tuple(values)
        for value in values:
            if not isinstance(value, Symbol) or value.space != NODES:
                raise fail(f"{word}: expected features of nodes to begin with, not {value!r}")
        if not values:
            raise fail(f"{word}: there is nothing that the steps change")
        self.parameters = tuple(Symbol("parameter", [], value.dtype, value.shape, NODES)
                                for value in values)
        #: The number of the step; where the rows of its level begin, and how many there are.
        self.step, self.first, self.rows = (Count(form, self) for form in ("step", "first", "rows"))
        self.levels: Any = None
        self.body: tuple[Symbol, ...] = ()
        #: What is written in front of the loop.
        self.outside: tuple[Any, ...] = ()

    def check(self, made: Any) -> tuple[Symbol, ...]:
        """What a step gives, as what it gets."""
        parts = as_tuple(made)
        if len(parts) != len(self.parameters):
            raise fail(f"{self.word}: a step gives {len(parts)} values, expected "
                       f"{len(self.parameters)} as it gets")
        for part, given in zip(parts, self.parameters):
            if (not isinstance(part, Symbol) or part.space != NODES
                    or (part.dtype, part.shape) != (given.dtype, given.shape)):
                raise fail(f"{self.word}: a step gives {part!r} for {given!r}")
        return parts

    def finish(self, body: tuple[Symbol, ...]) -> Any:
        self.body = body
        self.outside = tuple(_find_outside(self))
        operands = [*self.initial, *(part for part in self.outside if isinstance(part, Symbol))]
        self.results = tuple(Symbol("loop", operands, part.dtype, part.shape, NODES, self)
                             for part in self.parameters)
        return one(self.results)


def parts_of(thing: Any) -> Sequence[Any]:
    """What a value is made of."""
    if isinstance(thing, Symbol):
        extra = thing.extra if isinstance(thing.extra, tuple) else (thing.extra,)
        return [*thing.operands, thing.space, *extra]
    if isinstance(thing, GraphSymbol):
        return thing.operands
    if isinstance(thing, Count):
        return [thing.operand]
    if isinstance(thing, Loop):
        return [thing.count, *thing.outside]
    return getattr(thing, "parts", ())  # an aggregation


def _find_outside(loop: Loop) -> list[Any]:
    """The features of nodes and graphs that the steps use and do not change, and numbers of a step
    of a loop around this one."""
    given = {id(loop), *map(id, loop.parameters)}
    changing = dict.fromkeys(given, True)
    for value in loop.body:
        for thing in walk_up(value, parts_of, changing):
            changing[id(thing)] = any(changing[id(part)] for part in parts_of(thing))

    def is_outside(thing: Any) -> bool:
        return not changing[id(thing)] and (
            isinstance(thing, GraphSymbol) or isinstance(thing, Symbol) and thing.space == NODES
            or isinstance(thing, Count) and isinstance(thing.operand, Loop))

    def inner(thing: Any) -> Sequence[Any]:
        return () if id(thing) in given or is_outside(thing) else parts_of(thing)

    return [thing for thing in walk(loop.body, inner) if is_outside(thing)]


def repeat(count: Size, step: Callable[..., Any], *values: Symbol) -> Any:
    """`values = step(k, *values)` for k = 0, 1 ... count - 1; k is a count, `k.value()` a number.
    The count is an integer, a Scalar, or one of nodes or edges."""
    from ._graph_words import count_of

    loop = Loop("repeat", count_of("repeat", count), values)
    return loop.finish(loop.check(step(loop.step, *loop.parameters)))


class Levels:
    """An acyclic graph level by level: `graph` has its nodes numbered by level, `nodes` the old
    number of each new one, `places` the new one of each old one, `offsets` where levels begin."""

    def __init__(self, graph: GraphSymbol):
        self.graph = GraphSymbol("mp.levels {0}", [graph], "")
        self.nodes, self.places, self.offsets = (
            Symbol("of_graph", [], dtype, (), NODES, self.graph) for dtype in ("i32", "i32", "i64"))
        self.graph.others = self.nodes, self.places, self.offsets

    def order(self, x: Symbol) -> Symbol:
        """A feature of nodes in the order of levels."""
        from .mp import lookup

        return lookup(x, self.nodes)

    def restore(self, x: Symbol) -> Symbol:
        """A feature of nodes in the order of levels, in the graph's own."""
        from .mp import lookup

        return lookup(x, self.places)

    def scan(self, step: Callable[..., Any], *values: Symbol) -> Any:
        """For each level, the lowest first: `step(level, *values)` gives the new rows of its nodes
        in the values, which are in the order of levels."""
        loop = Loop("scan", Count("levels", self.offsets), values)
        loop.levels = self
        rows = loop.check(step(Level(self, loop), *loop.parameters))
        return loop.finish(tuple(
            Symbol("insert", [part, whole], part.dtype, part.shape, NODES, (loop.first, loop.rows))
            for part, whole in zip(rows, loop.parameters)))


class Level:
    """The nodes of one level. `graph` is the part of the graph by which they receive: its
    destinations are these nodes, its sources all."""

    def __init__(self, levels: Levels, loop: Loop):
        self.number = loop.step
        self._bounds = loop.first, loop.rows
        self.graph, self.edges = levels.graph.rows(*self._bounds)

    def rows(self, x: Symbol) -> Symbol:
        """The rows of these nodes in a feature in the order of levels."""
        if not isinstance(x, Symbol) or x.space != NODES:
            raise fail(f"rows: expected a feature of nodes, not {x!r}")
        return Symbol("slice", [x], x.dtype, x.shape, NODES, self._bounds)

    def edge(self, e: Symbol) -> Symbol:
        """The feature of an edge into these nodes."""
        from .mp import lookup

        return self.graph.edge(lookup(e, self.edges))
