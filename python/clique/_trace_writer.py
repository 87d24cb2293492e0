# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ops of a traced layer as text: features of nodes that something needs are one mp.update each.
Which messages there are is decided by _trace_schedule."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, Optional, Sequence, Union

from ._trace_graphs import GraphSymbol
from ._trace_loops import Loop
from ._trace_symbols import NODES, Count, Place, Symbol, fail, walk
from ._trace_types import edges_type, graph_type, listed, static_type, whole_type

_MONOID = ("identity", "lift", "combine", "finalise")
#: Features of nodes that are no mathematics of one node, and who writes them.
_OF_NODES = {"degree": "_degree", "readout": "_readout", "spread": "_spread", "lookup": "_lookup",
             "node_numbers": "_node_numbers", "part_numbers": "_part_numbers", "slice": "_slice",
             "insert": "_insert", "of_graph": "_of_graph", "loop": "_loop"}
#: Features of edges that are those of nodes, or arguments.
_ENDS = ("dst", "src", "edge")
_LEAVES = ("argument", "aggregate", "parameter", *_OF_NODES)


class _Region:
    """The ops of one region: those that its results need, down to its arguments and to what stands
    outside."""

    def __init__(self, writer: "Writer", names: dict[int, str]):
        self.writer, self.names = writer, dict(names)

    def _name(self, symbol: Symbol) -> Optional[str]:
        return self.names.get(id(symbol)) or self.writer.statics.get(id(symbol))

    def _collect(self, results: Sequence[Symbol], where: Place) -> list[Symbol]:
        found: dict[int, Symbol] = {}
        waiting = [(result, where) for result in reversed(results)]
        while waiting:
            symbol, user = waiting.pop()
            if self._name(symbol) is not None or id(symbol) in found:
                continue
            if symbol.form == "parameter":
                raise fail("a value that a function of custom or scan gets is used outside of it",
                           user)
            found[id(symbol)] = symbol
            waiting += [(operand, symbol.where) for operand in reversed(symbol.operands)]
        return list(found.values())

    def _write(self, symbol: Symbol) -> Optional[str]:
        operands = [self._name(operand) for operand in symbol.operands]
        if symbol.form == "same":
            return operands[0]
        fresh = self.writer.fresh()
        types = {f"t{k}": static_type(operand) for k, operand in enumerate(symbol.operands)}
        text = symbol.form.format(*operands, t=static_type(symbol), **types)
        self.writer.line(f"{fresh} = {text}", symbol.where)
        return fresh

    def finish(self, results: Sequence[Symbol], where: Place) -> None:
        # As the program has them.
        for symbol in sorted(self._collect(results, where), key=lambda symbol: symbol.number):
            self.names[id(symbol)] = str(self._write(symbol))
        names = [str(self._name(result)) for result in results]
        self.writer.line(f"mp.yield {', '.join(names)} : {', '.join(map(static_type, results))}", where)


