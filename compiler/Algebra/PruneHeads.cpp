//===- PruneHeads.cpp - Layers without some of their heads ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass mp-prune-heads.
//
//===----------------------------------------------------------------------===//
#include "compiler/Algebra/HeadSlices.h"
#include "compiler/Algebra/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace clique {
#define GEN_PASS_DEF_PRUNEHEADSPASS
#include "compiler/Algebra/Passes.h.inc"
} // namespace clique

using namespace mlir;
using namespace clique;

//===----------------------------------------------------------------------===//
// What is to be removed
//===----------------------------------------------------------------------===//

namespace {
/// A head of one softmax of each function, or of all.
struct Removal {
  std::optional<int64_t> softmax;
  int64_t head;
};
} // namespace

/// HEAD or SOFTMAX:HEAD.
static std::optional<Removal> parseRemoval(StringRef text) {
  auto number = [](StringRef text) -> std::optional<int64_t> {
    int64_t value = 0;
    if (text.trim().getAsInteger(10, value) || value < 0)
      return std::nullopt;
    return value;
  };
  auto [softmax, head] = text.split(':');
  const bool isOne = text.contains(':');
  std::optional<int64_t> last = number(isOne ? head : softmax);
  std::optional<int64_t> first = isOne ? number(softmax) : std::nullopt;
  if (!last || (isOne && !first))
    return std::nullopt;
  return Removal{first, *last};
}

/// 0 where the op is no softmax with a score for each of several heads.
static int64_t getNumHeads(mp::AggregateOp aggregate) {
  Value score = aggregate.getScore();
  if (!score || aggregate.getValues().empty())
    return 0;
  ArrayRef<int64_t> shape = cast<mp::EdgesType>(score.getType()).getShape();
  return shape.empty() || shape.front() < 2 ? 0 : shape.front();
}

//===----------------------------------------------------------------------===//
// Users of aggregated values
//===----------------------------------------------------------------------===//

/// Gives the users of a value the part of its kept heads, where they compute
/// the same of it: linear maps of all heads, without the weights of those that
/// are 0. Others still use the whole value.
static void giveToUsers(HeadSlices &slices, Value whole, Value part,
                        HeadDim head);

static void giveToUpdate(HeadSlices &slices, mp::UpdateOp update,
                         unsigned index, Value part, HeadDim head) {
  Block &body = update.getBody().front();
  BlockArgument whole = body.getArgument(index);
  update.getNodesMutable().append(part);
  BlockArgument inside =
      body.addArgument(mp::getNodeFeature(part.getType()), whole.getLoc());
  const HeadDim feature = {head.dim - 1, head.block};
  giveToUsers(slices, whole, inside, feature);
  if (!whole.use_empty()) {
    OpBuilder b = OpBuilder::atBlockBegin(&body);
    whole.replaceAllUsesWith(slices.restore(b, inside, feature));
  }
  body.eraseArgument(index);
  update.getNodesMutable().erase(index);
}

static void giveToUsers(HeadSlices &slices, Value whole, Value part,
                        HeadDim head) {
  llvm::SmallSetVector<Operation *, 4> users(whole.user_begin(),
                                             whole.user_end());
  for (Operation *user : users) {
    if (auto linear = dyn_cast<mp::LinearOp>(user)) {
      const int64_t dim = head.dim - linear.getNumOuterDims();
      if (linear.getX() != whole || dim < 0)
        continue;
      linear.getXMutable().assign(part);
      linear.getWeightsMutable().assign(
          slices.slice(linear.getWeights(), {dim, head.block}));
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user)) {
      auto groups = collapse.getReassociationIndices();
      std::optional<HeadDim> collapsed =
          collapseHeads(collapse.getSrcType(), groups, head);
      if (!collapsed)
        continue;
      OpBuilder b(collapse);
      Value partly = tensor::CollapseShapeOp::create(
          b, collapse.getLoc(), slices.narrow(collapse.getType(), *collapsed),
          part, groups);
      giveToUsers(slices, collapse.getResult(), partly, *collapsed);
      if (collapse->use_empty())
        collapse.erase();
    } else if (auto update = dyn_cast<mp::UpdateOp>(user)) {
      for (unsigned k = 0; k < update.getNodes().size();)
        if (update.getNodes()[k] == whole)
          giveToUpdate(slices, update, k, part, head);
        else
          ++k;
    }
  }
}

//===----------------------------------------------------------------------===//
// Softmaxes
//===----------------------------------------------------------------------===//

/// The scores and values without the removed heads, from messages that make no
/// others.
static SmallVector<Value> sliceEdges(HeadSlices &slices,
                                     mp::AggregateOp aggregate) {
  SmallVector<Value> wanted = {aggregate.getScore()};
  llvm::append_range(wanted, aggregate.getValues());
  llvm::MapVector<Operation *, SmallVector<unsigned>> places;
  for (auto [k, value] : llvm::enumerate(wanted))
    places[value.getDefiningOp<mp::MessageOp>()].push_back(k);
  SmallVector<Value> parts(wanted.size());
  for (auto &[maker, numbers] : places) {
    auto message = cast_or_null<mp::MessageOp>(maker);
    if (!message) {
      // What no message makes is cut by one.
      OpBuilder b(aggregate);
      SmallVector<Value> edges;
      for (unsigned k : numbers)
        edges.push_back(wanted[k]);
      message = mp::MessageOp::create(
          b, aggregate.getLoc(), aggregate.getGraph(), ValueRange(),
          ValueRange(), edges, TypeRange(ValueRange(edges)));
      OpBuilder inner = OpBuilder::atBlockEnd(&message.getBody().front());
      mp::YieldOp::create(inner, aggregate.getLoc(),
                          message.getBody().getArguments());
    }
    SmallVector<unsigned> results;
    for (auto [position, k] : llvm::enumerate(numbers))
      results.push_back(maker ? cast<OpResult>(wanted[k]).getResultNumber()
                              : position);
    for (auto [k, part] :
         llvm::zip_equal(numbers, slices.slice(message, results)))
      parts[k] = part;
  }
  return parts;
}

