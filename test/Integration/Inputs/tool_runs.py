# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many runs of clique-run, as many at a time as there are processors.

Of the 60 ms that the program takes to start, the dynamic linker takes most, on the symbols
of libMLIR and libLLVM. Where lit names the library of the tools in CLIQUE_TOOLS_LIBRARY, it
is loaded once, and each run is a copy of this process. Without it, as in builds with
sanitizers, each is the program."""

import collections
import ctypes
import os

Done = collections.namedtuple("Done", "status text")


def _load():
    path = os.environ.get("CLIQUE_TOOLS_LIBRARY")
    return ctypes.CDLL(path) if path else None


def _run_copy(library, words, output):
    """In the copy: does not return."""
    try:
        os.dup2(output, 1)
        os.dup2(output, 2)
        vector = (ctypes.c_char_p * (len(words) + 1))(*(word.encode() for word in words), None)
        status = library.clique_tool_main(b"run", len(words), vector)
        # With what the libraries do at the end, without Python's part.
        ctypes.CDLL(None).exit(status)
    finally:
        os._exit(70)


def _start(library, words, environment):
    output = os.memfd_create("output")
    words = ["clique-run", *map(str, words)]
    if library is None:
        into = [(os.POSIX_SPAWN_DUP2, output, number) for number in (1, 2)]
        return os.posix_spawnp(words[0], words, {**os.environ, **environment},
                               file_actions=into), output
    pid = os.fork()
    if pid == 0:
        os.environ.update(environment)
        _run_copy(library, words, output)
    return pid, output


def _finish(output, status):
    with open(output, "rb", closefd=True) as file:
        file.seek(0)
        return Done(os.waitstatus_to_exitcode(status), file.read().decode(errors="replace"))


def run_all(commands):
    """What became of each command, a pair of the words behind `clique-run` and of variables of
    the environment. Of one that a signal ended the status is negative."""
    library, running, done = _load(), {}, [None] * len(commands)
    for number, (words, environment) in enumerate(commands):
        if len(running) == os.cpu_count():
            _wait(running, done)
        pid, output = _start(library, words, environment)
        running[pid] = number, output
    while running:
        _wait(running, done)
    return done


def _wait(running, done):
    pid, status = os.wait()
    number, output = running.pop(pid)
    done[number] = _finish(output, status)
