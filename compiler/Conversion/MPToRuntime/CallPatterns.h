//===- CallPatterns.h - Ops as calls of the runtime -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the patterns of convert-mp-to-runtime share.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CALLPATTERNS_H
#define CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CALLPATTERNS_H

#include "compiler/Conversion/RuntimeCalls.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Transforms/DialectConversion.h"

namespace clique {

/// Calls a function of the runtime whose errors say where in the spec it was
/// called from.
mlir::Value callAtPlace(const RuntimeCalls &runtime, mlir::OpBuilder &builder,
                        mlir::Location loc, llvm::StringRef name,
                        mlir::ValueRange args);

/// A pattern that calls the runtime.
template <typename Op>
struct CallPattern : mlir::OpConversionPattern<Op> {
  CallPattern(const mlir::TypeConverter &converter, mlir::MLIRContext *context,
              const RuntimeCalls &runtime)
      : mlir::OpConversionPattern<Op>(converter, context), runtime(runtime) {}

  /// Replaces `op` by the result of the function `name`.
  mlir::LogicalResult
  replaceWithCall(Op op, llvm::StringRef name, mlir::ValueRange args,
                  mlir::ConversionPatternRewriter &rewriter) const {
    const bool makesGraph =
        llvm::isa<mp::MPGraphType>(op->getResult(0).getType());
    mlir::Location loc = op.getLoc();
    rewriter.replaceOp(op, makesGraph
                               ? callAtPlace(runtime, rewriter, loc, name, args)
                               : runtime.call(rewriter, loc, name, args));
    return mlir::success();
  }

  const RuntimeCalls &runtime;
};

/// An op whose operands are the arguments of function `name`.
template <typename Op>
struct ConvertToCall : CallPattern<Op> {
  ConvertToCall(const mlir::TypeConverter &converter,
                mlir::MLIRContext *context, const RuntimeCalls &runtime,
                llvm::StringRef name)
      : CallPattern<Op>(converter, context, runtime), name(name) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    return this->replaceWithCall(op, name, adaptor.getOperands(), rewriter);
  }

  llvm::StringRef name;
};

} // namespace clique

#endif // CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CALLPATTERNS_H
