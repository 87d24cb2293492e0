# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers as operators of `torch.library`, for torch.compile, torch.export and modes of dispatch:

    clique::layer     the results; with `wrt`, then what is kept for the backward function
    clique::backward  the cotangents of the arguments `wrt`

`tensors` are all arguments but graphs; a graph is four numbers: its own, and those of its
destinations, sources and edges. `layer` is the key of a program, `wrt` has commas between names.
Derivatives are those of _torch_autograd."""

from __future__ import annotations

from typing import Any, Sequence

import torch

from ._graph import Graph
from ._layer import Argument, Layer
from ._native import ArgumentError
from ._torch_autograd import scatter
from ._torch_program import DTYPES, Program, device_of, place_of, programs

_GRAPH = 4
_INTEGERS = (torch.int8, torch.int32, torch.int64)
_EXTENTS = {"destinations": 1, "sources": 2, "edges": 3}


def call(program: Program, wrt: tuple[str, ...], values: Sequence[Any]) -> tuple[Any, ...]:
    """As _torch_autograd.call; `wrt` may be empty."""
    tensors: list[torch.Tensor] = []
    graphs: list[int] = []
    for name, is_graph, dtype, value in zip(program.names, program.is_graph, program.dtypes,
                                            values):
        if is_graph:
            graphs += (value._number, value.num_dst, value.num_src, value.num_edges)
        elif isinstance(value, torch.Tensor):
            tensors.append(value)
        else:
            if dtype in _INTEGERS and isinstance(value, (float, torch.SymFloat)):
                # PyTorch would cut the fraction off; as a plain call says it.
                raise TypeError(f"{program.name}: argument '{name}': 'float' object cannot be "
                                "interpreted as an integer")
            tensors.append(torch.tensor(value, dtype=dtype))
    made = torch.ops.clique.layer(tensors, graphs, program.key, ",".join(wrt), 1)
    return tuple(made[:program.num_results])


def _program(key: str) -> Program:
    try:
        return programs[key]
    except KeyError:
        raise ArgumentError(f"layer {key} is unknown here: make it with clique.torch.op or "
                            "clique.torch.Layer before it is called") from None


def _names(wrt: str) -> tuple[str, ...]:
    return tuple(wrt.split(",")) if wrt else ()


def _values(program: Program, tensors: Sequence[Any], graphs: Sequence[int]) -> list[Any]:
    """Arguments in their order; the tensors may go on behind them."""
    rest, numbers = iter(tensors), iter(graphs[::_GRAPH])
    values = [Graph._of_number(next(numbers)) if is_graph else next(rest) for is_graph in program.is_graph]
    return values + list(rest)


def _tensor_numbers(program: Program, count: int) -> list[int]:
    """The numbers among `count` arguments of those that are tensors."""
    is_graph = program.is_graph
    return [k for k in range(count) if k >= len(is_graph) or not is_graph[k]]


def _empty(result: Argument, names: tuple[str, ...], is_graph: tuple[bool, ...],
           graphs: Sequence[int], device: Any) -> Any:
    """A tensor of a result's shape, as far as the graphs tell it."""
    shape = []
    for k, size in enumerate(result.shape):
        if size is None and k == 0 and result.extent and result.graph in names:
            position = sum(is_graph[:names.index(result.graph)])
            size = graphs[_GRAPH * position + _EXTENTS[result.extent]]
        shape.append(torch.library.get_ctx().new_dynamic_size() if size is None else size)
    return torch.empty(shape, dtype=DTYPES[result.dtype], device=device)


def _empties(layer: Layer, program: Program, tensors: Sequence[Any],
             graphs: Sequence[int]) -> list[Any]:
    device = place_of(tensors)
    return [_empty(result, program.names, program.is_graph, graphs, device)
            for result in layer.results]


_SCHEMA = "(Tensor[] tensors, SymInt[] graphs, str layer, str wrt, int order) -> Tensor[]"
_BACKWARD_SCHEMA = ("(Tensor[] tensors, Tensor[] kept, Tensor[] cotangents, SymInt[] graphs, "
                    "str layer, str wrt, int order) -> Tensor[]")


def _run(tensors: Any, graphs: Any, layer: str, wrt: str, order: int) -> Any:
    program = _program(layer)
    return list(program.run(_names(wrt), order, _values(program, tensors, graphs)))


