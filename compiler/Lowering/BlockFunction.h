//===- BlockFunction.h - The loops of one block of rows ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel of an mp.block becomes loops in its function. There everything is
// tensors of static tile shape; only outputs are written through their memrefs.
// This file has what the lowerings share: the staging of rows, the updates at
// the end and the stores. What lies between, from the staged inputs to the
// aggregated values, is each lowering's own.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_BLOCKFUNCTION_H
#define CLIQUE_COMPILER_LOWERING_BLOCKFUNCTION_H

#include "compiler/Analysis/KernelInfo.h"
#include "compiler/Lowering/Lifting.h"
#include "compiler/Lowering/RowsInPlace.h"
#include "compiler/Lowering/TileShape.h"
#include "dialect/IR/MPGraphArrays.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {

using mp::GraphArray;

/// Rows [first, first + count) of the graph, at most `size`.
struct RowRange {
  mlir::Value first, count;
  int64_t size;
};

/// Rows [from, from + count) of a tensor or memref, as slices and views are
/// spelled.
struct RowSlice {
  RowSlice(mlir::OpBuilder &builder, mlir::ShapedType type,
           mlir::OpFoldResult from, mlir::OpFoldResult count);
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;
};

/// Rows [from, from + count) of a tensor.
mlir::Value sliceRows(mlir::OpBuilder &b, mlir::Location loc,
                      mlir::Value tensor, mlir::Value from,
                      mlir::OpFoldResult count);

/// [node, feature...], as node features lie in memory.
Layout getRowMajorLayout(Axis axis, unsigned featureRank);

class BlockFunction {
public:
  /// `info`: of the kernel in `block`, before which loops are made.
  BlockFunction(const KernelInfo &info, mp::BlockOp block);

  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return info.kernel->getLoc(); }
  const KernelInfo &getInfo() const { return info; }
  TileShape getShape() const { return shape; }

  /// The block's rows.
  mlir::Value getFirst() const { return block.getFirst(); }
  mlir::Value getLast() const { return block.getLast(); }
  mlir::Value getNumRows() const { return numRows; }
  mlir::Value getArray(GraphArray array) const { return arrays.lookup(array); }
  /// Entry `position` of an array, as index, and of one of i64, as it is.
  mlir::Value load(GraphArray array, mlir::Value position);
  mlir::Value loadEntry(GraphArray array, mlir::Value position);

  /// A weight from outside, in the type of computation.
  mlir::Value getWeight(mlir::Value capture) const {
    return getTensor(capture);
  }
  /// Gives the lifter what the regions use from outside.
  mlir::LogicalResult mapCaptures(Lifter &lifter);
  /// Rows [from, from + count) of a node input along `axis`, in the type of
  /// computation. Rows beyond `count` are 0 up to a multiple of `step`, by
  /// default to the axis' end, and undefined from there on.
  Lifted stageRows(Lifter &lifter, mlir::Value input, Axis axis,
                   mlir::Value from, mlir::Value count, int64_t step = 0);
  /// Whether such rows of a node input may be read in place: they are not
  /// converted, and threads of a device do not share them.
  std::optional<RowsInPlace> getInputInPlace(mlir::Value input, int64_t size,
                                             RowPitch pitch);
  /// Rows of a node input, read so, where `isWanted`, if given, else copied;
  /// beyond `rows.count` as those staged.
  Lifted readRows(mlir::Value input, const RowRange &rows, Axis axis,
                  const RowsInPlace &place, int64_t step = 0,
                  mlir::Value isWanted = {});
  /// Entries [from, from + count) of an array of the graph, i64 [dst]; beyond
  /// as with rows.
  Lifted stageEntries(Lifter &lifter, GraphArray array, mlir::Value from,
                      mlir::Value count, int64_t step = 0);
  /// How many edges each of the rows [from, from + count) has, i64 [dst].
  Lifted emitDegrees(Lifter &lifter, mlir::Value from, mlir::Value count);
  /// One row of a node or edge input, without an axis.
  Lifted stageRow(Lifter &lifter, mlir::Value input, mlir::Value row);

  /// What belongs to the block and, of a part of a row, the states in memory.
  mp::BlockPart getPart() { return block.getPart(); }
  mlir::ValueRange getArgs() { return block.getArgs(); }
  mlir::ValueRange getScratch() { return block.getScratch(); }
  /// Whether scratch has a row of each of `states`; an error if not.
  mlir::LogicalResult verifyScratch(mlir::ValueRange states);

  /// The memory of a node input and, where it has heads, of `ofHead`.
  mlir::Value viewInput(mlir::Value input, mlir::Value ofHead);
  /// Fetches a row of it into a cache of the core, as far as getLineElements
  /// says.
  void prefetchRow(mlir::Value buffer, mlir::Value row);
  /// The same of a row of the block of node inputs, where they have heads of
  /// `ofHead`; and of rows [begin, end), in a loop.
  void prefetchRow(mlir::ValueRange inputs, mlir::Value row,
                   mlir::Value ofHead);
  mlir::scf::ForOp prefetchRows(mlir::ValueRange inputs, mlir::Value begin,
                                mlir::Value end, mlir::Value ofHead = {});

  /// Writes the feature of one edge or one row, given without axes.
  void storeRow(Lifter &lifter, mlir::Value result, mlir::Value row,
                const Lifted &value);
  /// Row `row` of a memref of the same element type: writes it, and reads it.
  void storeRow(mlir::Value tensor, mlir::Value memref, mlir::Value row);
  mlir::Value loadRow(mlir::Value memref, mlir::Value row);
  /// Rows [from, from + count) of what was written for a result so far, as a
  /// tensor of `type`, whose other rows are undefined; and writes as many rows.
  mlir::Value loadRows(mlir::Value result, mlir::Value from, mlir::Value count,
                       mlir::RankedTensorType type);
  void storeRows(mlir::Value result, mlir::Value from, mlir::Value count,
                 mlir::Value rows);

  /// Computes the updates from the aggregated values (results of mp.aggregate,
  /// with a destination axis) and stores all node results but those of
  /// mp.aggregate that are not given.
  mlir::LogicalResult
  finish(const RowRange &rows,
         llvm::ArrayRef<std::pair<mlir::Value, Lifted>> aggregated);
  /// The block's rows, all of them.
  RowRange getRows() const { return {getFirst(), numRows, shape.rows}; }

  /// The memref through which a result of the kernel's body is written; null if
  /// it does not leave the kernel.
  mlir::Value getOutput(mlir::Value yielded) const;

