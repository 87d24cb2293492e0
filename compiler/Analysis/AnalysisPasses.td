//===- AnalysisPasses.td - What all passes ask -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ANALYSIS_ANALYSISPASSES_TD
#define CLIQUE_COMPILER_ANALYSIS_ANALYSISPASSES_TD

include "mlir/Pass/PassBase.td"

def AttachTargetPass : Pass<"mp-attach-target", "::mlir::ModuleOp"> {
  let summary = "the description of the machine that a module is compiled for";
  let description = [{
    Every later pass that asks for registers, caches or shared memory reads the
    module's attribute `mp.target`. One that is there stays: a description can be
    written by hand. It has to be of the same kind of machine.

    ```mlir
    module {}
    ```
    becomes, with `target="#mp.cpu<vector_bits = 256, registers = 16>"`,
    ```mlir
    module attributes {mp.target = #mp.cpu<vector_bits = 256, registers = 16>} {}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"\"cpu\"",
           "The description of a module that has none; cpu and gpu are usual "
           "ones">];
  let dependentDialects = ["::clique::mp::MPDialect"];
}

#endif // CLIQUE_COMPILER_ANALYSIS_ANALYSISPASSES_TD
