//===- OperandPasses.td - What kernels read and return -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes on kernels whose lowering was chosen.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_OPERANDPASSES_TD
#define CLIQUE_COMPILER_FUSION_OPERANDPASSES_TD

include "mlir/Pass/PassBase.td"

def FuseDirectionsPass : Pass<"mp-fuse-directions", "::mlir::func::FuncOp"> {
  let summary = "One pass over the tiles of a graph and its reverse";
  let description = [{
    A gradient has sums for the destinations of a graph, and on its reverse sums for
    what were the sources. Both compute the same of each edge. Where both are kernels of
    tiles, one of them can make the results of the other too, as sums for its sources
    ([`mp.source_sum`](dialect.md#mpsource_sum-cliquempsourcesumop)): of the seven products
    of attention's backward pass five remain.

    ```mlir
    %r = mp.reverse %g : !mp.graph<complete> -> !mp.graph<complete>
    %a = mp.kernel "layer_0" dense heads(8) -> tensor<?x8x16xf32> {
    ^bb0(%head: index):
      ...
      %m = mp.message %g : !mp.graph<complete> dst(%qi = %q0 : ...) src(%kj = %k0 : ...)
          -> !mp.edges<16xf32> {
        %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
        %v = arith.mulf %w, %kj : tensor<16xf32>
        mp.yield %v : tensor<16xf32>
      }
      %t = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
      mp.yield %t : tensor<?x16xf32>
    }
    %b = mp.kernel "layer_1" dense heads(8) -> tensor<?x8x16xf32> {
      ... the same on %r, with the sum of %w times %qi
    }
    ```
    becomes
    ```mlir
    %a, %b = mp.kernel "layer_0" dense heads(8) -> tensor<?x8x16xf32>, tensor<?x8x16xf32> {
    ^bb0(%head: index):
      ...
      %m:2 = mp.message %g : !mp.graph<complete> dst(%qi = %q0 : ...) src(%kj = %k0 : ...)
          -> !mp.edges<16xf32>, !mp.edges<16xf32> {
        %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
        %v = arith.mulf %w, %kj : tensor<16xf32>
        %u = arith.mulf %w, %qi : tensor<16xf32>
        mp.yield %v, %u : tensor<16xf32>, tensor<16xf32>
      }
      %t = mp.aggregate %g : !mp.graph<complete> sum %m#0 : (!mp.edges<16xf32>) -> tensor<?x16xf32>
      %s = mp.source_sum %g : !mp.graph<complete> %m#1 : (!mp.edges<16xf32>) -> tensor<?x16xf32>
      mp.yield %t, %s : tensor<?x16xf32>, tensor<?x16xf32>
    }
    ```

    - Sums for sources have one owner. It is the thread that has a head, where there are
      as many heads as the target has cores, or a part of the graph whose sources no other
      part has, in a batch of cliques. What it adds up does not depend on the number of
      threads.
    - The kernel that becomes sums for sources has sums alone, and the other one does not
      need its results; updates of theirs are done behind.
    - The messages have a product in common.
    - Where a kernel has tiles or rows at run time, both have what the other one chooses.

    Not for GPUs, whose heads are fewer than their multiprocessors. Category of the
    remarks: `fusion`.
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def SeparateValuesPass : Pass<"mp-separate-values", "::mlir::func::FuncOp"> {
  let summary = "Source features of dense kernels by what is done with them";
  let description = [{
    A tile of a dense kernel multiplies features of its sources with those of its
    destinations, for which the sources lie next to each other in memory, and sums
    weighted features over the sources, for which the elements of a source do. The
    gradient of attention does both with keys: they have a part in the score,
    and their sum, weighted by the score's cotangent, is the cotangent of the
    queries. Such an operand of a message becomes two, which the lowering lays out
    each in its way:

    ```mlir
    %m = mp.message %g dst(%qi = %q : tensor<?x16xf32>) src(%kj = %k : tensor<?x16xf32>)
        -> !mp.edges<16xf32> {
      %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
      %v = arith.mulf %w, %kj : tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    ```
    becomes
    ```mlir
    %m = mp.message %g dst(%qi = %q : tensor<?x16xf32>)
        src(%kj = %k : tensor<?x16xf32>, %vj = %k : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      %w = mp.broadcast %s : tensor<f32> to tensor<16xf32>
      %v = arith.mulf %w, %vj : tensor<16xf32>
      mp.yield %v : tensor<16xf32>
    }
    ```

    Canonicalisation takes this back, so that it comes last before kernels are
    lowered. Category of the remarks: `fusion`.
  }];
}

def PackSourcesPass : Pass<"mp-pack-sources", "::mlir::func::FuncOp"> {
  let summary = "Small source features of sparse rows side by side";
  let description = [{
    What a sparse row gathers of a source takes a cache line for each feature, however
    few numbers it has. The gradient of attention reads four such features beside the
    cotangent: of each head half of the score, the log-sum-exp in two parts, and the
    cotangent times the result. A kernel on the nodes puts them into one row first, of
    whole cache lines, of which messages read slices:

    ```mlir
    %s = mp.kernel "gat_backward_3" sparse -> tensor<?x8xf32> {
      %m = mp.message %r src(%l = %log_sum : tensor<?x8xf32>, %e = %low : tensor<?x8xf32>,
          %d = %products : tensor<?x8xf32>, ...) -> !mp.edges<8xf32> {
        %x = arith.subf %l, %e : tensor<8xf32>
        ...
    ```
    becomes
    ```mlir
    %rows = mp.kernel "gat_backward_3_pack" nodes -> tensor<?x32xf32> {
      %u = mp.update (%l = %log_sum : tensor<?x8xf32>, %e = %low : tensor<?x8xf32>,
          %d = %products : tensor<?x8xf32>, ...) -> tensor<?x32xf32> {
        %row = tensor.concat dim(0) %l, %e, %d, ...
        mp.yield %row : tensor<32xf32>
      }
      mp.yield %u : tensor<?x32xf32>
    }
    %s = mp.kernel "gat_backward_3" sparse -> tensor<?x8xf32> {
      %m = mp.message %r src(%row = %rows : tensor<?x32xf32>) -> !mp.edges<8xf32> {
        %l = tensor.extract_slice %row[0] [8] [1] : tensor<32xf32> to tensor<8xf32>
        %e = tensor.extract_slice %row[8] [8] [1] : tensor<32xf32> to tensor<8xf32>
        %x = arith.subf %l, %e : tensor<8xf32>
        ...
    ```

    Features of `f32` that are a quarter of a line and more, and shorter than one, are
    put together where an edge then reads two lines less at least; shorter ones fill
    what is left of the row. Not on GPUs, and not where messages have linear maps, whose
    operands are gathered into matrices. Category of the remarks: `fusion`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CLIQUE_COMPILER_FUSION_OPERANDPASSES_TD
