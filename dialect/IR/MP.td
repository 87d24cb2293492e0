//===- MP.td - The whole dialect -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For what is made from all of it, its reference page.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MP_TD
#define CLIQUE_DIALECT_IR_MP_TD

include "dialect/IR/MPOps.td"
include "dialect/IR/MPAccessOps.td"
include "dialect/IR/MPGroupOps.td"
include "dialect/IR/MPSizeOps.td"

#endif // CLIQUE_DIALECT_IR_MP_TD
