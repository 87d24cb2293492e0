//===- BlockOrder.cpp - What must run before what -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dependences through values and side effects, and a sort that keeps them.
//
//===----------------------------------------------------------------------===//
#include "compiler/Fusion/BlockOrder.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <queue>

using namespace mlir;
using namespace clique;

BlockOrder::BlockOrder(Block &block) {
  Operation *lastEffect = nullptr;
  SmallVector<Operation *> checks;
  for (Operation &op : block) {
    // Nothing goes before the check that guards it, but a check may go before
    // anything else.
    for (Operation *check : checks)
      followers[check].insert(&op);
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *producer = operand.getDefiningOp();
        if (producer && producer->getBlock() == &block && producer != &op)
          followers[producer].insert(&op);
      }
    });
    if (isa<mp::CheckOp>(op)) {
      checks.push_back(&op);
      continue;
    }
    if (isMemoryEffectFree(&op))
      continue;
    if (lastEffect)
      followers[lastEffect].insert(&op);
    lastEffect = &op;
  }
}

void clique::sortBlock(Block &block) {
  BlockOrder order(block);
  DenseMap<Operation *, unsigned> position, waitingFor;
  for (auto [index, op] : llvm::enumerate(block)) {
    position[&op] = index;
    for (Operation *follower : order.getFollowers(&op))
      ++waitingFor[follower];
  }
  auto isLater = [&](Operation *a, Operation *b) {
    return position[a] > position[b];
  };
  std::priority_queue<Operation *, std::vector<Operation *>, decltype(isLater)>
      ready(isLater);
  for (Operation &op : block.without_terminator())
    if (waitingFor.lookup(&op) == 0)
      ready.push(&op);
  while (!ready.empty()) {
    Operation *op = ready.top();
    ready.pop();
    op->moveBefore(block.getTerminator());
    for (Operation *follower : order.getFollowers(op))
      if (--waitingFor[follower] == 0 && follower != block.getTerminator())
        ready.push(follower);
  }
}
