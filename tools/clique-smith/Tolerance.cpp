//===- Tolerance.cpp - How much two right results may differ --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "tools/clique-smith/Tolerance.h"
#include "mlir/IR/BuiltinTypes.h"
#include "tools/clique-smith/Random.h"

#include <cmath>

using namespace clique;
using namespace clique::smith;

/// Half a unit in the last place of 1, in the coarsest float of the spec.
static double findEpsilon(mlir::Operation *module) {
  double epsilon = 0x1p-53;
  auto look = [&](mlir::Type type) {
    mlir::Type element = mlir::getElementTypeOrSelf(type);
    if (llvm::isa<mlir::BFloat16Type>(element))
      epsilon = std::max(epsilon, 0x1p-9);
    else if (llvm::isa<mlir::Float16Type>(element))
      epsilon = std::max(epsilon, 0x1p-12);
    else if (llvm::isa<mlir::Float32Type>(element))
      epsilon = std::max(epsilon, 0x1p-24);
  };
  module->walk([&](mlir::Operation *op) {
    for (mlir::Type type : op->getResultTypes())
      look(type);
    for (mlir::Region &region : op->getRegions())
      for (mlir::Block &block : region)
        for (mlir::Type type : block.getArgumentTypes())
          look(type);
  });
  return epsilon;
}

static std::shared_ptr<const ReferenceTensor>
roundOtherwise(const ReferenceTensor &tensor, double epsilon, Random &random) {
  auto moved = std::make_shared<ReferenceTensor>(tensor);
  for (double &value : moved->data)
    value *= 1 + epsilon * (random.chance(0.5) ? 1 : -1);
  return moved;
}

static double findDifference(const ReferenceTensor &a,
                             const ReferenceTensor &b) {
  double largest = 0, difference = 0;
  for (auto [x, y] : llvm::zip_equal(a.data, b.data)) {
    if (!std::isfinite(x) || !std::isfinite(y))
      continue;
    largest = std::max(largest, std::abs(x));
    difference = std::max(difference, std::abs(x - y));
  }
  return largest > 0 ? difference / largest : difference;
}

std::vector<double>
clique::smith::estimateTolerances(mlir::func::FuncOp function,
                                  const LayerSignature &signature,
                                  llvm::ArrayRef<ReferenceValue> arguments,
                                  llvm::ArrayRef<ReferenceTensor> expected) {
  const double epsilon =
      findEpsilon(function->getParentOfType<mlir::ModuleOp>());
  // Halves are rounded seldom, but at each place where they are stored.
  const double factor =
      epsilon > 0x1p-13 ? (epsilon > 0x1p-10 ? 25 : 50) : 5000;
  std::vector<double> tolerances(expected.size(), factor * epsilon);
  Random random(0);
  for (unsigned round = 0; round < 2; ++round) {
    llvm::SmallVector<ReferenceValue> moved(arguments);
    for (auto [value, arg] : llvm::zip_equal(moved, signature.args))
      if (auto *tensor =
              std::get_if<std::shared_ptr<const ReferenceTensor>>(&value))
        if (*tensor &&
            (arg.dtype.code == kDLFloat || arg.dtype.code == kDLBfloat))
          *tensor = roundOtherwise(**tensor, epsilon, random);
    auto results = evaluateReference(function, moved);
    if (failed(results))
      return {};
    for (auto [k, result] : llvm::enumerate(*results))
      tolerances[k] =
          std::max(tolerances[k], 20 * findDifference(expected[k], result));
  }
  for (auto [tolerance, result] :
       llvm::zip_equal(tolerances, signature.results))
    if (result.dtype.code != kDLFloat && result.dtype.code != kDLBfloat)
      tolerance = 0;
  return tolerances;
}
