//===- KernelInfo.cpp - What a kernel reads and writes --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the values at a kernel's border.
//
//===----------------------------------------------------------------------===//
#include "compiler/Analysis/KernelInfo.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/RowSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace clique;

KernelInfo::KernelInfo(mp::KernelOp kernel) : kernel(kernel) {
  Region &body = kernel.getBody();
  auto isOutside = [&](Value value) {
    return !body.isAncestor(value.getParentRegion()) ||
           getSource(value) != value;
  };
  for (Operation &op : body.front()) {
    if (auto message = dyn_cast<mp::MessageOp>(op)) {
      messages.push_back(message);
      dstInputs.insert_range(message.getDst());
      srcInputs.insert_range(message.getSrc());
      edgeInputs.insert_range(message.getEdge());
    } else if (auto aggregate = dyn_cast<mp::AggregateOp>(op)) {
      aggregates.push_back(aggregate);
    } else if (auto sum = dyn_cast<mp::SourceSumOp>(op)) {
      sourceSums.push_back(sum);
    } else if (auto recurrence = dyn_cast<mp::ScanOp>(op)) {
      scan = recurrence;
      dstInputs.insert_range(scan.getFrom());
    } else if (auto update = dyn_cast<mp::UpdateOp>(op)) {
      updates.push_back(update);
      for (Value node : update.getNodes())
        if (isOutside(node))
          dstInputs.insert(node);
    } else if (auto sum = dyn_cast<linalg::GenericOp>(op)) {
      for (Value input : sum.getDpsInputs())
        if (Value nodes = getSummedRows(input); isOutside(nodes))
          dstInputs.insert(nodes);
      continue; // Its region has nothing from outside.
    }
    for (Region &region : op.getRegions())
      region.walk([&](Operation *inner) {
        for (Value operand : inner->getOperands()) {
          if (!isOutside(operand))
            continue;
          if (operand.getDefiningOp<arith::ConstantOp>())
            constants.insert(operand);
          else
            captures.insert(operand);
        }
      });
  }
}

Value KernelInfo::getSource(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && isa<mp::KernelOp>(slice->getParentOp()) ? slice.getSource()
                                                          : value;
}

bool KernelInfo::usesEdgeNumbers() const {
  return llvm::any_of(messages, [](mp::MessageOp message) {
    return llvm::any_of(message.getBody().getOps<mp::PositionOp>(),
                        [](mp::PositionOp position) {
                          return position.getEndpoint() == mp::Endpoint::edge;
                        });
  });
}

SetVector<Value> KernelInfo::getNodeInputs() const {
  SetVector<Value> inputs = dstInputs;
  inputs.insert(srcInputs.begin(), srcInputs.end());
  return inputs;
}

bool KernelInfo::usesEdgeFeatures() const {
  return !edgeInputs.empty() || usesEdgeNumbers() ||
         llvm::any_of(kernel->getResultTypes(),
                      [](Type type) { return isa<mp::EdgesType>(type); });
}

int64_t KernelInfo::getRowSize() const {
  int64_t size = 1;
  auto add = [&](Value nodes) {
    size += ShapedType::getNumElements(
        cast<RankedTensorType>(nodes.getType()).getShape().drop_front());
  };
  for (Value input : dstInputs)
    add(input);
  for (mp::AggregateOp aggregate : aggregates)
    for (Value result : aggregate.getResults())
      add(result);
  return size;
}

/// Elements of the largest of these types.
static int64_t getLargestSize(TypeRange types) {
  int64_t largest = 1;
  for (Type type : types)
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      largest = std::max(largest, tensor.getNumElements());
  return largest;
}

/// Elements of the largest value that is computed from a region's arguments.
static int64_t getLargestComputed(Region &region) {
  int64_t largest = 1;
  auto args = region.getArguments();
  DenseSet<Value> computed(args.begin(), args.end());
  for (Operation &op : region.front()) {
    if (llvm::none_of(op.getOperands(), [&](Value operand) {
          return computed.contains(operand);
        }))
      continue;
    computed.insert_range(op.getResults());
    largest = std::max(largest, getLargestSize(op.getResultTypes()));
  }
  return largest;
}

int64_t KernelInfo::getUpdateValueSize() const {
  int64_t largest = 1;
  for (mp::UpdateOp update : updates)
    largest = std::max(largest, getLargestComputed(update.getBody()));
  return largest;
}

int64_t KernelInfo::getLargestValueSize() const {
  int64_t largest = 1;
  for (Operation &op : kernel.getBody().front())
    for (Region &region : op.getRegions())
      if (!region.empty())
        largest = std::max({largest, getLargestSize(region.getArgumentTypes()),
                            getLargestComputed(region)});
  return largest;
}

bool KernelInfo::hasHalfProducts() const {
  auto isOther = [](Value value) {
    Type element = getElementTypeOrSelf(getSource(value).getType());
    return isa<FloatType>(element) && !element.isF16() && !element.isBF16() &&
           isa<RankedTensorType>(getSource(value).getType());
  };
  if (llvm::any_of(dstInputs, isOther) || llvm::any_of(captures, isOther) ||
      llvm::any_of(kernel.getResults(), isOther))
    return false;
  constexpr int64_t step = 16;
  auto isMultiple = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements() % step == 0;
  };
  return llvm::any_of(updates, [&](mp::UpdateOp update) {
    return llvm::any_of(
        update.getBody().getOps<mp::LinearOp>(), [&](mp::LinearOp linear) {
          return isMultiple(linear.getX()) && isMultiple(linear.getResult());
        });
  });
}

int64_t KernelInfo::getEdgeValueSize() const {
  int64_t largest = 1;
  for (mp::MessageOp message : messages)
    largest = std::max(largest, clique::getEdgeValueSize(message));
  return largest;
}
