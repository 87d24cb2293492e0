//===- Spec.h - A spec that was read from a file ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every tool starts from: parsed, verified, its layers described.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_SPEC_H
#define CLIQUE_COMPILER_TARGET_SPEC_H

#include "compiler/Target/LayerSignature.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <optional>

namespace clique {

/// A parsed and verified module with all that it refers to, ready to be
/// compiled: its arguments have names, its public functions are the entries.
class Spec {
public:
  struct Options {
    /// The public functions that are wanted; empty: all.
    llvm::ArrayRef<std::string> entries;
    /// Show the remarks of the passes.
    bool remarks = false;
    /// It is what a stage of the compiler left; its layers are not described.
    bool isLowered = false;
    /// Heads to remove from the entries, as mp-prune-heads has them.
    llvm::ArrayRef<std::string> prunedHeads = {};
    /// Add the forward and the backward function of each entry, by these
    /// arguments (empty: all of floats).
    std::optional<llvm::ArrayRef<std::string>> gradients = std::nullopt;
    /// 0: beside the entries. 1: nothing but these functions; 2: those of
    /// NAME_gradient, the gradient as a function, in their place; 3 ...
    unsigned derivative = 0;
    /// The function that they are the gradient of stays a layer, too.
    bool keepsDifferentiated = false;
    /// Where errors and remarks are printed; null: standard error. Outlives the
    /// spec.
    llvm::raw_ostream *messages = nullptr;
  };

  /// Reads `path` ("-": standard input). Errors are printed, with file and
  /// line; then the result is null.
  static std::unique_ptr<Spec> read(llvm::StringRef path,
                                    const Options &options);
  /// Parses a text that is in memory; `name` stands for it in errors.
  static std::unique_ptr<Spec>
  fromText(std::unique_ptr<llvm::MemoryBuffer> text, llvm::StringRef name,
           const Options &options);

  mlir::MLIRContext &getContext() { return context; }
  mlir::ModuleOp getModule() { return *module; }
  llvm::ArrayRef<LayerSignature> getSignatures() const { return signatures; }

private:
  Spec(std::unique_ptr<llvm::MemoryBuffer> source, llvm::raw_ostream &messages);
  mlir::LogicalResult parse(llvm::StringRef name, const Options &options);
  mlir::LogicalResult pruneHeads(llvm::ArrayRef<std::string> heads);
  mlir::LogicalResult addGradients(llvm::StringRef name,
                                   llvm::ArrayRef<std::string> arguments);
  mlir::LogicalResult replaceByDerivative(llvm::StringRef name,
                                          const Options &options);

  llvm::raw_ostream &messages;
  mlir::MLIRContext context;
  std::shared_ptr<llvm::SourceMgr> sources;
  mlir::SourceMgrDiagnosticHandler diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<LayerSignature> signatures;
};

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_SPEC_H
