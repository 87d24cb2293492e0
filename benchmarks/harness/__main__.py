# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the cases of one table, beside the peers in one process."""

import datetime
import importlib
import logging
import os
import signal
import sys
import time

from . import options, report
from .cases import Context, chosen_cases
from .supervise import supervised

# Seconds for one case, peers' compilation included.
CASE_LIMIT = 900


def main():
    chosen = options.parse("Runs the cases of one table.")
    cases = chosen_cases(importlib.import_module(f"harness.{chosen.what}").cases(), chosen)
    if not cases:
        sys.exit("error: no case has that name; --list shows them")
    if chosen.list:
        print("\n".join(case.full_name for case in cases))
        return
    from .machine import Machine, describe
    machine = Machine(chosen.build / "benchmarks", chosen.threads)
    found = {"what": chosen.what, "date": datetime.date.today().isoformat(),
             "command": options.describe(sys.argv[1:]),
             "load": os.getloadavg()[0],
             "machine": describe(chosen.threads), "limits": machine.limits(), "rows": []}
    report.print_machine(found)
    if found["load"] > 0.5 * found["machine"]["cores"] and not chosen.passive:
        print("The machine is busy: libraries whose threads spin look slower than they are. "
              "Wait, or take --passive.")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        collect(cases, chosen, found["rows"])
        found["limits_after"] = machine.limits()
    except KeyboardInterrupt:
        print("\ninterrupted: the table ends here")
    report.write(found, chosen)


def collect(cases, chosen, rows):
    """Prints and keeps the rows as they come."""
    end = time.monotonic() + 60 * chosen.time_limit if chosen.time_limit else None
    for row in supervised(cases, lambda these: make_rows(these, chosen), CASE_LIMIT, end):
        if not rows or rows[-1]["group"] != row["group"]:
            print(f"\n{row['group']}")
        rows.append(row)
        print(report.console_row(row), flush=True)


def make_rows(cases, chosen):
    """The rows of the cases, in the process that has the libraries."""
    from .clique import Clique
    from .machine import Machine
    from .rows import run_case
    from .sparse.graphs import Graphs
    prepare_torch(chosen.threads)
    cache = chosen.build / "benchmarks"
    context = Context(Clique(chosen.build, cache, chosen.threads), Machine(cache, chosen.threads),
                      Graphs(chosen.data, cache), chosen.threads, chosen)
    for case in cases:
        yield run_case(case, context, chosen)


def prepare_torch(threads):
    try:
        import torch
        torch.set_num_threads(threads)
        torch._logging.set_logs(dynamo=logging.CRITICAL, inductor=logging.CRITICAL)
        logging.getLogger("torch.utils.cpp_extension").setLevel(logging.CRITICAL)
    except ImportError as error:
        print(f"PyTorch is missing: {error}", flush=True)


if __name__ == "__main__":
    main()
