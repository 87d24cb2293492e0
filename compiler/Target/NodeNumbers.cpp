//===- NodeNumbers.cpp - Layers that know nodes by number -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer does not know nodes by number if each op that takes or makes a value
// with a row per node of the graph, or the graph itself, is known to treat
// all rows alike, or to join them in any order.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/NodeNumbers.h"
#include "compiler/Codegen/SumBlocks.h"
#include "compiler/Target/SourceNames.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

namespace {
class NumberUseFinder {
public:
  NumberUseFinder(func::FuncOp function, unsigned graph,
                  ExtentAnalysis &extents)
      : function(function), graph(graph), extents(extents),
        counted(extents.getMembers(
            {extents.getArgumentClass(graph, Extent::dst),
             extents.getArgumentClass(graph, Extent::src)})) {}

  std::string find();

private:
  bool isCounted(Value value) const { return counted.contains(value); }
  std::string findInArguments();
  /// The op inside or at `op` that does not treat all rows alike, or null.
  Operation *findInOp(Operation *op);
  bool treatsRowsAlike(Operation *op);
  bool treatsRowsAlike(linalg::LinalgOp op);
  bool capturesRows(Operation *op);
  bool keepsNewLoopsInside(mp::SelfLoopsOp op);
  bool hidesEdgeNumbers(Operation *op, const llvm::DenseSet<Value> &edges);

  func::FuncOp function;
  unsigned graph;
  ExtentAnalysis &extents;
  /// The graph, what is derived from it, and what has a row per node of it.
  llvm::DenseSet<Value> counted;
};
} // namespace

static std::string describe(Operation *op) {
  std::string text = "'" + op->getName().getStringRef().str() + "'";
  if (auto place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " at " + place.getFilename().str() + ":" +
            std::to_string(place.getLine());
  return text;
}

bool NumberUseFinder::treatsRowsAlike(linalg::LinalgOp op) {
  if (op.hasIndexSemantics())
    return false;
  // The rows are one loop, which nothing else runs along.
  std::optional<unsigned> rows;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isCounted(operand.get()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto loop = dyn_cast_or_null<AffineDimExpr>(
        map.getNumResults() ? map.getResult(0) : AffineExpr());
    if (!loop || (rows && *rows != loop.getPosition()))
      return false;
    rows = loop.getPosition();
  }
  if (!rows || !llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
        ArrayRef<AffineExpr> dims =
            op.getMatchingIndexingMap(&operand).getResults();
        return llvm::none_of(
            dims.drop_front(isCounted(operand.get()) ? 1 : 0),
            [&](AffineExpr dim) { return dim.isFunctionOfDim(*rows); });
      }))
    return false;
  // Terms of a sum, a product or an extremum come in any order.
  if (op.getIteratorTypesArray()[*rows] == utils::IteratorType::reduction)
    return !getCombiners(op).empty();
  // Into one place each row in turn would write.
  return llvm::all_of(op.getDpsInits(),
                      [&](Value init) { return isCounted(init); });
}

/// Whether a call hands on all of `values` to a function that the analysis has
/// followed, whose ops are visited.
static bool isFollowed(func::CallOp call, const llvm::DenseSet<Value> &values) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && llvm::all_of_zip(call.getOperands(), callee.getArguments(),
                                    [&](Value outside, Value inside) {
                                      return !values.contains(outside) ||
                                             values.contains(inside);
                                    });
}

/// Whether an op neither gives numbers of `edges`, which it takes or makes, nor
/// lets others see them one by one.
bool NumberUseFinder::hidesEdgeNumbers(Operation *op,
                                       const llvm::DenseSet<Value> &edges) {
  return TypeSwitch<Operation *, bool>(op)
      // Positions in a message are found by themselves.
      .Case<mp::SelfLoopsOp, mp::ReverseOp, mp::CastOp, mp::NumDstOp,
            mp::NumSrcOp, mp::NumEdgesOp, mp::NumRowsOp, mp::DegreeOp,
            mp::MessageOp, mp::EdgeSoftmaxOp, scf::ForOp, scf::WhileOp,
            scf::YieldOp, scf::ConditionOp>([](auto) { return true; })
      .Case([](mp::AggregateOp aggregate) {
        const bool hasWinner = aggregate.getKind() == mp::AggregatorKind::max ||
                               aggregate.getKind() == mp::AggregatorKind::min;
        return !hasWinner || aggregate.getExtraResults().use_empty();
      })
      .Case([&](func::CallOp call) { return isFollowed(call, edges); })
      .Case([&](func::ReturnOp end) { return end->getParentOp() != function; })
      .Default(false);
}

