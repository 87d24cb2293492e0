//===- InferTopology.cpp - Gives graphs the smallest topology known -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant edge lists, then by turns what each function says of its graphs and
// what the calls of private functions say of their arguments and results.
// Borders that keep a larger type get casts at the end.
//
//===----------------------------------------------------------------------===//
#include "compiler/Topology/EdgeListTopology.h"
#include "compiler/Topology/Passes.h"
#include "compiler/Topology/TopologyAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"

namespace clique {
#define GEN_PASS_DEF_INFERTOPOLOGYPASS
#include "compiler/Topology/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;
using mp::MPGraphType;
using mp::Topology;

namespace {
class Inference {
public:
  explicit Inference(ModuleOp module) : module(module) {}

  void run();

private:
  void inferEdgeList(mp::EdgeListOp list);
  /// Gives the graphs of a function the types that follow from one another.
  void refineFunction(func::FuncOp function);
  /// Keeps users valid whose graph had the type given and has a smaller one.
  void fitUser(OpOperand &use, MPGraphType oldType);
  /// True if a private function got a smaller type from its calls.
  bool refineSignature(func::FuncOp function);
  /// Casts where values meet types that stay.
  void castAtBorders();
  void castOperand(OpOperand &use, Type type);
  /// Gives a graph a smaller type, and its users casts to the one it had.
  void setType(Value graph, MPGraphType type);
  /// Casts an operand that is to have the type given.
  void fit(OpOperand &use, Type type);
  void castBranch(RegionBranchOpInterface branch);
  void eraseCasts();

