# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases in a child process, so that one that crashes, is killed for its memory or never ends
becomes a row of the table and not the end of the run."""

import json
import os
import select
import signal
import sys
import time
import traceback

ENDED = "ended"


def supervised(cases, make_rows, case_limit, end=None):
    """The rows that make_rows(cases) yields, one for each case, made in a child; a new child
    goes on after the case at which the last one ended. Seconds: case_limit for one case; after
    the monotonic time `end` no further case is started."""
    left = list(cases)
    while left:
        child, lines = start_child(left, make_rows)
        reason = None
        try:
            while left and reason is None:
                if end is not None and time.monotonic() > end:
                    reason = "time limit"
                    break
                line = read_line(lines, case_limit)
                if line is None:
                    reason = f"no result after {case_limit:.0f} s"
                elif not line:
                    reason = ENDED
                else:
                    left.pop(0)
                    yield json.loads(line)
        finally:
            if reason != ENDED:
                os.kill(child, signal.SIGKILL)
            status = os.waitpid(child, 0)[1]
            lines.close()
        if reason == "time limit":
            yield from (skipped(left.pop(0), reason) for _ in list(left))
        elif left:
            yield skipped(left.pop(0), describe(status) if reason == ENDED else reason)


def skipped(case, reason):
    return {"group": case.group, "name": case.name, "contenders": {}, "skipped": reason}


def describe(status):
    if os.WIFSIGNALED(status):
        return f"the process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"the process ended with status {os.WEXITSTATUS(status)}"


def start_child(cases, make_rows):
    """Its id, and the end of a pipe from which its rows come, a line each."""
    source, sink = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child:
        os.close(sink)
        return child, os.fdopen(source, "rb", buffering=0)
    status = 1
    try:
        os.close(source)
        with os.fdopen(sink, "w") as out:
            for row in make_rows(cases):
                print(json.dumps(row), file=out, flush=True)
        status = 0
    except KeyboardInterrupt:
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def read_line(lines, limit):
    """The next line, b"" at the end, None if none came in time."""
    line = b""
    end = time.monotonic() + limit
    while not line.endswith(b"\n"):
        if not select.select([lines], [], [], max(0, end - time.monotonic()))[0]:
            return None
        part = lines.read(1)
        if not part:
            return b""
        line += part
    return line
