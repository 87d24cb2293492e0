//===- WideReductions.h - Reductions of half precision in f32 ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_WIDEREDUCTIONS_H
#define CLIQUE_COMPILER_CODEGEN_WIDEREDUCTIONS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace clique {

/// Whether it carries a reduction in bf16 or f16 whose steps round.
bool reducesHalves(mlir::linalg::LinalgOp op);

/// Replaces `op`: its reductions of half precision, and the steps to them, are
/// computed in f32 and rounded at the end.
mlir::linalg::GenericOp carryWide(mlir::RewriterBase &b,
                                  mlir::linalg::LinalgOp op);

} // namespace clique
#endif // CLIQUE_COMPILER_CODEGEN_WIDEREDUCTIONS_H
