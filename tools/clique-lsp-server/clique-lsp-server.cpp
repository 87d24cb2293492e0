//===- clique-lsp-server.cpp - The mp dialect in an editor ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mlir-lsp-server` with the mp dialect: errors while typing, hover, go to
// definition.
//
//===----------------------------------------------------------------------===//
#include "compiler/InitAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  clique::registerAll(registry);
  return mlir::asMainReturnCode(mlir::MlirLspServerMain(argc, argv, registry));
}
