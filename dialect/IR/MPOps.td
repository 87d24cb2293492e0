//===- MPOps.td - Messages, aggregations, updates -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPOPS_TD
#define CLIQUE_DIALECT_IR_MPOPS_TD

include "dialect/IR/MPSchedule.td"
include "dialect/IR/MPTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MP_FeatureElement : AnyTypeOf<[BF16, F16, F32, F64, I1, I8, I32, I64]>;
/// A node feature: the first dimension counts the nodes.
def MP_NodeTensor : TypeAlias<
    RankedTensorOf<[MP_FeatureElement, Index]>,
    "a node feature tensor<?x...> of bf16, f16, f32, f64, i1, i8, i32, i64 or index">;

include "dialect/IR/MPGraphOps.td"

//===----------------------------------------------------------------------===//
// Messages, aggregations, updates
//===----------------------------------------------------------------------===//

def MP_MessageOp : MP_Op<"message", [Pure, AttrSizedOperandSegments,
    SingleBlock]> {
  let summary = "m_ij = psi(h_i, h_j, e_ij): values of every edge";
  let description = [{
    The region computes the values of one edge from the features of its
    destination (`dst`), its source (`src`) and its own (`edge`). Weights are used
    from outside. Without a type the graph is a plain `!mp.graph`.

    ```mlir
    %m = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x8xf32>)
           src(%hj = %h : tensor<?x8xf32>) edge(%e = %w : !mp.edges<f32>)
           -> !mp.edges<8xf32> {
      %d = arith.subf %hj, %hi : tensor<8xf32>
      %b = mp.broadcast %e : tensor<f32> to tensor<8xf32>
      %r = arith.mulf %d, %b : tensor<8xf32>
      mp.yield %r : tensor<8xf32>
    }
    ```

    Constraints
    - C1: node operands are tensors of rank >= 1; dimensions after the first are
      static and positive.
    - C2: a region argument has its operand's feature type, in the order dst,
      src, edge.
    - C3: the yielded types are the feature types of the results.
    - C4: the region holds only elementwise ops of arith and math, feature ops,
      reshapes, slices and concatenations, and calls of functions of these, on
      static tensors; the values it uses from outside are static tensors or
      scalars, of which `tensor.splat` and `tensor.from_elements` make tensors;
      each result of its ops has 1 to 2^24 elements.
  }];
  let arguments = (ins MP_GraphType:$graph,
                       Variadic<MP_NodeTensor>:$dst,
                       Variadic<MP_NodeTensor>:$src,
                       Variadic<MP_EdgesType>:$edge);
  let results = (outs Variadic<MP_EdgesType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    /// An empty region with its arguments.
    OpBuilder<(ins "::mlir::Value":$graph, "::mlir::ValueRange":$dst,
                   "::mlir::ValueRange":$src, "::mlir::ValueRange":$edge,
                   "::mlir::TypeRange":$results)>];
  let extraClassDeclaration = [{
    /// The region arguments that stand for each kind of operand.
    ::mlir::ArrayRef<::mlir::BlockArgument> getDstArgs();
    ::mlir::ArrayRef<::mlir::BlockArgument> getSrcArgs();
    ::mlir::ArrayRef<::mlir::BlockArgument> getEdgeArgs();
    YieldOp getYield();
  }];
}

