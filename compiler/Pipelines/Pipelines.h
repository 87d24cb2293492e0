//===- Pipelines.h - The road from a spec to the LLVM dialect ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stages of compilation, by name, and the whole road. Each stage takes the
// module from where the one before left it.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_PIPELINES_PIPELINES_H
#define CLIQUE_COMPILER_PIPELINES_PIPELINES_H

#include "compiler/Fusion/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace clique {

/// The machines that code is made for.
enum class TargetDevice { cpu, cuda };

/// How products of f32 matrices are computed on GPUs.
enum class F32Products { exact, tf32 };

/// By its name on command lines.
std::optional<F32Products> parseF32Products(llvm::StringRef name);

struct CliquePipelineOptions
    : public mlir::PassPipelineOptions<CliquePipelineOptions> {
  PassOptions::Option<TargetDevice> target{
      *this, "target", llvm::cl::desc("Machine that runs the kernels"),
      llvm::cl::values(clEnumValN(TargetDevice::cpu, "cpu", "this processor"),
                       clEnumValN(TargetDevice::cuda, "cuda", "NVIDIA GPUs")),
      llvm::cl::init(TargetDevice::cpu)};
  PassOptions::Option<F32Products> f32Products{
      *this, "f32-products",
      llvm::cl::desc("How GPUs multiply matrices of f32"),
      llvm::cl::values(
          clEnumValN(F32Products::exact, "exact", "on the ordinary units"),
          clEnumValN(F32Products::tf32, "tf32",
                     "on tensor cores, which read 10 bits of a fraction")),
      llvm::cl::init(F32Products::exact)};
  PassOptions::Option<bool> openmp{
      *this, "openmp", llvm::cl::desc("Run blocks in parallel with OpenMP"),
      llvm::cl::init(true)};
  PassOptions::Option<LoweringChoice> lowering{
      *this, "lowering", llvm::cl::desc("Versions of kernels to compile"),
      llvm::cl::values(
          clEnumValN(LoweringChoice::automatic, "auto", "as the graph asks"),
          clEnumValN(LoweringChoice::dense, "dense", "dense tiles only"),
          clEnumValN(LoweringChoice::sparse, "sparse", "sparse rows only")),
      llvm::cl::init(LoweringChoice::automatic)};
};

/// auto, dense or sparse.
std::optional<LoweringChoice> parseLoweringChoice(llvm::StringRef name);

/// A stretch of the road.
struct Stage {
  llvm::StringRef name;
  llvm::StringRef description;
  void (*build)(mlir::OpPassManager &, const CliquePipelineOptions &);
};

/// The last stage of every target.
constexpr llvm::StringLiteral kLastStage = "llvm-dialect";

/// All stages in order. For the CPU: algebra, topology, structure, fusion,
/// schedule, blocks, loops, vectors, memref, llvm-dialect; for CUDA: algebra,
/// topology, structure, fusion, schedule, blocks, loops, threads, kernels,
/// llvm-dialect.
llvm::ArrayRef<Stage> getStages(TargetDevice target);

/// All stages: a module in mp becomes the LLVM dialect. Public functions get a
/// C interface, `_mlir_ciface_NAME`.
void buildLowerToLLVMPipeline(mlir::OpPassManager &pm,
                              const CliquePipelineOptions &options);

/// What the stage `kernels` leaves: the kernels in the LLVM dialect for the
/// processor, to run under the emulated driver.
void buildEmulatedLLVM(mlir::OpPassManager &pm);

/// Registers `clique-to-llvm` and, for each stage of either target,
/// `clique-stage-NAME`; `clique-emulated-to-llvm` is buildEmulatedLLVM.
void registerPipelines();

} // namespace clique
#endif // CLIQUE_COMPILER_PIPELINES_PIPELINES_H
