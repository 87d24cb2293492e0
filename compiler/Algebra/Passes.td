//===- Passes.td - Rewrites of a layer's equations -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The passes that rewrite the mathematics of a spec.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_ALGEBRA_PASSES_TD
#define CLIQUE_COMPILER_ALGEBRA_PASSES_TD

include "mlir/Pass/PassBase.td"

def RewriteSpecFormsPass : Pass<"mp-rewrite-spec-forms", "::mlir::ModuleOp"> {
  let summary = "Constants, casts and powers of indices, and slices, in the form that all passes know";
  let description = [{
    It comes before any other pass, `canonicalize` and `mp-differentiate` too:
    - Sparse constants and those of a resource become dense ones. A resource that has
      no data, or not as much as its type says, is an error.
    - A cast of an index to fewer bits becomes one to i64 that is truncated: upstream
      folds a cast there and back to nothing, truncation and all.
    - `math.ipowi` of index becomes one of i64, which has a lowering.
    - A slice without some of its dimensions of size 1, where others may have that size too, gets all of
      them, and a reshape: upstream, which folds sizes, takes one for the other.

    ```mlir
    %s = arith.constant sparse<[[1]], [2.0]> : tensor<3xf32>
    %a = arith.index_cast %n : index to i32
    ```
    becomes
    ```mlir
    %s = arith.constant dense<[0.0, 2.0, 0.0]> : tensor<3xf32>
    %w = arith.index_cast %n : index to i64
    %a = arith.trunci %w : i64 to i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeReadoutPass : Pass<"mp-decompose-readout"> {
  let summary = "Readouts, spreads, look-ups of nodes and weights of a softmax as aggregations";
  let description = [{
    The offsets of a batch are the row pointers of a graph in which every part receives from
    its own nodes.

    ```mlir
    %r = mp.readout %offsets mean %h
           : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
    ```
    becomes
    ```mlir
    %n = tensor.dim %h, %c0 : tensor<?x64xf32>
    %nodes = tensor.generate %n { ... } : tensor<?xi32>    // 0, 1, 2, ...
    %g = mp.csr %offsets, %nodes, %n {mp.readout} : tensor<?xi64>, tensor<?xi32> -> !mp.graph<sparse>
    %m = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?x64xf32>)
           -> !mp.edges<64xf32> {
      mp.yield %hj : tensor<64xf32>
    }
    %r = mp.aggregate %g : !mp.graph<sparse> mean %m
           : (!mp.edges<64xf32>) -> tensor<?x64xf32>
    ```

    `mp.spread` is a message and an aggregation on the reverse of that graph, where
    each node receives from its part by one edge; `mp.part_numbers` is that of 0, 1, 2 ... and
    `mp.node_numbers` these alone. An `mp.lookup` in node or edge features is
    one on a graph whose edges go from the rows that are named, one for each index. `mp.edge_softmax` is the log-sum-exp of the scores, and
    a message that takes the exponential of their difference to it.

    A `tensor.scatter` of one slice is a `tensor.insert_slice` at the index, which is clamped;
    of more, and a `tensor.gather`, it is an error. Those in regions stay.

    Category of the remarks: `algebra`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeAggregatesPass : Pass<"mp-decompose-aggregates"> {
  let summary = "Products, edges of extrema and log-sum-exps as other aggregators";
  let description = [{
    ```mlir
    %p = mp.aggregate %g prod %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    ```
    becomes
    ```mlir
    %p = mp.aggregate %g custom %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      identity { %one = arith.constant dense<1.0> : tensor<8xf32>
                 mp.yield %one : tensor<8xf32> }
      lift { ^bb0(%x: tensor<8xf32>): mp.yield %x : tensor<8xf32> }
      combine { ^bb0(%a: tensor<8xf32>, %b: tensor<8xf32>):
                %ab = arith.mulf %a, %b : tensor<8xf32>
                mp.yield %ab : tensor<8xf32> }
      finalise { ^bb0(%a: tensor<8xf32>): mp.yield %a : tensor<8xf32> }
    ```

    The maximum and the number of the edge that has it are a monoid of pairs, which a
    message makes with `mp.position edge`; it also stands for the maximum of the same
    edges where that is asked for by itself.

    ```mlir
    %l = mp.aggregate %g logsumexp %s : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    ```
    becomes what a softmax with these scores and no value returns:
    ```mlir
    %l = mp.aggregate %g softmax(%s) : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def OutlineFeaturesPass : Pass<"mp-outline-features"> {
  let summary = "Feature ops at function level as updates, numbers out of regions";
  let description = [{
    ```mlir
    %y = mp.linear %x, %w : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
    ```
    becomes
    ```mlir
    %y = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?x4xf32> {
      %r = mp.linear %xi, %w : (tensor<8xf32>, tensor<8x4xf32>) -> tensor<4xf32>
      mp.yield %r : tensor<4xf32>
    }
    ```

    An op on a single vector is an update of one node. Functions of static tensors that
    regions call are left to the inliner. Numbers of the caller go the other way: what a region
    computes of them, up to `tensor.splat`, `tensor.from_elements` and reshapes of these, is computed
    in front of it.
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def PruneHeadsPass : Pass<"mp-prune-heads", "::mlir::ModuleOp"> {
  let summary = "Layers without some of their attention heads";
  let description = [{
    A `softmax` with a score for each of several heads (`!mp.edges<8xf32>`) has as many heads; they
    are the first feature dimension of its scores, values and results. The result
    of a head that is removed is 0, and nothing is computed for it (Michel, Levy,
    Neubig: Are Sixteen Heads Really Better than One?, NeurIPS 2019).

    ```mlir
    %s, %v = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
        -> !mp.edges<8xf32>, !mp.edges<8x16xf32> {
      ... %w = mp.linear %hj, %wv : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<8x16xf32>
    }
    %m = mp.aggregate %g softmax(%s) %v
        : (!mp.edges<8xf32>, !mp.edges<8x16xf32>) -> tensor<?x8x16xf32>
    %o = mp.update (%mi = %m : tensor<?x8x16xf32>) -> tensor<?x64xf32> {
      %r = mp.linear %mi, %wo : (tensor<8x16xf32>, tensor<8x16x64xf32>) -> tensor<64xf32>
      ...
    ```
    becomes, for `heads=0,1`,
    ```mlir
    %wv_0 = tensor.extract_slice %wv[0, 2, 0] [64, 6, 16] [1, 1, 1]
        : tensor<64x8x16xf32> to tensor<64x6x16xf32>
    ...
      ... %w = mp.linear %hj, %wv_0 : (tensor<64xf32>, tensor<64x6x16xf32>) -> tensor<6x16xf32>
    %m = mp.aggregate %g softmax(%s) %v
        : (!mp.edges<6xf32>, !mp.edges<6x16xf32>) -> tensor<?x6x16xf32>
    %o = mp.update (%mi = %m : tensor<?x6x16xf32>) -> tensor<?x64xf32> {
      %r = mp.linear %mi, %wo_0 : (tensor<6x16xf32>, tensor<6x16x64xf32>) -> tensor<64xf32>
      ...
    ```

    The arguments stay as they are; a call copies the weights of the heads that are
    left. The heads are followed through linear maps, products, reductions, reshapes and
    elementwise ops, to the weights; where an op mixes them, or a value is needed
    whole, they are cut out of it. A linear map of all heads behind the softmax
    goes without the weights of those that are removed; any other op gets 0 for
    them. So a bias that is added to the result of a head still acts.

    A head of one softmax alone is `SOFTMAX:HEAD`; the softmaxes with heads of a
    function are counted from 0, in their order. Run the inliner first.

    Category of the remarks: `algebra`.
  }];
  let options = [
    ListOption<"heads", "heads", "std::string",
               "HEAD of every softmax, or SOFTMAX:HEAD">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DeferLinearPass : Pass<"mp-defer-linear", "::mlir::func::FuncOp"> {
  let summary = "Linear maps of what is summed are applied to the sum";
  let description = [{
    sum_j c_ij W x_ij = W sum_j c_ij x_ij: for `sum`, `mean` and a `softmax` with one
    score, where c is a product of numbers (features of rank 0, broadcast) and W the
    same for all edges.

    ```mlir
    %m = mp.message %g src(%cj = %c : tensor<?xf32>, %hj = %h : tensor<?x8xf32>)
           -> !mp.edges<16xf32> {
      %x = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x16xf32>) -> tensor<16xf32>
      %cs = mp.broadcast %cj : tensor<f32> to tensor<16xf32>
      %r = arith.mulf %cs, %x : tensor<16xf32>
      mp.yield %r : tensor<16xf32>
    }
    %s = mp.aggregate %g sum %m : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    ```
    becomes
    ```mlir
    %m = mp.message %g src(%cj = %c : tensor<?xf32>, %hj = %h : tensor<?x8xf32>)
           -> !mp.edges<8xf32> {
      %cs = mp.broadcast %cj : tensor<f32> to tensor<8xf32>
      %r = arith.mulf %cs, %hj : tensor<8xf32>
      mp.yield %r : tensor<8xf32>
    }
    %t = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %s = mp.update (%ti = %t : tensor<?x8xf32>) -> tensor<?x16xf32> {
      %y = mp.linear %ti, %w : (tensor<8xf32>, tensor<8x16xf32>) -> tensor<16xf32>
      mp.yield %y : tensor<16xf32>
    }
    ```

    The update becomes part of the kernel, so that nothing is stored per source. What
    is computed from the source alone moves only if W makes it larger: else no more
    is gathered when W comes first, once per node (`mp-hoist-endpoints`). What needs
    both ends moves unless W makes it one number. Maps with a bias, or whose result has other uses,
    stay, and so does half precision, whose range a sum may leave. Category of the
    remarks: `algebra`.
  }];
}

def HoistEndpointsPass : Pass<"mp-hoist-endpoints", "::mlir::func::FuncOp"> {
  let summary = "What depends on one endpoint of an edge is computed per node";
  let description = [{
    The largest sub-expressions of a message that depend on features of its
    destination alone, or of its source alone, become an `mp.update` whose results
    are new `dst` and `src` operands.

    ```mlir
    %m = mp.message %g dst(%hi = %h : tensor<?x64xf32>) src(%hj = %h : tensor<?x64xf32>)
           -> !mp.edges<f32> {
      %q = mp.linear %hi, %wq : (tensor<64xf32>, tensor<64x16xf32>) -> tensor<16xf32>
      %k = mp.linear %hj, %wk : (tensor<64xf32>, tensor<64x16xf32>) -> tensor<16xf32>
      %s = mp.dot %q, %k : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      mp.yield %s : tensor<f32>
    }
    ```
    becomes
    ```mlir
    %qk:2 = mp.update (%x = %h : tensor<?x64xf32>) -> tensor<?x16xf32>, tensor<?x16xf32> {
      %q = mp.linear %x, %wq : (tensor<64xf32>, tensor<64x16xf32>) -> tensor<16xf32>
      %k = mp.linear %x, %wk : (tensor<64xf32>, tensor<64x16xf32>) -> tensor<16xf32>
      mp.yield %q, %k : tensor<16xf32>, tensor<16xf32>
    }
    %m = mp.message %g dst(%qi = %qk#0 : tensor<?x16xf32>) src(%kj = %qk#1 : tensor<?x16xf32>)
           -> !mp.edges<f32> {
      %s = mp.dot %qi, %kj : (tensor<16xf32>, tensor<16xf32>) -> tensor<f32>
      mp.yield %s : tensor<f32>
    }
    ```

    An expression is hoisted if it holds a linear map, a dot product, a reduction, a
    normalisation, a division or a function such as exp. One of cheaper arithmetic
    is hoisted only for the source, and only if the message then gathers no more than
    before; for the destination the kernels do it once per row as it is. Broadcasts,
    concatenations and reshapes of an expression stay in the message. Positions of
    endpoints are no node features and stay. So does what a loop changes of the sources of
    a part of a graph (`mp.rows`): these are the nodes of the whole graph, and each step
    would compute all of them.

    Before, linear maps by uniform weights are taken apart where their parts belong
    to different ends: of a concatenation, by slices of the weights
    (a . [x_i || x_j] = a1 . x_i + a2 . x_j), and of a sum or difference
    (W (x_j - x_i) = W x_j - W x_i). A bias of the other end, or of the edge, is
    added behind its map. Expressions over the same nodes share an
    update, so that W h_i and W h_j are one product. Category of the remarks:
    `algebra`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def HoistInvariantsPass : Pass<"mp-hoist-invariants", "::mlir::func::FuncOp"> {
  let summary = "What no step of a loop changes is computed before it";
  let description = [{
    Updates, graphs, whole tensors and numbers that are made of values from outside
    a loop leave it, and so do the checks that guard them. Messages stay: before the
    loop their values would be stored for each edge. What some input makes an error
    of, such as a check, an element at a computed position, or a graph, leaves only a
    loop that takes at least one step whatever the inputs are.

    ```mlir
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%x = %h) -> (tensor<?x8xf32>) {
      mp.check %a in %b to %b, "..."
      %wh = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
      ...
    }
    ```
    becomes
    ```mlir
    mp.check %a in %b to %b, "..."
    %wh = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> { ... }
    %r = scf.for %k = %c0 to %c4 step %c1 iter_args(%x = %h) -> (tensor<?x8xf32>) {
      ...
    }
    ```
  }];
}

def ChunkEdgeSumsPass : Pass<"mp-chunk-edge-sums", "::mlir::func::FuncOp"> {
  let summary = "Values of edges that are only summed are not stored for all";
  let description = [{
    A sum over all edges, as the gradient of weights is whose factors both belong
    to the edge, x_ij (outer product) y_ij, reads values that a message stores. A
    loop takes some rows of the graph at a time (`mp.rows`), about
    `bytes` of their values, which stay in a cache, and adds to the sums.

    ```mlir
    %m = mp.message %g ... -> !mp.edges<8xf32>
    %x = mp.to_tensor %m : !mp.edges<8xf32> -> tensor<?x8xf32>
    %s = linalg.generic {... ["parallel", "reduction"]} ins(%x) outs(%zero) { ... addf ... }
    ```
    becomes
    ```mlir
    %s = scf.for %row = %c0 to %n step %rows iter_args(%total = %zero) -> (tensor<8xf32>) {
      %part, %numbers = mp.rows %g, %row, %count
      %m = mp.message %part ... -> !mp.edges<8xf32>
      %x = mp.to_tensor %m : !mp.edges<8xf32> -> tensor<?x8xf32>
      %next = linalg.generic {... ["parallel", "reduction"]} ins(%x) outs(%total) { ... addf ... }
      scf.yield %next : tensor<8xf32>
    }
    ```

    How many rows depends on the graph alone, so that results do not depend on the number of
    threads. Messages on parts stay. Category of the remarks: `algebra`.
  }];
  let options = [Option<"bytes", "bytes", "::clique::PositiveSize",
                        "::clique::PositiveSize{tuning::edgeChunkBytes}",
                        "Size of the values that are stored at a time">];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // CLIQUE_COMPILER_ALGEBRA_PASSES_TD
