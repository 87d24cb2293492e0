//===- HoistEndpoints.cpp - What depends on one end leaves the edge -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, in each message, the largest sub-expressions of one endpoint's
// features and computes them in an mp.update before the message.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/Passes.h"
#include "compiler/Algebra/SplitEndpoints.h"
#include "compiler/Analysis/EndpointDependence.h"
#include "compiler/Analysis/FeatureCost.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

namespace clique {
#define GEN_PASS_DEF_HOISTENDPOINTSPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// What is worth leaving the edge
//===----------------------------------------------------------------------===//

/// Ops that only spread or rearrange a value: the message does them for
/// nothing, and a larger or equal value need not be stored per node.
static bool staysInMessage(Operation *op) {
  return isa<mp::BroadcastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp,
             tensor::ConcatOp, tensor::ScatterOp>(op);
}

/// Ops that cost more than to read their result.
static bool isExpensive(Operation *op) {
  if (isa<mp::LinearOp, mp::DotOp, mp::ReduceOp, mp::LayerNormOp,
          arith::DivFOp>(op))
    return true;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return getFlops(*op) >= kFunctionFlops * (type ? type.getNumElements() : 1);
}

/// A feature that can be a row of a node tensor.
static bool canBeNodeFeature(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return false;
  Type element = type.getElementType();
  return element.isBF16() || element.isF16() || element.isF32() ||
         element.isF64() || element.isInteger(32) || element.isInteger(64) ||
         element.isInteger(1) || element.isInteger(8) || element.isIndex();
}

namespace {
/// A sub-expression of a message that depends on one end.
struct Expression {
  Value value;
  bool ofDst = false;
  /// Its ops in the message, in order, uniform ones included.
  SetVector<Operation *> ops;
  /// The node tensors behind it.
  SetVector<Value> nodes;
};

class Hoister {
public:
  explicit Hoister(mp::MessageOp message) : message(message), ends(message) {}

  /// Moves what is worth it to nodes; the message is replaced.
  void hoist();

private:
  void findExpressions();
  /// Adds `value`, used by an op of both ends, or what it is spread from.
  void addExpression(Value value);
  Expression getExpression(Value value);
  bool isWorthHoisting(const Expression &expression);
  /// The sources of a part are all nodes of the graph: computed for each of
  /// them in each step of a loop, it would be work for other parts' edges.
  bool isOfOtherRows(const Expression &expression);
  Value getNodes(BlockArgument arg) {
    // The graph is operand 0.
    return message->getOperand(arg.getArgNumber() + 1);
  }
  /// Computes the expressions over the same nodes in one update, so that common
  /// parts of both ends are computed once; maps their values to its results.
  void computeAtNodes(ArrayRef<const Expression *> expressions,
                      DenseMap<Value, Value> &results);
  /// Says what leaves the edge that no expression before took with it.
  void emitRemark(const Expression &expression);

  mp::MessageOp message;
  EndpointDependence ends;
  SmallVector<Expression> expressions;
  DenseSet<Value> seen;
  DenseSet<Operation *> reported;
};
} // namespace

Expression Hoister::getExpression(Value value) {
  Expression expression;
  expression.value = value;
  expression.ofDst = ends.get(value) == Ends::dst;
  SmallVector<Value> worklist = {value};
  DenseSet<Operation *> ops;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next.getParentRegion() != &message.getBody())
      continue;
    if (auto arg = dyn_cast<BlockArgument>(next))
      expression.nodes.insert(getNodes(arg));
    else if (ops.insert(next.getDefiningOp()).second)
      llvm::append_range(worklist, next.getDefiningOp()->getOperands());
  }
  for (Operation &op : message.getBody().front())
    if (ops.contains(&op))
      expression.ops.insert(&op);
  return expression;
}

/// The graph is a part of another one (mp.rows).
static bool isPart(Value graph) {
  while (auto cast = graph.getDefiningOp<mp::CastOp>())
    graph = cast.getGraph();
  return graph.getDefiningOp<mp::RowsOp>() != nullptr;
}

bool Hoister::isOfOtherRows(const Expression &expression) {
  auto loop = message->getParentOfType<LoopLikeOpInterface>();
  return !expression.ofDst && loop && isPart(message.getGraph()) &&
         llvm::any_of(expression.nodes, [&](Value nodes) {
           return !loop.isDefinedOutsideOfLoop(nodes);
         });
}

