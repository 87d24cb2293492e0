//===- Pipelines.cpp - The road from a spec to the LLVM dialect -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Algebra/Passes.h"
#include "compiler/Analysis/AnalysisPasses.h"
#include "compiler/Analysis/Tuning.h"
#include "compiler/Codegen/CleanUp.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Conversion/MPToRuntime/ConversionPasses.h"
#include "compiler/Fusion/Passes.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Pipelines/CudaStages.h"
#include "compiler/Sizes/Passes.h"
#include "compiler/Structure/Passes.h"
#include "compiler/Topology/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace clique;

std::optional<F32Products> clique::parseF32Products(StringRef name) {
  if (name == "exact")
    return F32Products::exact;
  if (name == "tf32")
    return F32Products::tf32;
  return std::nullopt;
}

std::optional<LoweringChoice> clique::parseLoweringChoice(StringRef name) {
  if (name == "auto")
    return LoweringChoice::automatic;
  if (name == "dense")
    return LoweringChoice::dense;
  if (name == "sparse")
    return LoweringChoice::sparse;
  return std::nullopt;
}

static void buildAlgebra(OpPassManager &pm,
                         const CliquePipelineOptions &options) {
  pm.addPass(createRewriteSpecFormsPass());
  AttachTargetPassOptions machine;
  if (options.target == TargetDevice::cuda)
    machine.target = "gpu";
  pm.addPass(createAttachTargetPass(machine));
  GuardDivisionPassOptions floors;
  floors.floors = true;
  pm.addPass(createGuardDivisionPass(floors));
  GuardDivisionPassOptions shifts;
  shifts.shifts = true;
  pm.addPass(createGuardDivisionPass(shifts));
  // Nothing is simplified before it is checked: a fold may forget a size.
  pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
  // What only regions call would have no lowering by itself.
  pm.addPass(createSymbolDCEPass());
  pm.addNestedPass<func::FuncOp>(createOutlineFeaturesPass());
  pm.addNestedPass<func::FuncOp>(createCheckSizesPass());
  pm.addNestedPass<func::FuncOp>(createMergeAggregationsPass());
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createDecomposeReadoutPass());
  pm.addNestedPass<func::FuncOp>(createDecomposeAggregatesPass());
  pm.addNestedPass<func::FuncOp>(createDeferLinearPass());
  pm.addNestedPass<func::FuncOp>(createHoistEndpointsPass());
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createHoistInvariantsPass());
  ChunkEdgeSumsPassOptions chunks;
  if (options.target == TargetDevice::cuda)
    chunks.bytes = {tuning::gpuEdgeChunkBytes};
  pm.addNestedPass<func::FuncOp>(createChunkEdgeSumsPass(chunks));
  addCleanUp(pm);
}

static void buildTopology(OpPassManager &pm, const CliquePipelineOptions &) {
  pm.addPass(createInferTopologyPass());
  addCleanUp(pm);
}

static void buildStructure(OpPassManager &pm, const CliquePipelineOptions &) {
  pm.addNestedPass<func::FuncOp>(createMasksToGraphsPass());
  pm.addNestedPass<func::FuncOp>(createCountEdgesPass());
  pm.addNestedPass<func::FuncOp>(createShareAggregationsPass());
  // Blocks and cliques are parts of a batch.
  pm.addNestedPass<func::FuncOp>(createDecomposeReadoutPass());
  addCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createHoistInvariantsPass());
}

static void buildFusion(OpPassManager &pm,
                        const CliquePipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(createFusePass());
  pm.addNestedPass<func::FuncOp>(createMergeAggregationsPass());
  pm.addNestedPass<func::FuncOp>(createFuseSumsPass());
  SelectLoweringPassOptions selection;
  selection.choice = options.lowering;
  pm.addNestedPass<func::FuncOp>(createSelectLoweringPass(selection));
  pm.addNestedPass<func::FuncOp>(createSplitHeadsPass());
  pm.addNestedPass<func::FuncOp>(createFuseDirectionsPass());
  pm.addNestedPass<func::FuncOp>(createSeparateValuesPass());
  pm.addNestedPass<func::FuncOp>(createPackSourcesPass());
}

static void buildSchedule(OpPassManager &pm, const CliquePipelineOptions &) {
  pm.addNestedPass<func::FuncOp>(createBoundScoresPass());
  pm.addNestedPass<func::FuncOp>(createDecomposeFeaturesPass());
  pm.addNestedPass<func::FuncOp>(createFlattenLinearPass());
  pm.addPass(createScheduleKernelsPass());
}

static void buildBlocks(OpPassManager &pm, const CliquePipelineOptions &) {
  pm.addPass(createOutlineBlocksPass());
}

static void buildTensors(OpPassManager &pm, const CliquePipelineOptions &) {
  pm.addPass(createLowerNodesPass());
  pm.addPass(createLowerRowsPass());
  pm.addPass(createLowerEdgeBlocksPass());
  pm.addPass(createLowerTypedRowsPass());
  pm.addPass(createLowerTilesPass());
  pm.addPass(createMergeFunctionsPass());
}

