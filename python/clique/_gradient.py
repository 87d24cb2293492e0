# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two layers that a gradient is, and which value of one goes where in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._layer import Layer


class Gradient:
    """The gradient of a layer, as `layer.gradient(...)` makes it.

    `forward` takes the layer's arguments and returns its results, then values that are kept for
    the other one. `backward` takes the layer's arguments, those of forward's results that `kept`
    numbers, and the cotangents of the results that `results` numbers; it returns those of the
    arguments that `wrt` names. What is kept must not change in between.

    Called with the layer's arguments and `grad_NAME=` for the results, it does both, and returns
    the gradients by the names that were asked for, in their order:

        grad_w, grad_a = layer.gradient("w", "a")(graph, h=h, w=w, a=a, grad_out=g)

    The cotangent of a result that depends on none of them may be left out."""

    def __init__(self, forward: "Layer", backward: "Layer", asked: tuple[str, ...] = ()):
        self.forward, self.backward = forward, backward
        self.args = forward.args
        #: By the layer's arguments of these names ...
        self.wrt = tuple(result.name[len("grad_"):] for result in backward.results)
        #: ... which have these numbers.
        self.wrt_numbers = tuple(number for number, arg in enumerate(self.args)
                                 if arg.name in self.wrt)
        #: Of backward's results, those that a call returns.
        names = dict.fromkeys([*(name for name in asked if name in self.wrt), *self.wrt])
        self._order = [self.wrt.index(name) for name in names]
        self.kept, self.results = _find(forward, backward)

    def __repr__(self) -> str:
        return f"<gradient by {', '.join(self.wrt)}: {self.forward.signature}>"

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        names = {self.forward.results[k].name for k in self.results}
        cotangents = {f"grad_{name}": keywords.pop(f"grad_{name}", None) for name in names}
        missing = [name for name, value in cotangents.items() if value is None]
        if missing:
            raise TypeError(f"{self.forward.name}: the cotangent '{missing[0]}' is missing; there "
                            f"are: {sorted(cotangents)}")
        arguments = {arg.name for arg in self.args}
        for result in self.forward.results:
            if (unused := f"grad_{result.name}") not in arguments:
                keywords.pop(unused, None)
        made = self.forward(*args, **keywords)
        made = made if isinstance(made, tuple) else (made,)
        values = dict(zip((arg.name for arg in self.args), args), **keywords)
        gradients = self.backward(*(values[arg.name] for arg in self.args),
                                  *(made[k] for k in self.kept),
                                  *(cotangents[f"grad_{self.forward.results[k].name}"]
                                    for k in self.results))
        if len(self._order) == 1:
            return gradients
        return tuple(gradients[k] for k in self._order)


def _find(forward: "Layer", backward: "Layer") -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of forward's results that are kept, and of those with a cotangent: backward's
    arguments behind those of the layer, kept ones first, have their names. A name that an
    argument has already ends with an underscore more."""
    names = [arg.name for arg in backward.args]
    count = len(forward.args)
    numbers = {result.name: k for k, result in enumerate(forward.results)}
    kept: list[int] = []
    cotangents: list[int] = []
    for name in names[count:]:
        plain = name
        while plain not in numbers and plain.removeprefix("grad_") not in numbers:
            if not plain.endswith("_"):
                raise RuntimeError(f"{backward.name}: argument '{name}' is of no result of "
                                   f"{forward.name}")
            plain = plain[:-1]
        if plain in numbers and not cotangents:
            kept.append(numbers[plain])
        else:
            cotangents.append(numbers[plain.removeprefix("grad_")])
    return tuple(kept), tuple(cotangents)


__all__ = ["Gradient"]
