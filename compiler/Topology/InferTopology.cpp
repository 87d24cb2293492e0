//===- InferTopology.cpp - Gives graphs the smallest topology known -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refined types spread from constant edge lists, casts and calls to the users
// of a graph. Borders that keep a larger type get casts at the end.
//
//===----------------------------------------------------------------------===//
#include "compiler/Topology/EdgeListTopology.h"
#include "compiler/Topology/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
  /// Gives `graph` a smaller type, and its users what follows from it.
  void refine(Value graph, MPGraphType type);
  void refineUser(OpOperand &use, MPGraphType oldType);
  /// True if an argument of a private function got a smaller type.
  bool inferArguments(func::FuncOp function);
  /// Casts where values meet types that stay.
  void castAtBorders();
  void castOperand(OpOperand &use, Type type);
  void eraseCasts();
  void emitRemark(Location loc, const Twine &what, MPGraphType type);

  ModuleOp module;
};
} // namespace

void Inference::emitRemark(Location loc, const Twine &what, MPGraphType type) {
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

void Inference::refineUser(OpOperand &use, MPGraphType oldType) {
  Operation *user = use.getOwner();
  auto type = cast<MPGraphType>(use.get().getType());
  if (auto cast = dyn_cast<mp::CastOp>(user))
    return refine(cast.getResult(), type);
  if (isa<func::CallOp, func::ReturnOp>(user))
    return;
  // Self-loops have no meaning on a bipartite graph; whether that is an error
  // shows when the graph is made.
  bool rejected =
      isa<mp::SelfLoopsOp>(user) && type.getTopology() == Topology::bipartite;
  if (rejected || !isa_and_nonnull<mp::MPDialect>(user->getDialect()))
    return castOperand(use, oldType);
  if (!isa<mp::ReverseOp, mp::SelfLoopsOp>(user))
    return;
  auto infer = cast<InferTypeOpInterface>(user);
  SmallVector<Type> types;
  if (failed(infer.inferReturnTypes(
          user->getContext(), user->getLoc(), user->getOperands(),
          user->getAttrDictionary(), user->getPropertiesStorage(),
          user->getRegions(), types)))
    return castOperand(use, oldType);
  auto inferred = cast<MPGraphType>(types[0]);
  Value result = user->getResult(0);
  // The reverse of a causal graph is of no class, that of a sparse one is
  // sparse.
  if (!inferred.isSubtypeOf(cast<MPGraphType>(result.getType())))
    return castOperand(use, oldType);
  refine(result, inferred);
}

void Inference::refine(Value graph, MPGraphType type) {
  auto oldType = cast<MPGraphType>(graph.getType());
  if (type == oldType || !type.isSubtypeOf(oldType))
    return;
  graph.setType(type);
  for (OpOperand &use : llvm::make_early_inc_range(graph.getUses()))
    refineUser(use, oldType);
}

void Inference::inferEdgeList(mp::EdgeListOp list) {
  EdgeListTopology found = classify(list);
  OpBuilder builder(list);
  if (Value graph = buildGraph(builder, list, found)) {
    auto type = cast<MPGraphType>(graph.getType());
    emitRemark(list.getLoc(), "edge list", type);
    refine(list.getGraph(), type);
    list->replaceAllUsesWith(ValueRange(graph));
    list.erase();
    return;
  }
  auto sparse = MPGraphType::get(list.getContext(), Topology::sparse, 0, false);
  if (list.getGraph().getType() == sparse)
    return;
  emitRemark(list.getLoc(), "edge list", sparse);
  refine(list.getGraph(), sparse);
}

bool Inference::inferArguments(func::FuncOp function) {
  if (!function.isPrivate() || function.isExternal())
    return false;
  auto uses = function.getSymbolUses(module);
  if (!uses || uses->empty())
    return false;
  SmallVector<func::CallOp> calls;
  for (SymbolTable::SymbolUse use : *uses) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    // Somebody holds its address: there may be calls that are not seen.
    if (!call)
      return false;
    calls.push_back(call);
  }
  bool changed = false;
  for (BlockArgument arg : function.getArguments()) {
    auto oldType = dyn_cast<MPGraphType>(arg.getType());
    if (!oldType)
      continue;
    unsigned index = arg.getArgNumber();
    auto type = cast<MPGraphType>(calls.front().getOperand(index).getType());
    bool agree = llvm::all_of(calls, [&](func::CallOp call) {
      return call.getOperand(index).getType() == type;
    });
    if (!agree || type == oldType || !type.isSubtypeOf(oldType))
      continue;
    emitRemark(arg.getLoc(),
               "argument " + Twine(index) + " of private function '" +
                   function.getName() + "'",
               type);
    refine(arg, type);
    changed = true;
  }
  if (changed)
    function.setFunctionType(FunctionType::get(
        function.getContext(), function.getBody().getArgumentTypes(),
        function.getResultTypes()));
  return changed;
}

void Inference::castAtBorders() {
  SymbolTableCollection symbols;
  auto match = [&](Operation *op, TypeRange expected) {
    for (auto [use, type] : llvm::zip_equal(op->getOpOperands(), expected))
      if (use.get().getType() != type && isa<MPGraphType>(type))
        castOperand(use, type);
  };
  module.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op)) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      match(op, callee.getArgumentTypes());
    } else if (isa<func::ReturnOp>(op)) {
      match(op, op->getParentOfType<func::FuncOp>().getResultTypes());
    }
  });
}

void Inference::eraseCasts() {
  module.walk([](mp::CastOp cast) {
    if (cast.getGraph().getType() == cast.getType()) {
      cast->replaceAllUsesWith(ValueRange(cast.getGraph()));
      cast.erase();
    }
  });
}

void Inference::run() {
  module.walk([&](mp::CastOp cast) {
    refine(cast.getResult(), cast.getGraph().getType());
  });
  module.walk([&](mp::EdgeListOp list) { inferEdgeList(list); });
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto function : module.getOps<func::FuncOp>())
      changed |= inferArguments(function);
  }
  eraseCasts();
  castAtBorders();
}

namespace {
struct InferTopologyPass
    : clique::impl::InferTopologyPassBase<InferTopologyPass> {
  void runOnOperation() override { Inference(getOperation()).run(); }
};
} // namespace