static void buildLoops(OpPassManager &pm,
                       const CliquePipelineOptions &options) {
  pm.addNestedPass<func::FuncOp>(createSplitSlicesPass());
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  addFunctionCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createFuseElementwisePass());
  if (options.target == TargetDevice::cpu) {
    pm.addNestedPass<func::FuncOp>(createFuseIntoGathersPass());
    pm.addNestedPass<func::FuncOp>(createFuseIntoStoresPass());
    pm.addPass(createOutlineSumsPass());
  } else {
    pm.addNestedPass<func::FuncOp>(createDivideSumsPass());
  }
  pm.addNestedPass<func::FuncOp>(createSplitSumsPass());
  pm.addPass(createBoolsAsBytesPass());
  addFunctionCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createPrefetchGathersPass());
}

void clique::addProductSums(OpPassManager &pm, TargetDevice target) {
  SplitSumsPassOptions options;
  options.blockSize = {tuning::productTerms};
  options.kernels = true;
  options.products = target == TargetDevice::cuda;
  pm.addNestedPass<func::FuncOp>(createSplitSumsPass(options));
}

static void buildVectors(OpPassManager &pm, const CliquePipelineOptions &) {
  pm.addNestedPass<func::FuncOp>(createPairProductsPass());
  pm.addPass(createHoistFromBlocksPass());
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  OutlineSumsPassOptions outlining;
  outlining.weights = true;
  pm.addPass(createOutlineSumsPass(outlining));
  addProductSums(pm, TargetDevice::cpu);
  addFunctionCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createTileRegistersPass());
  addFunctionCleanUp(pm);
  pm.addNestedPass<func::FuncOp>(createVectorizePass());
  addFunctionCleanUp(pm);
}

