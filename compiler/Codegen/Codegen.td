//===- Codegen.td - Block functions to machine code --------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_CODEGEN_TD
#define CLIQUE_COMPILER_CODEGEN_CODEGEN_TD

include "compiler/Codegen/BufferPasses.td"
include "compiler/Codegen/SumPasses.td"
include "compiler/Codegen/TensorPasses.td"
include "compiler/Codegen/VectorPasses.td"

#endif // CLIQUE_COMPILER_CODEGEN_CODEGEN_TD
