//===- Fusion.td - Ops to kernels --------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_FUSION_TD
#define CLIQUE_COMPILER_FUSION_FUSION_TD

include "compiler/Fusion/KernelPasses.td"
include "compiler/Fusion/OperandPasses.td"

#endif // CLIQUE_COMPILER_FUSION_FUSION_TD
