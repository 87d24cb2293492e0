//===- TopologyAnalysis.h - Which graphs a value may be ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The classes of the graphs of a function, through loops, branches and the ops
// on graphs.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_TOPOLOGY_TOPOLOGYANALYSIS_H
#define CLIQUE_COMPILER_TOPOLOGY_TOPOLOGYANALYSIS_H

#include "dialect/IR/MPOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace clique {

/// An op whose first result is a graph that it makes of its first operand.
bool isMadeOfGraph(mlir::Operation *op);

/// The type of the graph that such an op makes of one of the type given. Null
/// if there is none that the result may have: its class is to be one of those
/// of its type now.
mp::MPGraphType inferOfGraph(mlir::Operation *op, mp::MPGraphType operand);

/// A smaller type for each graph of the function of which one is known, as far
/// as control flow says; functions that are called say nothing.
llvm::MapVector<mlir::Value, mp::MPGraphType>
findTopologies(mlir::func::FuncOp function);

} // namespace clique
#endif // CLIQUE_COMPILER_TOPOLOGY_TOPOLOGYANALYSIS_H
