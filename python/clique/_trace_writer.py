# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The spec of a traced layer as text.

What aggregations of one graph need at one depth is one mp.message, so that they are one pass over
its edges; features of nodes that something needs are one mp.update each."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from ._trace_graphs import GraphSymbol
from ._trace_symbols import NODES, STATIC, Count, Place, Symbol

_MONOID = ("identity", "lift", "combine", "finalise")
_LEAVES = ("argument", "aggregate", "degree", "readout", "spread")


def _feature(symbol: Symbol) -> str:
    return "x".join([*map(str, symbol.shape), symbol.dtype])


def _static(symbol: Symbol) -> str:
    return f"tensor<{_feature(symbol)}>"


def _whole(symbol: Symbol) -> str:
    """The type outside of regions."""
    if symbol.form == "argument" and symbol.extra[1] == "scalar":
        return symbol.dtype
    if symbol.space == STATIC:
        return _static(symbol)
    return f"tensor<?x{_feature(symbol)}>" if symbol.space == NODES else _edges(symbol)


def _edges(symbol: Symbol) -> str:
    return f"!mp.edges<{_feature(symbol)}>"


def _listed(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _graph_type(graph: GraphSymbol) -> str:
    return f"!mp.graph<{graph.kind}>" if graph.kind else "!mp.graph"


class _Region:
    """The ops of one region: those that its results need, down to its arguments and to what stands
    outside."""

    def __init__(self, writer: "_Writer", names: dict[int, str]):
        self.writer, self.names = writer, dict(names)

    def _name(self, symbol: Symbol) -> Optional[str]:
        return self.names.get(id(symbol)) or self.writer.statics.get(id(symbol))

    def _collect(self, symbol: Symbol, found: dict[int, Symbol]) -> None:
        if self._name(symbol) is None and id(symbol) not in found:
            found[id(symbol)] = symbol
            for operand in symbol.operands:
                self._collect(operand, found)

    def _write(self, symbol: Symbol) -> str:
        operands = [self._name(operand) for operand in symbol.operands]
        fresh = self.writer.fresh()
        types = {f"t{k}": _static(operand) for k, operand in enumerate(symbol.operands)}
        text = symbol.form.format(*operands, t=_static(symbol), **types)
        self.writer.line(f"{fresh} = {text}", symbol.where)
        return fresh

    def finish(self, results: Sequence[Symbol], where: Place) -> None:
        needed: dict[int, Symbol] = {}
        for result in results:
            self._collect(result, needed)
        # As the program has them.
        for symbol in sorted(needed.values(), key=lambda symbol: symbol.number):
            self.names[id(symbol)] = self._write(symbol)
        names = [str(self._name(result)) for result in results]
        self.writer.line(f"mp.yield {', '.join(names)} : {', '.join(map(_static, results))}", where)


class _Writer:
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

    def graph(self, graph: GraphSymbol) -> str:
        if id(graph) not in self.graphs:
            names = [self.operand(operand, graph.where) for operand in graph.operands]
            types = {f"t{k}": _graph_type(operand) if isinstance(operand, GraphSymbol)
                     else _whole(operand) for k, operand in enumerate(graph.operands)
                     if isinstance(operand, (GraphSymbol, Symbol))}
            name = self.graphs[id(graph)] = self.fresh()
            text = graph.form.format(*names, t=_graph_type(graph), **types)
            self.line(f"{name} = {text}", graph.where)
        return self.graphs[id(graph)]

    def operand(self, operand: Any, where: Place) -> str:
        """A graph, a feature of nodes or a size outside of regions."""
        if isinstance(operand, GraphSymbol):
            return self.graph(operand)
        return self.node(operand) if isinstance(operand, Symbol) else self.size(operand, where)

    # Sizes.

    def size(self, size: Union[Count, int], where: Place) -> str:
        """As an index."""
        if isinstance(size, int):
            return self._once(("constant", size), f"arith.constant {size} : index", where)
        of = size.operand
        if isinstance(of, GraphSymbol):
            return self._once((size.form, id(of)),
                              f"{size.form} {self.graph(of)} : {_graph_type(of)}", size.where)
        zero = self.size(0, size.where)
        return self._once(("rows", id(of)), f"tensor.dim {self.node(of)}, {zero} : {_whole(of)}",
                          size.where)

    def _once(self, key: tuple[str, int], text: str, where: Place) -> str:
        if key not in self.sizes:
            self.sizes[key] = self.fresh()
            self.line(f"{self.sizes[key]} = {text}", where)
        return self.sizes[key]

    def numbers(self, values: Sequence[Symbol]) -> None:
        """Sizes that a region of these values computes with, in front of it."""
        for value in values:
            if value.form == "count" and id(value) not in self.statics:
                self._number(value)
            elif value.form not in _LEAVES:
                self.numbers(value.operands)

    def _number(self, value: Symbol) -> None:
        size, whole = self.size(value.extra, value.where), "i64" if value.is_float else value.dtype
        name, kind = self.fresh(), whole
        self.line(f"{name} = arith.index_cast {size} : index to {whole}", value.where)
        if value.is_float:
            given, name, kind = name, self.fresh(), value.dtype
            self.line(f"{name} = arith.sitofp {given} : i64 to {kind}", value.where)
        made = self.statics[id(value)] = self.fresh()
        self.line(f"{made} = tensor.from_elements {name} : {_static(value)}", value.where)

    # Features of nodes.

    def node(self, symbol: Symbol) -> str:
        if id(symbol) not in self.values:
            if symbol.form == "degree":
                self._degree(symbol)
            elif symbol.form == "readout":
                self._readout(symbol)
            elif symbol.form == "spread":
                self._spread(symbol)
            else:
                self._update(symbol)
        return self.values[id(symbol)]

    def _degree(self, symbol: Symbol) -> None:
        graph = self.graph(symbol.extra)
        name = self.values[id(symbol)] = self.fresh()
        self.line(f"{name} = mp.degree {graph} : {_graph_type(symbol.extra)} -> {_whole(symbol)}",
                  symbol.where)

    def _readout(self, symbol: Symbol) -> None:
        offsets, *nodes = map(self.node, symbol.operands)
        types = ", ".join(map(_whole, symbol.operands))
        word = symbol.extra + (f"({nodes[0]})" if len(nodes) == 2 else "")
        name = self.values[id(symbol)] = self.fresh()
        self.line(f"{name} = mp.readout {offsets} {word} {nodes[-1]} : ({types}) -> "
                  f"{_whole(symbol)}", symbol.where)

    def _spread(self, symbol: Symbol) -> None:
        offsets, parts = map(self.node, symbol.operands)
        types = ", ".join(map(_whole, symbol.operands))
        size = self.size(symbol.extra, symbol.where)
        name = self.values[id(symbol)] = self.fresh()
        self.line(f"{name} = mp.spread {offsets} {parts} to {size} : ({types}) -> "
                  f"{_whole(symbol)}", symbol.where)

    def _update(self, symbol: Symbol) -> None:
        leaves = self._leaves(symbol)
        self.numbers([symbol])
        operands = [(self.node(leaf), self.fresh(), _whole(leaf)) for leaf in leaves]
        name = self.values[id(symbol)] = self.fresh()
        given = ", ".join(f"{inner} = {outer} : {kind}" for outer, inner, kind in operands)
        self.open(f"{name} = mp.update ({given}) -> {_whole(symbol)}")
        names = {id(leaf): inner for leaf, (_, inner, _) in zip(leaves, operands)}
        _Region(self, names).finish([symbol], symbol.where)
        self.close(symbol.where)

    def _leaves(self, symbol: Symbol) -> list[Symbol]:
        """The features of nodes that it is computed from."""
        found: dict[int, Symbol] = {}
        seen: set[int] = set()

        def visit(value: Symbol) -> None:
            if value.space != NODES or id(value) in seen:
                return
            seen.add(id(value))
            if value.form in _LEAVES or id(value) in self.values:
                found[id(value)] = value
                return
            for operand in value.operands:
                visit(operand)

        visit(symbol)
        return list(found.values())

    # Features of edges.

    def message(self, graph: GraphSymbol, values: Sequence[Symbol]) -> dict[int, str]:
        """One mp.message for all of these values; their names."""
        ends: dict[tuple[str, int], list[Symbol]] = {}
        seen: set[int] = set()

        def visit(value: Symbol) -> None:
            if id(value) in seen:
                return
            seen.add(id(value))
            if value.form in ("dst", "src", "edge"):
                ends.setdefault((value.form, id(value.operands[0])), []).append(value)
            elif value.form not in _LEAVES:
                for operand in value.operands:
                    visit(operand)

        for value in values:
            visit(value)
        names: dict[int, str] = {}
        clauses = []
        for end in ("dst", "src", "edge"):
            given = []
            for (kind, _), symbols in ends.items():
                if kind != end:
                    continue
                operand, inner = symbols[0].operands[0], self.fresh()
                outer = self.node(operand) if end != "edge" else self.edge(operand)
                kind = _edges(operand) if end == "edge" else _whole(operand)
                given.append(f"{inner} = {outer} : {kind}")
                names.update((id(symbol), inner) for symbol in symbols)
            if given:
                clauses.append(f" {end}({', '.join(given)})")
        self.numbers(values)
        graph_name, made = self.graph(graph), [self.fresh() for _ in values]
        kind = f" : {_graph_type(graph)}" if graph.kind else ""
        self.open(f"{', '.join(made)} = mp.message {graph_name}{kind}{''.join(clauses)} -> "
                  f"{', '.join(map(_edges, values))}")
        _Region(self, names).finish(values, values[0].where)
        self.close(values[0].where)
        return {id(value): name for value, name in zip(values, made)}

    def edge(self, symbol: Symbol) -> str:
        """A feature of edges outside of regions: an argument, or what was made of scores."""
        return self.values.get(id(symbol)) or f"%{symbol.extra[0]}"

    def _edge_softmax(self, aggregation: Any, score: str) -> None:
        made, = aggregation.results
        name = self.values[id(made)] = self.fresh()
        self.line(f"{name} = mp.edge_softmax {self.graph(aggregation.graph)}, {score} : "
                  f"{_graph_type(aggregation.graph)}, {_edges(made)}", aggregation.where)

    def aggregate(self, aggregation: Any, edges: dict[int, str]) -> None:
        names = [edges[id(operand)] for operand in aggregation.operands]
        if aggregation.kind == "edge_softmax":
            return self._edge_softmax(aggregation, *names)
        made = [self.fresh() for _ in aggregation.results]
        types = ", ".join(map(_edges, aggregation.operands))
        word = aggregation.kind
        if word == "softmax":
            word += f"({names.pop(0)})"
        for region in _MONOID if aggregation.monoid else ():
            self.numbers(getattr(aggregation.monoid, region)[1])
        kind = f" : {_graph_type(aggregation.graph)}" if aggregation.graph.kind else ""
        text = (f"{', '.join(made)} = mp.aggregate {self.graph(aggregation.graph)}{kind} {word} "
                f"{', '.join(names)} : ({types}) -> "
                f"{_listed([_whole(result) for result in aggregation.results])}")
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
                listed = ", ".join(f"{names[id(p)]}: {_static(p)}" for p in parameters)
                self.lines.append("  " * (self.indent - 1) + f"^bb0({listed}):")
            _Region(self, names).finish(results, aggregation.where)
            self.indent -= 1
            last = word == "finalise"
            if last:
                self.line("}", aggregation.where)
            else:
                self.lines.append("  " * self.indent + "}")
        self.indent -= 1


def _find_aggregations(roots: Sequence[Symbol]) -> tuple[list[tuple[int, Any]], dict[int, int]]:
    """(depth, aggregation), in the order in which the program has them; and the depth of each
    symbol: how many aggregations come before it."""
    depths: dict[int, int] = {}
    found: dict[int, Any] = {}

    def visit(symbol: Symbol) -> int:
        if id(symbol) not in depths:
            below = max((visit(operand) for operand in symbol.operands), default=0)
            if symbol.form == "aggregate":
                found[id(symbol.extra)] = (below, symbol.extra)
                below += 1
            depths[id(symbol)] = below
        return depths[id(symbol)]

    for root in roots:
        visit(root)
    return sorted(found.values(), key=lambda item: item[0]), depths


def write(name: str, arguments: dict[str, Union[Symbol, GraphSymbol]],
          results: dict[Any, Symbol], locations: bool) -> str:
    """The spec; `locations`: each op says which line of the Python program it is."""
    writer = _Writer(locations)
    listed = []
    for key, argument in arguments.items():
        if isinstance(argument, GraphSymbol):
            writer.graphs[id(argument)] = f"%{key}"
            listed.append(f"%{key}: {_graph_type(argument)}")
            continue
        listed.append(f"%{key}: {_whole(argument)}")
        if argument.space == NODES:
            writer.values[id(argument)] = f"%{key}"
        elif argument.extra[1] == "weight":
            writer.statics[id(argument)] = f"%{key}"
        elif argument.extra[1] == "scalar":
            inner = writer.statics[id(argument)] = writer.fresh()
            writer.line(f"{inner} = tensor.from_elements %{key} : {_static(argument)}",
                        argument.where)
    roots = list(results.values())
    pending, depths = _find_aggregations(roots)
    returned: dict[int, str] = {}
    while pending:
        depth, graph = pending[0][0], pending[0][1].graph
        now = [item for level, item in pending if level == depth and item.graph is graph]
        pending = [(level, item) for level, item in pending if item not in now]
        values = {id(value): value for item in now for value in item.operands}
        values.update((id(root), root) for root in roots
                      if root.space is graph and depths[id(root)] == depth)
        edges = writer.message(graph, list(values.values()))
        returned.update((id(root), edges[id(root)]) for root in roots if id(root) in edges)
        for item in now:
            writer.aggregate(item, edges)
    made, types = [], []
    for key, root in results.items():
        if root.space == NODES:
            made.append(writer.node(root))
        elif root.space == "edges":
            made.append(writer.edge(root))
        else:
            if id(root) not in returned:
                returned.update(writer.message(root.space, [root]))
            made.append(returned[id(root)])
        kind = _whole(root) if root.space in (NODES, "edges") else _edges(root)
        types.append((kind, f' {{mp.name = "{key}"}}' if isinstance(key, str) and key else ""))
    writer.lines.append(f"  return {', '.join(made)} : {', '.join(kind for kind, _ in types)}")
    signature = _listed([kind + named for kind, named in types])
    if types[0][1]:
        signature = f"({', '.join(kind + named for kind, named in types)})"
    head = f"func.func @{name}({', '.join(listed)}) -> {signature} {{"
    return "\n".join([head, *writer.lines, "}", ""])
