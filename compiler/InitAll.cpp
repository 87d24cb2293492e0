//===- InitAll.cpp - Everything the tools register ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/InitAll.h"
#include "compiler/Algebra/Passes.h"
#include "compiler/Analysis/AnalysisPasses.h"
#include "compiler/Codegen/CodegenPasses.h"
#include "compiler/Conversion/MPToRuntime/ConversionPasses.h"
#include "compiler/Device/DevicePasses.h"
#include "compiler/Fusion/Passes.h"
#include "compiler/Gradient/Passes.h"
#include "compiler/Lowering/LoweringPasses.h"
#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Sizes/Passes.h"
#include "compiler/Structure/Passes.h"
#include "compiler/Threads/ThreadPasses.h"
#include "compiler/Topology/Passes.h"
#include "dialect/IR/MPDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

void clique::registerAll(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registry.insert<mp::MPDialect>();
}

void clique::registerPasses() {
  registerCliqueAlgebraPasses();
  registerCliqueAnalysisPasses();
  registerCliqueCodegenPasses();
  registerCliqueConversionPasses();
  registerCliqueDevicePasses();
  registerCliqueFusionPasses();
  registerCliqueGradientPasses();
  registerCliqueLoweringPasses();
  registerCliqueSizesPasses();
  registerCliqueStructurePasses();
  registerCliqueThreadsPasses();
  registerCliqueTopologyPasses();
  registerPipelines();
}
