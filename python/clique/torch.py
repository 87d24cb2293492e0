# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in PyTorch: functions and modules.

    attend = clique.torch.op("attention.mlir")      # attend(graph, h, wq, wk, wv, wo)
    layer = clique.torch.Layer("gat.mlir")          # an nn.Module; layer(graph, h)

Each layer is an operator of `torch.library`, with its shapes, so that `torch.compile` and
`torch.export` see one node; releases of PyTorch without `custom_op` (before 2.4) call it as a
function. Gradients are not computed yet: a tensor that requires them is refused where they are
recorded."""

from __future__ import annotations

import hashlib
import itertools
import math
import weakref
from typing import Any, Callable, Optional, Union

import torch
from torch import nn

from ._graph import Graph
from ._layer import Argument, Layer as CompiledLayer, Source, compile

_DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
           "f64": torch.float64, "i1": torch.bool, "i8": torch.int8, "i32": torch.int32,
           "i64": torch.int64}

# An operator takes tensors and numbers: a graph goes through it by its number.
_numbers = itertools.count(1)
_graphs: "weakref.WeakValueDictionary[int, Graph]" = weakref.WeakValueDictionary()


def _number_of(graph: Graph) -> int:
    number = graph.__dict__.get("_number")
    if number is None:
        number = graph.__dict__["_number"] = next(_numbers)
        _graphs[number] = graph
    return number


def _graph_of(number: int) -> Graph:
    try:
        return _graphs[number]
    except KeyError:
        raise RuntimeError(f"graph {number} is gone: keep it as long as layers are called on "
                           "it") from None


class _Devices:
    """A layer for each kind of device that its tensors are on, compiled when first asked for."""

    def __init__(self, spec: Source, entry: Optional[str], options: dict[str, Any]):
        self.spec, self.entry, self.options = spec, entry, options
        self.layers = {"cpu": compile(spec, entry, **options)}

    @property
    def cpu(self) -> CompiledLayer:
        return self.layers["cpu"]

    def on(self, device: str) -> CompiledLayer:
        if device not in self.layers:
            self.layers[device] = compile(self.spec, self.cpu.name, target=device, **self.options)
        return self.layers[device]


def _schema(layer: CompiledLayer) -> str:
    kinds = {"graph": "int", "tensor": "Tensor", "edges": "Tensor"}
    scalars = {"i": "int", "f": "float", "b": "float"}
    args = [f"{kinds.get(arg.kind) or scalars[arg.dtype[0]]} {arg.name}" for arg in layer.args]
    results = ", ".join(["Tensor"] * len(layer.results))
    return f"({', '.join(args)}) -> " + (results if len(layer.results) == 1 else f"({results})")


def _rows(result: Argument, values: dict[str, Any]) -> Any:
    """The first size of a result, known from a graph."""
    graph = _graph_of(values[result.graph])
    return {"destinations": graph.num_dst, "sources": graph.num_src,
            "edges": graph.num_edges}[result.extent]


def _fake(layer: CompiledLayer, values: tuple[Any, ...]) -> Any:
    """Results without contents, for whoever asks for their shapes."""
    by_name = {arg.name: value for arg, value in zip(layer.args, values)}
    device = next((value.device for value in values if isinstance(value, torch.Tensor)), "cpu")
    made = []
    for result in layer.results:
        shape = [_rows(result, by_name) if size is None and k == 0 and result.extent
                 else torch.library.get_ctx().new_dynamic_size() if size is None else size
                 for k, size in enumerate(result.shape)]
        made.append(torch.empty(shape, dtype=_DTYPES[result.dtype], device=device))
    return made[0] if len(made) == 1 else tuple(made)


def _register(devices: _Devices, run: Callable[..., Any]) -> Callable[..., Any]:
    """The operator clique::NAME_HASH, made once per spec; `run` itself without torch.library."""
    layer = devices.cpu
    if not hasattr(torch.library, "custom_op"):
        return run
    digest = hashlib.sha256(f"{layer.spec} {sorted(devices.options.items())}".encode())
    name = f"{layer.name}_{digest.hexdigest()[:12]}"
    known = getattr(torch.ops.clique, name, None)
    if known is not None:
        return known
    made = torch.library.custom_op(f"clique::{name}", run, mutates_args=(),
                                   schema=_schema(layer))
    made.register_fake(lambda *values: _fake(layer, values))
    return getattr(torch.ops.clique, name)


def _operator(devices: _Devices) -> Callable[..., Any]:
    layer = devices.cpu

    def run(*values: Any) -> Any:
        device = next((value.device.type for value in values if isinstance(value, torch.Tensor)),
                      "cpu")
        given = [_graph_of(value) if arg.kind == "graph" else value
                 for arg, value in zip(layer.args, values)]
        with torch.no_grad():
            return devices.on(device)(*given)

    return _register(devices, run)


def _bind(layer: CompiledLayer, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
    """The values of all arguments, in their order."""
    names = [arg.name for arg in layer.args]
    if len(args) > len(names):
        raise TypeError(f"{layer.name}: called with {len(args)} arguments, it has {len(names)}")
    values = dict(zip(names, args))
    for name, value in keywords.items():
        if name not in names:
            raise TypeError(f"{layer.name}: has no argument '{name}'; there are: {names}")
        if name in values:
            raise TypeError(f"{layer.name}: argument '{name}' is given by position and by name")
        values[name] = value
    missing = [name for name in names if name not in values]
    if missing:
        raise TypeError(f"{layer.name}: argument '{missing[0]}' is missing; there are: {names}")
    return [_number_of(values[arg.name]) if arg.kind == "graph" else values[arg.name]
            for arg in layer.args]


def op(spec: Source, entry: Optional[str] = None, **options: Any) -> Callable[..., Any]:
    """A function of a graph and tensors: the layer of a spec, or the one of the name `entry`.

    Arguments are given by position or by name, tensors are on the CPU or on a GPU, results are
    new tensors beside them. `options` are those of clique.compile()."""
    devices = _Devices(spec, entry, options)
    call, layer = _operator(devices), devices.cpu

    def function(*args: Any, **keywords: Any) -> Any:
        return call(*_bind(layer, args, keywords))

    function.__name__ = layer.name
    function.__doc__ = layer.signature
    function.layer = layer  # type: ignore[attr-defined]
    return function


def _is_weight(arg: Argument) -> bool:
    """A tensor of static shape: what belongs to the layer, not to a graph."""
    return arg.kind == "tensor" and None not in arg.shape and arg.dtype[0] != "i"


class Layer(nn.Module):
    """The layer of a spec as a module: its tensors of static shape are parameters of the same
    names, all other arguments are those of the call.

    Weights of two and more dimensions begin uniform within sqrt(6 / (fan in + fan out)), as
    Glorot and Bengio (2010) have it, the first dimension being the input's; those of one are 0.
    `reset_parameters()` draws them anew; `state_dict`, `.to(device)` are as ever."""

    def __init__(self, spec: Source, entry: Optional[str] = None,
                 device: Union[str, torch.device, None] = None, **options: Any):
        super().__init__()
        self._devices = _Devices(spec, entry, options)
        self._call = _operator(self._devices)
        self.weights = tuple(arg.name for arg in self.compiled.args if _is_weight(arg))
        for arg in self.compiled.args:
            if _is_weight(arg):
                tensor = torch.empty(arg.shape, dtype=_DTYPES[arg.dtype], device=device)
                self.register_parameter(arg.name, nn.Parameter(tensor))
        self.reset_parameters()

    @property
    def compiled(self) -> CompiledLayer:
        """The layer of the CPU: `ir`, `explain`, `verify`."""
        return self._devices.cpu

    def reset_parameters(self) -> None:
        for weight in self.parameters():
            if weight.dim() < 2:
                nn.init.zeros_(weight)
                continue
            fan_in, fan_out = weight.shape[0], weight[0].numel()
            bound = math.sqrt(6 / (fan_in + fan_out))
            nn.init.uniform_(weight, -bound, bound)

    def forward(self, *args: Any, **keywords: Any) -> Any:
        inputs = [arg for arg in self.compiled.args if arg.name not in self.weights]
        if len(args) > len(inputs):
            raise TypeError(f"{self.compiled.name}: called with {len(args)} arguments, it takes "
                            f"{len(inputs)}: {[arg.name for arg in inputs]}")
        values = {name: getattr(self, name) for name in self.weights}
        values.update(zip((arg.name for arg in inputs), args))
        values.update(keywords)
        return self._call(*_bind(self.compiled, (), values))

    def extra_repr(self) -> str:
        return self.compiled.signature


__all__ = ["Layer", "op"]
