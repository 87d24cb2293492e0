//===- MPFeatureOps.cpp - The mathematics of one edge or one node ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints and folds of the feature ops.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/MPOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace clique::mp;

/// `8x16`, or `a scalar` for rank 0.
static std::string describeShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "a scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// `type` with another shape.
static RankedTensorType withShape(RankedTensorType type,
                                  ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

/// The result must have type `expected`, for the reason given.
static LogicalResult verifyResultType(Operation *op, Type expected,
                                      const Twine &reason) {
  Type actual = op->getResult(0).getType();
  if (actual == expected)
    return success();
  return op->emitOpError("result has type ")
         << actual << ", expected " << expected << ": " << reason;
}

static LogicalResult verifyEps(Operation *op, const APFloat &eps) {
  double value = eps.convertToDouble();
  if (value > 0)
    return success();
  return op->emitOpError("eps is ")
         << value << ": give a number above 0, such as 1.0e-5";
}

//===----------------------------------------------------------------------===//
// LinearOp
//===----------------------------------------------------------------------===//

LogicalResult LinearOp::verify() {
  RankedTensorType x = getTensorType(getX());
  RankedTensorType weights = getTensorType(getWeights());
  RankedTensorType result = getTensorType(getResult());
  // C1
  if (x.getRank() == 0)
    return emitOpError(
        "x is a scalar: use arith.mulf on an mp.broadcast of it");
  std::string weightsShape = describeShape(weights.getShape());
  if (x.getRank() > weights.getRank() ||
      weights.getShape().take_front(x.getRank()) != x.getShape()) {
    std::string xShape = describeShape(x.getShape());
    return emitOpError("x's shape ")
           << xShape << " must be a prefix of the weights' shape "
           << weightsShape << ": give weights of shape " << xShape
           << "x..., or reshape x";
  }
  // C2
  ArrayRef<int64_t> rest = weights.getShape().drop_front(x.getRank());
  if (result.getShape() != rest)
    return emitOpError("result has shape ")
           << describeShape(result.getShape()) << ", expected "
           << describeShape(rest) << ": what x leaves of the weights' shape "
           << weightsShape;
  // C3
  if (getBias() && getBias().getType() != result)
    return emitOpError("bias has type ")
           << getBias().getType() << ", expected the result's type " << result;
  // C4
  if (x.getElementType() != weights.getElementType() ||
      x.getElementType() != result.getElementType())
    return emitOpError("x has elements of ")
           << x.getElementType() << ", the weights of "
           << weights.getElementType() << ", the result of "
           << result.getElementType()
           << ": convert to one type with arith.extf or arith.truncf";
  return success();
}

//===----------------------------------------------------------------------===//
// DotOp
//===----------------------------------------------------------------------===//

LogicalResult DotOp::verify() {
  // C1
  RankedTensorType type = getTensorType(getLhs());
  if (type != getRhs().getType())
    return emitOpError("operands have types ")
           << type << " and " << getRhs().getType() << ": give two of one type";
  if (type.getRank() == 0)
    return emitOpError("operands are scalars: use arith.mulf");
  // C2
  return verifyResultType(*this, withShape(type, type.getShape().drop_back()),
                          "the operands' type without its last dimension");
}

//===----------------------------------------------------------------------===//
// ReduceOp
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  RankedTensorType x = getTensorType(getX());
  // C1
  int64_t previous = -1;
  for (int64_t dim : getDims()) {
    if (dim < 0 || dim >= x.getRank())
      return emitOpError("has no dimension ")
             << dim << " to reduce: x has type " << x << " of rank "
             << x.getRank();
    if (dim <= previous)
      return emitOpError("dims are [")
             << getDims() << "]: name each dimension once, in ascending order";
    previous = dim;
  }
  // C2
  SmallVector<int64_t> rest;
  for (auto [dim, size] : llvm::enumerate(x.getShape()))
    if (!llvm::is_contained(getDims(), static_cast<int64_t>(dim)))
      rest.push_back(size);
  return verifyResultType(*this, withShape(x, rest),
                          "x's type without the reduced dimensions");
}

