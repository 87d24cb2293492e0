//===- Caches.cpp - The sizes of this machine's caches --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As Linux describes them: sysconf() gives the caches of all cores of an AMD
// processor as one.
//
//===----------------------------------------------------------------------===//
#include "runtime/Caches.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

using namespace clique;

static CacheSizes readSizes() {
  constexpr int64_t kKiB = 1024, kMiB = 1024 * kKiB;
  constexpr CacheSizes usual = {32 * kKiB, 1 * kMiB, 32 * kMiB};
  CacheSizes sizes = {0, 0, 0};
  for (int index = 0;; ++index) {
    const std::string folder =
        fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    int level = 0;
    int64_t number = 0;
    char unit = 0;
    if (!(std::ifstream(folder + "level") >> level))
      break;
    if (!(std::ifstream(folder + "size") >> number >> unit) || number <= 0)
      continue;
    const int64_t bytes = number * (unit == 'M' ? kMiB : kKiB);
    // Of data: it comes before that of instructions.
    if (level == 1 && !sizes.first)
      sizes.first = bytes;
    if (level == 2)
      sizes.second = bytes;
    if (level >= 2)
      sizes.last = std::max(sizes.last, bytes);
  }
  return sizes.first && sizes.second ? sizes : usual;
}

CacheSizes clique::cacheSizes() {
  static const CacheSizes sizes = readSizes();
  return sizes;
}
