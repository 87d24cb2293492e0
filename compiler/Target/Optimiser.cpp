//===- Optimiser.cpp - LLVM's passes over a layer -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -O3 runs instcombine seven times and tries every loop for vectors, idioms and
// unrolling. On kernels that come tiled that was a third of the time of a
// compilation, and made code of the same speed and half as long again.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/Optimiser.h"
#include "compiler/Target/Sanitizers.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"

using namespace clique;

/// Loops over the registers of a tile are unrolled in full: only then are the
/// elements of arrays of vectors values, and their accumulators in registers.
/// The loop vectoriser is for what MLIR left as loops over single elements; the
/// second licm is for what unrolling made invariant.
static constexpr const char *kTiledPasses =
    "function("
    "early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(loop-rotate,licm),"
    "loop(indvars,unroll-and-forget),"
    "early-cse<memssa>,loop-vectorize,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm),simplifycfg)";

/// What looks at more than one function. The parallel loops of layers that are
/// alike are the same functions.
static constexpr const char *kModulePasses =
    "cgscc(inline),mergefunc,globaldce";

/// Values in registers, and no more.
static constexpr const char *kFewPasses =
    "function(sroa,early-cse,simplifycfg)";

/// `unroll-and-forget`: loops are unrolled in full, and with one of them what
/// scalar evolution knows of all is forgotten. By default it looks for what
/// depends on the one, which takes longer where loops are large.
static void addUnrolling(llvm::PassBuilder &builder) {
  builder.registerPipelineParsingCallback(
      [](llvm::StringRef name, llvm::LoopPassManager &passes,
         llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        if (name != "unroll-and-forget")
          return false;
        passes.addPass(llvm::LoopFullUnrollPass(
            /*OptLevel=*/2, /*OnlyWhenForced=*/false, /*ForgetSCEV=*/true));
        return true;
      });
}

/// Runs the passes that `build` adds.
static void runPasses(
    llvm::Module &module, llvm::TargetMachine &machine, bool verifyEach,
    llvm::function_ref<void(llvm::PassBuilder &, llvm::ModulePassManager &)>
        build) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::StandardInstrumentations instrumentation(
      module.getContext(), /*DebugLogging=*/false, verifyEach);
  instrumentation.registerCallbacks(callbacks, &modules);

  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  addUnrolling(builder);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);

  llvm::ModulePassManager pipeline;
  build(builder, pipeline);
  pipeline.run(module, modules);
}

void clique::inlineCalls(llvm::Module &module, llvm::TargetMachine &machine,
                         bool verifyEach) {
  runPasses(module, machine, verifyEach, [](auto &builder, auto &pipeline) {
    llvm::cantFail(builder.parsePassPipeline(pipeline, kModulePasses));
  });
}

void clique::optimise(llvm::Module &module, llvm::TargetMachine &machine,
                      OptimiserPasses passes, bool verifyEach) {
  runPasses(module, machine, verifyEach, [&](auto &builder, auto &pipeline) {
    if (passes == OptimiserPasses::all)
      pipeline =
          builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
    else
      llvm::cantFail(builder.parsePassPipeline(
          pipeline,
          passes == OptimiserPasses::tiled ? kTiledPasses : kFewPasses));
    addSanitizer(pipeline, module);
  });
}

llvm::Error clique::verifyCode(llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  if (!llvm::verifyModule(module, &out))
    return llvm::Error::success();
  return llvm::createStringError(
      std::errc::invalid_argument,
      "the LLVM IR is not valid; this is a defect of the compiler: report it "
      "with the spec (--verify-each names the pass): %s",
      llvm::StringRef(text).trim().str().c_str());
}
