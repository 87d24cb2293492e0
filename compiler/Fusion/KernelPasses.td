//===- KernelPasses.td - Kernels and their iteration spaces -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that form kernels and choose how they are lowered.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_FUSION_KERNELPASSES_TD
#define CLIQUE_COMPILER_FUSION_KERNELPASSES_TD

include "mlir/Pass/PassBase.td"

def FusePass : Pass<"mp-fuse", "::mlir::func::FuncOp"> {
  let summary = "Messages, aggregations and updates to kernels";
  let description = [{
    Every message, aggregation and update becomes part of an `mp.kernel`: one
    iteration over the edges of a graph, or over nodes.

    - Aggregations on one graph share a kernel if none needs the other and they
      share a message or an operand of their messages, or one update waits for
      both; up to a number of values (`mostAggregatedValues`), as the time to compile a
      kernel grows faster than that.
    - A message that uses edge values of another one on the same graph computes
      them itself; all messages of a kernel become one, in which equal parts are
      computed once.
    - An edge value is a result of a kernel, and so stored, only if somebody else
      than aggregations on its graph uses it. One that several kernels aggregate
      is computed by each of them.
    - An update joins the kernel that makes one of its operands, if what else it
      needs can be computed before. Updates of no aggregation that share an
      operand, or of which one uses another's result, are one kernel over nodes.
    - A reshape of features between an aggregation and an update moves into the
      update.
    - A scan is a kernel of its own, with the message that makes its values.

    ```mlir
    %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> { ... }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %o = mp.update (%mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
    ```
    becomes
    ```mlir
    %o = mp.kernel "layer_0" -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> { ... }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      %u = mp.update (%mi = %m : tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
      mp.yield %u : tensor<?x8xf32>
    }
    ```

    Kernels are named after their function and numbered in the order in which they
    run. Category of the remarks: `fusion`.
  }];
}

def MergeAggregationsPass : Pass<"mp-merge-aggregations"> {
  let summary = "One softmax for each score, and nothing aggregated in vain";
  let description = [{
    Softmaxes of one score have the same weights: one aggregation has the values of
    all, so that maxima, exponentials and their sums are computed once. Values of an
    aggregation whose results nobody uses go, a value that stands there twice is
    aggregated once, and what messages computed for them alone is not computed.

    ```mlir
    %m:3 = mp.message %g src(%hj = %h : tensor<?x8xf32>, %xj = %x : tensor<?x3xf32>) ... {
      ...
      mp.yield %s, %hj, %xj : tensor<f32>, tensor<8xf32>, tensor<3xf32>
    }
    %a = mp.aggregate %g softmax(%m#0) %m#1 : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    %b = mp.aggregate %g softmax(%m#0) %m#2 : (!mp.edges<f32>, !mp.edges<3xf32>) -> tensor<?x3xf32>
    ```
    becomes
    ```mlir
    %m:3 = mp.message ...
    %a, %b = mp.aggregate %g softmax(%m#0) %m#1, %m#2
        : (!mp.edges<f32>, !mp.edges<8xf32>, !mp.edges<3xf32>) -> tensor<?x8xf32>, tensor<?x3xf32>
    ```

    Scores of several messages are one behind `mp-fuse`, which makes one message of
    them. Category of the remarks: `fusion`.
  }];
}

