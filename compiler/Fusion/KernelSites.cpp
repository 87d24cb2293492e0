//===- KernelSites.cpp - Kernels of tiles and where they stand ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/KernelSites.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace clique;
using mp::KernelOp;
using mp::MessageOp;

MessageOp clique::getOnlyMessage(KernelOp kernel) {
  auto messages = kernel.getBody().getOps<MessageOp>();
  return llvm::hasSingleElement(messages) ? *messages.begin() : MessageOp();
}

static bool hasTiles(KernelOp kernel) {
  return kernel.getLowering() == mp::Lowering::dense && !kernel.getSchedule() &&
         getOnlyMessage(kernel) &&
         kernel.getBody().getOps<mp::SourceSumOp>().empty();
}

/// What asks how to run a kernel: of one of tiles alone only to say so.
static mp::ChooseDenseOp findQuestion(KernelOp kernel) {
  for (Operation *user : kernel.getGraph().getUsers())
    if (auto asked = dyn_cast<mp::ChooseDenseOp>(user))
      if (asked.getKernel() == kernel.getSym() &&
          asked->getBlock() == kernel->getBlock())
        return asked;
  return {};
}

std::optional<KernelSite> KernelSite::find(Operation &op) {
  if (auto kernel = dyn_cast<KernelOp>(op)) {
    if (hasTiles(kernel))
      return KernelSite{&op, kernel, findQuestion(kernel)};
    return std::nullopt;
  }
  auto choice = dyn_cast<scf::IfOp>(op);
  auto asked = choice ? choice.getCondition().getDefiningOp<mp::ChooseDenseOp>()
                      : mp::ChooseDenseOp();
  if (!asked)
    return std::nullopt;
  for (KernelOp kernel : choice.thenBlock()->getOps<KernelOp>())
    if (hasTiles(kernel))
      return KernelSite{&op, kernel, asked};
  return std::nullopt;
}

/// Whether the op or one inside it uses a result of one of `ops`.
static bool usesAny(Operation *op, const DenseSet<Operation *> &ops) {
  return op
      ->walk([&](Operation *inner) {
        for (Value operand : inner->getOperands())
          if (ops.contains(operand.getDefiningOp()))
            return WalkResult::interrupt();
        return WalkResult::advance();
      })
      .wasInterrupted();
}

bool clique::bringTogether(Operation *first, Operation *second) {
  DenseSet<Operation *> needing = {first};
  SmallVector<Operation *> order;
  for (Operation *op = first->getNextNode(); op != second;
       op = op->getNextNode())
    if (usesAny(op, needing)) {
      needing.insert(op);
      order.push_back(op);
    }
  if (usesAny(second, needing))
    return false;
  Operation *place = second;
  for (Operation *op : order) {
    op->moveAfter(place);
    place = op;
  }
  first->moveBefore(second);
  return true;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Moves what a branch does before `place` and returns what it yields.
static SmallVector<Value> inlineBranch(Block *branch, Operation *place) {
  Operation *yield = branch->getTerminator();
  SmallVector<Value> values(yield->getOperands());
  place->getBlock()->getOperations().splice(
      place->getIterator(), branch->getOperations(), branch->begin(),
      yield->getIterator());
  return values;
}

/// Makes the choice of `choice` one for the other site too.
static void joinChoices(scf::IfOp choice, Operation *other) {
  OpBuilder builder(choice->isBeforeInBlock(other) ? other : choice);
  Location loc = choice.getLoc();
  SmallVector<Type> types(choice.getResultTypes());
  llvm::append_range(types, other->getResultTypes());
  auto both = scf::IfOp::create(builder, loc, types, choice.getCondition(),
                                /*withElseRegion=*/true);
  choice->replaceAllUsesWith(
      both.getResults().take_front(choice.getNumResults()));
  other->replaceAllUsesWith(
      both.getResults().take_back(other->getNumResults()));

  auto otherChoice = dyn_cast<scf::IfOp>(other);
  for (bool isDense : {true, false}) {
    auto getBranch = [&](scf::IfOp op) {
      return isDense ? op.thenBlock() : op.elseBlock();
    };
    builder.setInsertionPointToStart(getBranch(both));
    Operation *end = scf::YieldOp::create(builder, loc);
    SmallVector<Value> values = inlineBranch(getBranch(choice), end);
    if (otherChoice) {
      llvm::append_range(values, inlineBranch(getBranch(otherChoice), end));
    } else if (isDense) {
      // The copy goes to the other branch.
      other->moveBefore(end);
      llvm::append_range(values, other->getResults());
    } else {
      builder.setInsertionPoint(end);
      llvm::append_range(values, builder.clone(*other)->getResults());
    }
    builder.setInsertionPoint(end);
    scf::YieldOp::create(builder, loc, values);
    end->erase();
  }
  other = otherChoice;
  if (other)
    other->erase();
  choice.erase();
}

void clique::joinSites(const KernelSite &base, const KernelSite &other) {
  auto otherChoice = dyn_cast<scf::IfOp>(other.op);
  if (auto choice = dyn_cast<scf::IfOp>(base.op)) {
    joinChoices(choice, other.op);
  } else if (otherChoice) {
    otherChoice->replaceAllUsesWith(
        inlineBranch(otherChoice.thenBlock(), otherChoice));
    otherChoice.erase();
  }
}
