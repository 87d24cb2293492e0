//===- TopologyAnalysis.cpp - Which graphs a value may be -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse forward analysis on the lattice of topologies.
//
//===----------------------------------------------------------------------===//
#include "compiler/Topology/TopologyAnalysis.h"
#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;
using mp::MPGraphType;
using mp::Topology;

bool clique::isMadeOfGraph(Operation *op) {
  return isa<mp::ReverseOp, mp::SelfLoopsOp, mp::LevelsOp, mp::RowsOp>(op);
}

MPGraphType clique::inferOfGraph(Operation *op, MPGraphType operand) {
  auto declared = cast<MPGraphType>(op->getResult(0).getType());
  // Self-loops and levels have no meaning on a bipartite graph; whether that is
  // an error shows when the graph is made.
  if (isa<mp::SelfLoopsOp, mp::LevelsOp>(op) &&
      operand.getTopology() == Topology::bipartite)
    return {};
  MPGraphType inferred = isa<mp::ReverseOp>(op)     ? operand.getReversed()
                         : isa<mp::SelfLoopsOp>(op) ? operand.getWithSelfLoops()
                         : isa<mp::LevelsOp>(op)    ? operand.getByLevel()
                                                    : operand.getRows();
  // The reverse of a causal graph is of no class, that of a sparse one is
  // sparse.
  return MPGraphType::meet(inferred, declared) == inferred ? inferred
                                                           : MPGraphType();
}

namespace {
/// The class of a graph; null where no way through the function leads, and for
/// values that are no graphs.
struct KnownTopology {
  MPGraphType type;

  bool operator==(const KnownTopology &other) const {
    return type == other.type;
  }
  static KnownTopology join(const KnownTopology &a, const KnownTopology &b) {
    if (!a.type || !b.type)
      return a.type ? a : b;
    return {MPGraphType::join(a.type, b.type)};
  }
  void print(raw_ostream &os) const { os << type; }
};

using TopologyState = dataflow::Lattice<KnownTopology>;

class TopologyAnalysis
    : public dataflow::SparseForwardDataFlowAnalysis<TopologyState> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const TopologyState *> operands,
                               ArrayRef<TopologyState *> results) override;
  void setToEntryState(TopologyState *state) override {
    raise(state, dyn_cast<MPGraphType>(state->getAnchor().getType()));
  }
  void visitRegionSuccessors(
      ProgramPoint *point, RegionBranchOpInterface branch,
      RegionSuccessor successor,
      ArrayRef<dataflow::AbstractSparseLattice *> states) override;

private:
  void raise(TopologyState *state, MPGraphType type) {
    propagateIfChanged(state, state->join(KnownTopology{type}));
  }
};

/// Takes every branch for possible: what is never run keeps valid types.
class NoConstants : public dataflow::SparseForwardDataFlowAnalysis<
                        dataflow::Lattice<dataflow::ConstantValue>> {
public:
  using State = dataflow::Lattice<dataflow::ConstantValue>;
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  LogicalResult visitOperation(Operation *, ArrayRef<const State *>,
                               ArrayRef<State *> results) override {
    setAllToEntryStates(results);
    return success();
  }
  void setToEntryState(State *state) override {
    propagateIfChanged(
        state, state->join(dataflow::ConstantValue::getUnknownConstant()));
  }
};
} // namespace

LogicalResult
TopologyAnalysis::visitOperation(Operation *op,
                                 ArrayRef<const TopologyState *> operands,
                                 ArrayRef<TopologyState *> results) {
  if (!isa<mp::CastOp>(op) && !isMadeOfGraph(op)) {
    setAllToEntryStates(results);
    return success();
  }
  MPGraphType operand = operands.front()->getValue().type;
  if (!operand)
    return success();
  auto declared = cast<MPGraphType>(op->getResult(0).getType());
  operand = MPGraphType::meet(operand,
                              cast<MPGraphType>(op->getOperand(0).getType()));
  MPGraphType result = isa<mp::CastOp>(op)
                           ? MPGraphType::meet(operand, declared)
                           : inferOfGraph(op, operand);
  raise(results.front(), result ? result : declared);
  return success();
}

void TopologyAnalysis::visitRegionSuccessors(
    ProgramPoint *point, RegionBranchOpInterface branch,
    RegionSuccessor successor,
    ArrayRef<dataflow::AbstractSparseLattice *> states) {
  auto flow = [&](ValueRange values,
                  ArrayRef<dataflow::AbstractSparseLattice *> into) {
    for (auto [state, value] : llvm::zip_equal(into, values))
      join(state, *getLatticeElementFor(point, value));
  };
  auto giveUp = [&] {
    AbstractSparseForwardDataFlowAnalysis::setAllToEntryStates(states);
  };
  // What goes into a loop, round and out of it has one type, however many steps
  // it is known to have.
  if (auto loop = dyn_cast<scf::ForOp>(branch.getOperation())) {
    if (loop.getStaticTripCount() == 0)
      return giveUp();
    states = states.take_back(loop.getInits().size());
    flow(loop.getInits(), states);
    return flow(loop.getYieldedValues(), states);
  }
  for (RegionBranchPoint from : branch.getAllRegionBranchPoints()) {
    SmallVector<RegionSuccessor> ways;
    branch.getSuccessorRegions(from, ways);
    for (RegionSuccessor to : ways) {
      if (to.getSuccessor() != successor.getSuccessor())
        continue;
      if (to.getSuccessorInputs().size() != states.size())
        return giveUp();
      flow(branch.getSuccessorOperands(from, to), states);
    }
  }
}

llvm::MapVector<Value, MPGraphType>
clique::findTopologies(func::FuncOp function) {
  llvm::MapVector<Value, MPGraphType> found;
  DataFlowSolver solver(DataFlowConfig().setInterprocedural(false));
  solver.load<dataflow::DeadCodeAnalysis>();
  solver.load<NoConstants>();
  solver.load<TopologyAnalysis>();
  if (failed(solver.initializeAndRun(function)))
    return found;
  auto lookUp = [&](Value value) {
    auto declared = dyn_cast<MPGraphType>(value.getType());
    const auto *state = solver.lookupState<TopologyState>(value);
    if (!declared || !state || !state->getValue().type)
      return;
    MPGraphType type = MPGraphType::meet(state->getValue().type, declared);
    if (type && type != declared)
      found[value] = type;
  };
  function.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), lookUp);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), lookUp);
  });
  return found;
}
