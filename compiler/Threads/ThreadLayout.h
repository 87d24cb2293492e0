//===- ThreadLayout.h - Which thread holds which element --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor that is spread over a group of threads: every bit of every index is
// a bit of the thread's number or a bit of the number of one of its registers.
// Thread bits that no index takes are replicas: those threads hold the same
// elements. Linear layouts of this kind (Zhou et al., "Linear Layouts: Robust
// Code Generation of Efficient Tensor Computation", 2025) hold the fragments of
// matrix instructions as well as rows dealt out to lanes; a broadcast or a
// reduction is leaving dimensions out.
//
// Sizes that are no powers of two are padded; the padding holds anything.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_THREADLAYOUT_H
#define CLIQUE_COMPILER_THREADS_THREADLAYOUT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace clique {

/// Where one bit of an index lives.
struct IndexBit {
  bool isThread;
  int number;
  bool operator==(const IndexBit &other) const {
    return isThread == other.isThread && number == other.number;
  }
};

class ThreadLayout {
public:
  /// dims[d][b]: the place of bit b of index d.
  using Dims = llvm::SmallVector<llvm::SmallVector<IndexBit>>;
  ThreadLayout() = default;
  explicit ThreadLayout(Dims dims);

  unsigned getRank() const { return dims.size(); }
  llvm::ArrayRef<IndexBit> getBits(unsigned dim) const { return dims[dim]; }
  int64_t getPaddedSize(unsigned dim) const {
    return int64_t(1) << dims[dim].size();
  }
  int64_t getNumRegisters() const { return int64_t(1) << numRegisterBits; }
  /// Thread bits that tell elements apart.
  unsigned getThreadMask() const;
  /// The same, of one dimension.
  unsigned getThreadMask(unsigned dim) const;
  bool operator==(const ThreadLayout &other) const {
    return dims == other.dims;
  }

  /// The layout of what has only `kept` dimensions, in that order. Its
  /// registers are those of this layout with the bits of other dimensions left
  /// out.
  ThreadLayout project(llvm::ArrayRef<unsigned> kept) const;
  /// The register of `project(kept)` that holds the part of register `number`.
  int64_t projectRegister(llvm::ArrayRef<unsigned> kept, int64_t number) const;
  /// The part of index `dim` that register `number` adds to the thread's.
  int64_t getOffset(unsigned dim, int64_t number) const;
  /// Bits of register numbers that belong to `dim`.
  llvm::SmallVector<int> getRegisterBits(unsigned dim) const;
  /// How many successive registers hold successive elements along `dim`: a
  /// power of two.
  int64_t getVectorSize(unsigned dim) const;

  /// Elements in row-major order: `perRegister` successive ones in registers,
  /// then one thread after the other, then further registers.
  static ThreadLayout getLinear(llvm::ArrayRef<int64_t> shape, int threadBits,
                                int64_t perRegister);
  /// [rows, features...]: the accumulators of matrix instructions (PTX ISA,
  /// m16n8): a row belongs to four lanes of one warp, whose lanes take pairs of
  /// successive columns in turn. Lanes and warps without rows of their own take
  /// columns.
  static ThreadLayout getTile(llvm::ArrayRef<int64_t> shape, unsigned rowDim,
                              int threadBits);

  /// [depth, columns]: the right operands of m16n8k16, which all warps hold; of
  /// m16n8k8, with neighbours in depth where it has t and t + 4.
  static ThreadLayout getRightOperand(int64_t depth, int64_t columns);

private:
  Dims dims;
  int numRegisterBits = 0;
};

} // namespace clique
#endif // CLIQUE_COMPILER_THREADS_THREADLAYOUT_H
