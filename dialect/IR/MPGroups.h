//===- MPGroups.h - Edges by keys of their own ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPGROUPS_H
#define CLIQUE_DIALECT_IR_MPGROUPS_H

#include "dialect/IR/MPOps.h"

#define GET_OP_CLASSES
#include "dialect/IR/MPGroupOps.h.inc"

#endif // CLIQUE_DIALECT_IR_MPGROUPS_H
