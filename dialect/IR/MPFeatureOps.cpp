//===- MPFeatureOps.cpp - The mathematics of one edge or one node ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constraints and folds of the feature ops.
//
//===----------------------------------------------------------------------===//
#include "dialect/IR/FeatureTypes.h"
#include "dialect/IR/MPOps.h"

using namespace mlir;
using namespace clique::mp;
using namespace clique::mp::detail;

static LogicalResult verifyEps(Operation *op, const APFloat &eps) {
  double value = eps.convertToDouble();
  if (value > 0)
    return success();
  return op->emitOpError("eps is ")
         << value << ": give a number above 0, such as 1.0e-5";
}

/// `type` without the given dimensions; an error where they are not
/// some of its own, in ascending order.
static FailureOr<RankedTensorType> dropDims(Operation *op,
                                            RankedTensorType type,
                                            ArrayRef<int64_t> dims,
                                            const Twine &what) {
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= type.getRank())
      return op->emitOpError("has no dimension ")
             << dim << " to " << what << " has type " << type << " of rank "
             << type.getRank();
    if (dim <= previous)
      return op->emitOpError("dims are [")
             << dims << "]: name each dimension once, in ascending order";
    previous = dim;
  }
  SmallVector<int64_t> rest;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, static_cast<int64_t>(dim)))
      rest.push_back(size);
  return withShape(type, rest);
}

//===----------------------------------------------------------------------===//
// LinearOp
//===----------------------------------------------------------------------===//

int64_t LinearOp::getNumContractedDims() {
  auto rank = [](Value value) { return getTensorType(value).getRank(); };
  return (rank(getX()) + rank(getWeights()) - rank(getResult())) / 2;
}

int64_t LinearOp::getNumOuterDims() {
  return getTensorType(getX()).getRank() - getNumContractedDims();
}

int64_t LinearOp::getContractedSize() {
  return ShapedType::getNumElements(
      getTensorType(getX()).getShape().take_back(getNumContractedDims()));
}

/// How many dimensions are contracted: as many as make a result of its rank, or
/// all of x where no number does.
static int64_t countContracted(int64_t xRank, int64_t weightsRank,
                               int64_t resultRank) {
  const int64_t twice = xRank + weightsRank - resultRank;
  const bool fits =
      twice % 2 == 0 && twice > 0 && twice / 2 <= std::min(xRank, weightsRank);
  return fits ? twice / 2 : xRank;
}

