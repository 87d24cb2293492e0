# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that a signal ends says so, with what it was doing, and leaves nothing half-written."""
# Sanitizers report signals themselves, and end the program in another way.
# UNSUPPORTED: asan
# RUN: %python %s %examples/attention.mlir | FileCheck %s
# CHECK: ended by SIGSEGV: reported, nothing left
# CHECK: ended by SIGABRT: reported, nothing left

import pathlib
import signal
import subprocess
import sys
import tempfile
import time


def end(spec, folder, number):
    """Ends clique-compile while it has a file open; it takes seconds for three processors."""
    command = ["clique-compile", spec, "--cpu=multi", "-o", str(folder / "layer.so")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        while not list(folder.iterdir()) and process.poll() is None:
            time.sleep(0.001)
        time.sleep(0.1)
        process.send_signal(number)
        errors = process.communicate()[1]
    return process.returncode, errors


for number in (signal.SIGSEGV, signal.SIGABRT):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        status, errors = end(sys.argv[1], folder, number)
        assert status == -number, status
        assert errors.startswith("clique-compile: error: ended by a defect of the program; "
                                 "nothing was written; report it with the spec"), errors
        assert f"compiling {sys.argv[1]}" in errors, errors
        assert not list(folder.iterdir()), list(folder.iterdir())
    print(f"ended by {number.name}: reported, nothing left")
