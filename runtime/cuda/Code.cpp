//===- Code.cpp - Kernels of compiled layers ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading of images and look-up of kernels.
//
//===----------------------------------------------------------------------===//
#include "runtime/cuda/Code.h"

#include <memory>
#include <string_view>

using namespace clique;
using namespace clique::cuda;

namespace {
/// One image on one device.
struct LoadedImage {
  Context *context = nullptr;
  CUmodule module = nullptr;
  /// By the kernel's name; std::map's elements stay where they are.
  std::map<std::string, Kernel, std::less<>> kernels;
};

/// What `loaded` points to: the images by device number, and constants.
struct LoadedCode {
  std::map<int32_t, LoadedImage> devices;
  DeviceArrays constants;
};
} // namespace

/// One lock for all: it is held for a look-up, and while code is loaded.
static std::mutex &codeMutex() {
  static auto &mutex = *new std::mutex;
  return mutex;
}

/// Whether the driver refused the code, rather than told of earlier work that
/// failed.
static bool isOfImage(CUresult result) {
  switch (result) {
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_JIT_COMPILATION_DISABLED:
  case CUDA_ERROR_INVALID_SOURCE:
    return true;
  default:
    return false;
  }
}

/// Loads a cubin, or PTX that the driver compiles now.
static CUmodule loadImage(Context &context, const clique_device_image &image) {
  Driver &driver = context.driver();
  std::string log(8192, '\0');
  int options[] = {kErrorLogBuffer, kErrorLogBufferSizeBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size())};
  CUmodule module = nullptr;
  const CUresult result =
      driver.moduleLoadDataEx(&module, image.data, 2, options, values);
  if (result == CUDA_SUCCESS)
    return module;
  if (!isOfImage(result))
    driver.check(result, "the layer's code for '{}' on {}", image.arch,
                 context.describe());
  log.resize(std::string_view(log.c_str()).size());
  fail(CLIQUE_INCOMPATIBLE,
       "the layer's code for '{}' cannot be loaded on {}: {}{}{}; update the "
       "driver, or compile the layer again for this device",
       image.arch, context.describe(), driver.describe(result),
       log.empty() ? "" : ": ", log);
}

/// A driver may refuse machine code of a newer toolkit, or of a desktop's GPU
/// on a small device, and still compile PTX: what it takes first is loaded. If
/// it takes none, the error is that of the best one.
static CUmodule loadBest(Context &context, const clique_device_code &code) {
  const auto images = rankImages(context, code);
  try {
    return loadImage(context, *images.front());
  } catch (const Error &error) {
    if (error.status() != CLIQUE_INCOMPATIBLE)
      throw;
    for (size_t k = 1; k < images.size(); ++k) {
      try {
        return loadImage(context, *images[k]);
      } catch (const Error &) { // NOLINT(bugprone-empty-catch)
      }
    }
    throw;
  }
}

/// The lock is held.
static LoadedCode &getLoaded(clique_device_code &code) {
  if (!code.loaded)
    code.loaded = new LoadedCode;
  return *static_cast<LoadedCode *>(code.loaded);
}

static LoadedImage &loadFor(Context &context, clique_device_code &code) {
  LoadedImage &image = getLoaded(code).devices[context.ordinal()];
  if (!image.module) {
    image.module = loadBest(context, code);
    image.context = &context;
  }
  return image;
}

Kernel &clique::cuda::findKernel(Context &context, clique_device_code &code,
                                 const char *name) {
  std::lock_guard<std::mutex> lock(codeMutex());
  LoadedImage &image = loadFor(context, code);
  auto found = image.kernels.find(std::string_view(name));
  if (found != image.kernels.end())
    return found->second;
  Driver &driver = context.driver();
  CUfunction function = nullptr;
  const CUresult result =
      driver.moduleGetFunction(&function, image.module, name);
  if (result == CUDA_ERROR_NOT_FOUND)
    fail(CLIQUE_INCOMPATIBLE,
         "kernel '{}': is not in the layer's code; compile the layer again",
         name);
  driver.check(result, "kernel '{}'", name);
  return image.kernels.try_emplace(name, function).first->second;
}

DeviceArrays &clique::cuda::constantsOf(clique_device_code &code) {
  std::lock_guard<std::mutex> lock(codeMutex());
  return getLoaded(code).constants;
}

void clique::cuda::unloadCode(clique_device_code &code) noexcept {
  std::lock_guard<std::mutex> lock(codeMutex());
  std::unique_ptr<LoadedCode> loaded(static_cast<LoadedCode *>(code.loaded));
  code.loaded = nullptr;
  if (!loaded)
    return;
  for (auto &[ordinal, image] : loaded->devices) {
    // Kernels may still run; what fails here is gone in any case.
    try {
      if (!image.module)
        continue;
      CurrentContext current(*image.context);
      image.context->driver().ctxSynchronize();
      image.context->driver().moduleUnload(image.module);
    } catch (const Error &) { // NOLINT(bugprone-empty-catch)
    }
  }
}
