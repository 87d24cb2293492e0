//===- Driver.cpp - The CUDA driver, opened at run time -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the driver's library and finds its entry points.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/Driver.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace clique;
using namespace clique::cuda;

static constexpr const char *kDefaultLibrary = "libcuda.so.1";

Driver::Driver() {
  const char *chosen = std::getenv("CLIQUE_CUDA_DRIVER");
  library = chosen && *chosen ? chosen : kDefaultLibrary;
  handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    fail(CLIQUE_DEVICE_ERROR,
         "no CUDA driver: {} cannot be loaded ({}); install NVIDIA's driver, "
         "compile the layer for the CPU, or set CLIQUE_CUDA_DRIVER to the "
         "path of libclique_emulated_cuda.so, which runs kernels on the CPU",
         library, reason ? reason : "unknown reason");
  }
#define CLIQUE_CUDA_FIND(NAME, SYMBOL, PARAMETERS)                             \
  NAME = reinterpret_cast<decltype(NAME)>(findSymbol(#SYMBOL));
  CLIQUE_CUDA_ENTRY_POINTS(CLIQUE_CUDA_FIND)
#undef CLIQUE_CUDA_FIND
  lastErrorOfEmulation = reinterpret_cast<const char *(*)()>(
      dlsym(handle, "clique_emu_last_error"));
  const CUresult result = init(0);
  if (result == CUDA_ERROR_NO_DEVICE)
    fail(CLIQUE_DEVICE_ERROR,
         "no GPU: the CUDA driver {} finds none; check that nvidia-smi lists "
         "one and that CUDA_VISIBLE_DEVICES does not hide it",
         library);
  check(result, "the CUDA driver {} does not start", library);
}

void *Driver::findSymbol(const char *symbol) const {
  void *address = dlsym(handle, symbol);
  if (!address)
    fail(CLIQUE_DEVICE_ERROR,
         "{}: has no function {}; expected a CUDA driver of version 11 or "
         "later",
         library, symbol);
  return address;
}

Driver &Driver::get() {
  // Never destroyed: results may be freed while the process shuts down. If
  // the constructor throws, the next call tries again.
  static Driver *driver = new Driver;
  return *driver;
}

std::string Driver::describe(CUresult result) {
  const char *name = nullptr, *text = nullptr;
  getErrorName(result, &name);
  getErrorString(result, &text);
  std::string words =
      fmt::format("{}: {}", name ? name : fmt::format("error {}", result),
                  text ? text : "unknown to this driver");
  if (lastErrorOfEmulation)
    if (const char *details = lastErrorOfEmulation(); details && *details)
      words += fmt::format(": {}", details);
  return words;
}

void Driver::throwError(CUresult result, const std::string &what) {
  throw Error(result == CUDA_ERROR_OUT_OF_MEMORY ? CLIQUE_OUT_OF_MEMORY
                                                 : CLIQUE_DEVICE_ERROR,
              fmt::format("{}: {}", what, describe(result)));
}
