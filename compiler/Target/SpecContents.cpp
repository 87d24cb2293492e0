//===- SpecContents.cpp - What a spec may consist of ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/SpecContents.h"
#include "compiler/Sizes/SizeChecks.h"
#include "dialect/IR/MPOps.h"
#include "mlir/Analysis/CallGraph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace clique;

static bool isOfASpec(StringRef dialect) {
  return llvm::StringSwitch<bool>(dialect)
      .Cases({"mp", "func", "arith", "math", "tensor", "linalg"}, true)
      .Default(false);
}

static LogicalResult checkFunction(func::FuncOp function) {
  StringRef name = function.getName();
  if (name.starts_with("clique_"))
    return function.emitOpError("has the name of a function of the runtime; "
                                "expected one that does not begin with "
                                "'clique_'");
  if (function.isExternal())
    return function.emitOpError(
        "has no body; a spec has all of its functions in itself");
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("has several blocks; expected one: "
                                "arith.select chooses between values");
  if (function.getNoInline())
    return function.emitOpError("has 'no_inline'; expected a function without "
                                "it: what it computes becomes part of its "
                                "callers");
  return success();
}

static LogicalResult checkElement(Operation *op, Type type) {
  Type element = getElementTypeOrSelf(type);
  if (isa<IndexType>(element) || !element.isIntOrFloat())
    return success();
  bool isKnown =
      isa<BFloat16Type, Float16Type, Float32Type, Float64Type>(element) ||
      llvm::any_of(ArrayRef<unsigned>{1, 8, 16, 32, 64}, [&](unsigned width) {
        return element.isSignlessInteger(width);
      });
  if (isKnown)
    return success();
  return op->emitOpError("makes elements of type ")
         << element
         << "; expected bf16, f16, f32, f64, i1, i8, i16, i32 or i64";
}

static LogicalResult checkSize(Location loc, Type type) {
  ArrayRef<int64_t> shape;
  if (auto edges = dyn_cast<mp::EdgesType>(type))
    shape = edges.getShape();
  else if (auto tensor = dyn_cast<RankedTensorType>(type))
    shape = tensor.getShape();
  if (mp::hasAtMost(shape, kMaxElements))
    return success();
  return emitError(loc) << "a value has type " << type
                        << "; expected at most 2^40 elements, for each node or "
                           "edge where there are those";
}

static LogicalResult checkSizes(Operation *op) {
  for (Value result : op->getResults())
    if (failed(checkSize(op->getLoc(), result.getType())))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(checkSize(argument.getLoc(), argument.getType())))
          return failure();
  return success();
}

static bool isLoop(Operation *op) { return isa<scf::ForOp, scf::WhileOp>(op); }

/// Loops stand between layer ops, and carry what has a size but no lifetime.
static LogicalResult checkLoop(Operation *op) {
  if (!isa<func::FuncOp>(op->getParentOp()) && !isLoop(op->getParentOp()))
    return op->emitOpError("stands in a region of '")
           << op->getParentOp()->getName()
           << "'; expected it between the ops of a function or of another "
              "loop";
  auto loop = dyn_cast<scf::ForOp>(op);
  if (loop && loop.getUnsignedCmp())
    return op->emitOpError("counts in unsigned numbers; expected a count of "
                           "signed ones, without 'unsigned'");
  if (loop && !loop.getInductionVar().getType().isIndex())
    return op->emitOpError("counts in numbers of type ")
           << loop.getInductionVar().getType()
           << "; expected index: arith.index_cast makes one of the other";
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (isa<mp::MPGraphType>(argument.getType()))
        return op->emitOpError("carries a graph from one step to the next; "
                               "expected tensors, edge features and numbers: "
                               "make the graph before the loop, or in it");
  return success();
}

/// The regions of whole-tensor ops compute numbers of numbers: of what they
/// read only positions of tensor.extract are checked.
static LogicalResult checkInRegion(Operation *op) {
  Operation *parent = op->getParentOp();
  if (!isa<linalg::LinalgOp, tensor::GenerateOp>(parent))
    return success();
  StringRef dialect = op->getName().getDialectNamespace();
  auto dim = dyn_cast<tensor::DimOp>(op);
  const bool isKnown =
      dialect == "arith" || dialect == "math" ||
      isa<linalg::IndexOp, linalg::YieldOp, tensor::YieldOp, tensor::ExtractOp>(
          op) ||
      (dim && dim.getConstantIndex());
  auto isNumber = [](Type type) { return type.isIntOrIndexOrFloat(); };
  if (isKnown && llvm::all_of(op->getResultTypes(), isNumber))
    return success();
  return op->emitOpError("has no place in the region of '")
         << parent->getName()
         << "'; expected ops of arith and math on numbers, linalg.index, "
            "tensor.extract, and tensor.dim of a constant dimension: compute "
            "the rest in front of the op";
}

/// Whole tensors are made: an init that is not read is taken for no init.
static LogicalResult checkWritten(linalg::LinalgOp op) {
  for (OpOperand &init : op.getDpsInitsMutable())
    if (!op.payloadUsesValueFromOperand(&init) &&
        !op.getMatchingIndexingMap(&init).isPermutation())
      return op->emitOpError("writes some places of an output, or one several "
                             "times, without reading what is there; expected "
                             "one value for each place: tensor.insert_slice "
                             "writes a part");
  return success();
}

