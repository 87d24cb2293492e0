//===- ReleaseGraphs.cpp - The lifetime of graphs made in a spec ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph lives until the end of the block that makes it.
//
//===----------------------------------------------------------------------===//
#include "compiler/Conversion/MPToRuntime/MPToRuntime.h"
#include "dialect/IR/MPGroups.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace clique;

/// The op makes a graph of its own (mp.cast hands on its operand).
static bool makesGraph(Operation *op) {
  return isa<mp::CompleteOp, mp::BipartiteOp, mp::CausalOp, mp::WindowOp,
             mp::CliquesOp, mp::CSROp, mp::COOOp, mp::EdgeListOp, mp::ReverseOp,
             mp::SelfLoopsOp, mp::LevelsOp, mp::RowsOp, mp::GroupEdgesOp>(op);
}

/// Adds the values of `op` that may be a graph which goes into it.
static void addGraphs(Operation *op, SetVector<Value> &graphs) {
  auto add = [&](ValueRange values) {
    for (Value value : values)
      if (isa<mp::MPGraphType>(value.getType()))
        graphs.insert(value);
  };
  add(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      add(block.getArguments());
}

/// The terminator that carries `graph` out of its block; null if there is none.
static Operation *findEscape(Value graph) {
  Region *home = graph.getParentRegion();
  SetVector<Value> aliases;
  aliases.insert(graph);
  for (size_t next = 0; next < aliases.size(); ++next) {
    for (Operation *user : aliases[next].getUsers()) {
      bool ends = user->hasTrait<OpTrait::IsTerminator>();
      if (ends && user->getParentRegion() == home)
        return user;
      if (!makesGraph(user))
        addGraphs(ends ? user->getParentOp() : user, aliases);
    }
  }
  return nullptr;
}

static LogicalResult verifyLifetime(Operation *maker) {
  if (Operation *escape = findEscape(maker->getResult(0))) {
    Operation *parent = escape->getParentOp();
    InFlightDiagnostic error = maker->emitOpError("makes a graph that leaves ");
    if (isa<func::ReturnOp>(escape))
      error << "its function: return its CSR arrays, or build the graph in "
               "the caller";
    else
      error << "the block of '" << parent->getName()
            << "' where it is made: make it before that op, where it is used";
    error.attachNote(escape->getLoc()) << "it leaves here";
    return failure();
  }
  // Another block may run any number of times before the function ends.
  if (!maker->getBlock()->isEntryBlock())
    return maker->emitOpError("makes a graph in a block of a control-flow "
                              "graph: use scf.if, scf.for or scf.while, or "
                              "make it in the first block");
  return success();
}

LogicalResult clique::releaseGraphs(ModuleOp module,
                                    const RuntimeCalls &runtime) {
  SmallVector<Operation *> makers;
  module.walk([&](Operation *op) {
    if (makesGraph(op))
      makers.push_back(op);
  });
  for (Operation *maker : makers)
    if (failed(verifyLifetime(maker)))
      return failure();

  auto pointer = LLVM::LLVMPointerType::get(module.getContext());
  // The last one made is the first one released.
  for (Operation *maker : llvm::reverse(makers)) {
    for (Block &block : *maker->getParentRegion()) {
      Operation *end = block.getTerminator();
      if (end->getNumSuccessors() > 0)
        continue;
      OpBuilder builder(end);
      Value graph = UnrealizedConversionCastOp::create(
                        builder, maker->getLoc(), pointer, maker->getResult(0))
                        .getResult(0);
      runtime.call(builder, maker->getLoc(), "clique_rt_release", graph);
    }
  }
  return success();
}
