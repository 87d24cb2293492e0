//===- SourceSum.cpp - Edge values to their sources -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/RowBuffer.h"

using namespace clique;
using namespace clique::mp;
using namespace clique::reference;
using namespace mlir;

LogicalResult Evaluator::evaluate(SourceSumOp op) {
  const ReferenceGraph &graph = *getGraph(op.getGraph());
  SmallVector<EdgeValues> values;
  SmallVector<ReferenceTensor> results;
  for (auto [value, result] :
       llvm::zip_equal(op.getValues(), op.getResultTypes())) {
    values.push_back(getEdges(value));
    results.push_back(makeNodeTensor(result, graph.getNumSrc()));
    if (failed(checkEdges(op, values.back(), graph)))
      return failure();
  }
  // Edges keep their numbers.
  const ReferenceGraph reversed = graph.reverse();
  parallelParts(op.getContext(), reversed.getNumDst(),
                [&](int64_t begin, int64_t end) {
                  RowBuffer rows(reversed, values);
                  for (int64_t node = begin; node < end; ++node) {
                    rows.gather(node);
                    RoundingPlace place(node);
                    for (auto [index, result] : llvm::enumerate(results)) {
                      int64_t width = rows.getWidth(index);
                      RowAggregator(precision, op->getResult(index).getType())
                          .reduce(AggregatorKind::sum, rows.get(index),
                                  reversed.getDegree(node), width,
                                  result.data.data() + node * width);
                    }
                  }
                });
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
    if (failed(defineTensor(value, std::move(result))))
      return failure();
  return success();
}
