//===- SumPasses.td - Sums of many terms, on tensors -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_CODEGEN_SUMPASSES_TD
#define CLIQUE_COMPILER_CODEGEN_SUMPASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineSumsPass : Pass<"clique-outline-sums", "::mlir::ModuleOp"> {
  let summary = "Sums of whole tensors in functions of their own, in parallel";
  let description = [{
    A reduction of a public function into one tensor of static shape, the gradient of
    weights say, becomes a private function that computes some rows of the result, and
    a parallel loop that calls it. There it is written in place, which in a public
    function nothing is (`clique-bufferize`), and `clique-split-sums` finds it by its
    attribute. Where the number of terms is known at run time only, and there is a
    number to begin with, the function sums a part of the terms (512 of them, more
    where the result is large), and a second one the parts: terms are read once, and
    by as many threads as there are. How many terms a part has does not depend on
    the threads. Sums of half precision are not divided by their terms, but by rows; so
    are products of matrices with a large result, by rows and columns. Weights are
    transposed block by block, too; with `weights` also what else is computed of large
    ones element by element.

    ```mlir
    %w = linalg.generic {...} ins(%x, %y : tensor<?x64xf32>, tensor<?x64xf32>)
           outs(%zero : tensor<64x64xf32>) ...
    ```
    becomes
    ```mlir
    %parts = affine.apply affine_map<()[s0] -> (s0 ceildiv 512)>()[%n]
    %sums = memref.alloc(%parts) : memref<?x64x64xf32>
    scf.parallel (%block) = (%c0) to (%parts) step (%c1) {
      func.call @f_sum_0(%c0, %block, %xs, %ys, %zeros, %sums) : ...
    }
    %out = memref.alloc() : memref<64x64xf32>
    func.call @f_sum_0_parts(%c0, %sums, %zeros, %out) : ...
    %w = bufferization.to_tensor %out restrict writable : ...
    ```
  }];
  let options = [Option<"weights", "weights", "bool", "false",
                       "take elementwise ops on large weights out as well">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DivideSumsPass : Pass<"clique-divide-sums", "::mlir::func::FuncOp"> {
  let summary = "Sums of whole tensors for the threads of a GPU";
  let description = [{
    A structured op in a public function becomes a kernel with a thread for each step
    of its parallel loops. Reductions are loops within it, with their sums in
    registers. Those whose result is static and has at most 65,536 elements, and whose
    length is dynamic or long, are divided: a thread for each 64 terms, or for more
    where the result has more than 4,096 elements, so that the sums of parts are no
    larger than the operands; then one for each 64 of these sums, and so on, three
    times, and one for each element of the result. Each step of such a reduction is one
    op with a neutral element. Threads that have all terms of an element, of other
    results, begin a sum for each 64 terms as well, and for each 64 of these, three
    times. Sums of half precision are carried in f32.

    ```mlir
    %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
    ```
    becomes
    ```mlir
    %parts = affine.apply affine_map<()[s0] -> (s0 ceildiv 64)>()[%n]
    %empty = tensor.empty(%parts) : tensor<?xf32>
    %sums = linalg.generic {... iterator_types = ["parallel"]} outs(%empty : tensor<?xf32>) {
    ^bb0(%out: f32):
      %part = linalg.index 0 : index
      ... // %first = %part * 64, %end = min(%first + 64, %n)
      %sum = scf.for %k = %first to %end step %c1 iter_args(%acc = %zero) -> (f32) {
        %term = tensor.extract %x[%k] : tensor<?xf32>
        %next = arith.addf %term, %acc : f32
        scf.yield %next : f32
      }
      linalg.yield %sum : f32
    } -> tensor<?xf32>
    ... // twice so with %sums
    %s = linalg.generic {... iterator_types = []} outs(%other : tensor<f32>) {
      ... // the rest from %k = 0 on, and %init
    } -> tensor<f32>
    ```
    and rows of 600 terms
    ```mlir
    %y = linalg.reduce { arith.addf } ins(%x : tensor<?x600xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
    ```
    become
    ```mlir
    %y = linalg.generic {... iterator_types = ["parallel"]} outs(%empty : tensor<?xf32>) {
      ... // %row = linalg.index 0, %start = %init[%row]
      %sum = scf.for %first = %c0 to %c600 step %c64 iter_args(%before = %start) -> (f32) {
        ... // from %first to min(%first + 64, 600), added to %zero: %part
        %next = arith.addf %before, %part : f32
        scf.yield %next : f32
      }
      linalg.yield %sum : f32
    } -> tensor<?xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SplitSumsPass : Pass<"clique-split-sums", "::mlir::func::FuncOp"> {
  let summary = "Long sums of whole tensors block by block";
  let description = [{
    The reductions of structured ops in public functions, or taken out of them by
    `clique-outline-sums`, whose length is dynamic or more than two blocks: blocks of
    `block-size` steps are summed by themselves, these sums in blocks again. The error
    of a sum grows with its longest part instead of its length, and does not depend on
    threads. Reductions of half precision, of whatever length and steps, are carried in
    f32, but for mere extrema. Products
    of matrices that were taken out have shorter blocks, whose rows stay in the first
    cache.

    With `kernels` it is those of kernels instead, which have static sizes or slices of
    them: sums over many features, as kernels sum edges in blocks by themselves. With
    `products` these are products of matrices only, whose operands are in the shared
    memory of a GPU: a slice of what its threads have in registers would take all of them.

    ```mlir
    %s = linalg.reduce ins(%x : tensor<?xf32>) outs(%zero : tensor<f32>) dimensions = [0]
      (%in: f32, %out: f32) { ... arith.addf ... }
    ```
    becomes, with blocks of 512,
    ```mlir
    %s = scf.for %i = %c0 to %n step %c262144 iter_args(%outer = %zero) -> (tensor<f32>) {
      %sums = scf.for %k = %c0 to %m step %c512 iter_args(%inner = %fill) -> (tensor<f32>) {
        %slice = tensor.extract_slice %x[%first] [%size] [1] : tensor<?xf32> to tensor<?xf32>
        %part = linalg.reduce ins(%slice : tensor<?xf32>) outs(%fill : tensor<f32>) dimensions = [0] ...
        %next = linalg.generic {...} ins(%part : tensor<f32>) outs(%inner : tensor<f32>) ... arith.addf ...
        scf.yield %next : tensor<f32>
      }
      ... // %outer + %sums
    }
    ```
  }];
  let options = [Option<"blockSize", "block-size", "::clique::PositiveSize",
                        "::clique::PositiveSize{512}",
                        "Steps of a block">,
                 Option<"kernels", "kernels", "bool", "false",
                        "Those of kernels in place of the others">,
                 Option<"products", "products", "bool", "false",
                        "Only products of matrices, of kernels">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CLIQUE_COMPILER_CODEGEN_SUMPASSES_TD
