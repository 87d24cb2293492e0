//===- Fragments.h - What lanes hold of matrices ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fragments are those of the PTX ISA, "Matrix Fragments for mma.m16n8k16"
// and "for mma.m16n8k8": with g = lane / 4 and t = lane % 4, a lane holds rows
// g and g + 8 of A and C, column g of B. Types are those of emulated.h.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_RUNTIME_EMULATION_FRAGMENTS_H
#define CLIQUE_RUNTIME_EMULATION_FRAGMENTS_H

#include "runtime/emulation/Block.h"

#include <cstdint>

namespace clique::emulation {

struct Position {
  int row, column;
};

/// Of element k of a lane's fragment.
Position getPositionInA(int lane, int k, int32_t type);
Position getPositionInB(int lane, int k, int32_t type);
Position getPositionInC(int lane, int k);

/// Fails if a lane does not exist where all 32 hold a part.
void requireAllLanes(const WarpCall::Lanes &lanes);

/// Element k of a fragment of A or B, or of a matrix in memory.
float getElement(const void *fragment, int k, int32_t type);

} // namespace clique::emulation

#endif // CLIQUE_RUNTIME_EMULATION_FRAGMENTS_H
