//===- RowBuffer.h - The values of a row's edges ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What evaluations of ops on nodes and edges share.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_ROWBUFFER_H
#define CLIQUE_COMPILER_REFERENCE_ROWBUFFER_H

#include "compiler/Reference/Evaluator.h"

namespace clique::reference {

/// Elements of one node's feature, of one row.
inline int64_t getFeatureSize(mlir::Type nodeTensor) {
  return getNumElements(mp::getNodeFeature(nodeTensor).getShape());
}

/// A new tensor of one feature of `type` per node.
inline ReferenceTensor makeNodeTensor(mlir::Type type, int64_t numNodes) {
  ReferenceTensor tensor;
  tensor.shape.push_back(numNodes);
  llvm::append_range(tensor.shape, mp::getNodeFeature(type).getShape());
  tensor.data.resize(numNodes * getFeatureSize(type));
  return tensor;
}

inline mlir::LogicalResult checkRows(mlir::Operation *op, const char *role,
                                     int64_t rows, int64_t expected,
                                     const char *what) {
  if (rows == expected)
    return mlir::success();
  return op->emitOpError() << "has a " << role << " operand with " << rows
                           << " rows, but the graph has " << expected << ' '
                           << what << ": hand in one row for each";
}

inline mlir::LogicalResult checkEdges(mlir::Operation *op,
                                      const EdgeValues &values,
                                      const ReferenceGraph &graph) {
  if (values.numEdges == graph.getNumEdges())
    return mlir::success();
  return op->emitOpError("has values of ")
         << values.numEdges << " edges, but its graph has "
         << graph.getNumEdges() << ": hand in one value for each edge";
}

/// The incoming values of one destination, a matrix for each edge value.
class RowBuffer {
public:
  RowBuffer(const ReferenceGraph &graph, mlir::ArrayRef<EdgeValues> values)
      : graph(graph), evaluator(values), rows(values.size()) {
    for (const EdgeValues &value : values)
      widths.push_back(value.getSize());
  }

  /// Computes the values of all edges into `node`.
  void gather(int64_t node) {
    int64_t degree = graph.getDegree(node);
    for (auto [row, width] : llvm::zip_equal(rows, widths))
      row.resize(degree * width);
    for (int64_t k = 0; k < degree; ++k) {
      evaluator.evaluate(graph.getIncoming(node, k));
      for (auto [index, width] : llvm::enumerate(widths))
        std::copy_n(evaluator.get(index), width,
                    rows[index].data() + k * width);
    }
  }

  const double *get(unsigned index) const { return rows[index].data(); }
  int64_t getWidth(unsigned index) const { return widths[index]; }

private:
  const ReferenceGraph &graph;
  EdgeEvaluator evaluator;
  std::vector<std::vector<double>> rows;
  mlir::SmallVector<int64_t> widths;
};

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_ROWBUFFER_H
