//===- Passes.td - What a known topology makes cheaper -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that rewrite aggregations by what is known of their graph.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_STRUCTURE_PASSES_TD
#define CLIQUE_COMPILER_STRUCTURE_PASSES_TD

include "mlir/Pass/PassBase.td"

def ShareAggregationsPass
    : Pass<"mp-share-aggregations", "::mlir::func::FuncOp"> {
  let summary = "What many destinations sum alike is summed once";
  let description = [{
    On a complete graph every destination receives the same messages, if these
    depend on their source alone: they are aggregated once, and every node gets the
    result. The cost grows with the nodes, and no longer with the edges.

    ```mlir
    %m = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %s = mp.aggregate %g : !mp.graph<complete> mean %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    ```
    becomes
    ```mlir
    %once = mp.bipartite %one, %n
    %m = mp.message %once : !mp.graph<bipartite> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %t = mp.aggregate %once : !mp.graph<bipartite> mean %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %all = mp.bipartite %n, %one
    %c = mp.message %all : !mp.graph<bipartite> src(%tj = %t : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %tj : tensor<8xf32>
    }
    %s = mp.aggregate %all : !mp.graph<bipartite> max %c : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    ```

    | graph | how |
    | --- | --- |
    | complete, bipartite | one aggregation for all destinations |
    | cliques made in the spec | one for each clique (`mp.readout`, `mp.spread`) |
    | window of half width 128 to 4096 | sums of some neighbouring nodes, and of some of these, of which each window is a few; sums, means and (with self-loops) extrema in f32 and f64 |
    | causal; complete without self-loops | of the node's own block of 32 as before; then of the blocks before it (all others), of which each is summed once; blocks again in blocks of 32 |

    | aggregator | messages |
    | --- | --- |
    | sum, mean | a_i (q_i . k_j) b_j / d_i: the source's part is summed, the destination's applied to the sum; each part may be missing |
    | softmax whose score is the source's, or a sum of terms of either end | a_i b_j / d_i |
    | max, min, std | the source's alone |

    With both an inner product and b_j, as in linear attention, sum_j (q_i . k_j) b_j =
    q_i . (sum_j k_j b_j^T): a product over the nodes, and a map of each destination by
    the result. On causal graphs, and without self-loops, each block of 128 has such a
    matrix for each head, as long as they have 4096 elements together. That is for sums and means in f32 and f64.
    Blocks are for sum, mean, max and min in f32 and f64.

    What a score has of the destination alone, as t_i + r_j of additive attention
    without an activation, changes no weight and is left out. Where t_i is -inf, NaN or
    infinity, results are 0 or NaN as before: a factor of the destination sees to it.
    That is for softmaxes without a log-sum-exp, in f32 and f64.

    Results differ by the order of sums and products alone. Nothing is subtracted: where a node's own value is left
    out, the others are summed. A sum of two ends, as x_j - x_i, stays as it is: taken
    apart it would lose the digits that its terms have in common.

    Category of the remarks: `structure`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def MasksToGraphsPass : Pass<"mp-masks-to-graphs", "::mlir::func::FuncOp"> {
  let summary = "Masks by positions and segments become the topology of a graph";
  let description = [{
    On a complete or causal graph an aggregation whose values a condition on both ends
    takes out goes to the graph of the edges that stay; the condition leaves the message.

    ```mlir
    %m:2 = mp.message %g : !mp.graph<complete> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
      %i = mp.position dst : tensor<i32>
      %j = mp.position src : tensor<i32>
      %c = arith.cmpi sle, %j, %i : tensor<i32>
      %s = arith.select %c, %hj, %lowest : tensor<i1>, tensor<f32>    // -inf
      mp.yield %s, %hj : tensor<f32>, tensor<f32>
    }
    %a = mp.aggregate %g : !mp.graph<complete> softmax(%m#0) %m#1 : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
    ```
    becomes
    ```mlir
    %n = mp.num_dst %g : !mp.graph<complete>
    %c = mp.causal %n
    %m:2 = mp.message %c : !mp.graph<causal> src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32>, !mp.edges<f32> {
      mp.yield %hj, %hj : tensor<f32>, tensor<f32>
    }
    %a = mp.aggregate %c : !mp.graph<causal> softmax(%m#0) %m#1 : (!mp.edges<f32>, !mp.edges<f32>) -> tensor<?xf32>
    ```

    A mask is a `select` with -inf under a softmax, or with 0 under a sum, a bias of 0
    or -inf, a factor of 1 or 0. Conditions are comparisons of positions, of their
    difference or its absolute value with a constant, an integer of each node that is
    equal at both ends, and conjunctions. The edges of a causal graph are such a mask
    of a complete one.

    | edges that stay | graph |
    | --- | --- |
    | `j <= i`, `j < i` | causal, causal without self-loops |
    | `abs(i - j) <= w`, also without `i == j` | window |
    | `i != j` | complete without self-loops |
    | `s_i == s_j`, also with `j <= i` or `j < i`, without `i == j` | cliques, causal cliques |
    | `0 <= i - j < w`, any other range or conjunction | the smallest of these that has all of them, and the condition stays |

    Numbers of nodes are looked at when they arrive, in one pass over the nodes: if they
    never fall, equal ones are neighbours, and the nodes are cliques.

    ```mlir
    %same = arith.cmpi eq, %si, %sj : tensor<i32>
    %v = arith.select %same, %hj, %zero : tensor<i1>, tensor<f32>
    ...
    %a = mp.aggregate %g : !mp.graph<complete> sum %m : (!mp.edges<f32>) -> tensor<?xf32>
    ```
    becomes
    ```mlir
    %sorted, %offsets = ... scf.for ... %s : tensor<?xi32>
    %a = scf.if %sorted -> (tensor<?xf32>) {
      %c = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
      ... without the condition
    } else {
      ... as before
    }
    ```

    Masks of a mean, of which the count would change, of extrema, and where edge
    features or numbers of edges are used, stay; a remark says why one does. Category of the remarks: `structure`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CountEdgesPass : Pass<"mp-count-edges", "::mlir::func::FuncOp"> {
  let summary = "Sums of what no source has a part in are products with the degree";
  let description = [{
    On any graph. Where the messages of a destination's edges are all the same, their
    sum is the in-degree times one of them, and their mean, maximum and minimum are one
    of them; without edges all are 0, as before. What was computed for each edge is
    computed for each node.

    ```mlir
    %m = mp.message %g dst(%hi = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      %e = math.exp %hi : tensor<8xf32>
      mp.yield %e : tensor<8xf32>
    }
    %s = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    ```
    becomes
    ```mlir
    %d = mp.degree %g -> tensor<?xf32>
    %s = mp.update (%di = %d : tensor<?xf32>, %hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      %e = math.exp %hi : tensor<8xf32>
      %n = mp.broadcast %di : tensor<f32> to tensor<8xf32>
      %p = arith.mulf %n, %e : tensor<8xf32>
      ...                     // 0 where %di is 0
      mp.yield %r : tensor<8xf32>
    }
    ```

    A sum of ones is the degree. Other values of the same aggregation stay in it, as do
    maxima with the number of their edge. Category of the remarks: `structure`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

#endif // CLIQUE_COMPILER_STRUCTURE_PASSES_TD
