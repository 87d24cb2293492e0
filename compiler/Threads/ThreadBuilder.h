//===- ThreadBuilder.h - Code of one thread of a group ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread does with its part of a tensor: loads and stores, exchange with
// the other threads of its group, reductions. A group is a warp or a part of
// one, several of which make a block, or a whole block. Groups of the same warp
// go their own ways: what their threads do together names no other lanes.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_THREADBUILDER_H
#define CLIQUE_COMPILER_THREADS_THREADBUILDER_H

#include "compiler/Threads/ThreadLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace clique {

constexpr int64_t kLanesPerWarp = 32;
/// Bytes, of buffers in shared memory.
constexpr int64_t kSharedAlignment = 16;
/// The same of right operands of wgmma: eight rows of 128 bytes, after which
/// their swizzle repeats itself.
constexpr int64_t kPanelAlignment = 1024;

/// How a dimension of a buffer is indexed by a thread.
struct BufferIndex {
  BufferIndex(unsigned dim) : dim(dim) {}
  BufferIndex(mlir::Value fixed) : fixed(fixed) {}
  /// A dimension of the layout, or else the same index for all elements.
  std::optional<unsigned> dim;
  mlir::Value fixed;
  /// Elements from this index on are not there; null: up to the buffer's size.
  mlir::Value limit = {};
};

/// A buffer with the dimensions of the layout.
llvm::SmallVector<BufferIndex> getAllDims(unsigned rank);

class ThreadBuilder : public mlir::OpBuilder {
public:
  /// Code goes into `function`, which `threads` threads run together.
  ThreadBuilder(mlir::func::FuncOp function, int64_t threads);

  int64_t getNumThreads() const { return threads; }
  int getThreadBits() const;
  mlir::Value constantIndex(mlir::Location loc, int64_t value);

  /// `scale` times the field of `size` bits from bit `first` on in the thread's
  /// number.
  mlir::Value getThreadField(int first, int size, int64_t scale);

  /// Index `dim` of register `number`.
  mlir::Value getCoordinate(mlir::Location loc, const ThreadLayout &layout,
                            unsigned dim, int64_t number);
  /// The same of all registers, as a vector.
  mlir::Value getCoordinates(mlir::Location loc, const ThreadLayout &layout,
                             unsigned dim);
  /// The same; registers of padding have the last index below `extent`, so that
  /// what is read there exists.
  mlir::Value getCoordinatesWithin(mlir::Location loc,
                                   const ThreadLayout &layout, unsigned dim,
                                   int64_t extent);

  /// A vector of `size` times `scalar`.
  mlir::Value splat(mlir::Location loc, mlir::Value scalar, int64_t size);
  /// A vector of some registers of another.
  mlir::Value take(mlir::Location loc, mlir::Value vector,
                   llvm::ArrayRef<int64_t> registers);
  /// From the registers of `full.project(kept)` to those of `full`.
  mlir::Value expand(mlir::Location loc, mlir::Value vector,
                     const ThreadLayout &full, llvm::ArrayRef<unsigned> kept);

  /// Registers from a buffer. What is not there is `otherwise`, or anything
  /// where that is null.
  mlir::Value load(mlir::Location loc, mlir::Value buffer,
                   const ThreadLayout &layout,
                   llvm::ArrayRef<BufferIndex> indices,
                   mlir::Value otherwise = {});
  /// Registers to a buffer; replicas store once.
  void store(mlir::Location loc, mlir::Value vector, mlir::Value buffer,
             const ThreadLayout &layout, llvm::ArrayRef<BufferIndex> indices);

  /// Whether threads can copy what `layout` gives them past their registers.
  bool canCopyAsync(mlir::Value from, const ThreadLayout &layout);
  /// Starts such a copy to shared memory, which is complete after
  /// waitForCopies. Rows from `limit` on are not read, but zero; null: all are
  /// there.
  void copyAsync(mlir::Location loc, mlir::Value from, mlir::Value to,
                 const ThreadLayout &layout, mlir::Value limit);
  /// All copies of the group's threads that were started are complete, with
  /// `forWarpgroups` also for wgmma.
  void waitForCopies(mlir::Location loc, bool forWarpgroups);

