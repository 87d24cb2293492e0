//===- DeviceCompiler.h - Kernels to images ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the runtime hands to the driver: a cubin or PTX for each architecture.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_DEVICECOMPILER_H
#define CLIQUE_COMPILER_TARGET_DEVICECOMPILER_H

#include "compiler/Target/TargetCpu.h"
#include "compiler/Target/TargetGpu.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/IR/LLVMContext.h"

#include <vector>

namespace clique {

/// One clique_device_image of runtime/compiled.h.
struct DeviceImage {
  std::string architecture;
  std::string data;
};

class DeviceCompiler {
public:
  struct Options {
    llvm::SmallVector<TargetGpu> gpus;
    /// What emulated kernels run on.
    TargetCpu cpu;
    bool verifyEach = false;
    /// Spend little time on optimising emulated kernels: for tests.
    bool quick = false;
  };

  explicit DeviceCompiler(Options options) : options(std::move(options)) {}

  /// The images of all architectures, and PTX of the oldest for those to come.
  /// `kernels` is the module after the stage of this name, `lowered` after the
  /// last one. Reports through the context's diagnostics, and says in remarks
  /// what each kernel takes.
  mlir::FailureOr<std::vector<DeviceImage>> compile(mlir::ModuleOp kernels,
                                                    mlir::ModuleOp lowered);

  /// PTX, or machine code, for the first architecture.
  mlir::FailureOr<std::string> compilePtx(mlir::ModuleOp lowered,
                                          const TargetGpu &gpu);
  mlir::FailureOr<std::string> compileCubin(mlir::ModuleOp lowered,
                                            const TargetGpu &gpu);
  mlir::FailureOr<std::string> compileEmulated(mlir::ModuleOp kernels);

private:
  Options options;
  llvm::LLVMContext llvmContext;
};

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_DEVICECOMPILER_H