def FuseSumsPass : Pass<"mp-fuse-sums", "::mlir::func::FuncOp"> {
  let summary = "What is only summed over nodes is not stored for them";
  let description = [{
    The gradient of weights is a sum over nodes: of what an update makes of each, or of
    its outer product with a feature. Where a result of a kernel is read by such sums
    alone, they become part of the kernel. It yields the sums of parts of its nodes, how
    many is for its lowering to say, and these are added up behind it. Sums of f32 of up
    to 8,192 elements are taken so, on a CPU.

    ```mlir
    %o, %y = mp.kernel "layer_0" -> tensor<?x8xf32>, tensor<?x4x2xf32> {
      %u:2 = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x4x2xf32> { ... }
      mp.yield %u#0, %u#1 : tensor<?x8xf32>, tensor<?x4x2xf32>
    }
    %f = tensor.collapse_shape %y [[0], [1, 2]] : tensor<?x4x2xf32> into tensor<?x8xf32>
    %w = linalg.generic ... ins(%x, %f : tensor<?x8xf32>, tensor<?x8xf32>) outs(%zero : tensor<8x8xf32>)
    ```
    becomes
    ```mlir
    %o, %parts = mp.kernel "layer_0" -> tensor<?x8xf32>, tensor<?x8x8xf32> {
      %u:2 = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x4x2xf32> { ... }
      %f = tensor.collapse_shape %u#1 [[0], [1, 2]] : tensor<?x4x2xf32> into tensor<?x8xf32>
      %p = linalg.generic ... ins(%x, %f : tensor<?x8xf32>, tensor<?x8xf32>) outs(%zero : tensor<8x8xf32>)
      mp.yield %u#0, %p : tensor<?x8xf32>, tensor<8x8xf32>
    }
    %w = linalg.reduce ins(%parts : tensor<?x8x8xf32>) outs(%zero : tensor<8x8xf32>) dimensions = [0]
      (%in: f32, %sum: f32) { ... arith.addf ... }
    ```

    How the nodes are divided depends on them and the graph alone, and so does the result.
    Category of the remarks: `fusion`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SelectLoweringPass : Pass<"mp-select-lowering", "::mlir::func::FuncOp"> {
  let summary = "Chooses what each kernel iterates over";
  let description = [{
    Sets the `lowering` of every `mp.kernel` that has none:

    | kernel | lowering |
    | --- | --- |
    | without a message | `nodes` |
    | on a sparse graph | `sparse` |
    | on a complete, bipartite or causal graph, if a pair of a tile is expected to take less than half as long as an edge of a row | `dense` |
    | any other, and one for a GPU with a value of more than 16 elements per edge | both, chosen at run time |

    What each version executes is counted by the rules of the lowerings: cache lines,
    vectors of arithmetic, of multiply-adds, quotients and functions, reductions and
    scores of an edge of a row; the same of a pair of a tile, whose vectors run along
    sources, which computes what depends on one end once for all of the other, and
    sums by products of matrices where it can. Each unit takes a time that was
    measured (`compiler/Analysis/Rates.h`).

    An `mp.choose_dense` before the kernel tells the runtime what was compiled and
    what it is expected to take, and where both versions were, asks which one to run:

    ```mlir
    %o = mp.kernel "layer_0" -> tensor<?x8xf32> { ... }
    ```
    becomes, on an `!mp.graph`,
    ```mlir
    %dense = mp.choose_dense %g, "layer_0" versions both
        cost <edge = 530, far_edge = 20, source_bytes = 64, row = 2600, pair = 217, masked_pair = 304, tile_edge = 0,
              tile_rows = 8, register_block = 54200>
        : !mp.graph
    %o = scf.if %dense -> (tensor<?x8xf32>) {
      %d = mp.kernel "layer_0" dense -> tensor<?x8xf32> { ... }
      scf.yield %d : tensor<?x8xf32>
    } else {
      %s = mp.kernel "layer_0" sparse -> tensor<?x8xf32> { ... }
      scf.yield %s : tensor<?x8xf32>
    }
    ```

    A GPU computes a sparse row in a warp at most: a linear update in the same kernel
    would read its weights anew for every row. Where the module's target is a GPU, the
    version in rows leaves such updates to a `nodes` kernel, which takes many rows at
    once:

    ```mlir
    %o = mp.kernel "layer_0" -> tensor<?x8xf32> {
      %m = mp.message ...
      %a = mp.aggregate ...
      %u = mp.update (%ai = %a : tensor<?x16xf32>) -> tensor<?x8xf32> { ... mp.linear ... }
      mp.yield %u : tensor<?x8xf32>
    }
    ```
    becomes
    ```mlir
    %a = mp.kernel "layer_0" sparse -> tensor<?x16xf32> { ... }
    %o = mp.kernel "layer_0_update" nodes -> tensor<?x8xf32> {
      %u = mp.update (%ai = %a : tensor<?x16xf32>) -> tensor<?x8xf32> { ... mp.linear ... }
      mp.yield %u : tensor<?x8xf32>
    }
    ```

    `lowering=sparse` and `lowering=dense` compile that version only. `sparse` is
    right for every graph; `dense` is an error on a graph that is statically sparse,
    and at run time on one with parallel edges. Categories of the remarks: `lowering`;
    `cost` for the counts.
  }];
  let options = [
    Option<"choice", "lowering", "::clique::LoweringChoice",
           /*default=*/"::clique::LoweringChoice::automatic",
           "Which versions of kernels with messages to compile",
           [{::llvm::cl::values(
             clEnumValN(::clique::LoweringChoice::automatic, "auto",
                        "what the topology leaves open"),
             clEnumValN(::clique::LoweringChoice::dense, "dense",
                        "tiles of destinations x sources"),
             clEnumValN(::clique::LoweringChoice::sparse, "sparse",
                        "rows of edges"))}]>];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def SplitHeadsPass : Pass<"mp-split-heads", "::mlir::func::FuncOp"> {
  let summary = "One head of a dense kernel at a time";
  let description = [{
    Where a feature dimension of a dense kernel never mixes with itself, as the
    heads of attention, the kernel computes one entry of it at a time: its tiles
    are then plain matrices, a block of destinations can be long, and the heads
    are so many more blocks for the threads. Updates, which do mix heads, become a
    kernel of their own. What an edge has for all heads is computed for each of them
    again: where that would be more than what they have of their own, as of functions
    of a distance that weigh every element of a source, the kernel stays whole.

    ```mlir
    %o = mp.kernel "attention_0" dense -> tensor<?x8xf32> {
      %s, %w = mp.message %g dst(%qi = %q : tensor<?x8x16xf32>) ... {
        %d = mp.dot %qi, %kj : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8xf32>
        ...
      }
      %m = mp.aggregate %g softmax(%s) %w : ... -> tensor<?x8x16xf32>
      %u = mp.update (%mi = %m : tensor<?x8x16xf32>) -> tensor<?x8xf32> { ... }
      mp.yield %u : tensor<?x8xf32>
    }
    ```
    becomes
    ```mlir
    %n = tensor.dim %q, %c0 : tensor<?x8x16xf32>
    %m = mp.kernel "attention_0" dense heads(8) -> tensor<?x8x16xf32> {
    ^bb0(%head: index):
      %qh = tensor.extract_slice %q[0, %head, 0] [%n, 1, 16] [1, 1, 1]
          : tensor<?x8x16xf32> to tensor<?x16xf32>
      ...
      %s, %w = mp.message %g dst(%qi = %qh : tensor<?x16xf32>) ... {
        %d = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
        ...
      }
      %m = mp.aggregate %g softmax(%s) %w : ... -> tensor<?x16xf32>
      mp.yield %m : tensor<?x16xf32>
    }
    %o = mp.kernel "attention_0_update" nodes -> tensor<?x8xf32> { ... }
    ```

    If there are several such dimensions, as queries in groups that share keys and
    values have, the heads are all their combinations:

    ```mlir
    %o = mp.kernel "grouped_0" dense heads(8) -> tensor<?x8x16xf32> {
    ^bb0(%head: index):
      %pair:2 = affine.delinearize_index %head into (4, 2) : index, index
      %qh = tensor.extract_slice %q[0, %pair#0, %pair#1, 0] [%n, 1, 1, 16] [1, 1, 1, 1]
          : tensor<?x4x2x16xf32> to tensor<?x16xf32>
      %kh = tensor.extract_slice %k[0, %pair#1, 0] [%n, 1, 16] [1, 1, 1]
          : tensor<?x2x16xf32> to tensor<?x16xf32>
      ...
    }
    %m = tensor.expand_shape %o [[0], [1, 2], [3]] ...
    ```

    A result that has the dimension elsewhere, as a gradient of a table of biases
    `tensor<?x257x8xf32>` of 8 heads, has it first in the kernel, and is transposed
    behind it.

    Category of the remarks: `fusion`.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CLIQUE_COMPILER_FUSION_KERNELPASSES_TD
