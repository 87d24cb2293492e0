//===- DistributeBodies.cpp - Scalars of a body as vectors ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a linalg op speaks of one point; a thread computes those of all
// its registers at once.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/Tuning.h"
#include "compiler/Threads/Distribution.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace clique;

static Type toVector(Type type, int64_t size) {
  return VectorType::get(size, type);
}

/// Whether it has functions that are no instructions of a GPU.
static bool hasFunctions(Block &body) {
  return llvm::any_of(body, [](Operation &op) {
    return isa<math::MathDialect>(op.getDialect()) &&
           !isa<math::AbsFOp, math::ExpOp, math::Exp2Op, math::FmaOp,
                math::RsqrtOp, math::SqrtOp>(op);
  });
}

FailureOr<Value> Distribution::cloneGather(tensor::ExtractOp op,
                                           IRMapping &vectors, int64_t size) {
  Location loc = op.getLoc();
  Value buffer = getMemory(loc, op.getTensor());
  SmallVector<Value> elements;
  for (int64_t number = 0; number < size; ++number) {
    SmallVector<Value> position;
    for (Value index : op.getIndices()) {
      Value vector = vectors.lookupOrNull(index);
      position.push_back(vector ? getRegister(b, loc, vector, number) : index);
    }
    elements.push_back(loadElement(loc, buffer, position, op.getType()));
  }
  return vector::FromElementsOp::create(
             b, loc, VectorType::get(size, getElement(op.getTensor())),
             elements)
      .getResult();
}

FailureOr<SmallVector<Value>>
Distribution::cloneBody(linalg::LinalgOp op, ValueRange args, int64_t size,
                        llvm::function_ref<Value(unsigned)> getLoopIndex) {
  if (size <= tuning::gpuFewRegisters || !hasFunctions(*op.getBlock()))
    return clonePart(op, args, size, getLoopIndex);
  // The steps of a polynomial for all registers at once would need as many
  // again for each.
  Location loc = op.getLoc();
  SmallVector<SmallVector<Value>> elements(
      op.getBlock()->getTerminator()->getNumOperands());
  SmallVector<Value> results;
  for (int64_t first = 0; first < size; first += tuning::gpuFewRegisters) {
    auto registers =
        llvm::to_vector(llvm::seq(first, first + tuning::gpuFewRegisters));
    SmallVector<Value> parts;
    for (Value arg : args)
      parts.push_back(b.take(loc, arg, registers));
    FailureOr<SmallVector<Value>> part =
        clonePart(op, parts, tuning::gpuFewRegisters, [&](unsigned loop) {
          return b.take(loc, getLoopIndex(loop), registers);
        });
    if (failed(part))
      return failure();
    for (auto [all, value] : llvm::zip_equal(elements, *part))
      for (int64_t number = 0; number < tuning::gpuFewRegisters; ++number)
        all.push_back(getRegister(b, loc, value, number));
  }
  for (ArrayRef<Value> all : elements)
    results.push_back(vector::FromElementsOp::create(
        b, loc, VectorType::get(size, all.front().getType()), all));
  return results;
}

FailureOr<SmallVector<Value>>
Distribution::clonePart(linalg::LinalgOp op, ValueRange args, int64_t size,
                        llvm::function_ref<Value(unsigned)> getLoopIndex) {
  IRMapping vectors;
  Block &body = *op.getBlock();
  for (auto [arg, vector] : llvm::zip_equal(body.getArguments(), args))
    vectors.map(arg, vector);
  auto getVector = [&](Value value) {
    if (Value vector = vectors.lookupOrNull(value))
      return vector;
    Value vector = b.splat(value.getLoc(), value, size);
    return vector;
  };
  for (Operation &inner : body.without_terminator()) {
    Location loc = inner.getLoc();
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      vectors.map(index.getResult(), getLoopIndex(index.getDim()));
      continue;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(inner)) {
      Value scalar = b.clone(inner)->getResult(0);
      vectors.map(constant.getResult(), b.splat(loc, scalar, size));
      continue;
    }
    if (auto gather = dyn_cast<tensor::ExtractOp>(inner)) {
      FailureOr<Value> gathered = cloneGather(gather, vectors, size);
      if (failed(gathered))
        return failure();
      vectors.map(gather.getResult(), *gathered);
      continue;
    }
    if (!OpTrait::hasElementwiseMappableTraits(&inner))
      return inner.emitOpError("cannot be spread over threads: write it with "
                               "elementwise ops of arith and math");
    SmallVector<Value> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(getVector(operand));
    SmallVector<Type> types;
    for (Type type : inner.getResultTypes())
      types.push_back(toVector(type, size));
    Operation *vectorised = createLike(b, &inner, operands, types);
    vectors.map(inner.getResults(), vectorised->getResults());
  }
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(getVector(value));
  return yielded;
}
