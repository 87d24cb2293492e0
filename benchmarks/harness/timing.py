# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Alternating runs and their medians.

Contenders take turns: in each round everyone gets a share of the time, one after the other, and
the order turns from round to round. Before a turn the harness waits until the threads of the
one before have gone to sleep; the turn's first call wakes up its own and is not counted."""

import dataclasses
import statistics
import time

ROUNDS = 5
# Calls per turn, so that a tiny case does not fill the memory with figures.
MAX_CALLS = 2000


@dataclasses.dataclass
class Timing:
    """Seconds of every counted call, a list per round."""
    rounds: list

    @property
    def calls(self):
        return sum(len(one) for one in self.rounds)

    @property
    def median(self):
        return statistics.median(seconds for one in self.rounds for seconds in one)

    @property
    def best(self):
        return min(seconds for one in self.rounds for seconds in one)


def ratio(other, own):
    """How many times longer `other` takes than `own`: the median over the rounds, in each of
    which both ran under the same conditions."""
    return statistics.median(statistics.median(a) / statistics.median(b)
                             for a, b in zip(other.rounds, own.rounds))


def settle(limit=0.3, step=0.004):
    """Waits until no thread of this process computes."""
    end = time.monotonic() + limit
    quiet = 0
    while quiet < 2 and time.monotonic() < end:
        before = time.process_time()
        time.sleep(step)
        quiet = quiet + 1 if time.process_time() - before < 0.1 * step else 0


def run_turn(call, seconds):
    """Times of the calls of one turn: at least one. A call that takes the whole turn is counted
    although it was the first."""
    begin = time.perf_counter()
    call()
    now = time.perf_counter()
    if now - begin >= seconds:
        return [now - begin]
    times = []
    end = now + seconds
    while len(times) < MAX_CALLS and (not times or now < end):
        begin = time.perf_counter()
        call()
        now = time.perf_counter()
        times.append(now - begin)
    return times


def alternate(calls, budget, rounds=ROUNDS, on_error=None):
    """Times of all contenders, name -> Timing. `calls`: name -> function. One that raises is
    left out, and on_error(name, exception) is told. One that has taken twice its budget has no
    further turn."""
    active = dict(calls)
    taken = {name: [] for name in calls}
    spent = dict.fromkeys(calls, 0.0)
    for turn in range(rounds):
        names = [name for name in active if spent[name] < 2 * budget]
        for name in turned(names, turn):
            settle()
            begin = time.perf_counter()
            try:
                taken[name].append(run_turn(active[name], budget / rounds))
            except Exception as error:  # a peer's failure is a result, not ours
                if on_error is None:
                    raise
                del active[name]
                on_error(name, error)
            spent[name] += time.perf_counter() - begin
    return {name: Timing(taken[name]) for name in active}


def turned(names, turn):
    """The names in another order each turn."""
    start = turn % len(names) if names else 0
    return names[start:] + names[:start]
