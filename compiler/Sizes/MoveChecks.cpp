//===- MoveChecks.cpp - Checks as early as they can be --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bufferization lets an op compute its result where a later one would put it: a
// row too many is written before the check in front of that one.
//
//===----------------------------------------------------------------------===//
#include "compiler/Sizes/SizeChecks.h"
#include "dialect/IR/MPSizes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace clique;

/// Arithmetic on sizes. What reads an element stays behind the check of its
/// position.
static bool isOfSizes(Operation *op) {
  return isPure(op) && op->getNumRegions() == 0 &&
         !isa<tensor::ExtractOp>(op) &&
         llvm::all_of(op->getResultTypes(),
                      [](Type type) { return type.isIntOrIndex(); });
}

namespace {
class CheckMover {
public:
  explicit CheckMover(Block &block) : block(block) {}

  /// Behind the last op of the block that it needs and that stays.
  void move(mp::CheckOp check) {
    Operation *last = findLast(check);
    Operation *&place = places[last];
    if (!place)
      place = last;
    moveBehind(check, place);
  }

private:
  Operation *findLast(Operation *op) {
    Operation *last = nullptr;
    for (Operation *definer : getDefiners(op)) {
      Operation *other = isOfSizes(definer) ? findLast(definer) : definer;
      if (other && (!last || last->isBeforeInBlock(other)))
        last = other;
    }
    return last;
  }

  /// Behind `place`, which is then this op, after what computes its operands
  /// and is not in front of it anyway.
  void moveBehind(Operation *op, Operation *&place) {
    for (Operation *definer : getDefiners(op))
      if (isOfSizes(definer) && !isBehind(place, definer))
        moveBehind(definer, place);
    if (place)
      op->moveAfter(place);
    else
      op->moveBefore(&block, block.begin());
    place = op;
  }

  static bool isBehind(Operation *place, Operation *op) {
    return place && (op == place || op->isBeforeInBlock(place));
  }

  SmallVector<Operation *> getDefiners(Operation *op) {
    SmallVector<Operation *> definers;
    for (Value operand : op->getOperands())
      if (Operation *definer = operand.getDefiningOp();
          definer && definer->getBlock() == &block)
        definers.push_back(definer);
    return definers;
  }

  Block &block;
  /// Where the next check goes, by the op that it needs.
  llvm::DenseMap<Operation *, Operation *> places;
};
} // namespace

void clique::moveChecks(Operation *root) {
  root->walk([](Block *block) {
    CheckMover mover(*block);
    for (auto check : llvm::make_early_inc_range(block->getOps<mp::CheckOp>()))
      mover.move(check);
  });
}
