# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two layers that a gradient is, and which value of one goes where in the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable

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

    The cotangent of a result that depends on none of them may be left out. Where an argument is
    called `grad_NAME` already, the keyword of the cotangent ends with an underscore more."""

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
        made = [f"grad_{result.name}" for result in forward.results]
        #: The keywords of the cotangents of all results.
        self._keywords = _free(made, [arg.name for arg in self.args])

    def __repr__(self) -> str:
        return f"<gradient by {', '.join(self.wrt)}: {self.forward.signature}>"

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        given = [keywords.pop(name, None) for name in self._keywords]
        wanted = [self._keywords[k] for k in self.results]
        missing = [name for k, name in zip(self.results, wanted) if given[k] is None]
        if missing:
            raise TypeError(f"{self.forward.name}: the cotangent '{missing[0]}' is missing; there "
                            f"are: {sorted(wanted)}")
        made = self.forward._call_for_tensors(args, keywords)
        made = made if isinstance(made, tuple) else (made,)
        values = dict(zip((arg.name for arg in self.args), args), **keywords)
        # Nobody else has what is kept: gradients may be written over it.
        first = len(self.args)
        gradients = self.backward._call_giving(
            (*(values[arg.name] for arg in self.args), *(made[k] for k in self.kept),
             *(given[k] for k in self.results)), tuple(range(first, first + len(self.kept))))
        if len(self._order) == 1:
            return gradients
        return tuple(gradients[k] for k in self._order)


def _free(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The names, each with underscores behind it until it is none that is taken, nor one of those
    before it: as the compiler chooses the names of a backward function's arguments."""
    known, chosen = set(taken), []
    for name in names:
        while name in known:
            name += "_"
        known.add(name)
        chosen.append(name)
    return chosen


def _find(forward: "Layer", backward: "Layer") -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of forward's results that are kept, and of those with a cotangent: backward's
    arguments behind those of the layer have the names that were free for them, those of all
    results chosen first."""
    count = len(forward.results)
    results = [result.name for result in forward.results]
    names = _free([*results, *(f"grad_{name}" for name in results)],
                  [arg.name for arg in forward.args])
    numbers = [names.index(arg.name) for arg in backward.args[len(forward.args):]]
    return (tuple(k for k in numbers if k < count),
            tuple(k - count for k in numbers if k >= count))


__all__ = ["Gradient"]
