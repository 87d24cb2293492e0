//===- ConversionPasses.td - Graphs to calls of the runtime -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CONVERSIONPASSES_TD
#define CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CONVERSIONPASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertMPToRuntimePass : Pass<"convert-mp-to-runtime", "::mlir::ModuleOp"> {
  let summary = "Graphs and the ops on them to calls of the runtime";
  let description = [{
    What is left of the `mp` dialect where kernels are loops over blocks: a graph becomes a
    pointer, an edge feature the tensor of its values (a row per edge), an op
    that makes, changes or measures a graph, or says what loops read of it, a call of
    the runtime.

    ```mlir
    func.func @f(%n: index, %e: !mp.edges<8xf32>) -> index {
      %g = mp.complete %n no_self
      %m = mp.num_edges %g : !mp.graph<complete, no_self>
      return %m : index
    }
    ```
    becomes
    ```mlir
    func.func private @clique_rt_complete(index, i1 {llvm.zeroext}) -> !llvm.ptr
    func.func private @clique_rt_num_edges(!llvm.ptr) -> index
    func.func private @clique_rt_release(!llvm.ptr)
    func.func @f(%n: index, %e: tensor<?x8xf32>) -> index {
      %true = arith.constant true
      %g = call @clique_rt_complete(%n, %true) : (index, i1) -> !llvm.ptr
      %m = call @clique_rt_num_edges(%g) : (!llvm.ptr) -> index
      call @clique_rt_release(%g) : (!llvm.ptr) -> ()
      return %m : index
    }
    ```

    A graph made in a block is released at the end of that block. It is an error
    if it is used after that, if a public function returns it, or if an op of the
    dialect is left over.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::tensor::TensorDialect"];
}

#endif // CLIQUE_COMPILER_CONVERSION_MPTORUNTIME_CONVERSIONPASSES_TD