private:
  /// See OrderedRows.cpp: whether nodes may stand in another order than they
  /// are numbered in, and the node at a position.
  void findOrder();
  mlir::Value getNode(mlir::Value position);
  /// Rows [from, from + count) of a node feature as the first ones of `into`;
  /// and the first rows of a tensor in their places in `output`.
  mlir::Value takeRows(mlir::Value tensor, mlir::Value from, mlir::Value count,
                       mlir::Value into);
  void placeRows(mlir::Value tensor, mlir::Value output, mlir::Value from,
                 mlir::Value count);
  void storeFirstRows(mlir::Value tensor, mlir::Value output, mlir::Value from,
                      mlir::Value count);
  /// `input` as a tensor, all of its rows; weights in the type of computation.
  mlir::Value getTensor(mlir::Value input) const;
  /// `rows` with zeros behind the first `count`, as stageRows says.
  mlir::Value zeroRest(mlir::Value tensor, int64_t size, mlir::Value count,
                       int64_t step);
  void storeRows(Lifter &lifter, const RowRange &range, mlir::Value output,
                 const Lifted &value);

  const KernelInfo &info;
  /// Ops are handles: reading through them changes nothing here.
  mutable mp::BlockOp block;
  TileShape shape;
  mlir::OpBuilder builder;
  mlir::Value numRows;
  llvm::DenseMap<GraphArray, mlir::Value> arrays;
  /// Whether the graph has an order of nodes; null where it has none.
  mlir::Value isInOrder;
};

/// Gives the lifter what the kernel's regions use from outside: constants,
/// scalars, and what `getTensor` has for a tensor.
mlir::LogicalResult
mapOutside(const KernelInfo &info, Lifter &lifter,
           llvm::function_ref<mlir::Value(mlir::Value)> getTensor);

/// The memref through which a node or edge feature crosses a function's border.
mlir::MemRefType getBufferType(mlir::Type featureType);

/// Has `lower` make the loops of each block of `module` whose kernel's schedule
/// is a `Schedule`; the blocks go.
template <typename Schedule>
mlir::LogicalResult
lowerBlocks(mlir::ModuleOp module,
            llvm::function_ref<mlir::LogicalResult(BlockFunction &)> lower) {
  llvm::SmallVector<mp::BlockOp> blocks;
  module.walk([&](mp::BlockOp block) {
    if (llvm::isa<Schedule>(block.getKernel().getScheduleAttr()))
      blocks.push_back(block);
  });
  for (mp::BlockOp block : blocks) {
    KernelInfo info(block.getKernel());
    BlockFunction function(info, block);
    if (mlir::failed(lower(function)))
      return mlir::failure();
    block.erase();
  }
  return mlir::success();
}

struct TypedProduct;
/// The loops of each kind of block.
mlir::LogicalResult lowerToRows(BlockFunction &function);
mlir::LogicalResult lowerToEdgeBlocks(BlockFunction &function);
mlir::LogicalResult lowerToTypedRows(BlockFunction &function,
                                     const TypedProduct &product);
mlir::LogicalResult lowerToTiles(BlockFunction &function);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_BLOCKFUNCTION_H
