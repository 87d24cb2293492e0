//===- EdgeValues.h - Values of every edge ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An edge value is either stored (an argument of the function) or a message,
// which is computed whenever an edge is asked for, so that the interpreter's
// memory does not grow with edges x features.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_REFERENCE_EDGEVALUES_H
#define CLIQUE_COMPILER_REFERENCE_EDGEVALUES_H

#include "compiler/Reference/Graph.h"
#include "compiler/Reference/Program.h"

namespace clique::reference {

/// A region with the values it uses from outside.
struct BoundProgram {
  Program program;
  mlir::SmallVector<TensorPtr> captures;

  /// A frame whose captures are set.
  Frame makeFrame() const;
};

struct Message;

/// The values of every edge, by edge number.
struct EdgeValues {
  Shape feature;
  int64_t numEdges = 0;
  /// [numEdges, feature...], or null for a result of a message.
  TensorPtr stored;
  std::shared_ptr<const Message> message;
  unsigned result = 0;

  int64_t getSize() const { return getNumElements(feature); }
};

/// An mp.message with its operands. `node` operands come with the end of the
/// edge that they are read at; the region's arguments are nodes, then edges.
struct Message {
  struct NodeOperand {
    TensorPtr tensor;
    int64_t size;
    bool atDst;
  };
  GraphPtr graph;
  BoundProgram body;
  mlir::SmallVector<NodeOperand> nodes;
  mlir::SmallVector<EdgeValues> edges;
};

/// Computes edge values, one edge at a time; one for each thread.
class EdgeEvaluator {
public:
  explicit EdgeEvaluator(mlir::ArrayRef<EdgeValues> wanted);

  /// Computes the wanted values of an edge.
  void evaluate(int64_t edge);
  /// The wanted value `index` of the edge evaluated last.
  const double *get(unsigned index) const;

private:
  /// A message under way, with what feeds its edge operands.
  struct Run;
  /// Where an edge value comes from: a run, or the stored tensor if null.
  struct Source {
    Run *run;
    EdgeValues values;
  };
  struct Run {
    explicit Run(const Message &message);
    const Message &message;
    Frame frame;
    double dst = 0, src = 0, number = 0;
    mlir::SmallVector<Source> edges;
  };
  Source getSource(const EdgeValues &values);
  const double *read(const Source &source) const;

  int64_t edge = -1;
  /// Messages that feed others come first.
  std::vector<std::unique_ptr<Run>> runs;
  mlir::SmallVector<Source> wanted;
};

/// All values, [numEdges, feature...], in the caller's order of the edges.
TensorPtr materialise(const EdgeValues &values, mlir::MLIRContext *context);

/// Calls `fn(begin, end)` on parts of [0, count), on the context's threads.
/// The parts, and so any result, are the same for any number of threads.
void parallelParts(mlir::MLIRContext *context, int64_t count,
                   mlir::function_ref<void(int64_t, int64_t)> fn);

} // namespace clique::reference

#endif // CLIQUE_COMPILER_REFERENCE_EDGEVALUES_H
