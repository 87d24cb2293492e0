//===- Interpreter.h - Evaluates a spec edge by edge ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter: evaluates a function in the mp dialect as its ops
// are described, one edge after the other, in double precision. It shares no
// code with the lowerings and is the oracle of `clique-run --verify` and of the
// tests. Clarity comes before speed, but a layer on a graph with a million
// edges takes seconds.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_INTERPRETER_H
#define CLIQUE_COMPILER_REFERENCE_INTERPRETER_H

#include "compiler/Reference/Graph.h"
#include "compiler/Reference/Rounding.h"
#include "compiler/Reference/Tensor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <variant>

namespace clique {

/// An argument: a graph, or a tensor. Edge features are tensors too,
/// [numEdges, ...] in the order in which the graph's edges are numbered, and
/// scalars are tensors of rank 0.
using ReferenceValue = std::variant<std::shared_ptr<const ReferenceTensor>,
                                    std::shared_ptr<const ReferenceGraph>>;

/// Evaluates `function`, of a verified module, and hands out its results, which
/// must be tensors, scalars or edge features (as [numEdges, ...]). What does
/// not fit (an argument, the extents of an op's operands, a row pointer) or is
/// not supported is emitted as an error at its op. Uses the context's threads;
/// the result does not depend on how many there are. With a `precision` it is
/// no oracle, but shows what rounding does to the results.
mlir::FailureOr<mlir::SmallVector<ReferenceTensor>>
evaluateReference(mlir::func::FuncOp function,
                  mlir::ArrayRef<ReferenceValue> arguments,
                  const ReferencePrecision &precision = {});

} // namespace clique

#endif // CLIQUE_COMPILER_REFERENCE_INTERPRETER_H
