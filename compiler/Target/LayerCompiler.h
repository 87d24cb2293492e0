//===- LayerCompiler.h - From a spec to LLVM IR -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the pipeline of compiler/Pipelines for each class of processors and puts
// the results, optimised, into one LLVM module with the layers' descriptors.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_LAYERCOMPILER_H
#define CLIQUE_COMPILER_TARGET_LAYERCOMPILER_H

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Target/DeviceCompiler.h"
#include "compiler/Target/LayerSignature.h"
#include "compiler/Target/ObjectEmitter.h"
#include "compiler/Target/Sanitizers.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace clique {
class ModuleParts;

/// What LayerCompiler needs beside the dialects: translations to LLVM IR.
void registerTranslations(mlir::DialectRegistry &registry);

/// The first stage, a spec as it was parsed; the others are those of
/// getStages().
constexpr llvm::StringLiteral kParsedStage = "mp";

/// What kernels are written as.
enum class KernelFormat { ptx, cubin };

class LayerCompiler {
public:
  struct Options {
    /// At least one; more than one makes a variant for each.
    llvm::SmallVector<TargetCpu> cpus;
    /// Verify the IR after each pass.
    bool verifyEach = false;
    TargetDevice target = TargetDevice::cpu;
    /// Of TargetDevice::cuda: at least one.
    llvm::SmallVector<TargetGpu> gpus;
    /// The stage that left the modules; empty for specs.
    std::string from;
    /// Of TargetDevice::cuda.
    F32Products f32Products = F32Products::exact;
    /// Of the processor's code.
    Sanitizer sanitizer = getOwnSanitizer();
    /// Spend little time on optimising the code of the CPU.
    bool quick = false;
    /// The versions of each kernel.
    LoweringChoice lowering = LoweringChoice::automatic;
  };

  explicit LayerCompiler(Options options) : options(std::move(options)) {}

  /// Compiles all public functions of `module`, which stays as it is. Reports
  /// through the context's diagnostics.
  mlir::FailureOr<std::unique_ptr<llvm::Module>>
  compile(mlir::ModuleOp module, llvm::ArrayRef<LayerSignature> signatures);

  /// Lowers `module` itself up to and including the stage, for the first
  /// processor.
  mlir::LogicalResult lowerToStage(mlir::ModuleOp module,
                                   llvm::StringRef stage);

  /// PTX or machine code of the kernels of `module` for the first of the GPUs;
  /// an emulated one has machine code only.
  mlir::FailureOr<std::string> compileKernels(mlir::ModuleOp module,
                                              KernelFormat format);

  /// Machine code, assembly, LLVM IR or bitcode of what compile() returned,
  /// which is changed. Machine code of a large module is made in parts, on all
  /// cores.
  llvm::Error emit(llvm::Module &module, CodeFormat format,
                   llvm::raw_pwrite_stream &out);

private:
  mlir::LogicalResult lower(mlir::ModuleOp module, const TargetCpu &cpu,
                            llvm::StringRef lastStage);
  /// The stages that modules have before them.
  llvm::ArrayRef<Stage> getStagesToRun() const;
  /// Says what `module` is compiled for, if it does not do so itself.
  mlir::LogicalResult describeTarget(mlir::ModuleOp module,
                                     const TargetCpu &cpu) const;
  mlir::LogicalResult runStage(mlir::ModuleOp module, const Stage &stage);
  /// Compiles what the last stage left.
  mlir::FailureOr<std::unique_ptr<llvm::Module>>
  compileVariant(mlir::ModuleOp lowered,
                 llvm::ArrayRef<LayerSignature> signatures,
                 const TargetCpu &cpu);
  /// Lowers to the last stage; `kernels` is what the one before it left.
  mlir::LogicalResult
  lowerForDevice(mlir::ModuleOp lowered,
                 mlir::OwningOpRef<mlir::ModuleOp> &kernels);
  DeviceCompiler makeDeviceCompiler() const;
  llvm::Expected<ObjectEmitter> makeEmitter() const;
  void optimise(llvm::Module &module, const ObjectEmitter &emitter) const;
  llvm::Error emitPart(const ModuleParts &parts, unsigned part,
                       llvm::SmallString<0> &object) const;
  llvm::Error emitParts(llvm::Module &module, const ModuleParts &parts,
                        llvm::raw_pwrite_stream &out) const;

  Options options;
  llvm::LLVMContext llvmContext;
};

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_LAYERCOMPILER_H
