# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of a layer that is traced: features of their edges, graphs made of them, and
aggregations."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Optional, Sequence

from ._trace_regions import check_region, parameter
from ._trace_symbols import NODES, Count, Shape, Size, Symbol, fail, place


class GraphSymbol:
    """A graph while a layer is traced."""

    def __init__(self, form: str, operands: Sequence[Any], kind: str):
        #: "argument", or an op with places for its operands (graphs, features, counts) and types.
        self.form, self.operands, self.kind = form, tuple(operands), kind
        self.where = place()
        #: Features of nodes that the op gives beside the graph.
        self.others: tuple[Symbol, ...] = ()
        self._derived: dict[tuple[str, str], GraphSymbol] = {}

    def __repr__(self) -> str:
        if self.form == "argument" and not self.kind:
            return "<graph: an argument without an annotation>"
        return "<graph>"

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
        if not isinstance(value, Symbol) or value.space != "edges":
            raise fail(f"edge: expected an argument that is a feature of edges, not {value!r}")
        return Symbol("edge", [value], value.dtype, value.shape, self)

    def position(self, end: str = "dst", dtype: str = "i32") -> Symbol:
        """The number of an edge's destination ("dst"), source ("src"), or of the edge ("edge")."""
        if end not in ("dst", "src", "edge"):
            raise fail(f"position of '{end}': expected dst, src or edge")
        return Symbol(f"mp.position {end} : {{t}}", [], dtype, (), self)

    # Other graphs, and sizes.

    def _derive(self, word: str, kind: str = "") -> "GraphSymbol":
        if (word, kind) not in self._derived:
            arrow = "to" if word == "mp.cast" else "->"
            self._derived[word, kind] = GraphSymbol(f"{word} {{0}} : {{t0}} {arrow} {{t}}", [self],
                                                    kind)
        return self._derived[word, kind]

    def _plain(self) -> "GraphSymbol":
        """The same graph without its class in the type, which the compiler finds again."""
        return self.cast() if self.kind else self

    def reverse(self) -> "GraphSymbol":
        """Every edge turned round."""
        return self._plain()._derive("mp.reverse")

    def self_loops(self) -> "GraphSymbol":
        """One edge i -> i for each node that has none."""
        return self._plain()._derive("mp.self_loops")

    def cast(self, kind: str = "") -> "GraphSymbol":
        """The same graph as one of a larger class: "sparse", "causal" ...; "" is any."""
        return self._derive("mp.cast", kind)

    def levels(self) -> Any:
        """The graph level by level (clique.mp.Levels): it has no cycles."""
        from ._trace_loops import Levels

        return Levels(self._plain())

    def rows(self, first: Size, count: Size) -> tuple["GraphSymbol", Symbol]:
        """The part by which `count` destinations from `first` on receive, and for each of its edges
        the number in this graph."""
        from ._graph_words import count_of

        bounds = [count_of("rows", size) for size in (first, count)]
        part = GraphSymbol("mp.rows {0}, {1}, {2}", [self._plain(), *bounds], "")
        part.others = (Symbol("of_graph", [], "i64", (), NODES, part),)
        return part, part.others[0]

    def num_dst(self) -> Count:
        """How many destinations there are."""
        return Count("mp.num_dst", self)

    def num_src(self) -> Count:
        """How many sources there are."""
        return Count("mp.num_src", self)

    def num_edges(self) -> Count:
        """How many edges there are."""
        return Count("mp.num_edges", self)

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

    def prod(self, *values: Symbol) -> Any:
        return self._aggregate("prod", values)

    def logsumexp(self, *values: Symbol) -> Any:
        return self._aggregate("logsumexp", values)

    def softmax(self, score: Symbol, *values: Symbol, log_sum: bool = False) -> Any:
        """sum_j softmax_j(score) value; with `log_sum` also log sum_j exp(score)."""
        return self._aggregate("softmax", values, score, log_sum)

    def edge_softmax(self, score: Symbol) -> Symbol:
        """softmax_j(score) as a feature of edges."""
        from .mp import as_edges

        score = as_edges(score, self, "edge_softmax")
        if not score.is_float:
            raise fail(f"edge_softmax: expected floats, not {score!r}")
        made = _Aggregation(self, "edge_softmax", [score], [(score.dtype, score.shape)], "edges")
        return self.edge(made.results[0])

    def custom(self, *values: Symbol, identity: Any, combine: Callable[..., Any],
               lift: Optional[Callable[..., Any]] = None,
               finalise: Optional[Callable[..., Any]] = None) -> Any:
        """A monoid. `lift` makes its state of the values of an edge (default: they are the state),
        `combine` joins two states, `finalise` makes the results of one. A state of several parts
        is a tuple: combine((a, b), (c, d)) -> (x, y). identity: the numbers, or weights, of the
        state before any edge. The functions use what they get, weights and numbers."""
        from .mp import as_edges, as_value

        edges = [as_edges(value, self, "custom") for value in values]
        monoid = _Monoid()
        given = [parameter(value.dtype, value.shape) for value in edges]
        lifted = as_tuple(lift(*given) if lift else tuple(given))
        check_region("custom", "lift", given, lifted)
        monoid.lift = given, lifted
        types = [(part.dtype, part.shape) for part in lifted]
        a, b = ([parameter(*part) for part in types] for _ in range(2))
        joined = as_tuple(combine(one(a), one(b)))
        check_region("custom", "combine", a, joined)
        last = [parameter(*part) for part in types]
        made = as_tuple(finalise(one(last)) if finalise else tuple(last))
        check_region("custom", "finalise", last, made)
        identities = as_tuple(identity)
        for name, parts in (("identity", identities), ("combine", joined)):
            if len(parts) != len(types):
                raise fail(f"custom: {name} gives {len(parts)} parts, the state has {len(types)}")
        first = tuple(as_value(part, *kind) for part, kind in zip(identities, types))
        check_region("custom", "identity", (), first)
        for name, parts in (("identity", first), ("combine", joined)):
            for part, kind in zip(parts, types):
                if (part.dtype, part.shape) != kind:
                    raise fail(f"custom: {name} gives {part!r} where the state is "
                               f"{kind[0]}{list(kind[1])}")
        monoid.identity, monoid.combine = ([], first), (a + b, joined)
        monoid.finalise = last, made
        results = [(part.dtype, part.shape) for part in made]
        return _results(_Aggregation(self, "custom", edges, results, NODES, monoid))

    def scan(self, step: Callable[..., Any], *values: Symbol, start: Any,
             reversed: bool = False) -> Any:
        """A recurrence over the edges into each node, by the numbers of their sources, or back:
        `step(state, *values)` gives the next state, and may give values of the edge behind it.
        start: the state before the first edge, a feature of nodes; of several parts a tuple. The
        result is the last state, then features of edges."""
        from .mp import as_edges

        edges = [as_edges(value, self, "scan") for value in values]
        if not edges:
            raise fail("scan: there is no value of an edge")
        first = as_tuple(start)
        for part in first:
            if not isinstance(part, Symbol) or part.space != NODES:
                raise fail(f"scan: expected a feature of nodes as start, not {part!r}")
        given = [parameter(value.dtype, value.shape) for value in (*first, *edges)]
        made = as_tuple(step(one(given[:len(first)]), *given[len(first):]))
        check_region("scan", "step", given, made)
        for part, made_part in itertools.zip_longest(first, made[:len(first)]):
            if made_part is None or (made_part.dtype, made_part.shape) != (part.dtype, part.shape):
                raise fail(f"scan: a step gives {made_part!r} where the state is "
                           f"{part.dtype}{list(part.shape)}")
        return one([part if part.space == NODES else self.edge(part)
                    for part in _Scan(self, edges, first, given, made, reversed).results])


