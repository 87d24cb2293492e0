//===- Edits.h - Ways to make a spec smaller --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_TOOLS_CLIQUE_SMITH_EDITS_H
#define CLIQUE_TOOLS_CLIQUE_SMITH_EDITS_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <set>
#include <string>

namespace clique::smith {

enum class EditResult {
  changed,
  none,   ///< it would change nothing, or make no valid spec
  unknown ///< there are not so many edits
};

/// Makes the edit of this number: drops a result, or replaces a value by an
/// operand, another value or a constant of its type; then takes away all that
/// nothing uses. `keepsMonoids`: what combines states stays as it is, since any
/// other function of two states could depend on their order.
EditResult editModule(mlir::ModuleOp module, unsigned number,
                      bool keepsMonoids);
std::string printModule(mlir::ModuleOp module);

/// The sizes above 1 in the types of a spec.
std::set<int64_t, std::greater<>> findSizes(const std::string &text);
/// One size in place of another, everywhere.
std::string replaceSize(const std::string &text, int64_t from, int64_t to);

} // namespace clique::smith
#endif // CLIQUE_TOOLS_CLIQUE_SMITH_EDITS_H
