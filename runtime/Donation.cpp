//===- Donation.cpp - Arguments that the caller gives away ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/Donation.h"
#include "runtime/Error.h"

#include <algorithm>
#include <functional>

using namespace clique;

/// Calls `fn` with each tensor, once.
template <typename Fn>
static void forEach(DLManagedTensor *const *given, int32_t count, Fn &&fn) {
  for (int32_t k = 0; given && k < count; ++k)
    if (given[k] && std::find(given, given + k, given[k]) == given + k)
      fn(given[k]);
}

Donation::Donation(DLManagedTensor *const *given, int32_t count) {
  if (!given || count <= 0)
    return;
  try {
    ofArgument.assign(given, given + count);
    tensors.reserve(count);
  } catch (...) {
    forEach(given, count, [](DLManagedTensor *t) { TensorPtr owned(t); });
    throw;
  }
  forEach(given, count, [&](DLManagedTensor *t) { tensors.emplace_back(t); });
}

/// Whether two tensors have a byte in common.
static bool overlap(const DLTensor &a, const DLTensor &b) {
  auto end = [](const DLTensor &t) {
    return tensorData(t) +
           countElements(t.shape, t.ndim) * elementBytes(t.dtype);
  };
  std::less<const char *> isBelow;
  return isBelow(tensorData(a), end(b)) && isBelow(tensorData(b), end(a));
}

void Donation::check(const clique_layer &layer,
                     const clique_value *args) const {
  for (size_t k = 0; k < ofArgument.size(); ++k) {
    if (!ofArgument[k])
      continue;
    const DLTensor &tensor = ofArgument[k]->dl_tensor;
    const char *name = layer.args[k].name;
    if (layer.args[k].kind == CLIQUE_ARG_GRAPH || args[k].tensor != &tensor)
      fail(CLIQUE_INVALID_ARGUMENT,
           "{}: argument '{}': the tensor that is given away for it is another "
           "one; expected NULL, or the tensor whose dl_tensor the argument is",
           layer.name, name);
    for (size_t other = 0; other < ofArgument.size(); ++other)
      if (other != k && layer.args[other].kind != CLIQUE_ARG_GRAPH &&
          (args[other].tensor == &tensor ||
           overlap(*args[other].tensor, tensor)))
        fail(CLIQUE_INVALID_ARGUMENT,
             "{}: argument '{}': is given away, but shares memory with "
             "argument '{}'; expected memory of its own: give none of the two "
             "away, or a copy",
             layer.name, name, layer.args[other].name);
  }
}

void Donation::giveTo(Invocation &invocation) {
  // Memory of a device is freed in the order of its stream: at the end of the
  // call that is no later than where the layer would free it.
  if (invocation.device())
    return;
  std::vector<void *> blocks;
  blocks.reserve(tensors.size());
  for (const TensorPtr &tensor : tensors)
    if (void *block = detachBlock(*tensor))
      blocks.push_back(block);
  invocation.adoptArguments(std::move(blocks));
}
