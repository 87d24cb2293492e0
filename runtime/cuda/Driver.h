//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver's functions, found when the first CUDA layer runs, so that the
// runtime builds without CUDA's headers and starts on machines without a
// driver.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_CUDA_DRIVER_H
#define CLIQUE_RUNTIME_CUDA_DRIVER_H

#include "runtime/Error.h"
#include "runtime/cuda/DriverTypes.h"

namespace clique::cuda {

/// The driver of this process.
class Driver {
public:
  /// Opens libcuda.so.1, or what CLIQUE_CUDA_DRIVER names, on the first call.
  /// Throws an error that says what is missing.
  static Driver &get();

  /// Whether kernels run on the CPU, in the driver of runtime/emulation.
  bool isEmulated() const { return lastErrorOfEmulation != nullptr; }

  /// Throws if the driver refused; `what` says what was to be done.
  template <typename... Args>
  void check(CUresult result, fmt::format_string<Args...> what,
             Args &&...args) {
    if (result != CUDA_SUCCESS)
      throwError(result, fmt::format(what, std::forward<Args>(args)...));
  }
  /// "CUDA_ERROR_INVALID_VALUE: invalid argument".
  std::string describe(CUresult result);

  // The driver's functions: `driver.memAlloc(&pointer, bytes)`.
#define CLIQUE_CUDA_DECLARE(NAME, SYMBOL, PARAMETERS)                          \
  CUresult(*NAME) PARAMETERS = nullptr; /* NOLINT: parameters are a list */
  CLIQUE_CUDA_ENTRY_POINTS(CLIQUE_CUDA_DECLARE)
#undef CLIQUE_CUDA_DECLARE

private:
  Driver();
  void *findSymbol(const char *symbol) const;
  [[noreturn]] void throwError(CUresult result, const std::string &what);

  std::string library;
  void *handle = nullptr;
  /// What went wrong in a kernel, in words; only the emulated driver has it.
  const char *(*lastErrorOfEmulation)() = nullptr;
};

} // namespace clique::cuda

#endif // CLIQUE_RUNTIME_CUDA_DRIVER_H