void clique::addTensorsInPlace(OpPassManager &pm) {
  pm.addPass(createConvertMPToRuntimePass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addNestedPass<func::FuncOp>(createSplitEmptiesPass());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  // Those that found no place are one again, and share a buffer.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addNestedPass<func::FuncOp>(createSplitFilledPass());
  pm.addNestedPass<func::FuncOp>(createInsertInPlacePass());
}

static void buildMemref(OpPassManager &pm, const CliquePipelineOptions &) {
  addTensorsInPlace(pm);
  pm.addNestedPass<func::FuncOp>(createCopyCarriedPass());
  pm.addPass(createBufferizePass());
  addFunctionCleanUp(pm);
  // Scratch of a block lives on the stack; what is larger comes from the
  // runtime's allocator, once per block.
  pm.addNestedPass<func::FuncOp>(bufferization::createBufferLoopHoistingPass());
  bufferization::PromoteBuffersToStackPassOptions promotion;
  promotion.maxAllocSizeInBytes = tuning::stackBufferBytes;
  pm.addNestedPass<func::FuncOp>(
      bufferization::createPromoteBuffersToStackPass(promotion));
  pm.addNestedPass<func::FuncOp>(createHoistAllocasPass());
  addCanonicalizer(pm.nest<func::FuncOp>());
  pm.addPass(bufferization::createOwnershipBasedBufferDeallocationPass());
  addCanonicalizer(pm.nest<func::FuncOp>());
  pm.addNestedPass<func::FuncOp>(
      bufferization::createBufferDeallocationSimplificationPass());
  pm.addPass(bufferization::createLowerDeallocationsPass());
  addFunctionCleanUp(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  // Deep networks need the memory of a few of their layers.
  pm.addNestedPass<func::FuncOp>(createFreeEarlyPass());
  pm.addPass(createReuseArgumentsPass());
  pm.addNestedPass<func::FuncOp>(createCopyByLoopsPass());
  pm.addNestedPass<func::FuncOp>(createVectorizeCopiesPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(createSpreadPrefetchesPass());
  addFunctionCleanUp(pm);
}

void clique::buildHostLLVM(OpPassManager &pm,
                           const CliquePipelineOptions &options) {
  pm.addPass(createEmitCInterfacePass());
  OpPassManager &vectors = pm.nest<func::FuncOp>();
  vectors.addPass(createReduceVectorsPass());
  vectors.addPass(createFlattenVectorsPass());
  vectors.addPass(vector::createLowerVectorMultiReductionPass(
      vector::VectorMultiReductionLowering::InnerReduction));
  vectors.addPass(createUnrollTransfersPass());
  vectors.addPass(createLowerScalarTransfersPass());
  vectors.addPass(createLowerTransposesPass());
  vectors.addPass(createLowerPairsPass());
  vectors.addPass(createApproximateMathPass());
  // Whole exponents that are known become products, others functions: llvm.powi
  // knows one exponent for all elements, and calls a function of GCC's.
  math::MathExpandOpsPassOptions products;
  products.opMnemonics = {"fpowi"};
  vectors.addPass(math::createMathExpandOpsPass(products));
  ConvertMathToFuncsOptions powers;
  powers.minWidthOfFPowIExponent = 1;
  powers.convertCtlz = false;
  pm.addPass(createConvertMathToFuncs(powers));
  OpPassManager &addresses = pm.nest<func::FuncOp>();
  addresses.addPass(createGuardDivisionPass());
  addresses.addPass(createSaturateConversionsPass());
  addresses.addPass(createExpandStridedMetadataPass());
  addresses.addPass(createLowerAffinePass());
  addresses.addPass(createExpandArithPass());
  addCleanUp(addresses);
  if (options.openmp) {
    pm.addPass(createConvertSCFToOpenMPPass());
    pm.addPass(createHandOutBlocksPass());
  }
  if (options.target == TargetDevice::cpu)
    pm.addPass(createStreamStoresPass());
  pm.addPass(createLog1pToLibmPass());
  OpPassManager &branches = pm.nest<func::FuncOp>();
  branches.addPass(createUnrollLoopsPass());
  branches.addPass(createSCFToControlFlowPass());
  branches.addPass(createLowerVectorsPass());
  pm.addPass(clique::createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createFoldExtractsPass());
  if (options.openmp && options.target == TargetDevice::cpu)
    pm.addPass(createCheckAllocationsPass());
  pm.addPass(createCheckFailuresPass());
  // LLVM folds what is left; without this its code is up to 7 % longer.
  pm.addPass(createCSEPass());
}

static constexpr Stage kAlgebra = {
    "algebra", "what depends on one endpoint leaves the edges", buildAlgebra};
static constexpr Stage kTopology = {
    "topology", "what is known of graphs stands in their types", buildTopology};
static constexpr Stage kStructure = {
    "structure", "what many destinations sum alike is summed once",
    buildStructure};
static constexpr Stage kFusion = {
    "fusion", "messages, aggregations and updates as kernels", buildFusion};
static constexpr Stage kSchedule = {
    "schedule", "how the work of each kernel is divided", buildSchedule};
static constexpr Stage kBlocks = {
    "blocks", "kernels as parallel loops over blocks of a graph", buildBlocks};
static constexpr Stage kTensors = {
    "tensors", "blocks as loops over rows, tiles and edges, on tensors",
    buildTensors};
static constexpr Stage kLoops = {
    "loops", "linear maps as one matrix each, elementwise ops joined",
    buildLoops};

ArrayRef<Stage> clique::getStages(TargetDevice target) {
  static constexpr Stage cpuStages[] = {
      kAlgebra,
      kTopology,
      kStructure,
      kFusion,
      kSchedule,
      kBlocks,
      kTensors,
      kLoops,
      {"vectors", "register tiles and vectors, still on tensors", buildVectors},
      {"memref", "graphs as calls of the runtime, buffers instead of tensors",
       buildMemref},
      {"llvm-dialect", "the LLVM dialect", buildHostLLVM},
  };
  static constexpr Stage cudaStages[] = {
      kAlgebra,
      kTopology,
      kStructure,
      kFusion,
      kSchedule,
      kBlocks,
      kTensors,
      kLoops,
      {"threads", "blocks spread over the threads of a GPU", buildThreads},
      {"kernels", "graphs as calls of the runtime, kernels in a gpu.module",
       buildKernels},
      {"llvm-dialect", "the LLVM dialect, on the host and on the GPU",
       buildCudaLLVM},
  };
  if (target == TargetDevice::cuda)
    return cudaStages;
  return cpuStages;
}

void clique::buildLowerToLLVMPipeline(OpPassManager &pm,
                                      const CliquePipelineOptions &options) {
  for (const Stage &stage : getStages(options.target))
    stage.build(pm, options);
}

static void registerStage(const Stage &stage) {
  PassPipelineRegistration<CliquePipelineOptions>(
      ("clique-stage-" + stage.name).str(), stage.description,
      [&stage](OpPassManager &pm, const CliquePipelineOptions &options) {
        stage.build(pm, options);
      });
}

/// `llvm-dialect` of either target.
static void buildLLVM(OpPassManager &pm, const CliquePipelineOptions &options) {
  getStages(options.target).back().build(pm, options);
}

void clique::registerPipelines() {
  PassPipelineRegistration<CliquePipelineOptions>(
      "clique-to-llvm", "A spec, all the way to the LLVM dialect",
      buildLowerToLLVMPipeline);
  PassPipelineRegistration<>(
      "clique-emulated-to-llvm",
      "Kernels of a gpu.module to the LLVM dialect, for the emulated driver",
      buildEmulatedLLVM);
  static constexpr Stage last = {"llvm-dialect", "the LLVM dialect", buildLLVM};
  registerStage(last);
  StringSet<> known = {last.name};
  for (TargetDevice target : {TargetDevice::cpu, TargetDevice::cuda})
    for (const Stage &stage : getStages(target))
      if (known.insert(stage.name).second)
        registerStage(stage);
}