/// What an op may say of itself without having a meaning here.
static LogicalResult checkAttributes(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op); call && call.getNoInline())
    return op->emitOpError("has 'no_inline'; expected a call without it: what "
                           "is called becomes part of the caller");
  auto rounded = dyn_cast<arith::ArithRoundingModeInterface>(op);
  arith::RoundingModeAttr mode =
      rounded ? rounded.getRoundingModeAttr() : arith::RoundingModeAttr();
  if (mode && mode.getValue() != arith::RoundingMode::to_nearest_even)
    return op->emitOpError("rounds '")
           << arith::stringifyRoundingMode(mode.getValue())
           << "'; expected to_nearest_even, which is the default: leave the "
              "mode out";
  return success();
}

static LogicalResult checkOp(Operation *op) {
  if (failed(checkSizes(op)))
    return failure();
  if (auto function = dyn_cast<func::FuncOp>(op))
    return checkFunction(function);
  if (isLoop(op) && failed(checkLoop(op)))
    return failure();
  const bool isOfLoop =
      isLoop(op) ||
      (isa<scf::YieldOp, scf::ConditionOp>(op) && isLoop(op->getParentOp()));
  if (!isOfLoop && !isOfASpec(op->getName().getDialectNamespace()))
    return op->emitOpError("has no place in a spec; expected ops of mp, func, "
                           "arith, math, tensor and linalg, scf.for and "
                           "scf.while");
  if (isa<func::FuncDialect>(op->getDialect()) &&
      !isa<func::CallOp, func::ReturnOp>(op))
    return op->emitOpError("has no place in a spec; expected func.func, "
                           "func.call and func.return: call a function by its "
                           "name");
  if (failed(checkAttributes(op)) || failed(checkInRegion(op)))
    return failure();
  if (auto structured = dyn_cast<linalg::LinalgOp>(op);
      structured && failed(checkWritten(structured)))
    return failure();
  if (isa<arith::BitcastOp>(op))
    return op->emitOpError("takes the bits of a number, which depend on how it "
                           "was rounded: use math.absf, math.copysign or "
                           "comparisons");
  if (isa<arith::SelectOp>(op) &&
      isa<mp::EdgesType>(op->getResult(0).getType()))
    return op->emitOpError("chooses between edge features; expected one "
                           "between tensors, graphs or numbers: choose in the "
                           "region of an mp.message that has both");
  if (isa<tensor::BitcastOp, linalg::PackOp, linalg::UnPackOp>(op))
    return op->emitOpError("is not supported; expected casts, slices, reshapes "
                           "and transposes");
  if (isa<linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
          linalg::WinogradOutputTransformOp>(op))
    return op->emitOpError("is not supported; expected the whole convolution, "
                           "linalg.conv_2d_nhwc_fhwc");
  if (isa<tensor::ReshapeOp>(op))
    return op->emitOpError("is not supported; expected tensor.expand_shape and "
                           "collapse_shape");
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    for (auto group : expand.getReassociationIndices())
      if (llvm::count_if(group, [&](int64_t dim) {
            return expand.getResultType().isDynamicDim(dim);
          }) > 1)
        return op->emitOpError("makes several dimensions of unknown size of "
                               "one; expected at most one, and static sizes "
                               "beside it");
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    if (std::optional<int64_t> number = dim.getConstantIndex())
      if (auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
          type && (*number < 0 || *number >= type.getRank()))
        return op->emitOpError("asks for dimension ")
               << *number << " of a tensor of rank " << type.getRank();
  for (Type type : op->getResultTypes())
    if (failed(checkElement(op, type)))
      return failure();
  return success();
}

/// What the region of a layer op calls becomes part of it.
static LogicalResult checkCalledFromRegion(func::CallOp call,
                                           Operation *layer) {
  Region &body = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                     call, call.getCalleeAttr())
                     .getBody();
  if (failed(mp::verifyFeatureRegion(layer, body,
                                     isa<mp::AggregateOp>(layer) ? "C6"
                                     : isa<mp::ScanOp>(layer)    ? "C5"
                                                                 : "C4")))
    return failure();
  for (auto inner : body.getOps<func::CallOp>())
    if (failed(checkCalledFromRegion(inner, layer)))
      return failure();
  return success();
}

/// Layers are computed, not evaluated: a function that calls itself has no end.
static LogicalResult checkCalls(ModuleOp module) {
  CallGraph graph(module);
  for (auto cycle = llvm::scc_begin<const CallGraph *>(&graph);
       !cycle.isAtEnd(); ++cycle) {
    const CallGraphNode *node = cycle->front();
    if (cycle.hasCycle() && !node->isExternal())
      return emitError(node->getCallableRegion()->getLoc(),
                       "function calls itself; write out its steps");
  }
  return success();
}

LogicalResult clique::checkSpecContents(ModuleOp module) {
  WalkResult result = module.getBody()->walk<WalkOrder::PreOrder>(
      [](Operation *op) -> WalkResult { return checkOp(op); });
  if (result.wasInterrupted() || failed(checkCalls(module)))
    return failure();
  // Of all functions it is known that they end.
  result = module.getBody()->walk([](func::CallOp call) -> WalkResult {
    Operation *parent = call->getParentOp();
    return isa<mp::MessageOp, mp::AggregateOp, mp::ScanOp, mp::UpdateOp>(parent)
               ? checkCalledFromRegion(call, parent)
               : success();
  });
  return failure(result.wasInterrupted());
}
