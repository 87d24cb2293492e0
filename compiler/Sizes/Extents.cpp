//===- Extents.cpp - Which dimensions count the same things ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A union-find over first dimensions, index values and the sizes of graphs.
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/Extents.h"
#include "dialect/IR/MPArguments.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace clique;

/// The values that a function returns, from the first of its returns.
static ValueRange getReturned(func::FuncOp function) {
  for (Block &block : function.getBody())
    if (auto op = dyn_cast<func::ReturnOp>(block.getTerminator()))
      return op.getOperands();
  return {};
}

ExtentAnalysis::ExtentAnalysis(func::FuncOp function) : function(function) {
  visitFunction(numCalls++, function);
  for (Value result : getReturned(function))
    resultIds.push_back(getId(0, result, Extent::rows));
}

unsigned ExtentAnalysis::getArgumentClass(unsigned argument, Extent extent) {
  return classes.findLeader(getId(0, function.getArgument(argument), extent));
}

unsigned ExtentAnalysis::getResultClass(unsigned result) {
  if (result >= resultIds.size()) // a function that never returns
    return classes.findLeader(getId(0, Value(), Extent::rows));
  return classes.findLeader(resultIds[result]);
}

llvm::SmallVector<unsigned> ExtentAnalysis::getClasses(Value value,
                                                       Extent extent) {
  llvm::SmallVector<unsigned> found;
  for (unsigned call = 0; call < numCalls; ++call)
    if (auto it = ids.find(Key(call, value.getAsOpaquePointer(), extent));
        it != ids.end())
      found.push_back(classes.findLeader(it->second));
  return found;
}

llvm::DenseSet<Value>
ExtentAnalysis::getMembers(llvm::ArrayRef<unsigned> wanted) {
  llvm::DenseSet<Value> members;
  for (const auto &[key, id] : ids)
    if (std::get<1>(key) && llvm::is_contained(wanted, classes.findLeader(id)))
      members.insert(Value::getFromOpaquePointer(std::get<1>(key)));
  return members;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

unsigned ExtentAnalysis::getId(unsigned call, Value value, Extent extent) {
  Key key(call, value.getAsOpaquePointer(), extent);
  auto [it, isNew] = ids.try_emplace(key, ids.size());
  if (isNew)
    classes.grow(ids.size());
  return it->second;
}

void ExtentAnalysis::join(unsigned a, unsigned b) { classes.join(a, b); }

bool ExtentAnalysis::hasRows(Value value) {
  if (auto tensor = dyn_cast<RankedTensorType>(value.getType()))
    return tensor.getRank() > 0;
  return isa<mp::EdgesType>(value.getType());
}

void ExtentAnalysis::joinRows(unsigned call, ValueRange values) {
  Value first;
  for (Value value : values) {
    if (!hasRows(value))
      continue;
    if (first)
      join(getId(call, first, Extent::rows), getId(call, value, Extent::rows));
    else
      first = value;
  }
}

void ExtentAnalysis::joinRows(unsigned call, ValueRange values, Value graph,
                              Extent extent) {
  for (Value value : values)
    join(getId(call, value, Extent::rows), getId(call, graph, extent));
}

void ExtentAnalysis::joinGraphs(unsigned call, Value a, Value b) {
  for (Extent extent : {Extent::dst, Extent::src, Extent::edges})
    join(getId(call, a, extent), getId(call, b, extent));
}

void ExtentAnalysis::makeSquare(unsigned call, Value graph) {
  join(getId(call, graph, Extent::dst), getId(call, graph, Extent::src));
}

//===----------------------------------------------------------------------===//
// Functions and control flow
//===----------------------------------------------------------------------===//

static bool isSquare(Type type) {
  auto graph = dyn_cast<mp::MPGraphType>(type);
  if (!graph)
    return false;
  switch (graph.getTopology()) {
  case mp::Topology::complete:
  case mp::Topology::causal:
  case mp::Topology::window:
  case mp::Topology::cliques:
  case mp::Topology::causal_cliques:
    return true;
  default:
    return false;
  }
}

void ExtentAnalysis::visitFunction(unsigned call, func::FuncOp function) {
  callStack.push_back(function);
  for (Value arg : function.getArguments())
    if (isSquare(arg.getType()))
      makeSquare(call, arg);
  // An edge feature that nothing reads is one of the only graph.
  auto isGraph = [](Value arg) { return isa<mp::MPGraphType>(arg.getType()); };
  auto isOfAnyGraph = [&](Value arg) {
    return bool(function.getArgAttr(cast<BlockArgument>(arg).getArgNumber(),
                                    mp::kAnyGraphAttr));
  };
  auto graphs = llvm::make_filter_range(function.getArguments(), isGraph);
  if (llvm::hasSingleElement(graphs))
    for (Value arg : function.getArguments())
      if (isa<mp::EdgesType>(arg.getType()) && arg.use_empty() &&
          !isOfAnyGraph(arg))
        joinRows(call, arg, *graphs.begin(), Extent::edges);
  function.walk([&](Operation *op) { visit(call, op); });
  callStack.pop_back();
}

void ExtentAnalysis::visit(unsigned call, Operation *op) {
  for (Value result : op->getResults())
    if (isSquare(result.getType()))
      makeSquare(call, result);
  if (visitConstructor(call, op) || visitGraphOp(call, op) ||
      visitLayerOp(call, op) || visitTensorOp(call, op) || visitLoop(call, op))
    return;
  if (auto callOp = dyn_cast<func::CallOp>(op))
    visitCall(call, callOp);
}

bool ExtentAnalysis::visitLoop(unsigned call, Operation *op) {
  auto joinEach = [&](ValueRange values, ValueRange others) {
    for (auto [value, other] : llvm::zip_equal(values, others))
      joinRows(call, {value, other});
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case([&](scf::ForOp loop) {
        joinEach(loop.getInitArgs(), loop.getRegionIterArgs());
        joinEach(loop.getInitArgs(), loop.getYieldedValues());
        joinEach(loop.getInitArgs(), loop.getResults());
        return true;
      })
      .Case([&](scf::WhileOp loop) {
        ValueRange handedOn = loop.getConditionOp().getArgs();
        joinEach(loop.getInits(), loop.getBeforeArguments());
        joinEach(loop.getInits(), loop.getYieldOp().getResults());
        joinEach(handedOn, loop.getAfterArguments());
        joinEach(handedOn, loop.getResults());
        return true;
      })
      .Default(false);
}

void ExtentAnalysis::visitCall(unsigned call, func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  // Knowledge of more calls than this is not worth its time.
  constexpr unsigned maxCalls = 1000;
  if (!callee || callee.isExternal() || numCalls == maxCalls ||
      llvm::is_contained(callStack, callee))
    return;
  unsigned inner = numCalls++;
  visitFunction(inner, callee);
  auto joinAcross = [&](Value outside, Value inside) {
    for (Extent extent :
         {Extent::rows, Extent::dst, Extent::src, Extent::edges})
      join(getId(call, outside, extent), getId(inner, inside, extent));
  };
  for (auto [outside, inside] :
       llvm::zip_equal(op.getOperands(), callee.getArguments()))
    joinAcross(outside, inside);
  for (auto [outside, inside] : llvm::zip(op.getResults(), getReturned(callee)))
    joinAcross(outside, inside);
}
