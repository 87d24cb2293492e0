//===- MPDialect.h - The message-passing dialect ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect, its enums, attributes and types.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPDIALECT_H
#define CLIQUE_DIALECT_IR_MPDIALECT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "dialect/IR/MPDialect.h.inc"
#include "dialect/IR/MPEnums.h.inc"

namespace clique::mp {
/// The largest size of `blocks`: no graph has more nodes.
constexpr int64_t kLargestBlock = int64_t(1) << 31;

/// The classes that `no_self` goes with.
bool mayLackSelfLoops(Topology topology);
} // namespace clique::mp

#define GET_ATTRDEF_CLASSES
#include "dialect/IR/MPAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/IR/MPTypes.h.inc"

#endif // CLIQUE_DIALECT_IR_MPDIALECT_H