/// The new edges are numbered by node.
bool NumberUseFinder::keepsNewLoopsInside(mp::SelfLoopsOp op) {
  llvm::DenseSet<Value> edges =
      extents.getMembers(extents.getClasses(op.getWithLoops(), Extent::edges));
  return llvm::all_of(edges, [&](Value value) {
    if (value.getType().isIndex()) // how many there are
      return true;
    auto hides = [&](Operation *near) { return hidesEdgeNumbers(near, edges); };
    Operation *maker = value.getDefiningOp();
    return (maker ? hides(maker)
                  : value.getParentBlock() != &function.front()) &&
           llvm::all_of(value.getUsers(), hides);
  });
}

bool NumberUseFinder::treatsRowsAlike(Operation *op) {
  // A graph that is one of several may have the nodes of any of them.
  if (OpTrait::hasElementwiseMappableTraits(op))
    return llvm::none_of(op->getResultTypes(), llvm::IsaPred<mp::MPGraphType>);
  return TypeSwitch<Operation *, bool>(op)
      .Case<mp::MessageOp, mp::AggregateOp, mp::UpdateOp, mp::EdgeSoftmaxOp,
            mp::ReverseOp, mp::CastOp, mp::NumDstOp, mp::NumSrcOp,
            mp::NumEdgesOp, mp::NumRowsOp, mp::CheckOp, mp::DegreeOp,
            tensor::CastOp, tensor::DimOp, tensor::EmptyOp, func::ReturnOp,
            scf::ForOp, scf::WhileOp, scf::YieldOp, scf::ConditionOp>(
          [](auto) { return true; })
      .Case([&](mp::SelfLoopsOp made) { return keepsNewLoopsInside(made); })
      .Case([&](mp::LookupOp lookup) { return !isCounted(lookup.getTable()); })
      .Case([&](func::CallOp call) { return isFollowed(call, counted); })
      .Case<tensor::CollapseShapeOp, tensor::ExpandShapeOp>([](auto reshape) {
        auto groups = reshape.getReassociationIndices();
        return !groups.empty() && groups.front().size() == 1;
      })
      .Case([&](linalg::LinalgOp structured) {
        return treatsRowsAlike(structured);
      })
      .Default(false);
}

/// Whether regions read what has a row per node from outside, any row of it.
/// The ops in loops are visited instead.
bool NumberUseFinder::capturesRows(Operation *op) {
  if (isa<scf::ForOp, scf::WhileOp>(op))
    return false;
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  return llvm::any_of(captured, [&](Value value) {
    return isCounted(value) && !value.getType().isIndex();
  });
}

Operation *NumberUseFinder::findInOp(Operation *op) {
  if (capturesRows(op))
    return op;
  if (auto message = dyn_cast<mp::MessageOp>(op)) {
    auto positions = message.getBody().getOps<mp::PositionOp>();
    if (isCounted(message.getGraph()) && !positions.empty())
      return *positions.begin();
  }
  if (llvm::none_of(op->getOperands(),
                    [&](Value value) { return isCounted(value); }) &&
      llvm::none_of(op->getResults(),
                    [&](Value value) { return isCounted(value); }))
    return nullptr;
  return treatsRowsAlike(op) ? nullptr : op;
}

std::string NumberUseFinder::findInArguments() {
  for (BlockArgument value : function.getArguments()) {
    const unsigned other = value.getArgNumber();
    if (other == graph || !isCounted(value) ||
        !isa<mp::MPGraphType>(value.getType()))
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(other, kNameAttr);
    return "graph '" + name.str() + "' is over the same nodes";
  }
  return "";
}

std::string NumberUseFinder::find() {
  if (std::string use = findInArguments(); !use.empty())
    return use;
  // A region may look into a tensor of static size as a whole, and a constant
  // has its rows in an order of its own.
  for (Value value : counted) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (tensor && tensor.getRank() > 0 && !tensor.isDynamicDim(0))
      return "a tensor has a static number of nodes, " +
             std::to_string(tensor.getDimSize(0));
  }
  Operation *found = nullptr;
  auto visit = [&](Operation *op) {
    // The regions of mp ops see one edge or node at a time.
    auto inner = op->getParentOfType<func::FuncOp>();
    if (!inner ||
        !isa<func::FuncOp, scf::ForOp, scf::WhileOp>(op->getParentOp()))
      return WalkResult::advance();
    found = findInOp(op);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  };
  // Functions that are not called have no counted values.
  function->getParentOfType<ModuleOp>()->walk<WalkOrder::PreOrder>(visit);
  return found ? describe(found) + " depends on them" : "";
}

std::string clique::findNodeNumberUse(func::FuncOp function, unsigned graph,
                                      ExtentAnalysis &extents) {
  return NumberUseFinder(function, graph, extents).find();
}
