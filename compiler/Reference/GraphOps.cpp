//===- GraphOps.cpp - Graphs made and asked by the spec -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Reference/Evaluator.h"
#include "compiler/Reference/Levels.h"
#include "dialect/IR/MPAccess.h"
#include "dialect/IR/MPGroups.h"
#include "dialect/IR/MPSizes.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace clique;
using namespace clique::mp;
using namespace clique::reference;
using namespace mlir;

/// Node ids; a number that is none becomes -1, which the graph refuses.
static std::vector<int32_t> toIds(ArrayRef<int64_t> numbers) {
  std::vector<int32_t> ids;
  for (int64_t number : numbers)
    ids.push_back(llvm::isInt<32>(number) ? number : -1);
  return ids;
}

static llvm::Expected<ReferenceGraph> makeEdgeList(EdgeListOp op) {
  std::vector<int32_t> ends[2];
  for (auto [k, node] : llvm::enumerate(op.getEdges().getValues<int32_t>()))
    ends[k % 2].push_back(node);
  return ReferenceGraph::coo(op.getNumDst(), op.getNumSrc(), ends[0], ends[1]);
}

LogicalResult Evaluator::defineGraph(Operation *op,
                                     llvm::Expected<ReferenceGraph> graph) {
  if (!graph)
    return op->emitOpError(llvm::toString(graph.takeError()));
  return define(op->getResult(0),
                std::make_shared<const ReferenceGraph>(std::move(*graph)));
}

LogicalResult Evaluator::evaluateGraphOp(Operation *op) {
  auto index = [&](Value value) { return *getIndex(value); };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](CompleteOp op) {
        return defineGraph(
            op, ReferenceGraph::complete(index(op.getN()), op.getNoSelf()));
      })
      .Case([&](BipartiteOp op) {
        return defineGraph(op,
                           ReferenceGraph::bipartite(index(op.getNumDst()),
                                                     index(op.getNumSrc())));
      })
      .Case([&](CausalOp op) {
        return defineGraph(
            op, ReferenceGraph::causal(index(op.getN()), op.getNoSelf()));
      })
      .Case([&](WindowOp op) {
        return defineGraph(op, ReferenceGraph::window(index(op.getN()),
                                                      op.getHalfWidth(),
                                                      op.getNoSelf()));
      })
      .Case([&](CliquesOp op) {
        return defineGraph(
            op, ReferenceGraph::cliques(getIntegers(op.getOffsets()),
                                        op.getCausal(), op.getNoSelf()));
      })
      .Case([&](CSROp op) {
        return defineGraph(
            op, ReferenceGraph::csr(index(op.getNumSrc()),
                                    getIntegers(op.getIndptr()),
                                    toIds(getIntegers(op.getIndices()))));
      })
      .Case([&](COOOp op) {
        return defineGraph(op, ReferenceGraph::coo(
                                   index(op.getNumDst()), index(op.getNumSrc()),
                                   toIds(getIntegers(op.getDst())),
                                   toIds(getIntegers(op.getSrc()))));
      })
      .Case([&](EdgeListOp op) { return defineGraph(op, makeEdgeList(op)); })
      .Case([&](ReverseOp op) {
        return defineGraph(op, getGraph(op.getGraph())->reverse());
      })
      .Case([&](SelfLoopsOp op) {
        return defineGraph(op, getGraph(op.getGraph())->addSelfLoops());
      })
      .Case<LevelsOp, RowsOp, GroupEdgesOp>(
          [&](auto op) { return evaluatePart(op); })
      .Case([&](CastOp op) {
        return define(op.getResult(), GraphPtr(getGraph(op.getGraph())));
      })
      .Case([&](arith::SelectOp op) {
        if (!isa<MPGraphType>(op.getType()))
          return evaluateGraphInfo(op);
        return define(op.getResult(),
                      GraphPtr(getGraph(*getIndex(op.getCondition()) != 0
                                            ? op.getTrueValue()
                                            : op.getFalseValue())));
      })
      .Default([&](Operation *op) { return evaluateGraphInfo(op); });
}

LogicalResult Evaluator::evaluateGraphInfo(Operation *op) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](NumDstOp op) {
        return defineIndex(op.getSize(), getGraph(op.getGraph())->getNumDst());
      })
      .Case([&](NumSrcOp op) {
        return defineIndex(op.getSize(), getGraph(op.getGraph())->getNumSrc());
      })
      .Case([&](NumEdgesOp op) {
        return defineIndex(op.getSize(),
                           getGraph(op.getGraph())->getNumEdges());
      })
      .Case([&](NumRowsOp op) {
        return defineIndex(op.getSize(), getEdges(op.getEdges()).numEdges);
      })
      .Case([&](CheckOp op) -> LogicalResult {
        const int64_t actual = *getIndex(op.getActual()),
                      least = *getIndex(op.getLeast()),
                      most = *getIndex(op.getMost());
        if (least <= actual && actual <= most)
          return success();
        return emitError(op.getLoc())
               << op.getWhat() << ": " << actual << ", expected " << least
               << " to " << most;
      })
      .Case([&](DegreeOp op) { return defineDegrees(op); })
      .Case<NodeNumbersOp, PartNumbersOp>(
          [&](Operation *op) { return evaluateNumbers(op); })
      .Case([&](ToTensorOp op) {
        TensorPtr values =
            materialise(getEdges(op.getEdges()), op.getContext());
        return defineTensor(op.getTensor(), ReferenceTensor(*values));
      })
      .Case([&](ToEdgesOp op) {
        return defineEdges(op.getEdges(), getTensor(op.getTensor()));
      })
      .Default([&](Operation *op) {
        auto lookup = dyn_cast<LookupOp>(op);
        return lookup && isa<EdgesType>(lookup.getTable().getType())
                   ? lookUpEdges(lookup)
                   : evaluateTensorOp(op);
      });
}

