//===- BlockOutliner.h - The function of one block of rows ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel becomes a private function that computes the destinations
// [first, last) and is called in parallel for all blocks:
//
//   func.func private @attention_0_dense(
//       %first: index, %last: index, %head: index, <arrays of the graph>,
//       <inputs: memrefs>, <captures: memrefs, scalars>, <outputs: memrefs>,
//       <what belongs to the block>, <scratch: memrefs>)
//
// with %head only where heads are computed apart. Its body is an mp.block with
// the kernel, which reads the arguments as tensors.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_BLOCKOUTLINER_H
#define CLIQUE_COMPILER_LOWERING_BLOCKOUTLINER_H

#include "compiler/Analysis/KernelInfo.h"
#include "compiler/Lowering/TileShape.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

namespace clique {

/// What a block function is beside its kernel.
struct BlockKind {
  /// Of the function's name, behind the kernel's.
  llvm::StringRef suffix;
  /// Of the kernel in it.
  mlir::Attribute schedule;
  llvm::SmallVector<mlir::Type> args;
  llvm::SmallVector<mlir::MemRefType> scratch;
  mp::BlockPart part = mp::BlockPart::rows;
};

class BlockOutliner {
public:
  BlockOutliner(const KernelInfo &info, BlockKind kind);

  /// Makes the function, before the kernel's; the kernel stays.
  mlir::func::FuncOp run();

private:
  mlir::Location getLoc() const { return info.kernel->getLoc(); }
  void createFunction();
  /// Says which results may lie where inputs do that the caller gives away.
  void pairRows(unsigned firstInput, unsigned firstResult);
  /// Says how many threads share a block, and how it is divided among them.
  void describeThreads();
  /// Maps what the kernel reads to tensors, scalars and constants of the
  /// function.
  void mapInputs(mlir::ValueRange buffers);
  void mapCapture(mlir::Value capture, mlir::BlockArgument argument);
  void mapConstants();
  /// The kernel on the block: of one head, where heads are computed apart.
  void cloneKernel();

  /// An argument as what stands for `value` in the kernel, in its own type.
  mlir::Value asTensor(mlir::Value value, mlir::Value buffer);
  /// What `slice` takes for the current head, from the function's own `whole`.
  mlir::Value takeHead(mlir::tensor::ExtractSliceOp slice, mlir::Value whole);
  /// The function's own of an index that the kernel takes from its head.
  mlir::Value getHeadIndex(mlir::Value index);
  mlir::Value getHeadOfOutput(mlir::Value output);
  /// One head's part of a weight without gaps, as look-ups gather it.
  mlir::Value makeContiguous(mlir::Value tensor);
  /// `tensor` with the elements that `value` has.
  mlir::Value narrow(mlir::Value tensor, mlir::Value value);

  const KernelInfo &info;
  BlockKind kind;
  TileShape shape;
  mlir::OpBuilder builder;
  mlir::func::FuncOp function;
  mlir::Value head;
  mlir::IRMapping mapping;
  mp::BlockOp block;
};

/// That of a tensor from outside the kernel: in the type of computation, but
/// for threads that share a block, which extend elements where they read them.
mlir::MemRefType getCaptureType(mlir::RankedTensorType type,
                                const TileShape &shape);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_BLOCKOUTLINER_H
