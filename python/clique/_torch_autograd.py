# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers as functions of PyTorch's autograd, with derivatives of every order.

The derivative of a backward function is that of NAME_gradient, a function of the layer's arguments
and the cotangents: what the forward function kept for it is a function of the arguments too, and
gets no cotangent of its own."""

from __future__ import annotations

from typing import Any, Sequence

import torch
from torch.autograd import Function

from ._gradient import Gradient
from ._torch_program import Program, device_of


def call(program: Program, wrt: tuple[str, ...], values: Sequence[Any]) -> tuple[Any, ...]:
    """The results of the layer, to be differentiated by the arguments `wrt`."""
    made = _Forward.apply(program, wrt, *values)
    return made if isinstance(made, tuple) else (made,)


def scatter(gradient: Gradient, made: Sequence[Any], count: int) -> list[Any]:
    """The cotangents of all `count` arguments."""
    by_number = dict(zip(gradient.wrt_numbers, made))
    return [by_number.get(number) for number in range(count)]


def _save(ctx: Any, values: Sequence[Any], more: Sequence[Any] = ()) -> None:
    """Tensors as autograd wants them saved, the rest beside them."""
    ctx.others = [None if isinstance(value, torch.Tensor) else value for value in values]
    ctx.save_for_backward(*(value for value in values if isinstance(value, torch.Tensor)), *more)


def _restore(ctx: Any) -> tuple[list[Any], tuple[Any, ...]]:
    tensors = iter(ctx.saved_tensors)
    values = [next(tensors) if other is None else other for other in ctx.others]
    return values, tuple(tensors)


class _Forward(Function):
    @staticmethod
    def forward(ctx: Any, program: Program, wrt: tuple[str, ...], *values: Any) -> Any:
        gradient = program.gradient(device_of(values), wrt, 1)
        made = program.run(wrt, 1, values)
        results = made[:program.num_results]
        ctx.program, ctx.gradient, ctx.wrt = program, gradient, wrt
        _save(ctx, values, [made[k] for k in gradient.kept])
        ctx.mark_non_differentiable(*(result for k, result in enumerate(results)
                                      if k not in gradient.results))
        return results if len(results) > 1 else results[0]

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        values, kept = _restore(ctx)
        made = _Backward.apply(ctx.program, ctx.wrt, 1, len(values), *values, *kept,
                               *(grads[k] for k in ctx.gradient.results))
        return (None, None, *scatter(ctx.gradient, made, len(values)))


class _Backward(Function):
    """`values`: `count` arguments of the differentiated function, what is kept, cotangents."""

    @staticmethod
    def forward(ctx: Any, program: Program, wrt: tuple[str, ...], order: int, count: int,
                *values: Any) -> Any:
        gradient = program.gradient(device_of(values), wrt, order)
        ctx.program, ctx.wrt, ctx.order = program, wrt, order + 1
        ctx.count, ctx.num_kept = count, len(gradient.kept)
        _save(ctx, values[:count] + values[count + ctx.num_kept:])
        return program.run_backward(wrt, order, values)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        program, wrt, order = ctx.program, ctx.wrt, ctx.order
        values, _ = _restore(ctx)
        gradient = program.gradient(device_of(values), wrt, order)
        made = program.run(wrt, order, values)
        given = _Backward.apply(program, wrt, order, len(values), *values,
                                *(made[k] for k in gradient.kept),
                                *(grads[k] for k in gradient.results))
        cotangents = scatter(gradient, given, len(values))
        return (None, None, None, None, *cotangents[:ctx.count], *[None] * ctx.num_kept,
                *cotangents[ctx.count:])