def _run_backward(tensors: Any, kept: Any, cotangents: Any, graphs: Any, layer: str, wrt: str,
                  order: int) -> Any:
    program = _program(layer)
    values = _values(program, [*tensors, *kept, *cotangents], graphs)
    return list(program.run_backward(_names(wrt), order, values))


def _run_fake(tensors: Any, graphs: Any, layer: str, wrt: str, order: int) -> Any:
    program, device = _program(layer), device_of(tensors)
    made = program.gradient(device, _names(wrt), order).forward if wrt else program.on(device)
    return _empties(made, program, tensors, graphs)


def _run_backward_fake(tensors: Any, kept: Any, cotangents: Any, graphs: Any, layer: str,
                       wrt: str, order: int) -> Any:
    program = _program(layer)
    gradient = program.gradient(device_of(tensors), _names(wrt), order)
    numbers = _tensor_numbers(program, len(gradient.args))
    return [torch.empty_like(tensors[numbers.index(k)], memory_format=torch.contiguous_format)
            for k in gradient.wrt_numbers]


def _remember(ctx: Any, graphs: Any, layer: str, wrt: str, order: int) -> None:
    ctx.call = graphs, layer, wrt, order
    # Graphs live as long as what is derived from them.
    ctx.keep = [Graph._of_number(number) for number in graphs[::_GRAPH] if type(number) is int]


def _differentiate(ctx: Any, tensors: Sequence[Any], kept: Sequence[Any],
                   grads: Sequence[Any]) -> list[Any]:
    """The cotangents of `tensors`."""
    graphs, layer, wrt, order = ctx.call
    program = _program(layer)
    gradient = program.gradient(device_of(tensors), _names(wrt), order)
    made = torch.ops.clique.backward(tensors, kept, [grads[k] for k in gradient.results], graphs,
                                     layer, wrt, order)
    cotangents = scatter(gradient, made, len(gradient.args))
    return [cotangents[k] for k in _tensor_numbers(program, len(gradient.args))]


def _setup(ctx: Any, inputs: Any, output: Any) -> None:
    tensors, graphs, layer, wrt, order = inputs
    _remember(ctx, graphs, layer, wrt, order)
    ctx.count = len(tensors)
    kept = _program(layer).gradient(device_of(tensors), _names(wrt), order).kept if wrt else ()
    ctx.save_for_backward(*tensors, *(output[k] for k in kept))


def _backward(ctx: Any, grads: Any) -> Any:
    if not ctx.call[2]:
        raise ArgumentError("clique::layer was called without the names of arguments to "
                            "differentiate by")
    saved = ctx.saved_tensors
    cotangents = _differentiate(ctx, list(saved[:ctx.count]), list(saved[ctx.count:]), grads)
    return cotangents, None, None, None, None


def _setup_backward(ctx: Any, inputs: Any, output: Any) -> None:
    tensors, kept, cotangents, graphs, layer, wrt, order = inputs
    _remember(ctx, graphs, layer, wrt, order + 1)
    ctx.count, ctx.num_kept = len(tensors), len(kept)
    ctx.num_cotangents = len(cotangents)
    ctx.save_for_backward(*tensors, *cotangents)


def _backward_twice(ctx: Any, grads: Any) -> Any:
    graphs, layer, wrt, order = ctx.call
    tensors = list(ctx.saved_tensors)
    with torch.no_grad():
        made = torch.ops.clique.layer(tensors, graphs, layer, wrt, order)
    gradient = _program(layer).gradient(device_of(tensors), _names(wrt), order)
    given = _differentiate(ctx, tensors, [made[k] for k in gradient.kept], grads)
    return (given[:ctx.count], [None] * ctx.num_kept, given[ctx.count:], None, None, None, None)


def _register() -> None:
    layer = torch.library.custom_op("clique::layer", _run, mutates_args=(), schema=_SCHEMA)
    layer.register_fake(_run_fake)
    layer.register_autograd(_backward, setup_context=_setup)
    backward = torch.library.custom_op("clique::backward", _run_backward, mutates_args=(),
                                       schema=_BACKWARD_SCHEMA)
    backward.register_fake(_run_backward_fake)
    backward.register_autograd(_backward_twice, setup_context=_setup_backward)


_register()
