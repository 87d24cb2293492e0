//===- LayerSignature.h - What a layer takes and returns --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The description of a public function of a spec, as callers of the compiled
// layer see it: clique_layer of runtime/clique.h, before there is code.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TARGET_LAYERSIGNATURE_H
#define CLIQUE_COMPILER_TARGET_LAYERSIGNATURE_H

#include "mlir/IR/BuiltinOps.h"
#include "runtime/clique.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace clique {

/// One argument or result; the fields are those of clique_arg.
struct LayerArgument {
  std::string name;
  clique_arg_kind kind = CLIQUE_ARG_TENSOR;
  clique_extent extent = CLIQUE_EXTENT_NONE;
  int32_t graph = -1;
  clique_topology topology = CLIQUE_TOPOLOGY_UNKNOWN;
  int64_t param = 0;
  bool noSelf = false;
  DLDataType dtype = {0, 0, 0};
  std::vector<int64_t> shape; ///< CLIQUE_DYNAMIC where not static

  /// Arguments of one class have equal first dimensions; a scalar's value
  /// counts as such. Not part of the ABI.
  unsigned sizeClass = 0;
  /// Of a graph: what depends on the numbers of its nodes; empty if they may be
  /// renumbered.
  std::string numberUse;
  /// The last call may take it over. Not part of the ABI.
  bool isGivenAway = false;
};

struct LayerSignature {
  std::string name;
  /// What the C header calls it, `clique_run_NAME` for most.
  std::string wrapper;
  /// The same for the call that takes arguments over; empty if there are none.
  std::string lastWrapper;
  /// For the header: what callers must know beside shapes; may be empty.
  std::string note;
  std::vector<LayerArgument> args, results;
};

/// The signatures of all public functions with a body, in the order of the
/// module. Needs the names of nameArguments(). An error at the function if
/// there is none, or one that no caller could call.
mlir::FailureOr<std::vector<LayerSignature>>
getLayerSignatures(mlir::ModuleOp module);

/// Makes all public functions private whose names are not in `entries` (empty:
/// keeps all). An error that lists the valid names if one is unknown or there
/// is no public function.
llvm::Error selectEntries(mlir::ModuleOp module,
                          llvm::ArrayRef<std::string> entries);

/// `f32`, `bf16`, `i64` ...
std::string getTypeName(DLDataType type);

} // namespace clique
#endif // CLIQUE_COMPILER_TARGET_LAYERSIGNATURE_H