  ModuleOp module;
};
} // namespace

static void emitRemark(Location loc, const Twine &what, MPGraphType type) {
  std::string text;
  llvm::raw_string_ostream(text) << what << " is " << type;
  remark::passed(
      loc, remark::RemarkOpts::name("mp-infer-topology").category("topology"))
      << text;
}

void Inference::castOperand(OpOperand &use, Type type) {
  OpBuilder builder(use.getOwner());
  use.set(
      mp::CastOp::create(builder, use.getOwner()->getLoc(), type, use.get()));
}

//===----------------------------------------------------------------------===//
// Within a function
//===----------------------------------------------------------------------===//

void Inference::fitUser(OpOperand &use, MPGraphType oldType) {
  Operation *user = use.getOwner();
  auto type = cast<MPGraphType>(use.get().getType());
  // Their types follow, or they get casts at the end.
  if (isa<func::CallOp, func::ReturnOp, RegionBranchOpInterface,
          RegionBranchTerminatorOpInterface>(user))
    return;
  if (isMadeOfGraph(user)) {
    if (inferOfGraph(user, type) != user->getResult(0).getType())
      castOperand(use, oldType);
  } else if (!isa_and_nonnull<mp::MPDialect>(user->getDialect())) {
    castOperand(use, oldType);
  }
}

void Inference::refineFunction(func::FuncOp function) {
  auto found = findTopologies(function);
  SmallVector<std::pair<Value, MPGraphType>> oldTypes;
  for (auto [graph, type] : found) {
    oldTypes.emplace_back(graph, cast<MPGraphType>(graph.getType()));
    graph.setType(type);
  }
  for (auto [graph, oldType] : oldTypes)
    for (OpOperand &use : llvm::make_early_inc_range(graph.getUses()))
      fitUser(use, oldType);
}

void Inference::inferEdgeList(mp::EdgeListOp list) {
  EdgeListTopology found = classify(list);
  OpBuilder builder(list);
  auto oldType = cast<MPGraphType>(list.getGraph().getType());
  if (Value graph = buildGraph(builder, list, found)) {
    emitRemark(list.getLoc(), "edge list", cast<MPGraphType>(graph.getType()));
    Value general = mp::CastOp::create(builder, list.getLoc(), oldType, graph);
    list->replaceAllUsesWith(ValueRange(general));
    list.erase();
    return;
  }
  auto sparse = MPGraphType::get(list.getContext(), Topology::sparse, 0, false);
  if (oldType == sparse)
    return;
  emitRemark(list.getLoc(), "edge list", sparse);
  setType(list.getGraph(), sparse);
}

//===----------------------------------------------------------------------===//
// Between functions
//===----------------------------------------------------------------------===//

/// What all these graphs are, as far as that is more than their type says; else
/// null.
template <typename Range>
static MPGraphType joinTypes(Range &&graphs, MPGraphType declared) {
  MPGraphType joined;
  for (Value graph : graphs) {
    auto type = cast<MPGraphType>(graph.getType());
    joined = joined ? MPGraphType::join(joined, type) : type;
  }
  if (!joined)
    return {};
  MPGraphType type = MPGraphType::meet(joined, declared);
  return type == declared ? MPGraphType() : type;
}

/// The calls of a private function; nothing where there may be others.
static std::optional<SmallVector<func::CallOp>> findCalls(func::FuncOp function,
                                                          ModuleOp module) {
  if (!function.isPrivate() || function.isExternal())
    return std::nullopt;
  SmallVector<func::CallOp> calls;
  auto uses = function.getSymbolUses(module);
  if (!uses)
    return std::nullopt;
  for (SymbolTable::SymbolUse use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    // Somebody holds its address.
    if (!call)
      return std::nullopt;
    calls.push_back(call);
  }
  return calls;
}

void Inference::setType(Value graph, MPGraphType type) {
  Type oldType = graph.getType();
  graph.setType(type);
  for (OpOperand &use : llvm::make_early_inc_range(graph.getUses()))
    castOperand(use, oldType);
}

bool Inference::refineSignature(func::FuncOp function) {
  auto calls = findCalls(function, module);
  if (!calls)
    return false;
  SmallVector<Type> argTypes(function.getArgumentTypes()),
      resultTypes(function.getResultTypes());
  auto refine = [&](Type &type, auto given, StringRef what, unsigned index) {
    auto declared = dyn_cast<MPGraphType>(type);
    MPGraphType smaller = declared ? joinTypes(given, declared) : declared;
    if (!smaller)
      return false;
    emitRemark(function.getLoc(),
               what + " " + Twine(index) + " of private function '" +
                   function.getName() + "'",
               smaller);
    type = smaller;
    return true;
  };
  bool isChanged = false;
  for (auto [index, type] : llvm::enumerate(argTypes)) {
    auto given = llvm::map_range(
        *calls, [i = index](func::CallOp call) { return call.getOperand(i); });
    if (!refine(type, given, "argument", index))
      continue;
    isChanged = true;
    setType(function.getArgument(index), cast<MPGraphType>(type));
  }
  SmallVector<func::ReturnOp> returns(function.getOps<func::ReturnOp>());
  for (auto [index, type] : llvm::enumerate(resultTypes)) {
    auto given = llvm::map_range(
        returns, [i = index](func::ReturnOp op) { return op.getOperand(i); });
    if (!refine(type, given, "result", index))
      continue;
    isChanged = true;
    for (func::CallOp call : *calls)
      setType(call.getResult(index), cast<MPGraphType>(type));
  }
  function.setFunctionType(
      FunctionType::get(function.getContext(), argTypes, resultTypes));
  return isChanged;
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

void Inference::fit(OpOperand &use, Type type) {
  if (use.get().getType() != type && isa<MPGraphType>(type))
    castOperand(use, type);
}

void Inference::castBranch(RegionBranchOpInterface branch) {
  // However many steps it is known to have.
  if (auto loop = dyn_cast<scf::ForOp>(branch.getOperation())) {
    for (auto [init, yielded, type] : llvm::zip_equal(
             loop.getInitsMutable(), *loop.getYieldedValuesMutable(),
             loop.getResultTypes())) {
      fit(init, type);
      fit(yielded, type);
    }
    return;
  }
  for (RegionBranchPoint point : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> successors;
    branch.getSuccessorRegions(point, successors);
    Operation *from = point.isParent() ? branch.getOperation()
                                       : point.getTerminatorPredecessorOrNull();
    for (RegionSuccessor successor : successors) {
      OperandRange operands = branch.getSuccessorOperands(point, successor);
      for (auto [index, input] :
           llvm::enumerate(successor.getSuccessorInputs()))
        fit(from->getOpOperand(operands.getBeginOperandIndex() + index),
            input.getType());
    }
  }
}

void Inference::castAtBorders() {
  SymbolTableCollection symbols;
  auto match = [&](Operation *op, TypeRange expected) {
    for (auto [use, type] : llvm::zip_equal(op->getOpOperands(), expected))
      fit(use, type);
  };
  module.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      match(op, callee.getArgumentTypes());
    } else if (isa<func::ReturnOp>(op)) {
      match(op, op->getParentOfType<func::FuncOp>().getResultTypes());
    } else if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
      castBranch(branch);
    }
  });
}

void Inference::eraseCasts() {
  module.walk([](mp::CastOp cast) {
    if (cast.getGraph().getType() == cast.getType())
      cast->replaceAllUsesWith(ValueRange(cast.getGraph()));
    if (cast->use_empty())
      cast.erase();
  });
}

void Inference::run() {
  module.walk([&](mp::EdgeListOp list) { inferEdgeList(list); });
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (auto function : module.getOps<func::FuncOp>())
      refineFunction(function);
    for (auto function : module.getOps<func::FuncOp>())
      isChanged |= refineSignature(function);
  }
  castAtBorders();
  eraseCasts();
}

namespace {
struct InferTopologyPass
    : clique::impl::InferTopologyPassBase<InferTopologyPass> {
  void runOnOperation() override { Inference(getOperation()).run(); }
};
} // namespace