class _Monoid:
    """(parameters, results) of each region."""

    identity: Any
    lift: Any
    combine: Any
    finalise: Any


class _Aggregation:
    def __init__(self, graph: GraphSymbol, kind: str, operands: Sequence[Symbol],
                 results: Sequence[tuple[str, Shape]], space: str = NODES,
                 monoid: Optional[_Monoid] = None):
        self.graph, self.kind, self.operands = graph, kind, tuple(operands)
        self.monoid, self.where = monoid, place()
        self.results = tuple(Symbol("aggregate", operands, dtype, shape, space, self)
                             for dtype, shape in results)
        #: What it is made of beside its operands.
        self.parts = [graph, *(value for region in ("identity", "lift", "combine", "finalise")
                               for value in (getattr(monoid, region)[1] if monoid else ()))]


class _Scan(_Aggregation):
    def __init__(self, graph: GraphSymbol, edges: Sequence[Symbol], start: Sequence[Symbol],
                 parameters: Sequence[Symbol], made: Sequence[Symbol], reversed: bool):
        super().__init__(graph, "scan", edges, [])
        self.start, self.reversed = tuple(start), reversed
        self.parameters, self.made = tuple(parameters), tuple(made)
        self.results = tuple(
            Symbol("aggregate", (*start, *edges), part.dtype, part.shape,
                   NODES if k < len(start) else "edges", self) for k, part in enumerate(made))
        self.parts = [graph, *start, *made]


def _results(aggregation: _Aggregation) -> Any:
    return one(aggregation.results)


def one(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def as_tuple(parts: Any) -> tuple[Any, ...]:
    return tuple(parts) if isinstance(parts, (tuple, list)) else (parts,)
