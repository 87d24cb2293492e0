//===- BlockFunction.h - The function of one block of rows ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel becomes a private function that computes the destinations
// [first, last) and is called in parallel for all blocks:
//
//   func.func private @attention_0_dense(
//       %first: index, %last: index, %head: index, <arrays of the graph>,
//       <inputs: memrefs>, <captures: memrefs, scalars>, <outputs: memrefs>)
//
// with %head only where heads are computed apart.
//
// Inside, everything is tensors of static tile shape; only outputs are written
// through their memrefs. This file has what the lowerings share: the signature,
// the staging of rows, the updates at the end and the stores. What lies
// between, from the staged inputs to the aggregated values, is each lowering's
// own.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_BLOCKFUNCTION_H
#define CLIQUE_COMPILER_LOWERING_BLOCKFUNCTION_H

#include "compiler/Lowering/KernelInfo.h"
#include "compiler/Lowering/Lifting.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace clique {

/// Arrays of a graph that a block function may ask for, in the order of its
/// arguments.
enum class GraphArray {
  rowBegin,
  rowEnd,
  noSelf,
  areTilesListed,
  tileList,
  tileRegisterBlocks,
  tileWords,
  tileFirstEdges,
  indptr,
  rowSources,
  sources,
  edgeIds
};

/// What a schedule says, whichever it is; 0 where it says nothing.
struct TileShape {
  TileShape(mlir::Attribute schedule);

  int64_t rows = 0; ///< destinations per block, at most
  /// Destinations per dense tile, or per step of typed rows; a divisor of
  /// `rows`.
  int64_t tileRows = 0;
  int64_t columns = 0;       ///< sources per dense tile
  int64_t borderColumns = 0; ///< and per part of a tile on the border
  int64_t groups = 0;        ///< groups of edges of a type per product
  int64_t edges = 0;         ///< per block of rows, about
  /// Whose softmax weights, or messages, are computed together.
  int64_t chunkEdges = 0;
  int64_t partEdges = 0;      ///< of a divided row that are added up first
  int64_t prefetchEdges = 0;  ///< how far ahead sources are fetched
  int64_t prefetchBlocks = 0; ///< how far ahead rows of tiles are, 0 or 1
  int64_t threads = 0;        ///< that share a block

private:
  void take(mp::RowBlocksAttr blocks);
};

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

class BlockFunction {
public:
  /// Creates the function before `kernel`'s parent function, with its
  /// arguments; `arrays`: what the lowering needs of the graph.
  BlockFunction(const KernelInfo &info, llvm::StringRef suffix, TileShape shape,
                llvm::ArrayRef<GraphArray> arrays);

  mlir::func::FuncOp getFunction() const { return function; }
  mlir::OpBuilder &getBuilder() { return builder; }
  mlir::Location getLoc() const { return info.kernel->getLoc(); }
  const KernelInfo &getInfo() const { return info; }
  TileShape getShape() const { return shape; }

  /// The block's rows.
  mlir::Value getFirst() const { return first; }
  mlir::Value getLast() const { return last; }
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
  /// Entries [from, from + count) of an array of the graph, i64 [dst]; beyond
  /// as with rows.
  Lifted stageEntries(Lifter &lifter, GraphArray array, mlir::Value from,
                      mlir::Value count, int64_t step = 0);
  /// How many edges each of the rows [from, from + count) has, i64 [dst].
  Lifted emitDegrees(Lifter &lifter, mlir::Value from, mlir::Value count);
  /// One row of a node or edge input, without an axis.
  Lifted stageRow(Lifter &lifter, mlir::Value input, mlir::Value row);
  /// Says how far ahead the schedule wants the rows of source nodes to be
  /// fetched, which `sources` has the numbers of.
  void markSources(mlir::BlockArgument sources);

  /// The memory of a node input and, where it has heads, of this one of them.
  mlir::Value viewInput(mlir::Value input, mlir::Value ofHead);
  /// Fetches a row of it into the second cache, as far as RowLines says.
  void prefetchRow(mlir::Value buffer, mlir::Value row);

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
  RowRange getRows() const { return {first, numRows, shape.rows}; }
  void createReturn();

  /// An argument behind all others.
  mlir::Value addArgument(mlir::Type type);

