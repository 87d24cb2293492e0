# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layer of a spec for PyTorch: compiled for each kind of device that its tensors are on, with
its gradients, each when it is first asked for."""

from __future__ import annotations

import hashlib
from typing import Any, Optional, Sequence

import torch

from ._compiler import SpecError
from ._gradient import Gradient
from ._layer import Layer, compile
from ._spec import Source

DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
          "f64": torch.float64, "i1": torch.bool, "i8": torch.int8, "i32": torch.int32,
          "i64": torch.int64}

#: How the compiler's error ends where results do not depend on any of the arguments.
NO_DERIVATIVE = "has a derivative by the arguments that are wanted"

#: What operators know a program by.
programs: dict[str, "Program"] = {}


class Program:
    """`run` calls the layer. With `wrt`, the names of the arguments that gradients are wanted by,
    it calls the forward function of the gradient of an order, and `run_backward` its backward
    function; docs/gradients.md says what these are."""

    def __init__(self, spec: Source, entry: Optional[str], options: dict[str, Any]):
        self.layer = compile(spec, entry, **options)
        self._spec, self._options = spec, options
        self._layers = {options.get("target", "cpu"): self.layer}
        self._gradients: dict[tuple[str, tuple[str, ...], int], Gradient] = {}
        self._differentiable: dict[tuple[str, tuple[str, ...]], bool] = {}
        # Plain values, for torch.compile to read.
        self.name = self.layer.name
        self.names = tuple(arg.name for arg in self.layer.args)
        self.is_graph = tuple(arg.kind == "graph" for arg in self.layer.args)
        self.dtypes = tuple(DTYPES.get(arg.dtype) for arg in self.layer.args)
        self.num_results = len(self.layer.results)
        text = f"{self.layer.spec} {sorted(options.items())}"
        self.key = f"{self.name}_{hashlib.sha256(text.encode()).hexdigest()[:12]}"
        programs.setdefault(self.key, self)

    def __deepcopy__(self, memo: Any) -> "Program":
        return self

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_spec": self.layer.spec, "_gradients": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        programs.setdefault(self.key, self)

    def on(self, device: str) -> Layer:
        if device not in ("cpu", "cuda"):
            raise TypeError(f"{self.name}: a tensor on '{device}'; layers run on 'cpu' and 'cuda'")
        if device not in self._layers:
            options = {**self._options, "target": device}
            self._layers[device] = compile(self._spec, self.name, **options)
        return self._layers[device]

    def gradient(self, device: str, wrt: tuple[str, ...], order: int) -> Gradient:
        key = device, wrt, order
        found = self._gradients.get(key)
        if found is None:
            found = self._gradients[key] = self.on(device).gradient(*wrt, order=order)
        return found

    def has_gradient(self, device: str, wrt: tuple[str, ...]) -> bool:
        """Whether some result has a derivative by one of these arguments. Raises SpecError where
        the compiler knows none of an op."""
        if (device, wrt) not in self._differentiable:
            try:
                self.gradient(device, wrt, 1)
                found = True
            except SpecError as error:
                if not error.message.endswith(NO_DERIVATIVE):
                    raise
                found = False
            self._differentiable[device, wrt] = found
        return self._differentiable[device, wrt]

    def run(self, wrt: tuple[str, ...], order: int, values: Sequence[Any]) -> tuple[Any, ...]:
        """The results; with `wrt`, then those that are kept."""
        device = device_of(values)
        layer = self.gradient(device, wrt, order).forward if wrt else self.on(device)
        with torch.no_grad():
            made = layer(*values)
        return made if isinstance(made, tuple) else (made,)

    def run_backward(self, wrt: tuple[str, ...], order: int,
                     values: Sequence[Any]) -> tuple[Any, ...]:
        """The cotangents of the arguments `wrt`, from all arguments, what is kept, and the
        cotangents of results."""
        with torch.no_grad():
            made = self.gradient(device_of(values), wrt, order).backward(*values)
        return made if isinstance(made, tuple) else (made,)

    def bind(self, args: Sequence[Any], keywords: dict[str, Any]) -> list[Any]:
        """The values of all arguments, in their order."""
        names = self.names
        if len(args) > len(names):
            raise TypeError(f"{self.name}: called with {len(args)} arguments, it has {len(names)}")
        values = dict(zip(names, args))
        for name, value in keywords.items():
            if name not in names:
                raise TypeError(f"{self.name}: has no argument '{name}'; there are: {list(names)}")
            if name in values:
                raise TypeError(
                    f"{self.name}: argument '{name}' is given by position and by name")
            values[name] = value
        for name in names:
            if name not in values:
                raise TypeError(
                    f"{self.name}: argument '{name}' is missing; there are: {list(names)}")
        return [values[name] for name in names]


def device_of(values: Sequence[Any]) -> str:
    """That of the tensors: scalars may stay on the CPU beside others."""
    return place_of(values).type


def place_of(values: Sequence[Any]) -> torch.device:
    devices = [value.device for value in values if isinstance(value, torch.Tensor)]
    return next((device for device in devices if device.type != "cpu"), torch.device("cpu"))

