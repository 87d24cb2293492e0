//===- CompiledArrays.h - Arrays of compiled code ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of arrays, as compiled code hands them over and takes them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_COMPILEDARRAYS_H
#define CLIQUE_RUNTIME_COMPILEDARRAYS_H

#include "runtime/Graph.h"
#include "runtime/Invocation.h"
#include "runtime/compiled.h"

namespace clique {

/// Points a descriptor at an array of what belongs to the graph, or at its copy
/// among `copies` on the invocation's device.
template <typename T>
void lend(Memref1D<const T> *out, const clique_graph *g, ArrayView<T> array,
          DeviceArrays &copies) {
  const T *data = array.data(), *allocated = data;
  const Invocation *invocation = Invocation::current();
  if (Device *device = Invocation::currentDevice()) {
    data = static_cast<const T *>(copies.get(
        *device, data, array.size() * sizeof(T), !invocation->owns(g)));
    // A block of the device's memory, but none that the layer may free.
    allocated = nullptr;
  }
  *out = {allocated, data, 0, int64_t(array.size()), 1};
}

/// The same of an array that lives as long as the graph.
template <typename T>
void lend(Memref1D<const T> *out, const clique_graph *g, ArrayView<T> array) {
  lend(out, g, array, g->onDevices());
}

template <typename T>
void lend(Memref1D<const T> *out, const clique_graph *g,
          const std::vector<T> &array) {
  lend(out, g, ArrayView<T>(array));
}

/// A contiguous view of a descriptor's elements; a copy of those of a device.
template <typename T>
class Elements {
public:
  explicit Elements(const Memref1D<const T> &array) : count(array.size) {
    const T *start = array.aligned + array.offset;
    std::vector<T> fetched;
    if (Device *device = Invocation::currentDevice(); device && count > 0) {
      fetched.resize((count - 1) * array.stride + 1);
      device->read(fetched.data(), start, fetched.size() * sizeof(T));
      start = fetched.data();
    }
    if (array.stride == 1 || array.size <= 1) {
      copy = std::move(fetched);
      first = start;
      return;
    }
    copy.reserve(array.size);
    for (int64_t k = 0; k < array.size; ++k)
      copy.push_back(start[k * array.stride]);
    first = copy.data();
  }

  const T *data() const { return first; }
  int64_t size() const { return count; }

private:
  int64_t count;
  const T *first;
  std::vector<T> copy;
};

} // namespace clique

#endif // CLIQUE_RUNTIME_COMPILEDARRAYS_H
