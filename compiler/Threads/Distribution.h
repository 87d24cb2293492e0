//===- Distribution.h - Tensors spread over threads -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands for each tensor of a block function while it is rewritten, op by
// op, to the code of one thread. Scalars stay as they are: every thread
// computes them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_DISTRIBUTION_H
#define CLIQUE_COMPILER_THREADS_DISTRIBUTION_H

#include "compiler/Threads/TensorCores.h"
#include "compiler/Threads/ThreadBuilder.h"
#include "compiler/Threads/TileAxes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {

/// What a tensor is for a thread.
struct ThreadValue {
  enum class Kind {
    undefined, ///< nobody has written it
    splat,     ///< all elements are the scalar `value`
    registers, ///< the vector `value`, spread as `layout` says
    memory,    ///< the buffer `value`, which nobody writes while it is read;
               ///< if its elements are narrower, they are extended
    window,    ///< rows of the buffer `value` up to `limit`, then `otherwise`
  };
  Kind kind = Kind::undefined;
  mlir::Value value;
  ThreadLayout layout = {};
  mlir::Value limit = {}, otherwise = {};
};

/// The loops that the dimensions of an operand are, in order.
llvm::SmallVector<unsigned> getLoops(mlir::linalg::LinalgOp op,
                                     mlir::OpOperand &operand);
llvm::SmallVector<unsigned> getReductionLoops(mlir::linalg::LinalgOp op);

/// Whether an op does nothing but extend elements.
bool isExtension(mlir::Operation *op);

class ProductOperand;

class Distribution {
public:
  /// `rows`: destinations of a tile, 0 where a group computes single rows.
  /// `stages`: buffers of what a loop copies asynchronously, 1 or 2.
  /// `tf32`: products of f32 may be those of tensor cores.
  Distribution(mlir::func::FuncOp function, int64_t threads, int64_t rows,
               int64_t stages, bool tf32);

  /// Rewrites the function.
  mlir::LogicalResult run();
  int64_t getSharedBytes() { return b.finish(); }

private:
  mlir::LogicalResult visitBlock(mlir::Block &block);
  mlir::LogicalResult visit(mlir::Operation *op);
  /// Ops that compute nothing: they say how tensors are called and taken apart.
  bool onlyNames(mlir::Operation *op);
  // Distribution.cpp
  mlir::LogicalResult visitFor(mlir::scf::ForOp op);
  mlir::LogicalResult visitIf(mlir::scf::IfOp op);
  /// `results`: of the op of which `from` is a block.
  mlir::LogicalResult visitBranch(mlir::Block &from, mlir::Block &to,
                                  mlir::ValueRange results);
  // DistributeTensors.cpp
  mlir::LogicalResult visitExtractSlice(mlir::tensor::ExtractSliceOp op);
  mlir::LogicalResult visitInsertSlice(mlir::tensor::InsertSliceOp op);
  mlir::LogicalResult visitReshape(mlir::Operation *op);
  mlir::LogicalResult visitExtract(mlir::tensor::ExtractOp op);
  mlir::LogicalResult visitFromElements(mlir::tensor::FromElementsOp op);
  mlir::LogicalResult
  visitStore(mlir::bufferization::MaterializeInDestinationOp op);
  mlir::LogicalResult visitConstant(mlir::arith::ConstantOp op);
  // DistributeLinalg.cpp
  mlir::LogicalResult visitFill(mlir::linalg::FillOp op);
  mlir::LogicalResult visitLinalg(mlir::linalg::LinalgOp op);
  mlir::LogicalResult visitElements(mlir::linalg::LinalgOp op);
  // DistributeLoops.cpp
  mlir::LogicalResult visitByLoops(mlir::linalg::LinalgOp op);
  /// An operand's part of one step of such loops, in `layout`: from `buffer`,
  /// else from the registers that hold it.
  mlir::Value readStep(mlir::linalg::LinalgOp op, mlir::OpOperand &operand,
                       mlir::Value buffer,
                       const llvm::DenseMap<unsigned, mlir::Value> &counters,
                       const ThreadLayout &layout);
  // MatrixProducts.cpp
  bool isOnTensorCores(mlir::linalg::LinalgOp op);
  /// Whether they are to read the tensor, or parts of it.
  bool isReadByTensorCores(mlir::Value tensor);
  mlir::LogicalResult visitProduct(mlir::linalg::LinalgOp op);
  /// The left operand of a product with elements of type `element`.
  ProductOperand getLeftOperand(mlir::linalg::LinalgOp op, mlir::Type element);
  /// Whether warpgroups can multiply with `right`.
  bool isForWarpgroups(mlir::linalg::LinalgOp op, mlir::Value right);
  /// A product by warps, or by warpgroups: its accumulators, without padding.
  llvm::SmallVector<mlir::Value> multiplyByWarps(mlir::linalg::LinalgOp op,
                                                 mlir::Value right,
                                                 ProductOperand &left,
                                                 mlir::Value sums);
  mlir::Value multiplyByWarpgroups(mlir::linalg::LinalgOp op, mlir::Value right,
                                   ProductOperand &left, mlir::Value sums);
  /// Starts to copy the right operand of such a product to shared memory; null
  /// if it is there, or is read from where it is.
  mlir::Value stageWeights(mlir::linalg::LinalgOp op);

