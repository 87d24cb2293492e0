# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A layer with some arguments as constants: a function of a spec that calls another one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from . import _native
from ._arrays import is_number
from ._trace_numbers import holds, number

if TYPE_CHECKING:
    from ._layer import Argument, Layer

_NUMPY = {"i1": "bool", "i8": "int8", "i32": "int32", "i64": "int64", "f16": "float16",
          "f32": "float32", "f64": "float64"}


class _Signature(NamedTuple):
    args: list[str]  #: types
    results: list[str]  #: types
    declared: str  #: the results as they are declared, with their names


def _split(text: str) -> list[str]:
    """At commas outside of brackets and strings."""
    parts, depth, start, quoted = [], 0, 0, False
    for k, letter in enumerate(text):
        quoted ^= letter == '"'
        if quoted:
            continue
        depth += (letter in "(<{[") - (letter in ")>}]" and text[k - 1:k + 1] != "->")
        if letter == "," and depth == 0:
            parts.append(text[start:k].strip())
            start = k + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _closing(text: str, opened: int) -> int:
    """Where the parenthesis at `opened` closes."""
    depth, quoted = 0, False
    for k in range(opened, len(text)):
        quoted ^= text[k] == '"'
        depth += 0 if quoted else (text[k] == "(") - (text[k] == ")")
        if depth == 0:
            return k
    raise ValueError("a parenthesis that is not closed")


def _signature(ir: str, name: str) -> _Signature:
    """Of a function as MLIR prints it."""
    found = re.search(rf"func\.func (public )?@{re.escape(name)}\(", ir)
    assert found, f"no function @{name} in the IR"
    end = _closing(ir, found.end() - 1)

    def bare(item: str) -> str:
        return re.sub(r" \{.*\}$", "", re.sub(r" loc\(.*\)$", "", item))

    args = [bare(item.partition(": ")[2]) for item in _split(ir[found.end():end])]
    rest = ir[end + 1:].removeprefix(" -> ")
    if rest.startswith("("):
        declared = rest[1:_closing(rest, 0)]
        results = [bare(item) for item in _split(declared)]
    else:
        declared = rest.partition(" {")[0].partition(" attributes")[0]
        results = [declared]
    return _Signature(args, results, declared)


def _number(dtype: str, value: Any) -> Optional[str]:
    """A number in MLIR; None where the type lacks it."""
    if dtype == "i1":
        return "true" if value else "false"
    if dtype[0] != "i":
        return number(value, dtype)
    return str(int(value)) if hasattr(value, "__index__") and holds(dtype, value) else None


def _constant(layer: "Layer", arg: "Argument", value: Any) -> str:
    """The value of an argument in MLIR, without its type."""
    import numpy as np

    def refuse(given: str) -> _native.ArgumentError:
        return _native.ArgumentError(f"{layer.name}: argument '{arg}' is bound to {given}")

    if arg.kind not in ("tensor", "scalar") or None in arg.shape:
        raise _native.ArgumentError(
            f"{layer.name}: argument '{arg}' cannot be bound: weights and numbers can")
    if arg.kind == "scalar" and is_number(type(value)):
        text = _number(arg.dtype, value)
        if text is None:
            raise refuse(repr(value))
        return text
    if hasattr(value, "detach"):
        import torch

        value = value.detach().cpu().contiguous()
        if value.dtype == torch.bfloat16:
            value = _Bits(value.view(torch.int16).numpy())
        else:
            value = value.numpy()
    bits = value.array if isinstance(value, _Bits) else np.asarray(value)
    if not bits.dtype.isnative:  # the text has the bytes as they are
        bits = bits.astype(bits.dtype.newbyteorder("="))
    given = "bf16" if isinstance(value, _Bits) or bits.dtype.name == "bfloat16" else next(
        (name for name, kind in _NUMPY.items() if kind == bits.dtype.name), bits.dtype.name)
    if given != arg.dtype or bits.shape != arg.shape:
        raise refuse(f"{given}{list(bits.shape)}")
    if arg.kind == "scalar":
        return "true" if bits.dtype == bool and bits else "false" if bits.dtype == bool else \
            _hex(bits) if arg.dtype.startswith(("f", "b")) else str(int(bits))
    if bits.dtype == bool:
        return f"dense<{str(bits.tolist()).lower()}>"
    return f'dense<"0x{np.ascontiguousarray(bits).tobytes().hex()}">' if bits.size else "dense<>"


def _hex(number: Any) -> str:
    """A float by its bits."""
    return f"0x{int.from_bytes(number.tobytes(), 'little'):0{2 * number.itemsize}X}"


class _Bits:
    """Those of bfloat16."""

    def __init__(self, array: Any):
        self.array = array


def bind(layer: "Layer", name: str, values: dict[str, Any]) -> str:
    """The layer's spec with one function more, `name`: the layer with these values as constants."""
    names = [arg.name for arg in layer.args]
    for key in values:
        if key not in names:
            raise TypeError(f"{layer.name}: has no argument '{key}'; there are: {names}")
    if not re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII):
        raise _native.ArgumentError(f"the bound layer of {layer.name} cannot be called {name!r}: "
                                    "expected letters, digits and '_'")
    if re.search(rf"@{re.escape(name)}\b", layer.spec):
        raise _native.ArgumentError(f"the spec of {layer.name} has a function '{name}' already")
    ir = layer.ir("mp").rstrip()
    signature = _signature(ir, layer.name)
    kept, constants, passed = [], [], []
    for arg, kind in zip(layer.args, signature.args):
        passed.append(f"%{arg.name}")
        if arg.name not in values:
            kept.append(f"%{arg.name}: {kind}")
            continue
        constant = _constant(layer, arg, values[arg.name])
        constants.append(f"  %{arg.name} = arith.constant {constant}"
                         + (f" : {kind}\n" if constant not in ("true", "false") else "\n"))
    results = ", ".join(signature.results)
    made = ", ".join(f"%{k}" for k in range(len(signature.results)))
    # A function of the module, whose last line closes it.
    return (f"{ir.removesuffix('}')}\n"
            f"func.func @{name}({', '.join(kept)}) -> ({signature.declared}) {{\n"
            f"{''.join(constants)}"
            f"  {made} = func.call @{layer.name}({', '.join(passed)}) : "
            f"({', '.join(signature.args)}) -> ({results})\n"
            f"  return {made} : {results}\n}}\n}}\n")