def MP_AggregateOp : MP_Op<"aggregate", [Pure, AttrSizedOperandSegments]> {
  let summary = "m_i = (+)_{j in N(i)} m_ij: edge values to their destinations";
  let description = [{
    ```mlir
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %b = mp.aggregate %g softmax(%s) %m
           : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
    %c, %l = mp.aggregate %g softmax(%s) %m
           : (!mp.edges<f32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?xf32>)
    ```

    | aggregator | value of node i, over its incoming edges |
    | --- | --- |
    | `sum`, `mean`, `max`, `min` | of the edge values, elementwise |
    | `std` | population standard deviation, elementwise |
    | `prod` | product of the edge values, elementwise |
    | `logsumexp` | log sum_j exp(m_ij), elementwise |
    | `softmax(%s)` | sum_j exp(s_ij) m_ij / sum_j exp(s_ij) |
    | `custom` | a monoid given by four regions |

    A node without incoming edge gets 0 (from `prod` 1, the empty product; from
    `custom` finalise(identity)). A
    score of -inf gives an edge the weight 0, which takes its value out of a softmax
    if that is finite; a node whose scores are all -inf gets 0, and so it does
    from `logsumexp`. Parallel edges count as often as they occur.

    One result more of a softmax is its log-sum-exp l, log sum_j exp(s_ij): the weight of
    an edge is exp(s_ij - l_i). It is 0 where no score is above -inf. As exact as l is
    that weight, which is not enough for large scores: of -1e9, l in f32 has no digit left
    for the logarithm of how many there are. A second result more is l's low part e, what
    rounding took from it, as of numbers in twice the precision (T. J. Dekker, "A
    floating-point technique for extending the available precision", 1971): the weight
    exp((s_ij - l_i) - e_i) is as exact as the scores. It is 0 where nothing is rounded.
    There may be no values to weigh: `logsumexp` of a value is the softmax of this score.

    ```mlir
    %c, %l, %e = mp.aggregate %g softmax(%s) %m
           : (!mp.edges<f32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>)
    %k = mp.aggregate %g softmax(%s) : (!mp.edges<f32>) -> tensor<?xf32>
    ```

    One result more of a `max` or `min` of one value is the number of the edge whose
    value it is, elementwise: the first one of equal values, -1 where there is no edge.

    ```mlir
    %d, %e = mp.aggregate %g max %m
           : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi64>)
    ```

    A custom monoid has a state: `identity` yields it, `lift` makes it from the
    values of one edge, `combine` joins two (associative and commutative up to
    rounding), `finalise` makes the result.

    ```mlir
    %p = mp.aggregate %g custom %e : (!mp.edges<f32>) -> tensor<?xf32>
      identity { %one = arith.constant dense<1.0> : tensor<f32>
                 mp.yield %one : tensor<f32> }
      lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
      combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                %ab = arith.mulf %a, %b : tensor<f32>
                mp.yield %ab : tensor<f32> }
      finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
    ```

    Constraints
    - C1: at least one value, but for a softmax of which only the log-sum-exp is
      wanted; values and scores are floats, but for `custom`.
    - C2: softmax, and only softmax, has a score; its feature shape is a prefix of
      the shape of each value, its element type the same.
    - C3: there is one result per value, `tensor<?x...>` of the value's feature
      and element type (any number of node tensors for `custom`); softmax may have
      one or two more, of the score's (two where that is f32 or f64), max or min of one
      value one more of i64.
    - C4: `custom`, and only `custom`, has the regions identity, lift, combine
      and finalise.
    - C5: lift's arguments are the values' features; identity, lift and combine
      yield the same types, one at least, which combine takes twice and finalise
      once; finalise yields the results' features.
    - C6: the regions hold only what C4 of mp.message allows.
  }];
  let arguments = (ins MP_GraphType:$graph,
                       MP_AggregatorKindAttr:$kind,
                       Optional<MP_EdgesType>:$score,
                       Variadic<MP_EdgesType>:$values);
  let results = (outs Variadic<MP_NodeTensor>:$results);
  let regions = (region AnyRegion:$identity, AnyRegion:$lift,
                        AnyRegion:$combine, AnyRegion:$finalise);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// Of a softmax that has it; else null.
    ::mlir::Value getLogSumExp();
    /// The low part of that one, if there is one.
    ::mlir::Value getLogSumExpLow();
    /// The results beyond one for each value: of built-in aggregators.
    ::mlir::ResultRange getExtraResults() {
      return getResults().drop_front(getValues().size());
    }
  }];
}