LogicalResult LinearOp::verify() {
  RankedTensorType x = getTensorType(getX());
  RankedTensorType weights = getTensorType(getWeights());
  RankedTensorType result = getTensorType(getResult());
  // C1
  if (x.getRank() == 0)
    return emitOpError(
        "x is a scalar: use arith.mulf on an mp.broadcast of it");
  std::string weightsShape = describeShape(weights.getShape());
  const int64_t contracted =
      countContracted(x.getRank(), weights.getRank(), result.getRank());
  ArrayRef<int64_t> outer = x.getShape().drop_back(contracted);
  ArrayRef<int64_t> summed = x.getShape().take_back(contracted);
  if (contracted > weights.getRank() ||
      weights.getShape().take_front(contracted) != summed) {
    std::string shape = describeShape(summed);
    InFlightDiagnostic diag = emitOpError();
    if (outer.empty())
      diag << "x's shape " << shape << " must be a prefix of";
    else
      diag << "x's last dimensions " << shape << ", of "
           << describeShape(x.getShape()) << ", must be the first of";
    return diag << " the weights' shape " << weightsShape
                << ": give weights of shape " << shape << "x..., or reshape x";
  }
  // C2
  ArrayRef<int64_t> rest = weights.getShape().drop_front(contracted);
  SmallVector<int64_t> expected(outer);
  llvm::append_range(expected, rest);
  if (result.getShape() != ArrayRef(expected)) {
    InFlightDiagnostic diag = emitOpError("result has shape ")
                              << describeShape(result.getShape())
                              << ", expected " << describeShape(expected)
                              << ": ";
    if (!outer.empty())
      diag << "x's first dimensions " << describeShape(outer) << ", then ";
    return diag << "what x leaves of the weights' shape " << weightsShape;
  }
  // C3
  if (getBias() && getBias().getType() != withShape(result, rest)) {
    InFlightDiagnostic diag = emitOpError("bias has type ")
                              << getBias().getType() << ", expected ";
    if (outer.empty())
      return diag << "the result's type " << result;
    return diag << withShape(result, rest)
                << ": what x leaves of the weights' shape";
  }
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
  // C1
  FailureOr<RankedTensorType> rest =
      dropDims(*this, getTensorType(getX()), getDims(), "reduce: x");
  if (failed(rest))
    return failure();
  // C2
  return verifyResultType(*this, *rest,
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

static bool isSuffix(ArrayRef<int64_t> shape, ArrayRef<int64_t> of) {
  return shape.size() <= of.size() && of.take_back(shape.size()) == shape;
}

/// The numbers from `first` up to `last`.
static SmallVector<int64_t> makeRange(int64_t first, int64_t last) {
  return llvm::to_vector(llvm::seq<int64_t>(first, std::max(first, last)));
}

void BroadcastOp::build(OpBuilder &, OperationState &state, Type result,
                        Value x, bool trailing) {
  state.addOperands(x);
  state.addTypes(result);
  if (trailing)
    state.getOrAddProperties<Properties>().trailing =
        UnitAttr::get(x.getContext());
}

void BroadcastOp::build(OpBuilder &builder, OperationState &state, Type result,
                        Value x, ArrayRef<int64_t> newDims) {
  const int64_t rank = cast<RankedTensorType>(result).getRank();
  const int64_t kept = rank - newDims.size();
  if (newDims == ArrayRef(makeRange(kept, rank)))
    return build(builder, state, result, x, /*trailing=*/false);
  if (newDims == ArrayRef(makeRange(0, rank - kept)))
    return build(builder, state, result, x, /*trailing=*/true);
  build(builder, state, result, x, /*trailing=*/false);
  state.getOrAddProperties<Properties>().dims =
      builder.getDenseI64ArrayAttr(newDims);
}

SmallVector<int64_t> BroadcastOp::getNewDims() {
  if (std::optional<ArrayRef<int64_t>> dims = getDims())
    return SmallVector<int64_t>(*dims);
  const int64_t rank = getTensorType(getResult()).getRank();
  const int64_t kept = getTensorType(getX()).getRank();
  return getTrailing() ? makeRange(0, rank - kept) : makeRange(kept, rank);
}

SmallVector<int64_t> BroadcastOp::getKeptDims() {
  SmallVector<int64_t> kept, added = getNewDims();
  for (int64_t dim = 0; dim < getTensorType(getResult()).getRank(); ++dim)
    if (!llvm::is_contained(added, dim))
      kept.push_back(dim);
  return kept;
}

static LogicalResult verifyEnds(BroadcastOp op, RankedTensorType x,
                                RankedTensorType result) {
  bool prefix = isPrefix(x.getShape(), result.getShape());
  bool suffix = isSuffix(x.getShape(), result.getShape());
  if (op.getTrailing() ? suffix : prefix)
    return success();
  StringRef mend = "name the new dimensions (dims [...]), reshape x or change "
                   "the result's type";
  if (prefix)
    mend = "drop 'trailing'";
  if (suffix)
    mend = "add 'trailing'";
  return op.emitOpError("x's shape ")
         << describeShape(x.getShape()) << " must be a "
         << (op.getTrailing() ? "suffix" : "prefix")
         << " of the result's shape " << describeShape(result.getShape())
         << ": " << mend;
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType x = getTensorType(getX());
  RankedTensorType result = getTensorType(getResult());
  if (std::optional<ArrayRef<int64_t>> dims = getDims()) {
    // C3
    if (getTrailing())
      return emitOpError("has both 'trailing' and dims: drop 'trailing', dims "
                         "says where the new dimensions are");
    FailureOr<RankedTensorType> rest =
        dropDims(*this, result, *dims, "repeat along: the result");
    if (failed(rest))
      return failure();
    if (rest->getShape() != x.getShape())
      return emitOpError("x has shape ")
             << describeShape(x.getShape()) << ", but the result without dims ["
             << *dims << "] has " << describeShape(rest->getShape())
             << ": name the dimensions that x does not have";
  } else if (failed(verifyEnds(*this, x, result))) {
    return failure(); // C1
  }
  // C2
  if (x.getElementType() != result.getElementType())
    return emitOpError("x has elements of ")
           << x.getElementType() << ", the result of "
           << result.getElementType() << ": convert x first";
  return success();
}

void BroadcastOp::setNewDims(ArrayRef<int64_t> dims) {
  OpBuilder builder(getContext());
  OperationState state(getLoc(), getOperationName());
  build(builder, state, getType(), getX(), dims);
  getProperties() = state.getOrAddProperties<Properties>();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType())
    return getX();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getX()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  // Two broadcasts are one.
  if (auto inner = getX().getDefiningOp<BroadcastOp>()) {
    SmallVector<int64_t> dims = getNewDims(), kept = getKeptDims();
    for (int64_t dim : inner.getNewDims())
      dims.push_back(kept[dim]);
    llvm::sort(dims);
    getXMutable().assign(inner.getX());
    setNewDims(dims);
    return getResult();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// LookupOp
//===----------------------------------------------------------------------===//

LogicalResult LookupOp::verify() {
  const bool hasMany = hasRows(getIndex().getType());
  if (isa<EdgesType>(getTable().getType())) {
    // C2
    if (!hasMany)
      return emitOpError("has one index into an edge feature: give one for "
                         "each edge of the result, a tensor<?xi64>");
    // C3
    return verifyResultType(*this, getTable().getType(),
                            "the edge feature's type");
  }
  RankedTensorType table = getTensorType(getTable());
  // C1
  if (table.getRank() == 0)
    return emitOpError(
        "table is a scalar: give it a first dimension, its rows");
  if (table.getDimSize(0) == 0)
    return emitOpError("table has no rows to look up: expected 1 or more");
  // C3
  SmallVector<int64_t> shape(table.getShape().drop_front());
  if (hasMany)
    shape.insert(shape.begin(), ShapedType::kDynamic);
  if (failed(verifyResultType(*this, withShape(table, shape),
                              hasMany ? "a row of the table for each index"
                                      : "one row of the table")))
    return failure();
  return verifyComputedFeature(*this);
}

//===----------------------------------------------------------------------===//
// LayerNormOp
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::verify() {
  RankedTensorType x = getTensorType(getX());
  // C1
  if (x.getRank() == 0)
    return emitOpError("x is a scalar: give a tensor of rank 1 or more");
  if (x.getRank() == 1 && hasRows(x))
    return emitOpError("x has one number for each node, ")
           << x << ": give node features of rank 2 or more";
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
  Type whole = getX().getType();
  Type expected = hasRows(whole) ? getNodeFeature(whole) : whole;
  for (auto [name, value] : {std::make_pair("mean", getMean()),
                             std::make_pair("variance", getVariance()),
                             std::make_pair("scale", getScale()),
                             std::make_pair("shift", getShift())})
    if (value && value.getType() != expected)
      return emitOpError(name) << " has type " << value.getType()
                               << ", expected x's type " << expected;
  if (failed(verifyResultType(*this, whole, "x's type")))
    return failure();
  // C2
  return verifyEps(*this, getEps());
}
