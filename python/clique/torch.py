# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers in PyTorch: functions and modules.

    attend = clique.torch.op("attention.mlir")      # attend(graph, h, wq, wk, wv, wo)
    layer = clique.torch.Layer("gat.mlir")          # an nn.Module; layer(graph, h)

Both have gradients of every order that their spec has. torch.compile, torch.export and modes of
dispatch see one operator of `torch.library`; otherwise, and with releases of PyTorch that have no
`custom_op` (before 2.4), layers are called without one."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Union

import torch
from torch import nn
from torch.autograd import forward_ad

from . import _torch_autograd
from ._arrays import HAS_TANGENT, IS_TRANSFORMED, has_tangent, is_functorch
from ._files import Path
from ._layer import Argument, Layer as CompiledLayer
from ._native import ArgumentError
from ._spec import Source
from ._torch_init import initialise, initialisers
from ._torch_program import DTYPES, Program, device_of, programs

_library: Any = None
if hasattr(torch.library, "custom_op"):
    from . import _torch_library as _library


def _is_plain(values: Sequence[Any]) -> bool:
    """Whether these are tensors with data, and nothing listens to what is done with them."""
    if (torch.compiler.is_compiling() or torch._C._len_torch_dispatch_stack() > 0
            or torch._C._functorch.peek_interpreter_stack() is not None):
        return False
    return all(type(value) in (torch.Tensor, nn.Parameter)
               for value in values if isinstance(value, torch.Tensor))


def _check_modes(program: Program, values: Sequence[Any]) -> None:
    """PyTorch would take a tangent for 0, as it knows no forward-mode derivative of an operator;
    its errors of other transforms name no layer."""
    if _library is not None and torch.compiler.is_compiling():
        return
    for name, value in zip(program.names, values):
        if not isinstance(value, torch.Tensor):
            continue
        if has_tangent(value):
            raise ArgumentError(f"{program.name}: argument '{name}': {HAS_TANGENT}")
        if is_functorch(value):
            raise ArgumentError(f"{program.name}: argument '{name}': {IS_TRANSFORMED}")


def _has_gradient(key: str, device: str, wrt: tuple[str, ...]) -> bool:
    return programs[key].has_gradient(device, wrt)


# As torch.compiler.assume_constant_result, which imports all of the compiler: a trace holds the
# answer.
_has_gradient._dynamo_marked_constant = True  # type: ignore[attr-defined]


def is_autocast(values: Sequence[Any]) -> bool:
    """Whether torch.autocast is on where these tensors are."""
    if hasattr(torch, "get_autocast_dtype"):
        return ((torch.is_autocast_enabled("cpu") or torch.is_autocast_enabled("cuda"))
                and torch.is_autocast_enabled(device_of(values)))
    is_on = torch.is_autocast_enabled, torch.is_autocast_cpu_enabled  # PyTorch before 2.4
    return (is_on[0]() or is_on[1]()) and is_on[device_of(values) == "cpu"]()


def _as_spec(program: Program, values: Sequence[Any]) -> list[Any]:
    """Tensors of floating point in the types of the spec."""
    return [value.to(dtype) if isinstance(value, torch.Tensor) and value.is_floating_point()
            and dtype is not None and dtype.is_floating_point else value
            for value, dtype in zip(values, program.dtypes)]


def _call(program: Program, values: Sequence[Any]) -> Any:
    if is_autocast(values):
        values = _as_spec(program, values)
    is_plain = _library is None or _is_plain(values)
    if not is_plain or forward_ad._current_level >= 0:
        _check_modes(program, values)
    wrt: tuple[str, ...] = ()
    if torch.is_grad_enabled():
        wrt = tuple(name for name, value in zip(program.names, values)
                    if isinstance(value, torch.Tensor) and value.requires_grad)
    if wrt and not _has_gradient(program.key, device_of(values), wrt):
        # No result depends on them: none requires gradients, as in PyTorch.
        wrt, values = (), [value.detach() if isinstance(value, torch.Tensor) else value
                           for value in values]
    if not is_plain:
        made = _library.call(program, wrt, values)
    elif wrt:
        made = _torch_autograd.call(program, wrt, values)
    else:
        return program.on(device_of(values))(*values)
    return made if len(made) > 1 else made[0]


def op(spec: Source, entry: Optional[str] = None, **options: Any) -> Callable[..., Any]:
    """A function of a graph and tensors: the layer of a spec, or the one of the name `entry`.

    Arguments are given by position or by name, tensors are on the CPU or on a GPU, results are
    new tensors beside them. Where an argument requires gradients the compiler makes the gradient
    by those that do, at the first such call. `options` are those of clique.compile()."""
    program = Program(spec, entry, options)

    def function(*args: Any, **keywords: Any) -> Any:
        return _call(program, program.bind(args, keywords))

    function.__name__ = program.name
    function.__doc__ = program.layer.signature
    function.layer = program.layer  # type: ignore[attr-defined]
    function.program = program  # type: ignore[attr-defined]
    return function