def MP_UpdateOp : MP_Op<"update", [Pure, SingleBlock]> {
  let summary = "h_i' = phi(h_i, m_i): a function of every node";
  let description = [{
    ```mlir
    %o = mp.update (%hi = %h : tensor<?x8xf32>, %mi = %m : tensor<?x8xf32>)
           -> tensor<?x8xf32> {
      %s = arith.addf %hi, %mi : tensor<8xf32>
      %r = mp.relu %s : tensor<8xf32>
      mp.yield %r : tensor<8xf32>
    }
    ```

    Constraints
    - C1: at least one operand; operands and results are tensors of rank >= 1
      whose first dimension counts the nodes (equal where static); the other
      dimensions are static and positive.
    - C2: a region argument has its operand's feature type.
    - C3: the yielded types are the feature types of the results.
    - C4: as C4 of mp.message.
  }];
  let arguments = (ins Variadic<MP_NodeTensor>:$nodes);
  let results = (outs Variadic<MP_NodeTensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let hasCanonicalizer = 1;
  let skipDefaultBuilders = 1;
  let builders = [
    /// An empty region with its arguments.
    OpBuilder<(ins "::mlir::ValueRange":$nodes, "::mlir::TypeRange":$results)>];
  let extraClassDeclaration = [{
    YieldOp getYield();
  }];
}

def MP_ReadoutOp : MP_Op<"readout", [Pure]> {
  let summary = "one value per graph of a batch, from its nodes";
  let description = [{
    Row k of the result aggregates the nodes `offsets[k]` to `offsets[k + 1] - 1`, as
    `mp.aggregate` does the edges into a node.

    ```mlir
    %r = mp.readout %offsets mean %h
           : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
    %a = mp.readout %offsets softmax(%s) %h
           : (tensor<?xi64>, tensor<?xf32>, tensor<?x64xf32>) -> tensor<?x64xf32>
    ```

    `custom` is a monoid of the spec, with the regions that it has there:

    ```mlir
    %p = mp.readout %offsets custom %s : (tensor<?xi64>, tensor<?xf32>) -> tensor<?xf32>
      identity { %one = arith.constant dense<1.0> : tensor<f32>
                 mp.yield %one : tensor<f32> }
      lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
      combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                %ab = arith.mulf %a, %b : tensor<f32>
                mp.yield %ab : tensor<f32> }
      finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
    ```

    `mp.spread` goes the other way.

    Constraints
    - C1: the nodes are floats, but for `custom`.
    - C2: the result has the type of the nodes, with a dynamic first dimension (any
      node tensor for `custom`).
    - C3: softmax, and only softmax, has a score: a node feature whose shape is a
      prefix of that of the nodes' feature, of their element type.
    - C4: `custom`, and only `custom`, has regions: those of C4 to C6 of mp.aggregate,
      with the nodes' feature in place of the values'.
  }];
  let arguments = (ins MP_Offsets:$offsets, MP_AggregatorKindAttr:$kind,
                       Optional<MP_NodeTensor>:$score, MP_NodeTensor:$nodes);
  let results = (outs MP_NodeTensor:$result);
  let regions = (region AnyRegion:$identity, AnyRegion:$lift,
                        AnyRegion:$combine, AnyRegion:$finalise);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def MP_SpreadOp : MP_Op<"spread", [Pure]> {
  let summary = "to each node the value of its graph of a batch";
  let description = [{
    Node i, one of the `num_nodes`, gets row k of `parts` where
    `offsets[k] <= i < offsets[k + 1]`.

    ```mlir
    %y = mp.spread %offsets %u to %n
           : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
    ```

    Constraints
    - C1: `parts` is a node feature, and the result has its type with a dynamic
      first dimension.
  }];
  let arguments = (ins MP_Offsets:$offsets, MP_NodeTensor:$parts,
                       Index:$num_nodes);
  let results = (outs MP_NodeTensor:$result);
  let assemblyFormat = [{
    $offsets $parts `to` $num_nodes attr-dict `:`
    `(` type($offsets) `,` type($parts) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}

def MP_EdgeSoftmaxOp : MP_Op<"edge_softmax", [Pure,
    AllTypesMatch<["score", "result"]>]> {
  let summary = "the weights of a softmax over the edges into each node";
  let description = [{
    exp(s_ij) / sum_k exp(s_ik), as an edge feature: what `mp.aggregate` with
    `softmax(%s)` weighs its values by.

    ```mlir
    %w = mp.edge_softmax %g, %s : !mp.edges<8xf32>
    %v = mp.edge_softmax %c, %s : !mp.graph<causal>, !mp.edges<8xf32>
    ```

    A score of -inf has the weight 0.

    Constraints
    - C1: the scores are floats.
  }];
  let arguments = (ins MP_GraphType:$graph, MP_EdgesType:$score);
  let results = (outs MP_EdgesType:$result);
  let assemblyFormat = [{
    $graph `,` $score attr-dict `:`
    custom<GraphAndScore>(type($graph), type($score))
  }];
  let hasVerifier = 1;
}

include "dialect/IR/MPScanOp.td"
include "dialect/IR/MPKernelOps.td"

def MP_YieldOp : MP_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["MessageOp", "AggregateOp", "UpdateOp", "ReadoutOp",
                 "ScanOp", "KernelOp", "BlockOp"]>]> {
  let summary = "the values of a region";
  let description = "```mlir\nmp.yield %r : tensor<8xf32>\n```";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

include "dialect/IR/MPFeatureOps.td"
include "dialect/IR/MPPairOps.td"
include "dialect/IR/MPWarpgroupOps.td"

#endif // CLIQUE_DIALECT_IR_MPOPS_TD