static void prune(mp::AggregateOp aggregate, const llvm::BitVector &kept) {
  HeadSlices slices(kept);
  SmallVector<Value> edges = sliceEdges(slices, aggregate);
  OpBuilder b(aggregate);
  auto pruned = cast<mp::AggregateOp>(b.clone(*aggregate));
  pruned.getScoreMutable().assign(edges.front());
  pruned.getValuesMutable().assign(ArrayRef(edges).drop_front());
  const HeadDim head = {1};
  for (auto [whole, part] :
       llvm::zip_equal(aggregate.getResults(), pruned.getResults())) {
    part.setType(slices.narrow(whole.getType(), head));
    giveToUsers(slices, whole, part, head);
    if (whole.use_empty())
      continue;
    auto update = mp::UpdateOp::create(b, aggregate.getLoc(), part,
                                       TypeRange(whole.getType()));
    Block &body = update.getBody().front();
    OpBuilder inner = OpBuilder::atBlockEnd(&body);
    Value restored = slices.restore(inner, body.getArgument(0), {0});
    mp::YieldOp::create(inner, aggregate.getLoc(), restored);
    whole.replaceAllUsesWith(update.getResult(0));
  }
  remark::passed(aggregate.getLoc(),
                 remark::RemarkOpts::name("mp-prune-heads").category("algebra"))
      << (llvm::Twine(kept.size() - kept.count()) + " of " +
          llvm::Twine(kept.size()) + " heads removed")
             .str();
  aggregate.erase();
}

/// Takes away the node features that a message has parts of instead.
static void dropUnusedNodes(mp::MessageOp message) {
  Block &body = message.getBody().front();
  const unsigned numDst = message.getDst().size();
  for (unsigned k = numDst + message.getSrc().size(); k-- > 0;) {
    if (!body.getArgument(k).use_empty())
      continue;
    body.eraseArgument(k);
    if (k < numDst)
      message.getDstMutable().erase(k);
    else
      message.getSrcMutable().erase(k - numDst);
  }
}

/// Erases what nothing uses any more, inside regions as well.
static void eraseUnused(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : llvm::reverse(ops)) {
    if (isOpTriviallyDead(op))
      op->erase();
    else if (auto message = dyn_cast<mp::MessageOp>(op))
      dropUnusedNodes(message);
  }
}

namespace {
struct PruneHeadsPass : clique::impl::PruneHeadsPassBase<PruneHeadsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (StringRef text : heads) {
      std::optional<Removal> removal = parseRemoval(text);
      if (!removal) {
        emitError() << "heads to prune: '" << text
                    << "' is neither HEAD nor SOFTMAX:HEAD, whole numbers";
        return signalPassFailure();
      }
      removals.push_back(*removal);
    }
    if (removals.empty())
      return;
    bool hasHeads = false;
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      SmallVector<mp::AggregateOp> softmaxes;
      function.walk([&](mp::AggregateOp aggregate) {
        if (getNumHeads(aggregate))
          softmaxes.push_back(aggregate);
      });
      hasHeads |= !softmaxes.empty();
      if (!softmaxes.empty() && failed(prune(function, softmaxes)))
        return signalPassFailure();
    }
    if (!hasHeads) {
      emitError() << "has no heads to prune: no softmax has a score for each "
                     "of several heads, as !mp.edges<8xf32>";
      signalPassFailure();
    }
  }

  /// An error of the spec as a whole, at its first function.
  InFlightDiagnostic emitError() {
    auto functions = getOperation().getOps<func::FuncOp>();
    return functions.empty() ? getOperation().emitError()
                             : (*functions.begin()).emitError();
  }

  LogicalResult prune(func::FuncOp function,
                      MutableArrayRef<mp::AggregateOp> softmaxes) {
    SmallVector<llvm::BitVector> kept;
    for (mp::AggregateOp softmax : softmaxes)
      kept.emplace_back(getNumHeads(softmax), true);
    for (const Removal &removal : removals) {
      if (removal.softmax && *removal.softmax >= int64_t(softmaxes.size()))
        return function.emitError("has no softmax ")
               << *removal.softmax << " to prune: those with heads are 0 to "
               << softmaxes.size() - 1;
      for (auto [k, softmax] : llvm::enumerate(softmaxes)) {
        if (removal.softmax && *removal.softmax != int64_t(k))
          continue;
        if (removal.head >= int64_t(kept[k].size()))
          return mlir::emitError(softmax.getLoc())
                 << "has no head " << removal.head
                 << " to prune: its heads are 0 to " << kept[k].size() - 1;
        kept[k].reset(removal.head);
      }
    }
    for (auto [softmax, heads] : llvm::zip_equal(softmaxes, kept)) {
      if (heads.none())
        return mlir::emitError(softmax.getLoc())
               << "has to keep one of its " << heads.size()
               << " heads: all are named for pruning";
      if (!heads.all())
        ::prune(softmax, heads);
    }
    eraseUnused(function);
    return success();
  }

  SmallVector<Removal> removals;
};
} // namespace
