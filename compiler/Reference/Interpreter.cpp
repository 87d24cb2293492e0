//===- Interpreter.cpp - Evaluates a spec edge by edge --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments and results of the function; Evaluator does the rest.
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Interpreter.h"
#include "compiler/Reference/Evaluator.h"

using namespace clique;
using namespace clique::reference;
using namespace mlir;

/// An edge feature handed in as a tensor [numEdges, ...].
static FailureOr<Binding> bindEdges(func::FuncOp function, unsigned index,
                                    mp::EdgesType type, TensorPtr tensor) {
  EdgeValues values;
  values.feature = Shape(type.getShape());
  ArrayRef<int64_t> shape = tensor->shape;
  if (shape.empty() || shape.drop_front() != type.getShape())
    return function.emitOpError("argument #")
           << index << " of type " << type << " has shape "
           << describeShape(shape)
           << ": expected the number of edges, then the feature's shape";
  values.numEdges = shape[0];
  values.stored = std::move(tensor);
  return Binding(std::move(values));
}

static FailureOr<Binding> bindArgument(func::FuncOp function, unsigned index,
                                       const ReferenceValue &argument) {
  Type type = function.getArgumentTypes()[index];
  auto *graph = std::get_if<GraphPtr>(&argument);
  if ((graph != nullptr) != isa<mp::MPGraphType>(type))
    return function.emitOpError("argument #")
           << index << " has type " << type << ", but a "
           << (graph ? "graph" : "tensor") << " was handed in";
  if (graph)
    return Binding(*graph);
  const TensorPtr &tensor = *std::get_if<TensorPtr>(&argument);
  if (auto edges = dyn_cast<mp::EdgesType>(type))
    return bindEdges(function, index, edges, tensor);
  return Binding(tensor);
}

FailureOr<SmallVector<ReferenceTensor>>
clique::evaluateReference(func::FuncOp function,
                          ArrayRef<ReferenceValue> arguments,
                          const ReferencePrecision &precision) {
  if (arguments.size() != function.getNumArguments())
    return function.emitOpError("takes ")
           << function.getNumArguments() << " arguments, but "
           << arguments.size() << " were handed in";
  for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
    if (isa<mp::MPGraphType>(type))
      return function.emitOpError("result #")
             << index
             << " is a graph, which the reference interpreter does "
                "not hand out: return tensors or edge features";
  FailureOr<Block *> body = getSingleBlock(function);
  if (failed(body))
    return failure();
  SmallVector<Binding> bindings;
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    FailureOr<Binding> binding = bindArgument(function, index, argument);
    if (failed(binding))
      return failure();
    bindings.push_back(std::move(*binding));
  }
  // Kernels have no other way to say that they failed.
  bool hasError = false;
  ScopedDiagnosticHandler handler(function.getContext(), [&](Diagnostic &d) {
    hasError |= d.getSeverity() == DiagnosticSeverity::Error;
    return failure(); // to those who show it
  });
  FailureOr<SmallVector<Binding>> results =
      Evaluator(precision).call(**body, bindings);
  if (failed(results) || hasError)
    return failure();
  SmallVector<ReferenceTensor> tensors;
  for (const Binding &result : *results) {
    auto *edges = std::get_if<EdgeValues>(&result);
    tensors.push_back(edges ? *materialise(*edges, function.getContext())
                            : **std::get_if<TensorPtr>(&result));
  }
  return tensors;
}
