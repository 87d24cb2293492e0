# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What takes longer than two seconds says so on a terminal, and wipes its line at the end."""
# RUN: rm -rf %t && mkdir %t && %python %s %examples/gat.mlir %t | FileCheck %s
# CHECK: compiling {{.*}}gat.mlir ... 2 s, then wiped

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import time

spec, folder = sys.argv[1], pathlib.Path(sys.argv[2])
SECONDS_OF_TICK = 1 / os.sysconf("SC_CLK_TCK")


def processor_time(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * SECONDS_OF_TICK


screen, terminal = pty.openpty()
with subprocess.Popen(["clique-compile", spec, "-o", str(folder / "layer.so")],
                      stderr=terminal) as process:
    os.close(terminal)
    # Its time goes on while it is stopped: in the middle of its work, but for a machine on which
    # it then had not begun.
    used = 0.1
    while process.poll() is None and not select.select([screen], [], [], 0)[0]:
        if processor_time(process) < used:
            time.sleep(0.001)
            continue
        process.send_signal(signal.SIGSTOP)
        time.sleep(2.2)
        process.send_signal(signal.SIGCONT)
        select.select([screen], [], [], 0.05)
        used = processor_time(process) + 0.1
    shown = b""
    while True:
        try:
            part = os.read(screen, 4096)
        except OSError:  # nobody has the terminal any more
            break
        shown += part
assert process.returncode == 0, (process.returncode, shown)
line, wipe = f"\rcompiling {spec} ... 2 s".encode(), b"\r\x1b[K"
assert shown.startswith(line) and shown.endswith(wipe), shown
print(line.decode().strip() + ", then wiped")
