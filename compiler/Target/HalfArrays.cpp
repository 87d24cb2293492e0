//===- HalfArrays.cpp - Vectors of several dimensions of bf16 and f16 -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are arrays of vectors, from block to block as well.
//
//===----------------------------------------------------------------------===//
#include "compiler/Target/HalfArrays.h"
#include "compiler/Target/HalfConversion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace clique;

/// Where the vectors of an array are, each as a list of indices.
static void findPlaces(Type *type, SmallVector<unsigned> &place,
                       SmallVector<SmallVector<unsigned>> &places) {
  auto *array = dyn_cast<ArrayType>(type);
  if (!array)
    return places.push_back(place);
  for (unsigned k = 0; k < array->getNumElements(); ++k) {
    place.push_back(k);
    findPlaces(array->getElementType(), place, places);
    place.pop_back();
  }
}

static bool isHalfArray(Type *type) {
  if (!isa<ArrayType>(type))
    return false;
  while (auto *array = dyn_cast<ArrayType>(type))
    type = array->getElementType();
  return isHalfFloat(type);
}

/// An array that comes from several blocks becomes its vectors, which do.
static void splitPhi(PHINode &phi) {
  SmallVector<unsigned> place;
  SmallVector<SmallVector<unsigned>> places;
  findPlaces(phi.getType(), place, places);
  IRBuilder<> builder(&phi);
  SmallVector<PHINode *> parts;
  for (ArrayRef<unsigned> indices : places)
    parts.push_back(builder.CreatePHI(
        ExtractValueInst::getIndexedType(phi.getType(), indices),
        phi.getNumIncomingValues()));
  builder.SetInsertPoint(phi.getParent(),
                         phi.getParent()->getFirstInsertionPt());
  Value *array = PoisonValue::get(phi.getType());
  for (auto [part, indices] : zip_equal(parts, places))
    array = builder.CreateInsertValue(array, part, indices);
  phi.replaceAllUsesWith(array);
  for (auto [part, indices] : zip_equal(parts, places)) {
    SmallDenseMap<BasicBlock *, Value *> values;
    for (auto [block, value] : zip_equal(phi.blocks(), phi.incoming_values())) {
      Value *&incoming = values[block];
      if (!incoming) {
        builder.SetInsertPoint(block->getTerminator());
        incoming = builder.CreateExtractValue(value, indices);
      }
      part->addIncoming(incoming, block);
    }
  }
  phi.eraseFromParent();
}

void clique::splitHalfArrays(Function &function) {
  SmallVector<PHINode *> all;
  for (Instruction &op : instructions(function))
    if (auto *phi = dyn_cast<PHINode>(&op); phi && isHalfArray(phi->getType()))
      all.push_back(phi);
  for (PHINode *phi : all)
    splitPhi(*phi);
}

void clique::dropArrays(Function &function) {
  SmallVector<WeakTrackingVH> all;
  for (Instruction &op : instructions(function))
    if (isa<InsertValueInst, ExtractValueInst>(op) && op.use_empty())
      all.push_back(&op);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(all);
}
