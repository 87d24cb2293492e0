//===- Memory.cpp - The memory of this machine ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/support/Memory.h"

#include <algorithm>
#include <sys/resource.h>
#include <unistd.h>

uint64_t clique::getMostMemory() {
  const uint64_t physical =
      uint64_t(sysconf(_SC_PHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
  rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0
             ? std::min<uint64_t>(physical, limit.rlim_cur)
             : physical;
}
