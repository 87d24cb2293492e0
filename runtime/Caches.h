//===- Caches.h - The sizes of this machine's caches ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CACHES_H
#define CLIQUE_RUNTIME_CACHES_H

#include <cstdint>

namespace clique {

/// Bytes that a core finds in its first cache, its second, and in the last one.
struct CacheSizes {
  int64_t first;
  int64_t second;
  int64_t last;
};

/// Those of this machine; a usual server's where it does not say.
CacheSizes cacheSizes();

} // namespace clique

#endif // CLIQUE_RUNTIME_CACHES_H
