//===- DeviceArrays.h - The host's arrays on devices ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of the arrays of a graph, or of a layer's constants, in the memory of
// devices: made once, when a layer asks, and kept with the graph or the layer's
// code. Thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_DEVICEARRAYS_H
#define CLIQUE_RUNTIME_DEVICEARRAYS_H

#include "runtime/Device.h"

#include <map>
#include <mutex>
#include <utility>

namespace clique {

class DeviceArrays {
public:
  DeviceArrays() = default;
  DeviceArrays(const DeviceArrays &) = delete;
  DeviceArrays &operator=(const DeviceArrays &) = delete;
  ~DeviceArrays();

  /// The copy of the host's array, which does not change. `isShared`: other
  /// invocations, on other streams, may use it too.
  const void *get(Device &device, const void *host, size_t bytes,
                  bool isShared);

private:
  struct Copy {
    void *block = nullptr;
    bool isShared = false;
  };
  std::mutex mutex;
  std::map<std::pair<BlockCache *, const void *>, Copy> copies;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_DEVICEARRAYS_H
