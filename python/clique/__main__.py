# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command-line tools: `python -m clique run|compile|graph|opt|explain ...`."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from typing import Sequence

from . import __version__

USAGE = f"""Clique {__version__}: message-passing layers, compiled.

usage: python -m clique run SPEC.mlir --graph=GRAPH ...       runs a layer, as clique-run
       python -m clique compile SPEC.mlir -o LAYER.so ...     compiles one, as clique-compile
       python -m clique graph inspect GRAPH ...               says what a graph is, as clique-graph
       python -m clique opt SPEC.mlir --PASS ...              runs passes, as clique-opt
       python -m clique explain SPEC.mlir [GRAPH]             what the compiler decided, and why

`python -m clique run --help` and so on list the options.
"""


def say(text: str) -> None:
    try:
        print(text, flush=True)
    except OSError as error:
        print(f"error: standard output: cannot be written: {error.strerror}", file=sys.stderr)
        # What is left of it would be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)


def run_tool(tool: str, arguments: Sequence[str]) -> int:
    from . import _compiler

    # Python's handler would wait for the tool, which Ctrl-C ends at once.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    words = [f"clique-{tool}", *arguments]
    vector = (ctypes.c_char_p * (len(words) + 1))(*map(os.fsencode, words), None)
    return int(_compiler.library().clique_tool_main(tool.encode(), len(words), vector))


def explain(arguments: Sequence[str]) -> int:
    import clique

    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print("usage: python -m clique explain SPEC.mlir [GRAPH]", file=sys.stderr)
        return 2
    try:
        module = clique.compile_module(arguments[0])
    except (clique.Error, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    for layer in module:
        say(layer.explain())
        if len(arguments) == 2:
            status = run_tool("run", [arguments[0], f"--entry={layer.name}",
                                      f"--graph={arguments[1]}", "--explain"])
            if status:
                return status
    return 0


def main() -> int:
    # As the tools, it ends when nobody reads what it says.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        say(USAGE.rstrip())
        return 0 if arguments else 2
    if arguments[0] == "--version":
        say(__version__)
        return 0
    if arguments[0] == "explain":
        return explain(arguments[1:])
    if arguments[0] in ("run", "compile", "graph", "opt"):
        return run_tool(arguments[0], arguments[1:])
    print(f"error: there is no command '{arguments[0]}'; there are run, compile, graph, opt "
          "and explain",
          file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
