//===- Measure.cpp - Calls of a layer, and their times --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "benchmarks/device/driver/Measure.h"
#include "benchmarks/device/driver/Options.h"

#include <algorithm>
#include <chrono>

using namespace clique::device;

static constexpr double kSecondsOfGroup = 0.005;
static constexpr int64_t kMaxCallsOfGroup = 200;

static std::vector<TensorHandle>
enqueue(const clique_layer &layer, const std::vector<clique_value> &arguments) {
  std::vector<DLManagedTensor *> raw(size_t(layer.num_results), nullptr);
  check(clique_layer_invoke(&layer, arguments.data(), int32_t(arguments.size()),
                            raw.data(), layer.num_results));
  return std::vector<TensorHandle>(raw.begin(), raw.end());
}

/// Waits for what a layer has started; layers of the processor leave nothing.
static void finish(const clique_layer &layer) {
  if (layer.device_type == kDLCUDA)
    check(clique_cuda_synchronize());
}

std::vector<TensorHandle>
clique::device::invoke(const clique_layer &layer,
                       const std::vector<clique_value> &arguments) {
  std::vector<TensorHandle> results = enqueue(layer, arguments);
  finish(layer);
  return results;
}

/// Seconds of a group of calls.
static double timeGroup(const clique_layer &layer,
                        const std::vector<clique_value> &arguments,
                        int64_t calls) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  for (int64_t k = 0; k < calls; ++k)
    enqueue(layer, arguments);
  finish(layer);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static double findMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 ? values[half]
                           : (values[half - 1] + values[half]) / 2;
}

Measurement clique::device::measure(const clique_layer &layer,
                                    const std::vector<clique_value> &arguments,
                                    double budget) {
  double spent = 0, last = 0;
  do
    spent += last = timeGroup(layer, arguments, 1);
  while (spent < budget / 5);

  const int64_t group =
      std::clamp(int64_t(kSecondsOfGroup / last), int64_t(1), kMaxCallsOfGroup);
  std::vector<double> seconds;
  spent = 0;
  do {
    const double all = timeGroup(layer, arguments, group);
    seconds.push_back(all / double(group));
    spent += all;
  } while (spent < budget);
  const int64_t calls = group * int64_t(seconds.size());
  return {1e3 * findMedian(std::move(seconds)), calls};
}
