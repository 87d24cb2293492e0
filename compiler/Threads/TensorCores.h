//===- TensorCores.h - Products for tensor cores ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which products of a block function matrix instructions compute, and how the
// warps of a block divide the result: each has 16 rows; where there are fewer
// rows than that, several warps have the same ones, and take 8 columns each in
// turn.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_THREADS_TENSORCORES_H
#define CLIQUE_COMPILER_THREADS_TENSORCORES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace clique {

/// out[m, n] += lhs[m, k] rhs[k, n].
struct MatrixProduct {
  unsigned m, n, k;
  mlir::Value lhs, rhs;

  /// lhs and rhs may come in either order; nothing if `op` is no such product.
  static std::optional<MatrixProduct> match(mlir::linalg::LinalgOp op);
};

class TensorCores {
public:
  /// Extents of a result of one matrix instruction.
  static constexpr int64_t kRows = 16, kColumns = 8;

  /// `rows`: of a block's results; 0 where there are no such. `tf32`: products
  /// of f32 may be rounded to it.
  TensorCores(mlir::func::FuncOp function, int64_t threads, int64_t rows,
              bool tf32);

  /// The half precision to which what is multiplied may be rounded; null if it
  /// may not.
  mlir::Type getHalf() const { return half; }
  /// How much of what is summed one instruction takes.
  int64_t getDepth() const { return half ? 16 : 8; }
  /// Warps with the same rows.
  int64_t getWarpsAcross() const { return warps * kRows / rows; }
  /// How many columns all warps have in an instruction each.
  int64_t getColumns() const { return kColumns * getWarpsAcross(); }
  /// The first bit of the thread's number that tells columns apart.
  int getAcrossBit() const;
  /// Whether a product is large enough for matrix instructions.
  bool canCompute(mlir::linalg::LinalgOp op) const;
  /// Whether the four warps of each warpgroup multiply together
  /// (mp.warpgroup_product).
  bool haveWarpgroups() const;

private:
  int64_t warps, rows;
  bool tf32;
  bool exist = true;       ///< on the target
  bool warpgroups = false; ///< the target's are for warpgroups
  mlir::Type half;
};

} // namespace clique
#endif // CLIQUE_COMPILER_THREADS_TENSORCORES_H
