# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One row of a table: the contenders of a case, their results compared, their times."""

import statistics

from . import through_torch
from .cases import (CLIQUE, ONE_THREAD, THROUGH_TORCH, TOLERANCE, Footprint, Runner,
                    largest_error)
from .timing import alternate, ratio

LIMIT = "the machine"


def first_line(error):
    text = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {text[0]}"[:300]


def is_wanted(name, peers):
    return name.startswith(CLIQUE) or peers is None or \
        any(name.startswith(peer) for peer in peers.split(","))


def run_case(case, context, chosen):
    row = {"group": case.group, "name": case.name, "contenders": {}}
    try:
        workload = case.make(context)
    except Exception as error:
        row["skipped"] = first_line(error)
        return row
    if isinstance(workload, Footprint):
        weigh(workload, chosen, row)
        return row
    runners, own = {}, None
    for name, make in workload.contenders.items():
        if is_wanted(name, chosen.peers):
            result = start(name, make, runners, row)
            if name == CLIQUE:
                own = result
            elif own is not None and result is not None:
                row["contenders"][name]["error"] = largest_error(own, result)
    judge(runners, row)
    if own is not None and chosen.threads > 1:
        alone = start(ONE_THREAD, lambda: on_one_thread(runners[CLIQUE], context.clique),
                      runners, row)
        if alone is not None and alone.tobytes() != own.tobytes():
            row["wrong"] = "the result depends on the number of threads"
    if own is not None and workload.calls_torch and through_torch.is_possible(context.clique):
        made = start(THROUGH_TORCH, lambda: by_way_of_torch(workload, context.clique), runners,
                     row)
        if made is not None and made.tobytes() != own.tobytes():
            row["wrong"] = "the result of a call through PyTorch differs"
    for name, make in workload.unlike.items():
        start(name, make, runners, row)
    measure(runners, workload, context, chosen, row)
    return row


def weigh(footprint, chosen, row):
    cells = row["contenders"]
    for name, measure_bytes in footprint.contenders.items():
        if is_wanted(name, chosen.peers):
            try:
                cells[name] = measure_bytes()
            except Exception as error:
                cells[name] = {"problem": first_line(error)}
    own = cells.get(CLIQUE, {}).get("bytes")
    for cell in cells.values():
        if own and "bytes" in cell:
            cell["ratio"] = cell["bytes"] / own


def start(name, make, runners, row):
    """The first result of a contender, which joins the runners; None if it cannot run."""
    row["contenders"][name] = {}
    try:
        runner = make()
        result = runner.result()
    except Exception as error:
        row["contenders"][name]["problem"] = first_line(error)
        return None
    runners[name] = runner
    return result


def on_one_thread(runner, clique):
    def alone(function):
        def call():
            clique.set_threads(1)
            try:
                return function()
            finally:
                clique.set_threads(clique.threads)
        return call

    return Runner(alone(runner.call), alone(runner.result))


def by_way_of_torch(workload, clique):
    clique.through_torch = True
    try:
        return workload.contenders[CLIQUE]()
    finally:
        clique.through_torch = False


def judge(runners, row):
    """The row is wrong if Clique's result differs from most of the others; else a peer that
    differs computes something else, and gets no figure."""
    errors = {name: cell["error"] for name, cell in row["contenders"].items() if "error" in cell}
    differing = [name for name, error in errors.items() if not error <= TOLERANCE]
    for name in differing:
        row["contenders"][name]["problem"] = \
            f"differs by {errors[name]:.1e} of the largest value"
        del runners[name]
    if 2 * len(differing) > len(errors):
        row["wrong"] = "differs from " + ", ".join(differing)


def measure(runners, workload, context, chosen, row):
    """Times of the runners and, in the same rounds, the limit that their shares are taken of."""
    limits = []  # seconds that the machine would need
    calls = {name: runner.call for name, runner in runners.items()}
    if workload.flops:
        calls[LIMIT] = lambda: limits.append(workload.flops / context.machine.fma(seconds=0.02))
    elif workload.seconds_bound:
        calls[LIMIT] = lambda: limits.append(workload.seconds_bound())
    timings = alternate(calls, chosen.budget, on_error=lambda name, error: row["contenders"][
        name].update(problem=first_line(error)))
    timings.pop(LIMIT, None)
    if limits:
        row["limit_seconds"] = statistics.median(limits)
        row["flops"] = workload.flops
    for name, timing in timings.items():
        cell = row["contenders"][name]
        cell.update(seconds=timing.median, best=timing.best, calls=timing.calls)
        if CLIQUE in timings:
            cell["ratio"] = ratio(timing, timings[CLIQUE])
        if limits and name not in workload.unlike:
            cell["share"] = row["limit_seconds"] / timing.median
