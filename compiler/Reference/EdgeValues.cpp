//===- EdgeValues.cpp - Values of every edge ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/EdgeValues.h"
#include "compiler/Reference/Rounding.h"
#include "dialect/IR/MPOps.h"
#include "mlir/IR/Threading.h"

using namespace clique::reference;
using namespace mlir;

Frame BoundProgram::makeFrame() const {
  Frame frame(program);
  SmallVector<const double *> values;
  for (const TensorPtr &capture : captures)
    values.push_back(capture->data.data());
  frame.setCaptures(values.data());
  return frame;
}

EdgeEvaluator::Run::Run(const Message &message)
    : message(message), frame(message.body.makeFrame()) {
  for (auto [op, slot] : message.body.program.givens) {
    switch (cast<mp::PositionOp>(op).getEndpoint()) {
    case mp::Endpoint::dst:
      frame.set(slot, &dst);
      break;
    case mp::Endpoint::src:
      frame.set(slot, &src);
      break;
    case mp::Endpoint::edge:
      frame.set(slot, &number);
      break;
    }
  }
}

EdgeEvaluator::EdgeEvaluator(ArrayRef<EdgeValues> values) {
  for (const EdgeValues &value : values)
    wanted.push_back(getSource(value));
}

EdgeEvaluator::Source EdgeEvaluator::getSource(const EdgeValues &values) {
  if (values.stored)
    return {nullptr, values};
  for (const std::unique_ptr<Run> &run : runs)
    if (&run->message == values.message.get())
      return {run.get(), values};
  auto run = std::make_unique<Run>(*values.message);
  for (const EdgeValues &operand : values.message->edges)
    run->edges.push_back(getSource(operand));
  runs.push_back(std::move(run));
  return {runs.back().get(), values};
}

const double *EdgeEvaluator::read(const Source &source) const {
  if (source.run)
    return source.run->frame.getResult(source.values.result);
  return source.values.stored->data.data() + edge * source.values.getSize();
}

void EdgeEvaluator::evaluate(int64_t number) {
  edge = number;
  RoundingPlace place(number);
  for (const std::unique_ptr<Run> &run : runs) {
    const Message &message = run->message;
    int64_t dst = message.graph->getDst(edge);
    int64_t src = message.graph->getSrc(edge);
    run->dst = dst;
    run->src = src;
    run->number = number;
    unsigned slot = 0;
    for (const Message::NodeOperand &node : message.nodes)
      run->frame.set(slot++, node.tensor->data.data() +
                                 (node.atDst ? dst : src) * node.size);
    for (const Source &source : run->edges)
      run->frame.set(slot++, read(source));
    run->frame.run();
  }
}

const double *EdgeEvaluator::get(unsigned index) const {
  return read(wanted[index]);
}

TensorPtr clique::reference::materialise(const EdgeValues &values,
                                         MLIRContext *context) {
  if (values.stored)
    return values.stored;
  auto tensor = std::make_shared<ReferenceTensor>();
  tensor->shape.push_back(values.numEdges);
  llvm::append_range(tensor->shape, values.feature);
  int64_t size = values.getSize();
  tensor->data.resize(values.numEdges * size);
  parallelParts(context, values.numEdges, [&](int64_t begin, int64_t end) {
    EdgeEvaluator evaluator(values);
    for (int64_t edge = begin; edge < end; ++edge) {
      evaluator.evaluate(edge);
      std::copy_n(evaluator.get(0), size, tensor->data.data() + edge * size);
    }
  });
  return tensor;
}

void clique::reference::parallelParts(MLIRContext *context, int64_t count,
                                      function_ref<void(int64_t, int64_t)> fn) {
  int64_t numParts = std::min<int64_t>(count, 256);
  mlir::parallelFor(context, 0, numParts, [&](size_t part) {
    fn(count * part / numParts, count * (part + 1) / numParts);
  });
}
