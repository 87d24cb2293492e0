//===- Invocation.cpp - Runs a layer and takes the time -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/Invocation.h"
#include "tools/clique-run/DeviceTensors.h"
#include "tools/clique-run/Graphs.h"
#include "tools/support/Progress.h"

#include <chrono>

using namespace llvm;
using namespace clique;

/// Invokes the layer and appends the time it took.
static Expected<std::vector<TensorHandle>>
invoke(const clique_layer &layer, ArrayRef<clique_value> arguments,
       std::vector<double> &seconds) {
  std::vector<DLManagedTensor *> raw(layer.num_results, nullptr);
  auto start = std::chrono::steady_clock::now();
  clique_status status =
      clique_layer_invoke(&layer, arguments.data(), int32_t(arguments.size()),
                          raw.data(), layer.num_results);
  if (status != CLIQUE_OK)
    return makeRuntimeError();
  std::vector<TensorHandle> results(raw.begin(), raw.end());
  if (Error error = waitForDevice(layer))
    return std::move(error);
  auto end = std::chrono::steady_clock::now();
  seconds.push_back(std::chrono::duration<double>(end - start).count());
  return results;
}

Expected<std::vector<TensorHandle>>
clique::runRepeatedly(const clique_layer &layer,
                      ArrayRef<clique_value> arguments, unsigned repeat,
                      std::vector<double> &seconds) {
  Progress progress("running " + std::string(layer.name));
  clique_reset_peak_memory();
  auto results = invoke(layer, arguments, seconds);
  if (repeat == 1 || !results)
    return results;
  // The first run fills caches: of the processor, of the graph, of scratch.
  seconds.clear();
  for (unsigned k = 0; k < repeat && results; ++k) {
    results->clear();
    results = invoke(layer, arguments, seconds);
  }
  return results;
}