bool Hoister::isWorthHoisting(const Expression &expression) {
  if (llvm::any_of(expression.ops, isExpensive))
    return true;
  // Cheap arithmetic of the destination is done once per row as it is; that of
  // the source must not make the message gather more than before.
  if (expression.ofDst)
    return false;
  int64_t gatheredBefore = 0, flops = 0;
  for (Operation *op : expression.ops) {
    flops += getFlops(*op);
    for (Value value : op->getOperands()) {
      auto arg = dyn_cast<BlockArgument>(value);
      if (!arg || arg.getOwner() != &message.getBody().front())
        continue;
      bool goesAway = llvm::all_of(arg.getUsers(), [&](Operation *user) {
        return expression.ops.contains(
            message.getBody().front().findAncestorOpInBlock(*user));
      });
      if (!goesAway)
        return false;
    }
  }
  for (Value nodes : expression.nodes)
    gatheredBefore += getBytes(mp::getNodeFeature(nodes.getType()));
  auto type = cast<RankedTensorType>(expression.value.getType());
  return flops > 0 && getBytes(type) <= gatheredBefore;
}

void Hoister::addExpression(Value value) {
  if (!ends.isOneEnd(value) || isa<BlockArgument>(value) ||
      !seen.insert(value).second)
    return;
  Operation *op = value.getDefiningOp();
  Expression expression = getExpression(value);
  if (staysInMessage(op) || !canBeNodeFeature(value) ||
      isOfOtherRows(expression)) {
    for (Value operand : op->getOperands())
      addExpression(operand);
    return;
  }
  if (isWorthHoisting(expression))
    expressions.push_back(std::move(expression));
}

void Hoister::findExpressions() {
  for (Operation &op : message.getBody().front()) {
    bool isEnd = isa<mp::YieldOp>(op) ||
                 llvm::any_of(op.getResults(), [&](Value result) {
                   return ends.get(result) == Ends::edge;
                 });
    if (isEnd)
      for (Value value : op.getOperands())
        addExpression(value);
  }
}

/// `64 -> 8x16`
static std::string describeSizes(mp::LinearOp linear) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto print = [&](Value value) {
    llvm::interleave(cast<RankedTensorType>(value.getType()).getShape(), os,
                     "x");
  };
  print(linear.getX());
  os << " -> ";
  if (cast<RankedTensorType>(linear.getType()).getRank() == 0)
    os << "1";
  print(linear.getResult());
  return text;
}

void Hoister::emitRemark(const Expression &expression) {
  Operation *largest = nullptr;
  int64_t total = 0;
  for (Operation *op : expression.ops) {
    if (!reported.insert(op).second)
      continue;
    total += getFlops(*op);
    if (!largest || getFlops(*op) > getFlops(*largest))
      largest = op;
  }
  if (!largest)
    return;
  std::string what = largest->getName().getStringRef().str();
  if (auto linear = dyn_cast<mp::LinearOp>(largest))
    what = "mp.linear " + describeSizes(linear);
  remark::passed(
      largest->getLoc(),
      remark::RemarkOpts::name("mp-hoist-endpoints").category("algebra"))
      << llvm::formatv("{0} moved from edges to nodes ({1}), saves {2} flops "
                       "per edge",
                       what, expression.ofDst ? "dst" : "src", total)
             .str();
}