def _is_weight(arg: Argument) -> bool:
    """A tensor of static shape: what belongs to the layer, not to a graph."""
    return arg.kind == "tensor" and None not in arg.shape and arg.dtype[0] != "i"


class Layer(nn.Module):
    """The layer of a spec as a module: its tensors of static shape are parameters of the same
    names, all other arguments are those of the call.

    A weight begins as the spec says with `mp.init` on its argument: zeros, ones, glorot, "constant
    0.5", "normal 0.02" or "uniform 0.1". Without it weights of two and more dimensions are uniform
    within sqrt(6 / (fan in + fan out)), as Glorot and Bengio (2010) have it, the first dimension
    being the input's; those of one are 0. `reset_parameters()` draws them anew; `state_dict`,
    `.to(device)` are as ever. After `.to(dtype)` parameters, inputs and results are of that type,
    and the layer computes in the spec's. Under torch.autocast inputs may be of any floating type.
    """

    _like: Optional[torch.Tensor]
    _spec_type: Optional[torch.dtype]

    def __init__(self, spec: Source, entry: Optional[str] = None,
                 device: Union[str, torch.device, None] = None, **options: Any):
        super().__init__()
        self._program = Program(spec, entry, options)
        args = self._program.layer.args
        self._initialisers = initialisers(self._program.layer)
        self.weights = tuple(arg.name for arg in args if _is_weight(arg))
        self.inputs = tuple(arg.name for arg in args if not _is_weight(arg))
        for arg in args:
            if _is_weight(arg):
                if hasattr(self, arg.name) or "." in arg.name:
                    why = ("its name has a '.'" if "." in arg.name
                           else "modules have something else of that name")
                    raise ArgumentError(f"{self._program.name}: argument '{arg.name}' cannot be a "
                                        f"parameter, as {why}: give it another one in the spec")
                shape = [size or 0 for size in arg.shape]
                tensor = torch.empty(shape, dtype=DTYPES[arg.dtype], device=device)
                self.register_parameter(arg.name, nn.Parameter(tensor))
        if not self.weights:
            # For `.to(dtype)` to be seen where there is no parameter.
            dtype = next((DTYPES[arg.dtype] for arg in args
                          if DTYPES.get(arg.dtype, torch.bool).is_floating_point), None)
            like = None if dtype is None else torch.empty(0, dtype=dtype, device=device)
            self.register_buffer("_like", like, persistent=False)
            self._spec_type = dtype
        self.reset_parameters()

    @property
    def compiled(self) -> CompiledLayer:
        """The layer of the CPU: `ir`, `explain`, `verify`."""
        return self._program.layer

    def reset_parameters(self) -> None:
        for name in self.weights:
            initialise(self._program.name, name, getattr(self, name), self._initialisers.get(name))

    def forward(self, *args: Any, **keywords: Any) -> Any:
        program = self._program
        if len(args) > len(self.inputs):
            raise TypeError(f"{program.name}: called with {len(args)} arguments, it takes "
                            f"{len(self.inputs)}: {list(self.inputs)}")
        given = dict(zip(self.inputs, args))
        for name in keywords:
            if name in given:
                raise TypeError(
                    f"{program.name}: argument '{name}' is given by position and by name")
        # Weights may be computed, as those of torch.nn.utils are: each is asked for once.
        weights = {name: getattr(self, name) for name in self.weights}
        values = program.bind((), {**weights, **given, **keywords})
        foreign = self._foreign_type(weights)
        if foreign is None:
            return _call(program, values)
        values = [value.to(dtype) if isinstance(value, torch.Tensor) and value.dtype == foreign
                  else value for value, dtype in zip(values, program.dtypes)]
        made = _call(program, values)
        if isinstance(made, tuple):
            return tuple(_as(result, foreign) for result in made)
        return _as(made, foreign)

    def _foreign_type(self, weights: dict[str, torch.Tensor]) -> Optional[torch.dtype]:
        """What `.to(dtype)` made of the types of the spec; None if they are as they were."""
        if not self.weights:
            like = self._like
            return None if like is None or like.dtype == self._spec_type else like.dtype
        types = dict(zip(self._program.names, self._program.dtypes))
        return next((weight.dtype for name, weight in weights.items()
                     if weight.dtype != types[name]), None)

    def export(self, path: Path, header: Optional[Path] = None) -> CompiledLayer:
        """Writes a library, and its C header, of the layer with its parameters as constants: a
        function of the inputs alone, for programs without Python. The same as a layer."""
        program = self._program
        weights = {name: getattr(self, name).to(program.dtypes[program.names.index(name)])
                   for name in self.weights}
        bound = program.layer.bind(**weights)
        bound.save(path, header)
        return bound

    def extra_repr(self) -> str:
        return self._program.layer.signature


def _as(result: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    return result.to(dtype) if result.is_floating_point() else result


__all__ = ["Layer", "op"]
