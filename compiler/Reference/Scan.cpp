//===- Scan.cpp - Recurrences over the edges of a node --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Evaluator.h"
#include "llvm/ADT/STLExtras.h"

using namespace clique;
using namespace clique::mp;
using namespace clique::reference;
using namespace mlir;

namespace {
/// The state of one node on its way over the edges; one for each thread.
class ScanState {
public:
  ScanState(const BoundProgram &body, unsigned numStates)
      : sizes(body.program.resultSizes), frame(body.makeFrame()) {
    for (unsigned k = 0; k < numStates; ++k)
      state.emplace_back(sizes[k]);
  }

  /// Takes the rows of `node` as the states, or puts the states there.
  void load(ArrayRef<TensorPtr> from, int64_t node) {
    for (auto [part, tensor, size] : llvm::zip(state, from, sizes))
      std::copy_n(tensor->data.data() + node * size, size, part.begin());
  }
  void store(MutableArrayRef<ReferenceTensor> last, int64_t node) const {
    for (auto [part, tensor, size] : llvm::zip(state, last, sizes))
      std::copy_n(part.begin(), size, tensor.data.data() + node * size);
  }
  /// Takes in the edge and stores what it yields.
  void add(const EdgeEvaluator &values, unsigned numValues,
           MutableArrayRef<ReferenceTensor> yielded, int64_t edge) {
    for (size_t k = 0; k < state.size(); ++k)
      frame.set(k, state[k].data());
    for (unsigned k = 0; k < numValues; ++k)
      frame.set(state.size() + k, values.get(k));
    frame.run();
    for (auto [k, tensor] : llvm::enumerate(yielded)) {
      const int64_t size = sizes[state.size() + k];
      std::copy_n(frame.getResult(state.size() + k), size,
                  tensor.data.data() + edge * size);
    }
    // A result may be what another state was before.
    next.clear();
    for (size_t k = 0; k < state.size(); ++k)
      next.emplace_back(frame.getResult(k), frame.getResult(k) + sizes[k]);
    state.swap(next);
  }

private:
  ArrayRef<int64_t> sizes;
  Frame frame;
  std::vector<std::vector<double>> state, next;
};
} // namespace

/// The edges into `node` by their sources, those from one source by their
/// numbers.
static std::vector<int64_t> sortEdges(const ReferenceGraph &graph,
                                      int64_t node) {
  std::vector<int64_t> edges(graph.getDegree(node));
  for (auto [k, edge] : llvm::enumerate(edges))
    edge = graph.getIncoming(node, static_cast<int64_t>(k));
  llvm::sort(edges, [&](int64_t a, int64_t b) {
    return std::pair(graph.getSrc(a), a) < std::pair(graph.getSrc(b), b);
  });
  return edges;
}

LogicalResult Evaluator::evaluate(ScanOp op) {
  FailureOr<BoundProgram> body = bind(op.getBody().front());
  if (failed(body))
    return failure();
  const ReferenceGraph &graph = *getGraph(op.getGraph());
  SmallVector<TensorPtr> from;
  for (Value value : op.getFrom()) {
    from.push_back(getTensor(value));
    if (from.back()->shape[0] != graph.getNumDst())
      return op.emitOpError("has a from operand with ")
             << from.back()->shape[0] << " rows, but the graph has "
             << graph.getNumDst() << " destinations: hand in one row for each";
  }
  SmallVector<EdgeValues> values;
  for (Value value : op.getEdge()) {
    values.push_back(getEdges(value));
    if (values.back().numEdges != graph.getNumEdges())
      return op.emitOpError("has values of ")
             << values.back().numEdges << " edges, but its graph has "
             << graph.getNumEdges() << ": hand in one value for each edge";
  }
  SmallVector<ReferenceTensor> last, yielded;
  for (auto [value, size] :
       llvm::zip_equal(op.getResults(), body->program.resultSizes)) {
    auto edges = dyn_cast<EdgesType>(value.getType());
    ReferenceTensor &tensor =
        edges ? yielded.emplace_back() : last.emplace_back();
    const int64_t rows = edges ? graph.getNumEdges() : graph.getNumDst();
    tensor.shape.push_back(rows);
    llvm::append_range(tensor.shape,
                       edges ? edges.getShape()
                             : getNodeFeature(value.getType()).getShape());
    tensor.data.resize(rows * size);
  }

  parallelParts(op.getContext(), graph.getNumDst(),
                [&](int64_t begin, int64_t end) {
                  EdgeEvaluator evaluator(values);
                  ScanState state(*body, from.size());
                  for (int64_t node = begin; node < end; ++node) {
                    RoundingPlace place(node);
                    state.load(from, node);
                    std::vector<int64_t> edges = sortEdges(graph, node);
                    if (op.getReversed())
                      std::reverse(edges.begin(), edges.end());
                    for (int64_t edge : edges) {
                      evaluator.evaluate(edge);
                      state.add(evaluator, values.size(), yielded, edge);
                    }
                    state.store(last, node);
                  }
                });
  for (auto [value, tensor] : llvm::zip_equal(op.getLast(), last))
    if (failed(defineTensor(value, std::move(tensor))))
      return failure();
  for (auto [value, tensor] : llvm::zip_equal(op.getEdgeResults(), yielded))
    if (failed(defineEdges(
            value, std::make_shared<const ReferenceTensor>(std::move(tensor)))))
      return failure();
  return success();
}
