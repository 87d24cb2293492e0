//===- TensorCores.cpp - Products for tensor cores ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Threads/TensorCores.h"
#include "compiler/Threads/ThreadBuilder.h"
#include "dialect/IR/MPTargets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace clique;

std::optional<MatrixProduct> MatrixProduct::match(linalg::LinalgOp op) {
  // Three loops and two operations in the body: no batches, no casts.
  if (!linalg::isaContractionOpInterface(op) || op.getNumLoops() != 3 ||
      llvm::range_size(op.getBlock()->without_terminator()) != 2 ||
      !isa<FloatType>(getElementTypeOrSelf(op.getDpsInits().front())))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.empty() || dims->n.empty() || dims->k.empty())
    return std::nullopt;
  MatrixProduct found{dims->m.front(), dims->n.front(), dims->k.front(),
                      op.getDpsInputs()[0], op.getDpsInputs()[1]};
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (out.getDimPosition(0) != found.m) {
    std::swap(found.m, found.n);
    std::swap(found.lhs, found.rhs);
  }
  return found;
}

TensorCores::TensorCores(func::FuncOp function, int64_t threads, int64_t rows,
                         bool tf32)
    : warps(threads / kLanesPerWarp), rows(rows), tf32(tf32) {
  if (mp::GpuAttr gpu = mp::getGpu(function)) {
    exist = gpu.getMatrix() != mp::MatrixUnit::none;
    warpgroups = gpu.getMatrix() == mp::MatrixUnit::wgmma;
  }
  if (auto type = function->getAttrOfType<TypeAttr>(mp::kProductTypeAttr))
    half = type.getValue();
}

int TensorCores::getAcrossBit() const {
  return int(llvm::Log2_64(kLanesPerWarp) + llvm::Log2_64(rows / kRows));
}

bool TensorCores::canCompute(linalg::LinalgOp op) const {
  std::optional<MatrixProduct> product = MatrixProduct::match(op);
  if (!exist || !product || !(half || tf32) || rows < kRows ||
      !llvm::isPowerOf2_64(rows) || getWarpsAcross() < 1)
    return false;
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // Left operands that several warps need are rounded to half precision in
  // shared memory, and there are pairs of columns for each of them.
  int64_t columns = getWarpsAcross() == 1 ? kColumns : 2 * getColumns();
  return (half || getWarpsAcross() == 1) && ranges[product->m] == rows &&
         ranges[product->n] % columns == 0 &&
         ranges[product->k] % getDepth() == 0;
}

bool TensorCores::haveWarpgroups() const {
  constexpr int64_t warpsTogether = 4;
  return warpgroups && half && rows >= kRows * warpsTogether &&
         getWarpsAcross() == 1;
}