class Writer:
    def __init__(self, locations: bool):
        self.locations = locations
        self.lines: list[str] = []
        self.indent = 1
        self.count = 0
        self.statics: dict[int, str] = {}
        self.values: dict[int, str] = {}  # of nodes, and edge values that are returned
        self.graphs: dict[int, str] = {}
        self.sizes: dict[tuple[str, int], str] = {}

    def fresh(self) -> str:
        self.count += 1
        return f"%{self.count - 1}"

    def line(self, text: str, where: Place) -> None:
        location = f' loc("{where[0]}":{where[1]}:1)' if self.locations else ""
        self.lines.append("  " * self.indent + text + location)

    def open(self, text: str) -> None:
        self.lines.append("  " * self.indent + text + " {")
        self.indent += 1

    def close(self, where: Place) -> None:
        self.indent -= 1
        self.line("}", where)

    @contextlib.contextmanager
    def inner_scope(self) -> Iterator[None]:
        """What is written in a step of a loop is not known behind it."""
        outside = self.statics, self.values, self.graphs, self.sizes
        self.statics, self.values, self.graphs, self.sizes = (
            dict(self.statics), dict(self.values), dict(self.graphs), dict(self.sizes))
        yield
        self.statics, self.values, self.graphs, self.sizes = outside

    def graph(self, graph: GraphSymbol) -> str:
        if id(graph) not in self.graphs:
            names = [self.operand(operand, graph.where) for operand in graph.operands]
            types = {f"t{k}": graph_type(operand) if isinstance(operand, GraphSymbol)
                     else whole_type(operand) for k, operand in enumerate(graph.operands)
                     if isinstance(operand, (GraphSymbol, Symbol))}
            made = [self.fresh() for _ in (graph, *graph.others)]
            self.graphs[id(graph)] = made[0]
            self.values.update((id(other), name) for other, name in zip(graph.others, made[1:]))
            text = graph.form.format(*names, t=graph_type(graph), **types)
            self.line(f"{', '.join(made)} = {text}", graph.where)
        return self.graphs[id(graph)]

    def operand(self, operand: Any, where: Place) -> str:
        """A graph, a feature of nodes or a size outside of regions."""
        if isinstance(operand, GraphSymbol):
            return self.graph(operand)
        return self.node(operand) if isinstance(operand, Symbol) else self.size(operand, where)

    # Sizes.

    def size(self, size: Union[Count, Symbol, int], where: Place) -> str:
        """As an index."""
        if isinstance(size, int):
            return self._once(("constant", size), f"arith.constant {size} : index", where)
        if isinstance(size, Symbol):  # a scalar of the caller
            return self._once(("scalar", id(size)), f"arith.index_cast %{size.extra[0]} : "
                              f"{size.dtype} to index", where)
        of = size.operand
        if isinstance(of, Loop):
            if (size.form, id(of)) not in self.sizes:
                raise fail(f"a number of a step of {of.word} is used outside of the step", size.where)
            return self.sizes[size.form, id(of)]
        if isinstance(of, GraphSymbol):
            return self._once((size.form, id(of)),
                              f"{size.form} {self.graph(of)} : {graph_type(of)}", size.where)
        zero = self.size(0, size.where)
        rows = self._once(("rows", id(of)), f"tensor.dim {self.node(of)}, {zero} : {whole_type(of)}",
                          size.where)
        if size.form == "rows":
            return rows
        one = self.size(1, size.where)  # levels: one less than their offsets
        return self._once((size.form, id(of)), f"arith.subi {rows}, {one} : index", size.where)

    def _once(self, key: tuple[str, int], text: str, where: Place) -> str:
        if key not in self.sizes:
            self.sizes[key] = self.fresh()
            self.line(f"{self.sizes[key]} = {text}", where)
        return self.sizes[key]

    def numbers(self, values: Sequence[Symbol]) -> None:
        """Sizes that a region of these values computes with, in front of it."""
        def inner(value: Symbol) -> Sequence[Symbol]:
            return () if value.form in (*_ENDS, *_LEAVES) or id(value) in self.values \
                else value.operands

        for value in walk(values, inner):
            if value.form == "count" and id(value) not in self.statics:
                self._number(value)

    def _number(self, value: Symbol) -> None:
        size, whole = self.size(value.extra, value.where), "i64" if value.is_float else value.dtype
        name, kind = self.fresh(), whole
        self.line(f"{name} = arith.index_cast {size} : index to {whole}", value.where)
        if value.is_float:
            given, name, kind = name, self.fresh(), value.dtype
            self.line(f"{name} = arith.sitofp {given} : i64 to {kind}", value.where)
        made = self.statics[id(value)] = self.fresh()
        self.line(f"{made} = tensor.from_elements {name} : {static_type(value)}", value.where)

    # Features of nodes.

    def node(self, symbol: Symbol) -> str:
        if id(symbol) not in self.values:
            if symbol.form == "parameter":
                raise fail("a value of a step is used outside of the step", symbol.where)
            getattr(self, _OF_NODES.get(symbol.form, "_update"))(symbol)
        return self.values[id(symbol)]

    def _define(self, symbol: Symbol, text: str) -> None:
        name = self.values[id(symbol)] = self.fresh()
        self.line(f"{name} = {text}", symbol.where)

    def _degree(self, symbol: Symbol) -> None:
        graph = self.graph(symbol.extra)
        kind = f" : {graph_type(symbol.extra)}" if symbol.extra.kind else ""
        self._define(symbol, f"mp.degree {graph}{kind} -> {whole_type(symbol)}")

    def _readout(self, symbol: Symbol) -> None:
        offsets, *nodes = map(self.node, symbol.operands)
        types = ", ".join(map(whole_type, symbol.operands))
        word = symbol.extra + (f"({nodes[0]})" if len(nodes) == 2 else "")
        self._define(symbol, f"mp.readout {offsets} {word} {nodes[-1]} : ({types}) -> "
                     f"{whole_type(symbol)}")

    def _spread(self, symbol: Symbol) -> None:
        offsets, parts = map(self.node, symbol.operands)
        types = ", ".join(map(whole_type, symbol.operands))
        size = self.size(symbol.extra, symbol.where)
        self._define(symbol, f"mp.spread {offsets} {parts} to {size} : ({types}) -> "
                     f"{whole_type(symbol)}")

    def _node_numbers(self, symbol: Symbol) -> None:
        size = self.size(symbol.extra, symbol.where)
        self._define(symbol, f"mp.node_numbers {size} : {whole_type(symbol)}")

    def _part_numbers(self, symbol: Symbol) -> None:
        offsets, size = self.node(symbol.operands[0]), self.size(symbol.extra, symbol.where)
        self._define(symbol, f"mp.part_numbers {offsets} to {size} : {whole_type(symbol.operands[0])} "
                     f"-> {whole_type(symbol)}")

    def _lookup(self, symbol: Symbol) -> None:
        table, index = symbol.operands
        name = self.node(table) if table.space == NODES else self.edge(table)
        self._define(symbol, f"mp.lookup {name}[{self.node(index)}] : {whole_type(table)}, "
                     f"{whole_type(index)} -> {whole_type(symbol)}")

    def _bounds(self, symbol: Symbol) -> str:
        first, rows = (self.size(bound, symbol.where) for bound in symbol.extra)
        ranges = [[first, *"0" * symbol.ndim], [rows, *map(str, symbol.shape)],
                  "1" * (symbol.ndim + 1)]
        return " ".join(f"[{', '.join(part)}]" for part in ranges)

    def _slice(self, symbol: Symbol) -> None:
        whole, = symbol.operands
        self._define(symbol, f"tensor.extract_slice {self.node(whole)}{self._bounds(symbol)} : "
                     f"{whole_type(whole)} to {whole_type(symbol)}")

    def _insert(self, symbol: Symbol) -> None:
        part, whole = map(self.node, symbol.operands)
        kind = whole_type(symbol)
        self._define(symbol, f"tensor.insert_slice {part} into {whole}{self._bounds(symbol)} : "
                     f"{kind} into {kind}")

    def _of_graph(self, symbol: Symbol) -> None:
        self.graph(symbol.extra)

    def _loop(self, symbol: Symbol) -> None:
        from ._trace_schedule import write_loop

        write_loop(self, symbol.extra)

    def _update(self, symbol: Symbol) -> None:
        leaves = self._leaves(symbol)
        self.numbers([symbol])
        operands = [(self.node(leaf), self.fresh(), whole_type(leaf)) for leaf in leaves]
        name = self.values[id(symbol)] = self.fresh()
        given = ", ".join(f"{inner} = {outer} : {kind}" for outer, inner, kind in operands)
        self.open(f"{name} = mp.update ({given}) -> {whole_type(symbol)}")
        names = {id(leaf): inner for leaf, (_, inner, _) in zip(leaves, operands)}
        _Region(self, names).finish([symbol], symbol.where)
        self.close(symbol.where)

    def _leaves(self, symbol: Symbol) -> list[Symbol]:
        """The features of nodes that it is computed from."""
        def is_leaf(value: Symbol) -> bool:
            return value.form in _LEAVES or id(value) in self.values

        def inner(value: Symbol) -> Sequence[Symbol]:
            return () if value.space != NODES or is_leaf(value) else value.operands

        return [value for value in walk([symbol], inner) if value.space == NODES and is_leaf(value)]

    # Features of edges.

    def message(self, graph: GraphSymbol, values: Sequence[Symbol]) -> dict[int, str]:
        """One mp.message for all of these values; their names."""
        ends: dict[tuple[str, int], list[Symbol]] = {}
        for value in walk(values, lambda value: () if value.form in (*_ENDS, *_LEAVES)
                          else value.operands):
            if value.form in _ENDS:
                ends.setdefault((value.form, id(value.operands[0])), []).append(value)
        names: dict[int, str] = {}
        clauses = []
        for end in _ENDS:
            given = []
            for (kind, _), symbols in ends.items():
                if kind != end:
                    continue
                operand, inner = symbols[0].operands[0], self.fresh()
                outer = self.node(operand) if end != "edge" else self.edge(operand)
                kind = edges_type(operand) if end == "edge" else whole_type(operand)
                given.append(f"{inner} = {outer} : {kind}")
                names.update((id(symbol), inner) for symbol in symbols)
            if given:
                clauses.append(f" {end}({', '.join(given)})")
        self.numbers(values)
        graph_name, made = self.graph(graph), [self.fresh() for _ in values]
        kind = f" : {graph_type(graph)}" if graph.kind else ""
        self.open(f"{', '.join(made)} = mp.message {graph_name}{kind}{''.join(clauses)} -> "
                  f"{', '.join(map(edges_type, values))}")
        _Region(self, names).finish(values, values[0].where)
        self.close(values[0].where)
        return {id(value): name for value, name in zip(values, made)}

    def edge(self, symbol: Symbol) -> str:
        """A feature of edges outside of regions: an argument, what was made of scores, rows of
        another by number."""
        if symbol.form == "lookup" and id(symbol) not in self.values:
            self._lookup(symbol)
        return self.values.get(id(symbol)) or f"%{symbol.extra[0]}"

    def _edge_softmax(self, aggregation: Any, score: str) -> None:
        made, = aggregation.results
        name = self.values[id(made)] = self.fresh()
        self.line(f"{name} = mp.edge_softmax {self.graph(aggregation.graph)}, {score} : "
                  f"{graph_type(aggregation.graph)}, {edges_type(made)}", aggregation.where)

    def _scan(self, scan: Any, edges: Sequence[str]) -> None:
        start = [self.node(part) for part in scan.start]
        self.numbers(scan.made)
        graph, made = self.graph(scan.graph), [self.fresh() for _ in scan.results]
        inner = [self.fresh() for _ in scan.parameters]
        types = [*map(whole_type, scan.start), *map(edges_type, scan.operands)]
        given = [f"{name} = {outer} : {kind}"
                 for name, outer, kind in zip(inner, (*start, *edges), types)]
        states, values = (", ".join(part) for part in (given[:len(start)], given[len(start):]))
        kind = f" : {graph_type(scan.graph)}" if scan.graph.kind else ""
        self.open(f"{', '.join(made)} = mp.scan {graph}{kind}{' reversed' if scan.reversed else ''} "
                  f"from({states}) edge({values}) -> {', '.join(map(whole_type, scan.results))}")
        names = {id(part): name for part, name in zip(scan.parameters, inner)}
        _Region(self, names).finish(scan.made, scan.where)
        self.close(scan.where)
        self.values.update((id(result), name) for result, name in zip(scan.results, made))

    def aggregate(self, aggregation: Any, edges: dict[int, str]) -> None:
        names = [edges[id(operand)] for operand in aggregation.operands]
        if aggregation.kind == "edge_softmax":
            return self._edge_softmax(aggregation, *names)
        if aggregation.kind == "scan":
            return self._scan(aggregation, names)
        made = [self.fresh() for _ in aggregation.results]
        types = ", ".join(map(edges_type, aggregation.operands))
        word = aggregation.kind
        if word == "softmax":
            word += f"({names.pop(0)})"
        for region in _MONOID if aggregation.monoid else ():
            self.numbers(getattr(aggregation.monoid, region)[1])
        kind = f" : {graph_type(aggregation.graph)}" if aggregation.graph.kind else ""
        text = (f"{', '.join(made)} = mp.aggregate {self.graph(aggregation.graph)}{kind} {word} "
                f"{', '.join(names)} : ({types}) -> "
                f"{listed([whole_type(result) for result in aggregation.results])}")
        if aggregation.monoid is None:
            self.line(text, aggregation.where)
        else:
            self.lines.append("  " * self.indent + text)
            self._monoid(aggregation)
        self.values.update((id(result), name) for result, name in zip(aggregation.results, made))

    def _monoid(self, aggregation: Any) -> None:
        self.indent += 1
        for word in _MONOID:
            parameters, results = getattr(aggregation.monoid, word)
            self.open(word)
            names = {id(parameter): self.fresh() for parameter in parameters}
            if parameters:
                given = ", ".join(f"{names[id(p)]}: {static_type(p)}" for p in parameters)
                self.lines.append("  " * (self.indent - 1) + f"^bb0({given}):")
            _Region(self, names).finish(results, aggregation.where)
            self.indent -= 1
            last = word == "finalise"
            if last:
                self.line("}", aggregation.where)
            else:
                self.lines.append("  " * self.indent + "}")
        self.indent -= 1