  /// All threads of the group have come here, and see what the others wrote.
  void synchronise(mlir::Location loc);
  /// What the thread wrote to shared memory is there for wgmma, too, which
  /// reads it by another way than loads do (PTX ISA, "Async proxy").
  void fenceForWarpgroups(mlir::Location loc);
  /// Shared memory of the group's own, until it is released. Rows may be
  /// `padded`, so that those of different rows lie in different banks.
  mlir::Value allocateShared(mlir::Location loc, mlir::MemRefType type,
                             bool padded, int64_t alignment = kSharedAlignment);
  /// Whether nobody has used the shared memory that comes next.
  bool isSharedFresh() const { return allocated == mostAllocated; }
  /// A loop of the function begins; skipUsedInLoop: what comes next, nobody has
  /// used since.
  void startLoop() { mostInLoop = allocated; }
  void skipUsedInLoop() { allocated = mostInLoop; }
  /// What was allocated behind `mark` is free again.
  int64_t markShared() const { return allocated; }
  void releaseShared(int64_t mark) { allocated = mark; }
  /// The same, until the next use of scratch.
  mlir::Value getScratch(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
                         mlir::Type elementType);

  /// A tensor of `shape` in another layout.
  mlir::Value convert(mlir::Location loc, mlir::Value vector,
                      const ThreadLayout &from, const ThreadLayout &to,
                      llvm::ArrayRef<int64_t> shape);

  /// The part of a tensor at `index` of dimension `dim`, which is spread over
  /// the lanes of warps at most; in the layout without that dimension.
  mlir::Value selectAlong(mlir::Location loc, mlir::Value vector,
                          const ThreadLayout &layout, unsigned dim,
                          mlir::Value index);

  using Combine = llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)>;
  /// Combines the vectors of threads whose numbers differ in the bits of
  /// `mask`; all get the result.
  mlir::Value combineThreads(mlir::Location loc, mlir::Value vector,
                             unsigned mask, Combine combine);
  /// Combines the registers of dimension `dim` away.
  mlir::Value combineRegisters(mlir::Location loc, mlir::Value vector,
                               llvm::ArrayRef<int> bits, Combine combine);

  /// Bytes of shared memory that a group takes; ends its use.
  int64_t finish();

private:
  /// The part of index `dim` that the thread's number gives; null for 0.
  mlir::Value getThreadPart(const ThreadLayout &layout, unsigned dim);
  /// Where register `number` lies in a buffer; returns when this thread has to
  /// store it there, null: always.
  mlir::Value locate(mlir::Location loc, mlir::MemRefType type,
                     const ThreadLayout &layout,
                     llvm::ArrayRef<BufferIndex> indices, int64_t number,
                     llvm::SmallVectorImpl<mlir::Value> &position);
  /// How many elements a load or store takes at once.
  int64_t getAccessSize(mlir::Value buffer, const ThreadLayout &layout,
                        llvm::ArrayRef<BufferIndex> indices);
  /// The same of an asynchronous copy; 0 if there is none.
  int64_t getCopySize(mlir::Value from, const ThreadLayout &layout);
  mlir::Value getShared(mlir::Location loc, mlir::Value offset,
                        mlir::MemRefType type);
  mlir::Value shuffle(mlir::Location loc, mlir::Value vector,
                      mlir::gpu::ShuffleMode mode, mlir::Value lane);
  mlir::Value shuffleNumber(mlir::Location loc, mlir::Value own,
                            mlir::gpu::ShuffleMode mode, mlir::Value lane);
  mlir::Value exchange(mlir::Location loc, mlir::Value vector, int bit);
  /// The registers in whose numbers the bit is 0, and those in which it is 1.
  std::pair<mlir::Value, mlir::Value>
  splitRegisters(mlir::Location loc, mlir::Value vector, int bit);
  mlir::Value exchangeWarps(mlir::Location loc, mlir::Value vector,
                            unsigned mask, Combine combine);
  bool isInWarp() const { return threads <= kLanesPerWarp; }

  mlir::func::FuncOp function;
  int64_t threads;
  /// Inserts at the function's start, behind what is there for the same use.
  mlir::OpBuilder entry;
  /// The thread's number in its group; the group's shared memory in the
  /// block's.
  mlir::Value thread, sharedBase;
  /// The group's lanes, as bits of an i32; null if they are of several warps.
  mlir::Value lanes;
  /// To be known at the end: bytes per group, and where scratch begins.
  mlir::arith::ConstantIndexOp groupBytes, scratchOffset;
  int64_t allocated = 0, mostAllocated = 0, mostInLoop = 0, scratchBytes = 0;
};

/// `op` with other operands, whose types its results have.
mlir::Operation *createLike(mlir::OpBuilder &b, mlir::Operation *op,
                            mlir::ValueRange operands, mlir::TypeRange types);

/// The scalar of a vector of one register, or whatever element of a vector.
mlir::Value getRegister(mlir::OpBuilder &b, mlir::Location loc,
                        mlir::Value vector, int64_t number);

} // namespace clique
#endif // CLIQUE_COMPILER_THREADS_THREADBUILDER_H
