# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case is a row of a table: what is computed, and who computes it."""

import dataclasses
import typing

CLIQUE, ONE_THREAD, THROUGH_TORCH = "clique", "clique-1-thread", "clique-torch"
# Of the largest value of the result, in f32.
TOLERANCE = 1e-4
QUICK, NORMAL, FULL = 0, 1, 2


@dataclasses.dataclass
class Runner:
    """A contender that is ready: `call` computes once, `result` computes and returns an array
    that can be compared with the others'."""
    call: typing.Callable
    result: typing.Callable


@dataclasses.dataclass
class Workload:
    """The contenders of a case, name -> function that makes the Runner; Clique's own is among
    them. What its share is taken of: `flops`, of the multiply-add peak, or `seconds_bound`, which
    measures how long the machine needs at the least."""
    contenders: dict
    unlike: dict = dataclasses.field(default_factory=dict)  # compute something else
    flops: float = 0
    seconds_bound: typing.Callable | None = None
    calls_torch: bool = True  # whether Clique can be called through PyTorch too


@dataclasses.dataclass
class Footprint:
    """A case of memory in place of time: name -> function that returns a dict with "bytes", and
    "inputs" of them."""
    contenders: dict


@dataclasses.dataclass
class Case:
    group: str
    name: str
    make: typing.Callable  # make(context) -> Workload or Footprint
    size: int = NORMAL     # from which size of run on

    @property
    def full_name(self):
        return f"{self.group}/{self.name}"


@dataclasses.dataclass
class Context:
    clique: typing.Any
    machine: typing.Any
    graphs: typing.Any
    threads: int
    options: typing.Any


def chosen_cases(cases, options):
    size = QUICK if options.quick else FULL if options.full else NORMAL
    return [case for case in cases if case.size <= size and
            (options.filter is None or options.filter.search(case.full_name))]


def largest_error(result, reference):
    """The largest difference, of the reference's largest value."""
    import numpy as np
    if result.shape != reference.shape:
        return float("inf")
    scale = float(np.max(np.abs(reference))) or 1.0
    return float(np.max(np.abs(result.astype(np.float64) - reference))) / scale