  /// A layout for a tensor that nothing else gives one.
  ThreadLayout getLayout(mlir::Value tensor) {
    return getLayout(getShape(tensor), axes.getClasses(tensor));
  }
  /// The same for dimensions, or loops, that are these axes.
  ThreadLayout getLayout(mlir::ArrayRef<int64_t> shape,
                         mlir::ArrayRef<TileAxes::Class> classes);
  /// For copies from memory to memory.
  ThreadLayout getCopyLayout(mlir::ArrayRef<int64_t> shape, mlir::Type element);
  static mlir::ArrayRef<int64_t> getShape(mlir::Value tensor) {
    return llvm::cast<mlir::RankedTensorType>(tensor.getType()).getShape();
  }
  static mlir::Type getElement(mlir::Value tensor) {
    return llvm::cast<mlir::RankedTensorType>(tensor.getType())
        .getElementType();
  }

  const ThreadValue &get(mlir::Value tensor) { return values[tensor]; }
  void set(mlir::Value tensor, ThreadValue value) {
    values[tensor] = std::move(value);
  }
  void setRegisters(mlir::Value tensor, mlir::Value vector,
                    ThreadLayout layout) {
    set(tensor, {ThreadValue::Kind::registers, vector, std::move(layout)});
  }
  void setMemory(mlir::Value tensor, mlir::Value buffer) {
    set(tensor, {ThreadValue::Kind::memory, buffer});
  }
  /// A tensor's registers in the given layout.
  mlir::Value getRegisters(mlir::Location loc, mlir::Value tensor,
                           const ThreadLayout &layout);
  /// A tensor in a buffer that all threads can read: its own, or shared memory.
  mlir::Value getMemory(mlir::Location loc, mlir::Value tensor);
  /// One element of a buffer, extended to `type`.
  mlir::Value loadElement(mlir::Location loc, mlir::Value buffer,
                          mlir::ValueRange position, mlir::Type type);
  // Staging.cpp
  /// Puts a tensor into shared memory of its own; `isRounded`: in the half
  /// precision in which the function's numbers are stored. A copy may be
  /// under way until the next op that does more than name tensors.
  mlir::Value stage(mlir::Location loc, mlir::Value tensor,
                    bool isRounded = false);
  /// The same of what lies in memory as it is; null if its elements have to go
  /// through registers.
  mlir::Value stageAsync(mlir::Location loc, mlir::Value tensor,
                         mlir::Type element, bool padded, bool isForPanels);
  /// Shared memory for a tensor, whose rows may be padded, or its elements be
  /// put in panels.
  mlir::Value allocate(mlir::Location loc, mlir::ArrayRef<int64_t> shape,
                       mlir::Type element, bool padded, bool isForPanels);
  /// What a loop takes parts of lies in memory before it begins.
  void stageSliced(mlir::scf::ForOp loop);
  /// Whether its elements will be regrouped; whether only those of single rows.
  static bool isReshaped(mlir::Value tensor);
  static bool keepsRows(mlir::Value tensor);
  /// Waits for the copies that are under way.
  void finishCopies(mlir::Location loc);
  /// The registers of a window.
  mlir::Value loadWindow(mlir::Location loc, mlir::Value tensor,
                         const ThreadLayout &layout);
  /// Calls `emit` for a window of which all rows are there (a null limit), or
  /// some; it returns the values of either case.
  mlir::ResultRange
  ifWhole(mlir::Location loc, mlir::Value tensor, mlir::TypeRange types,
          llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value limit)>
              emit);
  /// Whether a product of matrices will read the tensor element by element.
  bool isReadByLoops(mlir::Value tensor);
  /// Whether an op is computed by loops over what it reduces.
  bool isByLoops(mlir::linalg::LinalgOp op);
  /// Whether a round of a reduction by loops takes an operand's elements from
  /// the registers of other threads, to which those of the result in `layout`
  /// belong. Where products are on tensor cores such reductions are rare: not
  /// worth the shared memory that tiles could have.
  bool isSelectable(mlir::Value tensor, mlir::ArrayRef<unsigned> loops,
                    mlir::ArrayRef<unsigned> reductions,
                    const ThreadLayout &layout);
  ThreadLayout getIterationLayout(mlir::linalg::LinalgOp op);
  /// The ops of a linalg body on vectors; returns what it yields.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  cloneBody(mlir::linalg::LinalgOp op, mlir::ValueRange args, int64_t size,
            llvm::function_ref<mlir::Value(unsigned)> getLoopIndex);
  /// The same, all of `size` registers at once.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  clonePart(mlir::linalg::LinalgOp op, mlir::ValueRange args, int64_t size,
            llvm::function_ref<mlir::Value(unsigned)> getLoopIndex);
  mlir::FailureOr<mlir::Value> cloneGather(mlir::tensor::ExtractOp op,
                                           mlir::IRMapping &vectors,
                                           int64_t size);

  mlir::func::FuncOp function;
  int64_t rows, stages;
  TensorCores cores;
  TileAxes axes;
  ThreadBuilder b;
  llvm::DenseMap<mlir::Value, ThreadValue> values;
  /// Buffers of tensors in registers, while a loop takes parts of them.
  llvm::DenseMap<mlir::Value, mlir::Value> sliced;
  /// Buffers whose elements clique-swizzle-shared may put in panels.
  llvm::SmallPtrSet<mlir::Value, 4> forPanels;
  /// The right operand of the product that is visited, if it was copied.
  mlir::Value weights;
  /// Whether a product is on tensor cores.
  bool hasProducts = false;
  /// Whether copies were started that nobody has waited for.
  bool isCopying = false;
  /// Ops that others stand for, in the order of their results.
  llvm::SmallVector<mlir::Operation *> rewritten;
  /// The tensor from whose layout those of its first dimensions are taken.
  mlir::Value anchor;
};

} // namespace clique
#endif // CLIQUE_COMPILER_THREADS_DISTRIBUTION_H
