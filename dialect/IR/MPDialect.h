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

#define GET_ATTRDEF_CLASSES
#include "dialect/IR/MPAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/IR/MPTypes.h.inc"

#endif // CLIQUE_DIALECT_IR_MPDIALECT_H
