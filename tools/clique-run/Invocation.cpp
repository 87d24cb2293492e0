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
#include <cstring>
#include <numeric>

using namespace llvm;
using namespace clique;

/// Invokes the layer once and takes the time.
static Expected<std::vector<TensorHandle>>
invoke(const clique_layer &layer, ArrayRef<clique_value> arguments,
       double &seconds) {
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
  seconds = std::chrono::duration<double>(end - start).count();
  return results;
}

/// Whether the layer runs once more.
static bool runsAgain(const RunRequest &request, const RunTimes &times) {
  // A run of its own, which nothing went before.
  if (request.repeat)
    return *request.repeat > 1 && times.warm.size() < *request.repeat;
  // The time of an emulation tells nothing.
  if (request.emulate)
    return false;
  constexpr size_t most = 10;
  constexpr double enough = 0.05, tooLong = 1;
  const double spent =
      std::accumulate(times.warm.begin(), times.warm.end(), 0.);
  return times.first < tooLong && times.warm.size() < most && spent < enough;
}

Expected<std::vector<TensorHandle>>
clique::runRepeatedly(const clique_layer &layer,
                      ArrayRef<clique_value> arguments,
                      const RunRequest &request, RunTimes &times) {
  Progress progress("running " + std::string(layer.name));
  clique_reset_peak_memory();
  auto results = invoke(layer, arguments, times.first);
  // The first run fills caches: of the processor, of the graph, of scratch.
  while (results && runsAgain(request, times)) {
    results->clear();
    results = invoke(layer, arguments, times.warm.emplace_back());
  }
  return results;
}

static size_t getNumBytes(const DLTensor &tensor) {
  return size_t(getNumElements(tensor)) * ((tensor.dtype.bits + 7) / 8);
}

Error clique::verifyThreads(const clique_layer &layer,
                            ArrayRef<clique_value> arguments,
                            const RunRequest &request,
                            ArrayRef<TensorHandle> results) {
  // Versions that the clock chooses differ by rounding.
  if (runsOnGpu(layer) || request.lowering == CLIQUE_LOWERING_MEASURED)
    return Error::success();
  const bool isOne = request.threads == 1;
  clique_set_num_threads(isOne ? 2 : 1);
  double seconds = 0;
  auto others = invoke(layer, arguments, seconds);
  clique_set_num_threads(int32_t(request.threads));
  if (!others)
    return others.takeError();
  for (auto [k, result, other] : enumerate(results, *others)) {
    const DLTensor &own = result->dl_tensor;
    if (std::memcmp(own.data, other->dl_tensor.data, getNumBytes(own)) == 0)
      continue;
    return createStringError(std::errc::result_out_of_range,
                             "%s: result number %zu has other bits with %s; "
                             "results must not depend on the number of "
                             "threads; no output was written",
                             layer.name, k,
                             isOne ? "two threads" : "one thread");
  }
  return Error::success();
}
