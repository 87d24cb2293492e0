# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the parameters of a module begin: as the spec says with `mp.init`, else by the usual rule."""

from __future__ import annotations

import math
import re
from typing import Any, Optional

import torch
from torch import nn

from . import _native
from ._layer import Layer

#: The words of `mp.init`, and whether a number follows.
_WORDS = {"zeros": False, "ones": False, "glorot": False, "constant": True, "normal": True,
          "uniform": True}


def initialisers(layer: Layer) -> dict[str, str]:
    """The texts of `mp.init`, by the names of arguments."""
    if "mp.init" not in layer.spec:
        return {}
    signature = re.search(rf"^.*func\.func (public )?@{re.escape(layer.name)}\(.*$", layer.ir("mp"),
                          flags=re.M)
    assert signature is not None
    # Types have no "%".
    pieces = re.split(r"%\w+: ", signature.group(0))[1:]
    found = {}
    for arg, piece in zip(layer.args, pieces):
        text = re.search(r'mp\.init = "([^"]*)"', piece)
        if text is not None:
            found[arg.name] = text.group(1)
            _parse(layer.name, arg.name, text.group(1))
    return found


def _parse(layer: str, name: str, text: str) -> tuple[str, float]:
    word, _, number = text.partition(" ")
    try:
        value = float(number or 0)
        if _WORDS[word] == bool(number) and math.isfinite(value) and (
                value >= 0 or word == "constant"):
            return word, value
    except (KeyError, ValueError):
        pass
    raise _native.ArgumentError(
        f"{layer}: argument '{name}' has mp.init = \"{text}\", expected zeros, ones, glorot, or "
        "constant, normal (its deviation) or uniform (its bound) with a number, of the last two not "
        "below 0")


def initialise(layer: str, name: str, weight: Any, text: Optional[str]) -> None:
    """Fills a parameter: without a text those of one dimension with zeros, the others uniformly
    within sqrt(6 / (fan in + fan out)), the first dimension being the input's."""
    word, number = _parse(layer, name, text or ("glorot" if weight.dim() > 1 else "zeros"))
    if word == "glorot":
        fans = weight.numel() // max(weight.shape[0], 1) + weight.shape[0] if weight.dim() else 2
        word, number = "uniform", math.sqrt(6 / max(fans, 1))
    with torch.no_grad():
        if word == "normal":
            nn.init.normal_(weight, 0, number)
        elif word == "uniform":
            nn.init.uniform_(weight, -number, number)
        else:
            weight.fill_({"zeros": 0.0, "ones": 1.0}.get(word, number))


__all__ = ["initialise", "initialisers"]
