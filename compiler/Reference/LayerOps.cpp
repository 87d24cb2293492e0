//===- LayerOps.cpp - Messages, aggregations, updates ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/RowBuffer.h"

#include <cmath>

using namespace clique;
using namespace clique::mp;
using namespace clique::reference;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluate(MessageOp op) {
  FailureOr<BoundProgram> body = bind(op.getBody().front());
  if (failed(body))
    return failure();
  auto message = std::make_shared<Message>();
  message->graph = getGraph(op.getGraph());
  message->body = std::move(*body);
  const ReferenceGraph &graph = *message->graph;
  auto addNode = [&](Value value, bool atDst) {
    TensorPtr tensor = getTensor(value);
    message->nodes.push_back({tensor, getFeatureSize(value.getType()), atDst});
    return checkRows(op, atDst ? "dst" : "src", tensor->shape[0],
                     atDst ? graph.getNumDst() : graph.getNumSrc(),
                     atDst ? "destinations" : "sources");
  };
  for (Value value : op.getDst())
    if (failed(addNode(value, /*atDst=*/true)))
      return failure();
  for (Value value : op.getSrc())
    if (failed(addNode(value, /*atDst=*/false)))
      return failure();
  for (Value value : op.getEdge()) {
    message->edges.push_back(getEdges(value));
    if (failed(checkEdges(op, message->edges.back(), graph)))
      return failure();
  }
  for (auto [index, value] : llvm::enumerate(op.getResults())) {
    EdgeValues values;
    values.feature = Shape(cast<EdgesType>(value.getType()).getShape());
    values.numEdges = graph.getNumEdges();
    values.message = message;
    values.result = index;
    if (failed(define(value, std::move(values))))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Aggregations
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluate(AggregateOp op) {
  const ReferenceGraph &graph = *getGraph(op.getGraph());
  for (Value value : op.getValues())
    if (failed(checkEdges(op, getEdges(value), graph)))
      return failure();
  if (op.getScore() && failed(checkEdges(op, getEdges(op.getScore()), graph)))
    return failure();
  return op.getKind() == AggregatorKind::custom ? evaluateCustom(op)
                                                : evaluateBuiltin(op);
}

LogicalResult Evaluator::evaluateBuiltin(AggregateOp op) {
  const ReferenceGraph &graph = *getGraph(op.getGraph());
  SmallVector<EdgeValues> wanted;
  SmallVector<ReferenceTensor> results;
  for (Value value : op.getValues())
    wanted.push_back(getEdges(value));
  for (Type type : op.getResultTypes())
    results.push_back(makeNodeTensor(type, graph.getNumDst()));
  unsigned score = wanted.size();
  if (op.getScore()) // its log-sum-exp may be a result
    wanted.push_back(getEdges(op.getScore()));
  Value low = op.getLogSumExpLow();

  parallelParts(
      op.getContext(), graph.getNumDst(), [&](int64_t begin, int64_t end) {
        RowBuffer rows(graph, wanted);
        for (int64_t node = begin; node < end; ++node) {
          rows.gather(node);
          RoundingPlace place(node);
          int64_t degree = graph.getDegree(node);
          SmallVector<int64_t> edges;
          for (int64_t k = 0; k < degree; ++k)
            edges.push_back(graph.getIncoming(node, k));
          for (auto [index, result] : llvm::enumerate(results)) {
            Value value = op->getResult(index);
            if (value == low) // made with the high part
              continue;
            // What is more than one for each value is of the score, or of the
            // only value.
            const bool isLogSumExp = value == op.getLogSumExp();
            const bool isNumber = index == score && !isLogSumExp;
            int64_t width = rows.getWidth(isNumber ? 0 : index);
            double *target = result.data.data() + node * width;
            RowAggregator aggregator(precision, value.getType());
            if (isNumber)
              RowAggregator::findExtremum(op.getKind(), rows.get(0), edges,
                                          width, target);
            else if (isLogSumExp)
              aggregator.logSumExp(
                  rows.get(index), degree, width, target,
                  low ? results.back().data.data() + node * width : nullptr);
            else if (op.getScore())
              aggregator.softmax(rows.get(score), rows.getWidth(score),
                                 rows.get(index), degree, width, target);
            else
              aggregator.reduce(op.getKind(), rows.get(index), degree, width,
                                target);
          }
        }
      });
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
    if (failed(defineTensor(value, std::move(result))))
      return failure();
  return success();
}

template <typename OpTy>
FailureOr<Monoid> Evaluator::bindMonoid(OpTy op) {
  FailureOr<BoundProgram> identity = bind(op.getIdentity().front());
  FailureOr<BoundProgram> lift = bind(op.getLift().front());
  FailureOr<BoundProgram> combine = bind(op.getCombine().front());
  FailureOr<BoundProgram> finalise = bind(op.getFinalise().front());
  if (failed(identity) || failed(lift) || failed(combine) || failed(finalise))
    return failure();
  return Monoid{*identity, *lift, *combine, *finalise};
}

LogicalResult Evaluator::evaluateCustom(AggregateOp op) {
  FailureOr<Monoid> monoid = bindMonoid(op);
  if (failed(monoid))
    return failure();
  const ReferenceGraph &graph = *getGraph(op.getGraph());
  SmallVector<EdgeValues> wanted;
  SmallVector<ReferenceTensor> results;
  for (Value value : op.getValues())
    wanted.push_back(getEdges(value));
  for (Type type : op.getResultTypes())
    results.push_back(makeNodeTensor(type, graph.getNumDst()));

  parallelParts(op.getContext(), graph.getNumDst(),
                [&](int64_t begin, int64_t end) {
                  EdgeEvaluator evaluator(wanted);
                  MonoidFold fold(*monoid);
                  SmallVector<const double *> values(wanted.size());
                  for (int64_t node = begin; node < end; ++node) {
                    RoundingPlace place(node);
                    fold.start();
                    for (int64_t k = 0; k < graph.getDegree(node); ++k) {
                      evaluator.evaluate(graph.getIncoming(node, k));
                      for (size_t index = 0; index < values.size(); ++index)
                        values[index] = evaluator.get(index);
                      fold.add(values);
                    }
                    fold.finish();
                    for (auto [index, result] : llvm::enumerate(results)) {
                      int64_t width = result.data.size() / graph.getNumDst();
                      std::copy_n(fold.getResult(index), width,
                                  result.data.data() + node * width);
                    }
                  }
                });
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
    if (failed(defineTensor(value, std::move(result))))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Updates and readouts
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluate(UpdateOp op) {
  FailureOr<BoundProgram> body = bind(op.getBody().front());
  if (failed(body))
    return failure();
  SmallVector<TensorPtr> nodes;
  SmallVector<int64_t> sizes;
  for (Value operand : op.getNodes()) {
    nodes.push_back(getTensor(operand));
    sizes.push_back(getFeatureSize(operand.getType()));
    if (nodes.back()->shape[0] != nodes[0]->shape[0])
      return op.emitOpError("has operands with ")
             << nodes[0]->shape[0] << " and " << nodes.back()->shape[0]
             << " rows: expected one row per node in each";
  }
  int64_t numNodes = nodes[0]->shape[0];
  SmallVector<ReferenceTensor> results;
  for (Type type : op.getResultTypes())
    results.push_back(makeNodeTensor(type, numNodes));
  const SmallVector<int64_t> &resultSizes = body->program.resultSizes;

  parallelParts(op.getContext(), numNodes, [&](int64_t begin, int64_t end) {
    Frame frame = body->makeFrame();
    for (int64_t node = begin; node < end; ++node) {
      for (size_t i = 0; i < nodes.size(); ++i)
        frame.set(i, nodes[i]->data.data() + node * sizes[i]);
      RoundingPlace place(node);
      frame.run();
      for (size_t i = 0; i < results.size(); ++i)
        std::copy_n(frame.getResult(i), resultSizes[i],
                    results[i].data.data() + node * resultSizes[i]);
    }
  });
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
    if (failed(defineTensor(value, std::move(result))))
      return failure();
  return success();
}

FailureOr<std::vector<int64_t>>
Evaluator::getOffsets(Operation *op, Value offsets, int64_t numNodes) const {
  std::vector<int64_t> numbers = getIntegers(offsets);
  if (llvm::Error error = checkOffsets(numbers, "offsets"))
    return op->emitOpError(llvm::toString(std::move(error)));
  if (numbers.back() != numNodes)
    return op->emitOpError("has offsets that end at ")
           << numbers.back() << ", but there are " << numNodes
           << " nodes: expected the same number";
  return numbers;
}

LogicalResult Evaluator::evaluate(ReadoutOp op) {
  const ReferenceTensor &nodes = *getTensor(op.getNodes());
  auto offsets = getOffsets(op, op.getOffsets(), nodes.shape[0]);
  if (failed(offsets))
    return failure();
  const ReferenceTensor *score =
      op.getScore() ? getTensor(op.getScore()).get() : nullptr;
  if (score && score->shape[0] != nodes.shape[0])
    return op.emitOpError("has ")
           << score->shape[0] << " scores for " << nodes.shape[0]
           << " nodes: expected one for each";
  int64_t width = getFeatureSize(op.getNodes().getType());
  int64_t scoreWidth = score ? getFeatureSize(op.getScore().getType()) : 0;
  int64_t numGraphs = offsets->size() - 1;
  ReferenceTensor result = makeNodeTensor(op.getResult().getType(), numGraphs);
  if (op.getKind() == AggregatorKind::custom) {
    FailureOr<Monoid> monoid = bindMonoid(op);
    if (failed(monoid))
      return failure();
    MonoidFold fold(*monoid);
    const int64_t resultWidth = getFeatureSize(op.getType());
    for (int64_t k = 0; k < numGraphs; ++k) {
      fold.start();
      for (int64_t node = (*offsets)[k]; node < (*offsets)[k + 1]; ++node)
        fold.add(nodes.data.data() + node * width);
      fold.finish();
      std::copy_n(fold.getResult(0), resultWidth,
                  result.data.data() + k * resultWidth);
    }
    return defineTensor(op.getResult(), std::move(result));
  }
  RowAggregator aggregator(precision, op.getType());
  for (int64_t k = 0; k < numGraphs; ++k) {
    const int64_t first = (*offsets)[k], count = (*offsets)[k + 1] - first;
    const double *rows = nodes.data.data() + first * width;
    double *target = result.data.data() + k * width;
    if (score)
      aggregator.softmax(score->data.data() + first * scoreWidth, scoreWidth,
                         rows, count, width, target);
    else
      aggregator.reduce(op.getKind(), rows, count, width, target);
  }
  return defineTensor(op.getResult(), std::move(result));
}

LogicalResult Evaluator::evaluate(SpreadOp op) {
  const ReferenceTensor &parts = *getTensor(op.getParts());
  const int64_t numNodes = *getIndex(op.getNumNodes());
  auto offsets = getOffsets(op, op.getOffsets(), numNodes);
  if (failed(offsets))
    return failure();
  if (parts.shape[0] != int64_t(offsets->size()) - 1)
    return op.emitOpError("has ")
           << parts.shape[0] << " values for " << offsets->size() - 1
           << " parts: expected one for each";
  int64_t width = getFeatureSize(op.getParts().getType());
  ReferenceTensor result = makeNodeTensor(op.getResult().getType(), numNodes);
  for (int64_t k = 0; k < parts.shape[0]; ++k)
    for (int64_t node = (*offsets)[k]; node < (*offsets)[k + 1]; ++node)
      std::copy_n(parts.data.data() + k * width, width,
                  result.data.data() + node * width);
  return defineTensor(op.getResult(), std::move(result));
}

LogicalResult Evaluator::evaluate(EdgeSoftmaxOp op) {
  const ReferenceGraph &graph = *getGraph(op.getGraph());
  EdgeValues scores = getEdges(op.getScore());
  if (failed(checkEdges(op, scores, graph)))
    return failure();
  const int64_t width = scores.getSize();
  auto weights = std::make_shared<ReferenceTensor>();
  weights->shape.push_back(scores.numEdges);
  llvm::append_range(weights->shape, scores.feature);
  weights->data.resize(scores.numEdges * width);
  RowAggregator aggregator(precision, op.getScore().getType());
  parallelParts(
      op.getContext(), graph.getNumDst(), [&](int64_t begin, int64_t end) {
        RowBuffer rows(graph, scores);
        std::vector<double> total(width), low(width);
        for (int64_t node = begin; node < end; ++node) {
          rows.gather(node);
          const int64_t degree = graph.getDegree(node);
          aggregator.logSumExp(rows.get(0), degree, width, total.data(),
                               low.data());
          for (int64_t k = 0; k < degree; ++k)
            for (int64_t c = 0; c < width; ++c)
              weights->data[graph.getIncoming(node, k) * width + c] =
                  std::exp(rows.get(0)[k * width + c] - total[c] - low[c]);
        }
      });
  EdgeValues result;
  result.feature = scores.feature;
  result.numEdges = scores.numEdges;
  result.stored = std::move(weights);
  return define(op.getResult(), std::move(result));
}
