//===- TestNoTable.cpp - A library that is no layer ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exports a function, but no table of layers.
//
//===----------------------------------------------------------------------===//
extern "C" __attribute__((visibility("default"))) int answer();
int answer() { return 42; }
