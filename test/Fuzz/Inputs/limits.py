# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Limits of the processes that run changed input."""

import resource

SECONDS = 120  # of processor time, also where the tools are instrumented


class Limits:
    """To be called in a new process: no core file, limits of processor time and of addresses.
    Address sanitizers reserve more addresses than there is memory: no limit with them."""

    def __init__(self, tools, gigabytes):
        self.isInstrumented = b"__asan_init" in (tools / "clique-run").read_bytes()
        self.addresses = resource.RLIM_INFINITY if self.isInstrumented else gigabytes << 30

    def __call__(self):
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
        resource.setrlimit(resource.RLIMIT_AS, (self.addresses, self.addresses))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
