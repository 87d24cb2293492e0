//===- Measure.h - Calls of a layer, and their times ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_BENCHMARKS_DEVICE_DRIVER_MEASURE_H
#define CLIQUE_BENCHMARKS_DEVICE_DRIVER_MEASURE_H

#include "benchmarks/device/driver/Tensors.h"

namespace clique::device {

/// Calls the layer and waits for it. Throws std::runtime_error.
std::vector<TensorHandle> invoke(const clique_layer &layer,
                                 const std::vector<clique_value> &arguments);

struct Measurement {
  double milliseconds; ///< of one call, the median
  int64_t calls;       ///< that were counted
};

/// Calls the layer for about `budget` seconds, after a warm-up of a fifth of
/// that. Calls are put into the stream in groups of some milliseconds, each of
/// which is timed from an idle stream to its end by the host's clock, so that
/// starting and waiting count as little as in a program that goes on.
Measurement measure(const clique_layer &layer,
                    const std::vector<clique_value> &arguments, double budget);

} // namespace clique::device
#endif // CLIQUE_BENCHMARKS_DEVICE_DRIVER_MEASURE_H
