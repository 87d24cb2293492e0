# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers as functions of JAX, through its interface for foreign functions.

    attend = clique.jax.op("attention.mlir")
    out = jax.jit(lambda h: attend(graph, h, wq, wk, wv, wo))(h)

Reverse derivatives are those of the compiler (jax.grad, jax.vjp), of the first order. Layers run
on the CPU; a graph is no array, so that a jitted function is traced anew for another one."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np

from . import _native
from ._gradient import Gradient
from ._graph import Graph
from ._layer import Argument, Layer, compile
from ._spec import Source

_TARGET = "clique_layer"
_DTYPES = {"f16": jnp.float16, "bf16": jnp.bfloat16, "f32": jnp.float32, "f64": jnp.float64,
           "i1": jnp.bool_, "i8": jnp.int8, "i32": jnp.int32, "i64": jnp.int64}

jax.ffi.register_ffi_target(_TARGET, _native.xla_handler(), platform="cpu")


class _Program:
    """A layer with its gradient, which is compiled when it is first asked for. It keeps what
    compiled programs have the addresses of."""

    def __init__(self, layer: Layer):
        self.layer = layer
        self.floats = tuple(arg.name for arg in layer.args
                            if arg.kind != "graph" and arg.dtype.startswith(("f", "bf")))
        self.kept: set[Any] = {layer}
        self._gradient: Optional[Gradient] = None

    def gradient(self) -> Gradient:
        if self._gradient is None:
            self._gradient = self.layer.gradient(*self.floats)
            self.kept.update((self._gradient.forward, self._gradient.backward))
        return self._gradient

    def call(self, layer: Layer, graphs: tuple[Graph, ...], arrays: Sequence[Any],
             sizes: Optional[Sequence[tuple[int, ...]]] = None) -> tuple[Any, ...]:
        """`sizes`: those of the results, where the arrays tell them."""
        self.kept.update(graphs)
        by_name = dict(zip((arg.name for arg in layer.args if arg.kind == "graph"), graphs))
        if sizes is None:
            sizes = [_shape(result, by_name) for result in layer.results]
        shapes = [jax.ShapeDtypeStruct(size, _DTYPES[result.dtype])  # type: ignore[no-untyped-call]
                  for size, result in zip(sizes, layer.results)]
        return tuple(jax.ffi.ffi_call(_TARGET, shapes, vmap_method="sequential")(
            *arrays, layer=np.int64(layer._address),
            graphs=np.array([graph._address for graph in graphs], np.int64)))


def _platform(value: Any) -> str:
    """Where an array is; a traced one will be where JAX computes by default."""
    if isinstance(value, jax.core.Tracer):
        chosen = getattr(jax.config, "jax_default_device", None)
        return str(getattr(chosen, "platform", chosen) or jax.default_backend())
    if isinstance(value, jax.Array):
        return str(next(iter(value.devices())).platform)
    return "cpu"


def _shape(result: Argument, graphs: dict[str, Graph]) -> tuple[int, ...]:
    sizes = []
    for k, size in enumerate(result.shape):
        if size is None and (k > 0 or result.extent is None):
            raise _native.ArgumentError(f"result '{result}' has a size that only a call knows, "
                                        "which JAX cannot take")
        if size is None:
            graph = graphs[result.graph or ""]
            size = {"destinations": graph.num_dst, "sources": graph.num_src,
                    "edges": graph.num_edges}[result.extent or ""]
        sizes.append(size)
    return tuple(sizes)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _apply(program: _Program, graphs: tuple[Graph, ...], *arrays: Any) -> tuple[Any, ...]:
    return program.call(program.layer, graphs, arrays)


def _forward(program: _Program, graphs: tuple[Graph, ...], *arrays: Any) -> Any:
    gradient = program.gradient()
    made = program.call(gradient.forward, graphs, arrays)
    return made[:len(program.layer.results)], (arrays, tuple(made[k] for k in gradient.kept))


def _backward(program: _Program, graphs: tuple[Graph, ...], saved: Any,
              cotangents: Sequence[Any]) -> tuple[Any, ...]:
    arrays, kept = saved
    gradient = program.gradient()
    names = [arg.name for arg in program.layer.args if arg.kind != "graph"]
    # A gradient is of its argument's shape, which no graph may tell.
    sizes = [arrays[names.index(name)].shape for name in gradient.wrt]
    made = program.call(gradient.backward, graphs,
                        (*arrays, *kept, *(cotangents[k] for k in gradient.results)), sizes)
    by_name = dict(zip(gradient.wrt, made))
    return tuple(by_name[name] if name in by_name else np.zeros(array.shape, jax.dtypes.float0)
                 for name, array in zip(names, arrays))


_apply.defvjp(_forward, _backward)


def op(spec: Source, entry: Optional[str] = None, **options: Any) -> Callable[..., Any]:
    """A function of a graph and arrays: the layer of a spec, or the one of the name `entry`.

    Arguments are given by position or by name; arrays are converted to the spec's element types
    (those of 64 bits need `jax_enable_x64`). The result is an array, or a tuple of several.
    `options` are those of clique.compile()."""
    program = _Program(compile(spec, entry, **options))
    args = program.layer.args
    names = [arg.name for arg in args]

    def function(*values: Any, **keywords: Any) -> Any:
        given = dict(zip(names, values), **keywords)
        wrong = [name for name in given if name not in names]
        missing = [name for name in names if name not in given]
        if wrong or missing or len(given) != len(values) + len(keywords):
            raise TypeError(f"{program.layer.signature}: called with {len(values)} values and "
                            f"{sorted(keywords)}")
        graphs = tuple(given[arg.name] for arg in args if arg.kind == "graph")
        for graph in graphs:
            if not isinstance(graph, Graph):
                raise TypeError(f"{program.layer.name}: expected a clique.Graph, not {graph!r}")
        for arg in args:
            if arg.kind != "graph" and _platform(given[arg.name]) != "cpu":
                raise _native.ArgumentError(
                    f"{program.layer.name}: argument '{arg.name}' is on a device of the platform "
                    f"'{_platform(given[arg.name])}': clique.jax runs on the CPU. Copy it there with "
                    "jax.device_put, or call clique.compile(spec, target='cuda') on it, outside of "
                    "jax.jit")
        arrays = [jnp.asarray(given[arg.name], _DTYPES[arg.dtype]) for arg in args
                  if arg.kind != "graph"]
        made = _apply(program, graphs, *arrays)
        return made if len(made) > 1 else made[0]

    function.__name__ = program.layer.name
    function.__doc__ = program.layer.signature
    function.layer = program.layer  # type: ignore[attr-defined]
    return function


__all__ = ["op"]
