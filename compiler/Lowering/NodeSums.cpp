//===- NodeSums.cpp - Sums over the nodes of a kernel ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Lowering/NodeSums.h"
#include "compiler/Analysis/RowSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace clique;

SmallVector<linalg::GenericOp> clique::getNodeSums(mp::KernelOp kernel) {
  return llvm::to_vector(kernel.getBody().getOps<linalg::GenericOp>());
}

bool clique::isNodeSum(Value yielded) {
  auto sum = yielded.getDefiningOp<linalg::GenericOp>();
  return sum && isa<mp::KernelOp>(sum->getParentOp());
}

//===----------------------------------------------------------------------===//
// The block's side
//===----------------------------------------------------------------------===//

Value clique::zeroRows(OpBuilder &b, Location loc, Value tensor, Value from,
                       Value to) {
  auto type = cast<RankedTensorType>(tensor.getType());
  RowSlice rows(b, type, from,
                arith::SubIOp::create(b, loc, to, from).getResult());
  Value slice = tensor::ExtractSliceOp::create(b, loc, tensor, rows.offsets,
                                               rows.sizes, rows.strides);
  Value zero =
      arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  slice = linalg::FillOp::create(b, loc, zero, slice).getResult(0);
  return tensor::InsertSliceOp::create(b, loc, slice, tensor, rows.offsets,
                                       rows.sizes, rows.strides);
}

/// Adds the sum of some nodes to `total`, the memref of a part. `rows`: its
/// inputs there, before they are reshaped.
static void addNodeSum(OpBuilder &b, linalg::GenericOp sum, ValueRange rows,
                       Value total) {
  Location loc = sum.getLoc();
  auto type = cast<RankedTensorType>(sum.getResult(0).getType());
  IRMapping mapping;
  for (auto [input, value] : llvm::zip_equal(sum.getDpsInputs(), rows)) {
    auto flat = input.getDefiningOp<tensor::CollapseShapeOp>();
    mapping.map(input, flat ? tensor::CollapseShapeOp::create(
                                  b, loc, value, flat.getReassociationIndices())
                                  .getResult()
                            : value);
  }
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
  Value empty =
      tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  mapping.map(sum.getDpsInits().front(),
              linalg::FillOp::create(b, loc, zero, empty).getResult(0));
  Value block = b.clone(*sum, mapping)->getResult(0);
  Value before = bufferization::ToTensorOp::create(b, loc, type, total,
                                                   /*restrict=*/true);
  Value after = arith::AddFOp::create(b, loc, before, block);
  bufferization::MaterializeInDestinationOp::create(b, loc, Type(), after,
                                                    total)
      .setWritable(true);
}

void clique::addNodeSums(BlockFunction &function, const RowRange &rows,
                         llvm::function_ref<Value(Value)> getRows) {
  Location loc = function.getLoc();
  OpBuilder &b = function.getBuilder();
  DenseMap<Value, Value> summed;
  for (linalg::GenericOp sum : getNodeSums(function.getInfo().kernel)) {
    SmallVector<Value> inputs;
    for (Value input : sum.getDpsInputs()) {
      Value nodes = getSummedRows(input);
      Value &tensor = summed[nodes];
      if (!tensor) {
        tensor = getRows(nodes);
        Value size = arith::ConstantIndexOp::create(b, loc, rows.size);
        if (rows.size > 1)
          tensor = zeroRows(b, loc, tensor, rows.count, size);
      }
      inputs.push_back(tensor);
    }
    addNodeSum(b, sum, inputs, function.getOutput(sum.getResult(0)));
  }
}

//===----------------------------------------------------------------------===//
// The caller's side
//===----------------------------------------------------------------------===//

MemRefType clique::getPartType(MemRefType type) {
  ArrayRef<int64_t> shape = type.getShape().drop_front();
  auto [strides, offset] = type.getStridesAndOffset();
  auto layout = StridedLayoutAttr::get(type.getContext(), ShapedType::kDynamic,
                                       ArrayRef(strides).drop_front());
  return MemRefType::get(shape, type.getElementType(), layout);
}

PartedArgs::PartedArgs(func::FuncOp callee, size_t begin, ValueRange args)
    : args(args) {
  for (auto [position, arg] : llvm::enumerate(args))
    if (callee.getArgumentTypes()[begin + position] != arg.getType())
      sums.push_back(position);
}

Value PartedArgs::countParts(OpBuilder &b, Location loc) const {
  return memref::DimOp::create(b, loc, args[sums.front()], int64_t(0));
}

SmallVector<Value> PartedArgs::take(OpBuilder &b, Location loc,
                                    Value part) const {
  SmallVector<Value> taken(args);
  for (size_t position : sums) {
    auto type = cast<MemRefType>(args[position].getType());
    RowSlice slice(b, type, part, b.getIndexAttr(1));
    taken[position] =
        memref::SubViewOp::create(b, loc, getPartType(type), args[position],
                                  slice.offsets, slice.sizes, slice.strides);
  }
  return taken;
}
