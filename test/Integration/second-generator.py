# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second generator of layers, written from the documentation alone: it shares nothing with
clique-smith, the compiler and the reference interpreter. Each seed is a random layer, as MLIR text,
on a random graph, and evaluates itself in NumPy in double precision while it is written. It is
compiled and run through the Python package, with two lowerings, with one and two threads; of some
the gradients are compared with differences of NumPy's evaluations.

    second-generator.py build/python --seed=N --cases=N --jobs=N

A seed that fails prints its spec and its command. `--mistake` makes NumPy's sums wrong on purpose:
then cases have to fail."""
# REQUIRES: python-package
# RUN: %library_python %s %clique_obj_root/python --seed=4000 --cases=14 --jobs=1 | FileCheck %s
# CHECK: 14 cases from seed 4000, 0 failed
# RUN: not %library_python %s %clique_obj_root/python --seed=4000 --cases=1 --mistake \
# RUN:   | FileCheck %s --check-prefix=MISTAKE
# MISTAKE: seed 4000: auto, 1 thread: result

import argparse
import collections
import itertools
import multiprocessing
import os
import pathlib
import resource
import sys
import tempfile
import time
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))

import numpy as np

from second_generator.case import Case
from second_generator.compare import Runner, Wrong
from second_generator.segments import Segments

# A worker that has run so many cases makes place for a fresh one.
CASES_OF_A_WORKER = 150


def parse():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("package", help="the folder of the package `clique`: build/python")
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--layer", help="only cases in which a layer of this family is")
    parser.add_argument("--jobs", type=int, default=1, choices=(1, 2), help="processes")
    parser.add_argument("--limit", type=float, default=20, help="seconds of CPU for a case")
    parser.add_argument("--mistake", action="store_true", help="NumPy's sums are wrong on purpose")
    parser.add_argument("--print", action="store_true", help="print the specs, and run nothing")
    parser.add_argument("--verbose", action="store_true", help="a line for each case")
    return parser.parse_args()


def make_mistake():
    """Sums leave out the last edge of a node that has several."""
    right = Segments.sum

    def wrong(self, data):
        last = np.concatenate([self.owner[self.order][1:] != self.owner[self.order][:-1],
                               [True] * (len(data) > 0)])
        chosen = np.ones(len(data), bool)
        chosen[self.order[last & (self.sizes[self.owner[self.order]] > 1)]] = False
        return right(self, data * chosen.reshape(-1, *[1] * (data.ndim - 1)))

    Segments.sum = wrong


def work(options, connection, cache):
    """Runs the cases whose seeds arrive, in a process of its own."""
    np.seterr(all="ignore")
    os.environ["CLIQUE_CACHE_DIR"] = cache
    sys.path.insert(0, options.package)
    import clique  # pylint: disable=import-outside-toplevel
    runner = Runner(clique, cache)
    while (seed := connection.recv()) is not None:
        used = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (int(used + options.limit) + 1, -1))
        connection.send(run_case(clique, runner, seed) + (time.process_time() - used,))


def run_case(clique, runner, seed):
    """(seed, what is wrong or None, words to be counted)."""
    case = Case(seed)
    words = [case.elem, f"graph: {case.kind}", *(f"layer: {f}" for f in case.families)]
    try:
        return seed, None, words + runner.run(case)
    except Wrong as error:
        return seed, f"{error}\n{runner.verdict(case)}", words
    except clique.SpecError as error:
        return seed, f"refused: {error}", words
    except Exception:  # pylint: disable=broad-except
        return seed, traceback.format_exc(), words


class Worker:
    """A process and the seed that it is at."""

    def __init__(self, options, cache):
        self.options, self.cache = options, cache
        self.process = self.connection = self.seed = None
        self.left, self.since = 0, 0.0

    def start(self, seed):
        if self.process is None:
            self.connection, other = multiprocessing.Pipe()
            self.process = multiprocessing.Process(target=work,
                                                   args=(self.options, other, self.cache))
            self.process.start()
            other.close()
            self.left = CASES_OF_A_WORKER
        self.connection.send(seed)
        self.seed, self.since = seed, time.monotonic()

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None

    def poll(self):
        """The result, once there is one: a crash and a hang are results as well."""
        try:
            if self.connection.poll(0.05):
                result = self.connection.recv()
                self.left -= 1
                if not self.left:
                    self.stop()
                return result
        except EOFError:
            self.process.join()
            status = self.process.exitcode
            self.stop()
            return self.seed, f"the process ended with status {status}", ["crash or hang"], 0.0
        # A processor that others use, too, gives a case its seconds late.
        if time.monotonic() - self.since > 60 * self.options.limit:
            self.stop()
            return self.seed, "it does not end", ["crash or hang"], 0.0
        return None


def choose_seeds(options):
    wanted = (seed for seed in itertools.count(options.seed)
              if not options.layer or options.layer in Case(seed).families)
    return itertools.islice(wanted, options.cases)


def run_all(options, cache):
    seeds = choose_seeds(options)
    workers = [Worker(options, cache) for _ in range(options.jobs)]
    busy = []
    for worker in workers:
        if (seed := next(seeds, None)) is not None:
            worker.start(seed)
            busy.append(worker)
    while busy:
        for worker in list(busy):
            if (result := worker.poll()) is None:
                continue
            yield result
            if (seed := next(seeds, None)) is not None:
                worker.start(seed)
            else:
                busy.remove(worker)
    for worker in workers:
        worker.stop()


def report(seed, wrong, package):
    print(f"seed {seed}: {wrong}")
    try:
        print(Case(seed).text)
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()
    print(f"again: {sys.argv[0]} {package} --seed={seed} --cases=1\n", flush=True)


def main():
    options = parse()
    np.seterr(all="ignore")
    if options.mistake:
        make_mistake()
    if options.print:
        for case in map(Case, choose_seeds(options)):
            print(f"// Seed {case.seed}: {case.kind}, {', '.join(case.families)}\n{case.text}")
        return 0
    failed, counts, seconds = [], collections.Counter(), []
    with tempfile.TemporaryDirectory() as cache:
        for seed, wrong, words, used in run_all(options, cache):
            counts.update(set(words))
            seconds.append(used)
            if wrong:
                failed.append(seed)
                report(seed, wrong, options.package)
            if options.verbose:
                print(f"seed {seed}: {used:.2f} s: {', '.join(words)}", flush=True)
    for word, count in sorted(counts.items()):
        print(f"{count:6} {word}")
    print(f"{len(seconds)} cases from seed {options.seed}, {len(failed)} failed"
          f"{': ' + ', '.join(map(str, failed)) if failed else ''}; "
          f"{sum(seconds) / max(len(seconds), 1):.2f} s of CPU each, {max(seconds):.2f} at most")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
