//===- DeviceTensors.cpp - Layers that run on a GPU -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies through the runtime, which knows the driver.
//
//===----------------------------------------------------------------------===//
#include "tools/clique-run/DeviceTensors.h"
#include "compiler/Target/Installation.h"
#include "tools/clique-run/Graphs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace llvm;
using namespace clique;

Error clique::useEmulatedDriver() {
  SmallString<256> path(findLibraryFolder());
  sys::path::append(path, "libclique_emulated_cuda.so");
  if (!sys::fs::exists(path))
    return createStringError("--emulate: there is no " + path +
                             "; build Clique with CLIQUE_BUILD_EMULATION=ON");
  setenv("CLIQUE_CUDA_DRIVER", path.c_str(), /*overwrite=*/1);
  return Error::success();
}

static Expected<TensorHandle> copyTensor(const DLTensor &tensor,
                                         DLDeviceType to) {
  DLManagedTensor *result = nullptr;
  if (clique_tensor_copy(&tensor, to, &result) != CLIQUE_OK)
    return makeRuntimeError();
  return TensorHandle(result);
}

Expected<std::vector<TensorHandle>>
clique::copyToDevice(const clique_layer &layer,
                     ArrayRef<const DLTensor *> inputs) {
  std::vector<TensorHandle> copies(inputs.size());
  if (!runsOnGpu(layer))
    return copies;
  for (auto [k, input] : enumerate(inputs)) {
    if (!input || layer.args[k].kind == CLIQUE_ARG_SCALAR)
      continue;
    Expected<TensorHandle> copied = copyTensor(*input, kDLCUDA);
    if (!copied)
      return copied.takeError();
    copies[k] = std::move(*copied);
  }
  return copies;
}

Error clique::copyToHost(MutableArrayRef<TensorHandle> results) {
  for (TensorHandle &result : results) {
    if (result->dl_tensor.device.device_type == kDLCPU)
      continue;
    Expected<TensorHandle> copied = copyTensor(result->dl_tensor, kDLCPU);
    if (!copied)
      return copied.takeError();
    result = std::move(*copied);
  }
  return Error::success();
}

Error clique::waitForDevice(const clique_layer &layer) {
  if (runsOnGpu(layer) && clique_cuda_synchronize() != CLIQUE_OK)
    return makeRuntimeError(Twine(layer.name) + ": ");
  return Error::success();
}
