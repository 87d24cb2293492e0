//===- DeviceTensors.h - Layers that run on a GPU ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `--emulate`, and the way of arguments and results between files and a GPU.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_RUN_DEVICETENSORS_H
#define CLIQUE_TOOLS_CLIQUE_RUN_DEVICETENSORS_H

#include "runtime/clique.h"
#include "tools/clique-run/Numbers.h"

#include <vector>

namespace clique {

/// Makes the runtime open the emulated driver that was built with this tool.
llvm::Error useEmulatedDriver();

inline bool runsOnGpu(const clique_layer &layer) {
  return layer.device_type == kDLCUDA;
}

/// Copies of the arguments where the layer takes them; null for what it takes
/// as it is: graphs and scalars, and everything if it runs on the CPU.
llvm::Expected<std::vector<TensorHandle>>
copyToDevice(const clique_layer &layer,
             llvm::ArrayRef<const DLTensor *> inputs);

/// Brings the results to the host, where they are not there.
llvm::Error copyToHost(llvm::MutableArrayRef<TensorHandle> results);

/// Waits for what the layer started, which invoking it does not.
llvm::Error waitForDevice(const clique_layer &layer);

} // namespace clique
#endif // CLIQUE_TOOLS_CLIQUE_RUN_DEVICETENSORS_H