void Hoister::computeAtNodes(ArrayRef<const Expression *> group,
                             DenseMap<Value, Value> &results) {
  SetVector<Value> nodes;
  SetVector<Operation *> ops;
  SmallVector<Type> types;
  int64_t size = ShapedType::kDynamic;
  for (const Expression *expression : group) {
    nodes.insert_range(expression->nodes);
    ops.insert_range(expression->ops);
  }
  for (Value node : nodes)
    size = std::max(size, cast<RankedTensorType>(node.getType()).getDimSize(0));
  for (const Expression *expression : group) {
    auto feature = cast<RankedTensorType>(expression->value.getType());
    SmallVector<int64_t> shape = {size};
    llvm::append_range(shape, feature.getShape());
    types.push_back(RankedTensorType::get(shape, feature.getElementType()));
  }

  IRRewriter rewriter(message.getContext());
  rewriter.setInsertionPoint(message);
  auto update = mp::UpdateOp::create(rewriter, message.getLoc(),
                                     nodes.getArrayRef(), types);
  Block &body = update.getBody().front();
  IRMapping mapping;
  for (BlockArgument arg : message.getBody().getArguments()) {
    auto it = llvm::find(nodes, getNodes(arg));
    if (it != nodes.end())
      mapping.map(arg, body.getArgument(std::distance(nodes.begin(), it)));
  }
  rewriter.setInsertionPointToEnd(&body);
  SmallVector<Operation *> ordered(ops.getArrayRef());
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered)
    rewriter.clone(*op, mapping);
  SmallVector<Value> values;
  for (const Expression *expression : group)
    values.push_back(mapping.lookup(expression->value));
  auto yield = mp::YieldOp::create(rewriter, message.getLoc(), values);
  DominanceInfo dominance;
  eliminateCommonSubExpressions(rewriter, dominance, update);
  // What turned out to be the same for both ends is one result.
  for (auto [index, expression] : llvm::enumerate(group)) {
    auto first = llvm::find(yield.getValues(), yield.getOperand(index));
    results[expression->value] =
        update->getResult(std::distance(yield.getValues().begin(), first));
  }
}

void Hoister::hoist() {
  findExpressions();
  if (expressions.empty())
    return;
  // Expressions that share a node tensor are over the same nodes.
  llvm::EquivalenceClasses<void *> sameNodes;
  for (Expression &expression : expressions)
    for (Value nodes : expression.nodes)
      sameNodes.unionSets(expression.nodes[0].getAsOpaquePointer(),
                          nodes.getAsOpaquePointer());
  llvm::MapVector<void *, SmallVector<const Expression *>> groups;
  for (Expression &expression : expressions) {
    emitRemark(expression);
    void *leader =
        sameNodes.getLeaderValue(expression.nodes[0].getAsOpaquePointer());
    groups[leader].push_back(&expression);
  }
  DenseMap<Value, Value> results;
  for (auto &[leader, group] : groups)
    computeAtNodes(group, results);

  SmallVector<Value> dst(message.getDst()), src(message.getSrc());
  for (Expression &expression : expressions)
    (expression.ofDst ? dst : src).push_back(results[expression.value]);
  OpBuilder builder(message);
  auto hoisted =
      mp::MessageOp::create(builder, message.getLoc(), message.getGraph(), dst,
                            src, message.getEdge(), message->getResultTypes());
  size_t nextDst = message.getDst().size(), nextSrc = message.getSrc().size();
  for (Expression &expression : expressions)
    expression.value.replaceAllUsesWith(expression.ofDst
                                            ? hoisted.getDstArgs()[nextDst++]
                                            : hoisted.getSrcArgs()[nextSrc++]);
  auto replaceArgs = [](ArrayRef<BlockArgument> from,
                        ArrayRef<BlockArgument> to) {
    for (auto [oldArg, newArg] : llvm::zip_first(from, to)) {
      Value old = oldArg;
      old.replaceAllUsesWith(newArg);
    }
  };
  replaceArgs(message.getDstArgs(), hoisted.getDstArgs());
  replaceArgs(message.getSrcArgs(), hoisted.getSrcArgs());
  replaceArgs(message.getEdgeArgs(), hoisted.getEdgeArgs());
  hoisted.getBody().front().getOperations().splice(
      hoisted.getBody().front().end(),
      message.getBody().front().getOperations());
  message->replaceAllUsesWith(hoisted);
  message.erase();
}

namespace {
struct HoistEndpointsPass
    : clique::impl::HoistEndpointsPassBase<HoistEndpointsPass> {
  void runOnOperation() override {
    SmallVector<mp::MessageOp> messages;
    getOperation()->walk([&](mp::MessageOp message) {
      // What a kernel reads of a node comes from outside.
      if (!message->getParentOfType<mp::KernelOp>())
        messages.push_back(message);
    });
    for (mp::MessageOp message : messages) {
      splitEndpoints(message);
      Hoister(message).hoist();
    }
    // Drops what the messages no longer need.
    RewritePatternSet patterns(&getContext());
    mp::MessageOp::getCanonicalizationPatterns(patterns, &getContext());
    mp::UpdateOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