/// `value` reduced with itself `count` times.
static APFloat reduceSplat(ReductionKind kind, APFloat value, int64_t count) {
  // Mean, max and min of equal numbers are that number.
  if (kind != ReductionKind::sum)
    return value;
  APFloat times(value.getSemantics());
  times.convertFromAPInt(APInt(64, count), /*IsSigned=*/true,
                         APFloat::rmNearestTiesToEven);
  value.multiply(times, APFloat::rmNearestTiesToEven);
  return value;
}

OpFoldResult ReduceOp::fold(FoldAdaptor adaptor) {
  if (getDims().empty())
    return getX();
  auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX());
  if (!splat || splat.getNumElements() == 0)
    return {};
  RankedTensorType result = getTensorType(getResult());
  int64_t count = splat.getNumElements() / result.getNumElements();
  return DenseElementsAttr::get(
      result, reduceSplat(getKind(), splat.getSplatValue<APFloat>(), count));
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

static bool isPrefix(ArrayRef<int64_t> shape, ArrayRef<int64_t> of) {
  return shape.size() <= of.size() && of.take_front(shape.size()) == shape;
}

static bool isSuffix(ArrayRef<int64_t> shape, ArrayRef<int64_t> of) {
  return shape.size() <= of.size() && of.take_back(shape.size()) == shape;
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType x = getTensorType(getX());
  RankedTensorType result = getTensorType(getResult());
  // C1
  bool prefix = isPrefix(x.getShape(), result.getShape());
  bool suffix = isSuffix(x.getShape(), result.getShape());
  if (getTrailing() ? !suffix : !prefix) {
    StringRef mend = "reshape x or change the result's type";
    if (prefix)
      mend = "drop 'trailing'";
    if (suffix)
      mend = "add 'trailing'";
    return emitOpError("x's shape ")
           << describeShape(x.getShape()) << " must be a "
           << (getTrailing() ? "suffix" : "prefix") << " of the result's shape "
           << describeShape(result.getShape()) << ": " << mend;
  }
  // C2
  if (x.getElementType() != result.getElementType())
    return emitOpError("x has elements of ")
           << x.getElementType() << ", the result of "
           << result.getElementType() << ": convert x first";
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  // Two broadcasts on the same side are one.
  auto inner = getX().getDefiningOp<BroadcastOp>();
  if (!inner || inner.getTrailing() != getTrailing())
    return {};
  getXMutable().assign(inner.getX());
  return getResult();
}

//===----------------------------------------------------------------------===//
// LookupOp
//===----------------------------------------------------------------------===//

LogicalResult LookupOp::verify() {
  RankedTensorType table = getTensorType(getTable());
  // C1
  if (table.getRank() == 0)
    return emitOpError(
        "table is a scalar: give it a first dimension, its rows");
  // C3
  return verifyResultType(*this,
                          withShape(table, table.getShape().drop_front()),
                          "one row of the table");
}

//===----------------------------------------------------------------------===//
// LayerNormOp
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::verify() {
  RankedTensorType x = getTensorType(getX());
  // C1
  if (x.getRank() == 0)
    return emitOpError("x is a scalar: give a tensor of rank 1 or more");
  if (failed(verifyResultType(*this, x, "x's type")))
    return failure();
  // C2
  RankedTensorType expected = withShape(x, x.getShape().take_back());
  for (auto [name, value] : {std::make_pair("scale", getScale()),
                             std::make_pair("shift", getShift())})
    if (value && value.getType() != expected)
      return emitOpError(name)
             << " has type " << value.getType() << ", expected " << expected
             << ": one number per entry of x's last dimension";
  // C3
  return verifyEps(*this, getEps());
}

//===----------------------------------------------------------------------===//
// BatchNormOp
//===----------------------------------------------------------------------===//

LogicalResult BatchNormOp::verify() {
  // C1
  Type expected = getX().getType();
  for (auto [name, value] : {std::make_pair("mean", getMean()),
                             std::make_pair("variance", getVariance()),
                             std::make_pair("scale", getScale()),
                             std::make_pair("shift", getShift())})
    if (value && value.getType() != expected)
      return emitOpError(name) << " has type " << value.getType()
                               << ", expected x's type " << expected;
  if (failed(verifyResultType(*this, expected, "x's type")))
    return failure();
  // C2
  return verifyEps(*this, getEps());
}
