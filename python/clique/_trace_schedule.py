# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The spec of a traced layer: what aggregations of one graph need at one depth is one mp.message,
so that they are one pass over its edges."""

from __future__ import annotations

from typing import Any, Iterable, Sequence, Union

from ._trace_graphs import GraphSymbol
from ._trace_loops import Loop, parts_of
from ._trace_symbols import NODES, Place, Symbol, fail, walk_up
from ._trace_types import edges_type, graph_type, listed, static_type, whole_type
from ._trace_writer import Writer


def _find_aggregations(roots: Sequence[Symbol], known: Iterable[int]
                       ) -> tuple[list[tuple[int, Any]], dict[int, int]]:
    """(depth, aggregation), in the order in which the program has them; and the depth of each
    symbol: how many aggregations come before it. `known`: what is written already."""
    depths: dict[int, int] = dict.fromkeys(known, 0)
    found: dict[int, Any] = {}

    for root in roots:
        for symbol in walk_up(root, lambda symbol: symbol.operands, depths):
            below = max((depths[id(operand)] for operand in symbol.operands), default=0)
            if symbol.form == "aggregate":
                found[id(symbol.extra)] = (below, symbol.extra)
                below += 1
            depths[id(symbol)] = below
    return sorted(found.values(), key=lambda item: item[0]), depths


def emit(writer: Writer, roots: Sequence[Symbol]) -> list[str]:
    """Writes what these are made of; their names."""
    pending, depths = _find_aggregations(roots, writer.values)
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
    made = []
    for root in roots:
        if root.space == NODES:
            made.append(writer.node(root))
        elif root.space == "edges":
            made.append(writer.edge(root))
        else:
            if id(root) not in returned:
                returned.update(writer.message(root.space, [root]))
            made.append(returned[id(root)])
    return made


def write_loop(writer: Writer, loop: Loop) -> None:
    """An scf.for; what the steps do not change stands in front of it."""
    for part in loop.outside:
        writer.operand(part, loop.where)
    before = [writer.node(value) for value in loop.initial]
    bounds = [writer.size(size, loop.where) for size in (0, loop.count, 1)]
    name, step, inner = writer.fresh(), writer.fresh(), [writer.fresh() for _ in before]
    types = ", ".join(map(whole_type, loop.parameters))
    carried = ", ".join(map(" = ".join, zip(inner, before)))
    results = [f"{name}#{k}" for k in range(len(inner))] if len(inner) > 1 else [name]
    with writer.inner_scope():
        writer.open(f"{name}{f':{len(inner)}' if len(inner) > 1 else ''} = scf.for {step} = "
                    f"{bounds[0]} to {bounds[1]} step {bounds[2]} iter_args({carried}) -> ({types})")
        writer.sizes["step", id(loop)] = step
        writer.values.update((id(part), given) for part, given in zip(loop.parameters, inner))
        if loop.levels:
            _write_level(writer, loop, step)
        made = emit(writer, loop.body)
        writer.line(f"scf.yield {', '.join(made)} : {types}", loop.where)
        writer.close(loop.where)
    writer.values.update((id(part), made) for part, made in zip(loop.results, results))


def _write_level(writer: Writer, loop: Loop, step: str) -> None:
    """Where the rows of this level begin, and how many there are."""
    offsets = writer.node(loop.levels.offsets)
    following, one = writer.fresh(), writer.size(1, loop.where)
    writer.line(f"{following} = arith.addi {step}, {one} : index", loop.where)
    ends = []
    for place in (step, following):
        entry, end = writer.fresh(), writer.fresh()
        writer.line(f"{entry} = tensor.extract {offsets}[{place}] : tensor<?xi64>", loop.where)
        writer.line(f"{end} = arith.index_cast {entry} : i64 to index", loop.where)
        ends.append(end)
    rows = writer.fresh()
    writer.line(f"{rows} = arith.subi {ends[1]}, {ends[0]} : index", loop.where)
    writer.sizes["first", id(loop)], writer.sizes["rows", id(loop)] = ends[0], rows


def _check_arguments(known: set[int], results: Iterable[Symbol]) -> None:
    """Arguments of another layer are unknown in this one."""
    seen: set[int] = set()
    waiting: list[tuple[Any, Place]] = [(result, result.where) for result in results]
    while waiting:
        thing, user = waiting.pop()
        if id(thing) in seen:
            continue
        seen.add(id(thing))
        if getattr(thing, "form", None) == "argument" and id(thing) not in known:
            raise fail("an argument of another layer is used; a layer has its own arguments", user)
        inner = (*parts_of(thing), *(thing.body if isinstance(thing, Loop) else ()))
        waiting += ((part, getattr(thing, "where", user)) for part in inner)


def write(name: str, arguments: dict[str, Union[Symbol, GraphSymbol]],
          results: dict[Any, Symbol], locations: bool) -> str:
    """The spec; `locations`: each op says which line of the Python program it is."""
    _check_arguments(set(map(id, arguments.values())), results.values())
    writer = Writer(locations)
    given = []
    for key, argument in arguments.items():
        if isinstance(argument, GraphSymbol):
            writer.graphs[id(argument)] = f"%{key}"
            given.append(f"%{key}: {graph_type(argument)}")
            continue
        given.append(f"%{key}: {whole_type(argument)}")
        if argument.space == NODES:
            writer.values[id(argument)] = f"%{key}"
        elif argument.extra[1] == "weight":
            writer.statics[id(argument)] = f"%{key}"
        elif argument.extra[1] == "scalar":
            inner = writer.statics[id(argument)] = writer.fresh()
            writer.line(f"{inner} = tensor.from_elements %{key} : {static_type(argument)}",
                        argument.where)
    try:
        made, types = emit(writer, list(results.values())), []
    except RecursionError:
        raise fail(f"'{name}' is too long: more features are looked up, spread or read out of one "
                   "another than Python's recursion limit allows; write steps that repeat with "
                   "mp.repeat, or raise the limit by sys.setrecursionlimit",
                   next(iter(results.values())).where) from None
    for key, root in results.items():
        kind = whole_type(root) if root.space in (NODES, "edges") else edges_type(root)
        types.append((kind, f' {{mp.name = "{key}"}}' if isinstance(key, str) and key else ""))
    writer.lines.append(f"  return {', '.join(made)} : {', '.join(kind for kind, _ in types)}")
    signature = listed([kind + named for kind, named in types])
    if types[0][1]:
        signature = f"({', '.join(kind + named for kind, named in types)})"
    head = f"func.func @{name}({', '.join(given)}) -> {signature} {{"
    return "\n".join([head, *writer.lines, "}", ""])
