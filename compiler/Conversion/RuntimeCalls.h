//===- RuntimeCalls.h - Calls from compiled code to the runtime -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the functions of runtime/compiled.h in the IR, calls to them,
// and the NUL-terminated strings that they take.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CONVERSION_RUNTIMECALLS_H
#define CLIQUE_COMPILER_CONVERSION_RUNTIMECALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

namespace clique {

/// Emits calls of the runtime in one module. A function is declared at its
/// first call. A pass that uses it depends on the func and LLVM dialects.
class RuntimeCalls {
public:
  explicit RuntimeCalls(mlir::ModuleOp module) : symbols(module) {}

  /// Calls `name`, a function of runtime/compiled.h without `_mlir_ciface_`.
  /// Pointers to graphs and strings are !llvm.ptr, integers are index, bool is
  /// i1, arrays are memref<?xi64> or memref<?xi32>. Returns the result, null if
  /// there is none.
  mlir::Value call(mlir::OpBuilder &builder, mlir::Location loc,
                   llvm::StringRef name, mlir::ValueRange args) const;

  /// Whether the function `name`, of the LLVM dialect and with `_mlir_ciface_`
  /// if it has an array, belongs to the runtime and may fail:
  /// clique_rt_has_failed has to be asked after it.
  static bool mayFail(llvm::StringRef name);

  /// The address of `text`, NUL-terminated; equal texts are stored once.
  mlir::Value getString(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::StringRef text) const;

  /// The address of the module's clique_device_code, which the runtime loads.
  mlir::Value getDeviceCode(mlir::OpBuilder &builder, mlir::Location loc) const;

private:
  mlir::func::FuncOp getFunction(llvm::StringRef name) const;

  /// A cache of the module's symbols, and not part of this object's state.
  mutable mlir::SymbolTable symbols;
};

} // namespace clique

#endif // CLIQUE_COMPILER_CONVERSION_RUNTIMECALLS_H
