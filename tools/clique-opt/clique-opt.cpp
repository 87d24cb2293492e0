//===- clique-opt.cpp - Runs passes on a spec -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mlir-opt` with the mp dialect and Clique's passes and pipelines.
//
//===----------------------------------------------------------------------===//
#include "compiler/InitAll.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tools/support/Mains.h"
#include "tools/support/StandardStreams.h"

int clique::optMain(int argc, char **argv) {
  occupyStandardStreams();
  mlir::DialectRegistry registry;
  clique::registerAll(registry);
  mlir::registerAllPasses();
  clique::registerPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(
      argc, argv,
      "Runs passes on a message-passing spec and prints the result.\n",
      registry));
}
