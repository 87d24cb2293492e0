//===- FeatureTypes.cpp - Types of features, in constraints ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/FeatureTypes.h"
#include "dialect/IR/MPOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace clique::mp;
using namespace clique::mp::detail;

std::string clique::mp::detail::describeShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "a scalar";
  return llvm::join(llvm::map_range(shape,
                                    [](int64_t size) {
                                      return ShapedType::isDynamic(size)
                                                 ? "?"
                                                 : std::to_string(size);
                                    }),
                    "x");
}

bool clique::mp::detail::isPrefix(ArrayRef<int64_t> prefix,
                                  ArrayRef<int64_t> shape) {
  return prefix.size() <= shape.size() &&
         shape.take_front(prefix.size()) == prefix;
}

RankedTensorType clique::mp::detail::getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

RankedTensorType clique::mp::detail::withShape(RankedTensorType type,
                                               ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

LogicalResult clique::mp::detail::verifyResultType(Operation *op, Type expected,
                                                   const Twine &reason) {
  Type actual = op->getResult(0).getType();
  if (actual == expected)
    return success();
  return op->emitOpError("result has type ")
         << actual << ", expected " << expected << ": " << reason;
}

bool clique::mp::hasStaticFeature(Type tensor) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor).getShape();
  return shape.empty() ||
         llvm::none_of(shape.drop_front(), ShapedType::isDynamic);
}

bool clique::mp::hasRows(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0 && tensor.isDynamicDim(0);
}

bool clique::mp::detail::isFeatureElement(Type type) {
  return isa<BFloat16Type, Float16Type, Float32Type, Float64Type>(type) ||
         type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64);
}

/// Whether an op stands in the region of one of the dialect, whose constraints
/// hold there.
static bool isInLayer(Operation *op) {
  Operation *parent = op->getParentOp();
  return parent && isa_and_present<MPDialect>(parent->getDialect());
}

/// The shape for one node.
static ArrayRef<int64_t> getFeatureShape(Type type) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(type).getShape();
  return hasRows(type) ? shape.drop_front() : shape;
}

/// Emits an error where `type`, of an operand or a result of `op`, has a
/// dimension of size 0 that does not count nodes.
static LogicalResult verifyHasElements(Operation *op, Type type,
                                       StringRef what) {
  if (!llvm::is_contained(getFeatureShape(type), 0))
    return success();
  return op->emitOpError("has ")
         << what << " of type " << type
         << ": expected positive dimensions, but for a first one that counts "
            "nodes";
}

LogicalResult clique::mp::detail::verifyComputedFeature(Operation *op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || isInLayer(op))
    return success();
  if (failed(verifyHasElements(op, type, "a result")))
    return failure();
  if (!hasAtMost(getFeatureShape(type), kMaxFeatureElements))
    return op->emitOpError("has a result of type ")
           << type << ": what is computed for one node has at most "
           << kMaxFeatureElements << " elements";
  Type element = type.getElementType();
  if (!isFeatureElement(element) && !element.isIndex())
    return op->emitOpError("has a result of type ")
           << type
           << ": expected elements of bf16, f16, f32, f64, i1, i8, i32, i64 or "
              "index";
  return success();
}

static LogicalResult verifyRows(Operation *op) {
  Type x = op->getOperand(0).getType(), result = op->getResult(0).getType();
  if (hasRows(x) == hasRows(result))
    return success();
  return op->emitOpError("has operand #0 of type ")
         << x << " and result type " << result
         << ": the first dimension of node features stays; to sum over nodes "
            "use mp.readout or linalg.reduce";
}

LogicalResult clique::mp::verifyFeatureOp(Operation *op) {
  if (failed(verifyRows(op)) ||
      (!isInLayer(op) && failed(verifyHasElements(
                             op, op->getOperand(0).getType(), "operand #0"))))
    return failure();
  return verifyComputedFeature(op);
}

RankedTensorType clique::mp::detail::getFeature(Type type) {
  if (auto edges = dyn_cast<EdgesType>(type))
    return edges.getFeatureType();
  return getNodeFeature(type);
}

bool clique::mp::detail::isNodeTensor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.getRank() >= 1 &&
         llvm::all_of(tensor.getShape().drop_front(),
                      [](int64_t size) { return size > 0; });
}

LogicalResult clique::mp::detail::verifyNodeTensors(Operation *op,
                                                    TypeRange types,
                                                    StringRef what) {
  for (auto [i, type] : llvm::enumerate(types))
    if (!isNodeTensor(type))
      return op->emitOpError()
             << what << " #" << i << " has type " << type
             << ": expected a node feature tensor<?x...>, with rank 1 or more "
                "and static, positive dimensions after the first";
  return success();
}

LogicalResult clique::mp::detail::verifyArguments(Operation *op, Block &block,
                                                  TypeRange types,
                                                  StringRef region) {
  if (block.getNumArguments() != types.size())
    return op->emitOpError()
           << region << " has " << block.getNumArguments()
           << " arguments: expected " << types.size() << ", one per operand";
  for (auto [arg, type] : llvm::zip_equal(block.getArguments(), types))
    if (arg.getType() != getFeature(type))
      return op->emitOpError()
             << region << " argument #" << arg.getArgNumber() << " has type "
             << arg.getType() << ": expected " << getFeature(type)
             << ", the feature of its operand";
  return success();
}

LogicalResult clique::mp::detail::verifyYield(Operation *op, Block &block,
                                              TypeRange features,
                                              StringRef ofWhat) {
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield)
    return op->emitOpError("region must end with mp.yield");
  if (yield.getNumOperands() != features.size())
    return yield.emitOpError()
           << "yields " << yield.getNumOperands() << " values: expected "
           << features.size() << ", one per " << ofWhat;
  for (auto [i, pair] :
       llvm::enumerate(llvm::zip_equal(yield.getOperandTypes(), features)))
    if (std::get<0>(pair) != std::get<1>(pair))
      return yield.emitOpError()
             << "value #" << i << " has type " << std::get<0>(pair)
             << ": expected " << std::get<1>(pair) << ", the feature of its "
             << ofWhat;
  return success();
}
