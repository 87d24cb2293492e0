# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of the machine: a contender that would not fit must not end the run."""

import os


def available():
    with open("/proc/meminfo", encoding="ascii") as lines:
        for line in lines:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")


def require_memory(count):
    if count > 0.8 * available():
        raise MemoryError(f"would need about {count / 2**30:.0f} GiB, "
                          f"{available() / 2**30:.0f} GiB are free")