  /// The memref through which a result of the kernel's body is written; null if
  /// it does not leave the kernel.
  mlir::Value getOutput(mlir::Value yielded) const;

private:
  /// `input` as a tensor, all of its rows.
  mlir::Value getTensor(mlir::Value input) const {
    return tensors.lookup(input);
  }
  /// Says how many threads share a block, and how it is divided among them.
  void describeThreads();
  /// `rows` with zeros behind the first `count`, as stageRows says.
  mlir::Value zeroRest(Lifter &lifter, const Lifted &rows, mlir::Value count,
                       int64_t step);
  void storeRows(Lifter &lifter, const RowRange &range, mlir::Value output,
                 const Lifted &value);
  /// What `slice` takes for the current head, from the function's own `whole`.
  mlir::Value takeHead(mlir::tensor::ExtractSliceOp slice, mlir::Value whole);
  /// Where `slice` has an index of the kernel's head, the one of `ofHead`.
  void setHead(mlir::tensor::ExtractSliceOp slice, mlir::Value ofHead,
               llvm::SmallVector<mlir::OpFoldResult> &offsets,
               llvm::SmallVector<mlir::OpFoldResult> &sizes);
  /// The function's own of an index that the kernel takes from its head.
  mlir::Value getHeadIndex(mlir::Value index, mlir::Value ofHead);
  mlir::Value getHeadOfOutput(mlir::Value output);
  /// One head's part of a weight without gaps, as look-ups gather it.
  mlir::Value makeContiguous(mlir::Value tensor);

  const KernelInfo &info;
  TileShape shape;
  mlir::func::FuncOp function;
  mlir::OpBuilder builder;
  mlir::Value first, last, numRows, head;
  llvm::DenseMap<GraphArray, mlir::Value> arrays;
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;
  llvm::SmallVector<mlir::Value> outputs;
};

/// The memref through which a node or edge feature crosses a function's border.
mlir::MemRefType getBufferType(mlir::Type featureType);
/// That of a tensor from outside the kernel: in the type of computation, but
/// for threads that share a block, which extend elements where they read them.
mlir::MemRefType getCaptureType(mlir::RankedTensorType type,
                                const TileShape &shape);

/// The bodies. Each creates the block function of a kernel.
mlir::FailureOr<mlir::func::FuncOp> lowerToRows(const KernelInfo &info,
                                                TileShape shape);
mlir::FailureOr<mlir::func::FuncOp> lowerToTiles(const KernelInfo &info,
                                                 TileShape shape);
/// Sparse rows, whose function gets more behind its other arguments: the
/// block's first chunk and the one past its last, and chunks, groups, sources
/// and edge numbers as runtime/TypedEdges.h has them.
struct TypedProduct;
mlir::FailureOr<mlir::func::FuncOp>
lowerToTypedRows(const KernelInfo &info, const TypedProduct &product,
                 TileShape shape);

/// Sparse rows whose messages are computed for a chunk of edges at once.
mlir::FailureOr<mlir::func::FuncOp> lowerToEdgeBlocks(const KernelInfo &info,
                                                      TileShape shape);

/// A hub's edges are divided among threads: `chunk` takes the states of a part
/// of them to scratch, `merge` joins those of a row and finishes it.
///
///   @gat_1_sparse_chunk(%row, %row + 1, ..., %begin, %end, %chunk, <scratch>)
///   @gat_1_sparse_merge(%row, %row + 1, ..., %firstChunk, %lastChunk,
///   <scratch>)
struct HubFunctions {
  mlir::func::FuncOp chunk, merge;
  /// A state per chunk.
  llvm::SmallVector<mlir::MemRefType> scratch;
};
/// `inChunks`: whether its messages are computed for chunks of edges.
mlir::FailureOr<HubFunctions> lowerHubs(const KernelInfo &info, TileShape shape,
                                        bool inChunks);
/// The function of a part of a hub in chunks; `types`: of the scratch.
mlir::FailureOr<mlir::func::FuncOp>
lowerHubChunkToEdgeBlocks(const KernelInfo &info, TileShape shape,
                          llvm::SmallVectorImpl<mlir::MemRefType> &types);

/// What each asks of the graph.
llvm::ArrayRef<GraphArray> getGraphArrays(mp::Lowering lowering);

} // namespace clique
#endif // CLIQUE_COMPILER_LOWERING_BLOCKFUNCTION_H