LogicalResult Evaluator::evaluateNumbers(Operation *op) {
  auto part = dyn_cast<PartNumbersOp>(op);
  const int64_t numNodes = *getIndex(
      part ? part.getNumNodes() : cast<NodeNumbersOp>(op).getNumNodes());
  if (!llvm::isUInt<31>(numNodes))
    return op->emitOpError("is of ")
           << numNodes << " nodes: expected 0 to 2147483647";
  ReferenceTensor numbers;
  numbers.shape = {numNodes};
  if (!part) {
    numbers.data.resize(numNodes);
    std::iota(numbers.data.begin(), numbers.data.end(), 0.0);
    return defineTensor(op->getResult(0), std::move(numbers));
  }
  auto offsets = getOffsets(op, part.getOffsets(), numNodes);
  if (failed(offsets))
    return failure();
  for (size_t k = 0; k + 1 < offsets->size(); ++k)
    numbers.data.resize((*offsets)[k + 1], double(k));
  return defineTensor(op->getResult(0), std::move(numbers));
}

LogicalResult Evaluator::defineEdges(Value edges, TensorPtr rows) {
  EdgeValues values;
  llvm::append_range(values.feature, ArrayRef(rows->shape).drop_front());
  values.numEdges = rows->shape[0];
  values.stored = std::move(rows);
  return define(edges, std::move(values));
}

LogicalResult Evaluator::lookUpEdges(LookupOp op) {
  TensorPtr table = materialise(getEdges(op.getTable()), op.getContext());
  const std::vector<int64_t> indices = getIntegers(op.getIndex());
  const int64_t numRows = table->shape[0];
  if (numRows == 0 && !indices.empty())
    return op.emitOpError("has an edge feature without edges to look up: "
                          "expected 1 or more");
  ReferenceTensor rows;
  rows.shape = table->shape;
  rows.shape[0] = indices.size();
  const int64_t width = getNumElements(ArrayRef(table->shape).drop_front());
  for (int64_t index : indices) {
    const int64_t row = std::max<int64_t>(0, std::min(index, numRows - 1));
    rows.data.insert(rows.data.end(), table->data.begin() + row * width,
                     table->data.begin() + (row + 1) * width);
  }
  return defineEdges(op.getResult(),
                     std::make_shared<const ReferenceTensor>(std::move(rows)));
}

/// A tensor of rank 1.
template <typename T>
static ReferenceTensor makeList(const std::vector<T> &numbers) {
  ReferenceTensor list;
  list.shape = {static_cast<int64_t>(numbers.size())};
  list.data.assign(numbers.begin(), numbers.end());
  return list;
}

LogicalResult Evaluator::evaluatePart(LevelsOp op) {
  llvm::Expected<ReferenceLevels> levels = findLevels(*getGraph(op.getGraph()));
  if (!levels)
    return op.emitOpError(llvm::toString(levels.takeError()));
  if (failed(defineTensor(op.getNodes(), makeList(levels->nodes))) ||
      failed(defineTensor(op.getPlaces(), makeList(levels->places))) ||
      failed(defineTensor(op.getOffsets(), makeList(levels->offsets))))
    return failure();
  return define(op.getByLevel(), std::make_shared<const ReferenceGraph>(
                                     std::move(levels->byLevel)));
}

LogicalResult Evaluator::evaluatePart(RowsOp op) {
  llvm::Expected<ReferenceRows> rows =
      takeRows(*getGraph(op.getGraph()), *getIndex(op.getFirst()),
               *getIndex(op.getCount()));
  if (!rows)
    return op.emitOpError(llvm::toString(rows.takeError()));
  if (failed(defineTensor(op.getEdges(), makeList(rows->edges))))
    return failure();
  return define(op.getPart(),
                std::make_shared<const ReferenceGraph>(std::move(rows->part)));
}

LogicalResult Evaluator::evaluatePart(GroupEdgesOp op) {
  TensorPtr keys = materialise(getEdges(op.getKeys()), op.getContext());
  llvm::Expected<ReferenceGroups> groups = groupEdges(
      *getGraph(op.getGraph()), keys->data, *getIndex(op.getNumKeys()));
  if (!groups)
    return op.emitOpError(llvm::toString(groups.takeError()));
  if (failed(defineTensor(op.getRows(), makeList(groups->rows))) ||
      failed(defineTensor(op.getKeysOfGroups(), makeList(groups->keys))))
    return failure();
  return define(op.getGroups(), std::make_shared<const ReferenceGraph>(
                                    std::move(groups->graph)));
}

LogicalResult Evaluator::defineDegrees(DegreeOp op) {
  const ReferenceGraph &graph = *getGraph(op.getGraph());
  ReferenceTensor degrees;
  degrees.shape = {graph.getNumDst()};
  for (int64_t node = 0; node < graph.getNumDst(); ++node)
    degrees.data.push_back(graph.getDegree(node));
  return defineTensor(op.getDegrees(), std::move(degrees));
}
