# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases of one table, beside the peers in one process."""

import datetime
import importlib
import sys
import time
import traceback

from . import options, report
from .cases import CLIQUE, TOLERANCE, Context, chosen_cases, largest_error
from .timing import alternate, ratio


def main():
    chosen = options.parse("Runs the cases of one table.")
    cases = chosen_cases(importlib.import_module(f"harness.{chosen.what}").cases(), chosen)
    if not cases:
        sys.exit("error: no case has that name; --list shows them")
    if chosen.list:
        print("\n".join(case.full_name for case in cases))
        return
    from .clique import Clique
    from .machine import Machine, describe
    from .sparse.graphs import Graphs
    limit_threads(chosen.threads)
    cache = chosen.build / "benchmarks"
    machine = Machine(cache, chosen.threads)
    context = Context(Clique(chosen.build, cache, chosen.threads), machine,
                      Graphs(chosen.data, cache), chosen.threads)
    found = {"what": chosen.what, "date": datetime.date.today().isoformat(),
             "command": " ".join(["benchmarks/run", *sys.argv[1:]]),
             "machine": describe(chosen.threads), "limits": machine.limits(), "rows": []}
    report.print_machine(found)
    run_cases(cases, context, chosen, found)
    found["limits_after"] = machine.limits()
    report.write(found, chosen)


def limit_threads(threads):
    try:
        import torch
        torch.set_num_threads(threads)
    except ImportError as error:
        print(f"PyTorch is missing: {error}")


def run_cases(cases, context, chosen, found):
    begin = time.monotonic()
    group = None
    for case in cases:
        if chosen.time_limit and time.monotonic() - begin > 60 * chosen.time_limit:
            row = {"group": case.group, "name": case.name, "contenders": {},
                   "skipped": "time limit"}
        else:
            row = run_case(case, context, chosen)
        found["rows"].append(row)
        if case.group != group:
            group = case.group
            print(f"\n{group}")
        print(report.console_row(row), flush=True)


def is_wanted(name, peers):
    return name == CLIQUE or peers is None or any(name.startswith(peer) for peer in
                                                  peers.split(","))


def run_case(case, context, chosen):
    row = {"group": case.group, "name": case.name, "contenders": {}}
    try:
        workload = case.make(context)
    except Exception as error:
        row["skipped"] = first_line(error)
        return row
    runners = {}
    for name, make in workload.contenders.items():
        if is_wanted(name, chosen.peers):
            try:
                runner = make()
                runner.call()
                runners[name] = runner
                row["contenders"][name] = {}
            except Exception as error:
                if not isinstance(error, ImportError) and name == CLIQUE:
                    traceback.print_exc()
                row["contenders"][name] = {"problem": first_line(error)}
    compare(runners, row)
    measure(runners, workload, context, chosen, row)
    return row


def first_line(error):
    text = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {text[0]}"[:300]


def compare(runners, row):
    """The largest difference of each peer's result from Clique's own. The row is wrong if Clique
    differs from most of them; else a peer that differs computes something else."""
    if CLIQUE not in runners:
        return
    own = runners[CLIQUE].result()
    others = [name for name in runners if name != CLIQUE]
    for name in others:
        row["contenders"][name]["error"] = largest_error(own, runners[name].result())
    differing = [name for name in others if not row["contenders"][name]["error"] <= TOLERANCE]
    for name in differing:
        text = f"differs by {row['contenders'][name]['error']:.1e} of the largest value"
        row["contenders"][name]["problem"] = text
        del runners[name]
    if 2 * len(differing) > len(others):
        row["wrong"] = "differs from " + ", ".join(differing)


def measure(runners, workload, context, chosen, row):
    peaks, bounds = [], []
    calls = {name: runner.call for name, runner in runners.items()}
    if workload.flops:
        calls[" peak"] = lambda: peaks.append(context.machine.fma(seconds=0.02))
    if workload.seconds_bound:
        calls[" bound"] = lambda: bounds.append(workload.seconds_bound())
    timings = alternate(calls, chosen.budget, on_error=lambda name, error: row["contenders"][
        name].update(problem=first_line(error)))
    own = timings.get(CLIQUE)
    for name, timing in timings.items():
        if name.startswith(" "):
            continue
        cell = row["contenders"][name]
        cell.update(seconds=timing.median, best=timing.best, calls=timing.calls)
        if workload.flops:
            cell["gflops"] = workload.flops / timing.median / 1e9
        if own:
            cell["ratio"] = ratio(timing, own)
    if own and peaks:
        peak = sorted(peaks)[len(peaks) // 2]
        row["peak_gflops"] = peak / 1e9
        for name in runners:
            cell = row["contenders"][name]
            if "seconds" in cell:
                cell["share"] = workload.flops / cell["seconds"] / peak
    if own and bounds:
        bound = sorted(bounds)[len(bounds) // 2]
        row["bound_seconds"] = bound
        for name in runners:
            cell = row["contenders"][name]
            if "seconds" in cell:
                cell["share"] = bound / cell["seconds"]


if __name__ == "__main__":
    main()
