//===- MPOps.td - Graphs, messages, aggregations, updates -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPOPS_TD
#define CLIQUE_DIALECT_IR_MPOPS_TD

include "dialect/IR/MPTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class MP_Op<string mnemonic, list<Trait> traits = []>
    : Op<MP_Dialect, mnemonic, traits>;

def MP_FeatureElement : AnyTypeOf<[BF16, F16, F32, F64, I32, I64]>;
/// A node feature: the first dimension counts the nodes.
def MP_NodeTensor : TypeAlias<
    RankedTensorOf<[MP_FeatureElement, I1, Index]>,
    "a node feature tensor<?x...> of bf16, f16, f32, f64, i32, i64, i1 or index">;
def MP_Offsets : TypeAlias<1DTensorOf<[I64]>, "a tensor<?xi64>">;
def MP_NodeIds : TypeAlias<1DTensorOf<[I32]>, "a tensor<?xi32>">;
def MP_Degrees : TypeAlias<1DTensorOf<[BF16, F16, F32, F64]>,
                           "a tensor<?x...> of bf16, f16, f32 or f64">;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

def MP_CompleteOp : MP_Op<"complete", [Pure, InferTypeOpAdaptor]> {
  let summary = "the graph in which every node hears every node";
  let description = [{
    ```mlir
    %g = mp.complete %n            // !mp.graph<complete>
    %h = mp.complete %n no_self    // !mp.graph<complete, no_self>
    ```
  }];
  let arguments = (ins Index:$n, UnitAttr:$no_self);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat = "$n (`no_self` $no_self^)? attr-dict";
}

def MP_BipartiteOp : MP_Op<"bipartite", [Pure, InferTypeOpAdaptor]> {
  let summary = "the graph in which every destination hears every source";
  let description = [{
    ```mlir
    %g = mp.bipartite %n_dst, %n_src    // !mp.graph<bipartite>
    ```
  }];
  let arguments = (ins Index:$num_dst, Index:$num_src);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat = "$num_dst `,` $num_src attr-dict";
}

def MP_CausalOp : MP_Op<"causal", [Pure, InferTypeOpAdaptor]> {
  let summary = "the graph in which node i hears every j <= i";
  let description = [{
    ```mlir
    %g = mp.causal %n            // !mp.graph<causal>
    %h = mp.causal %n no_self    // !mp.graph<causal, no_self>
    ```
  }];
  let arguments = (ins Index:$n, UnitAttr:$no_self);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat = "$n (`no_self` $no_self^)? attr-dict";
}

def MP_WindowOp : MP_Op<"window", [Pure, InferTypeOpAdaptor]> {
  let summary = "the graph in which node i hears every j with abs(i - j) <= w";
  let description = [{
    ```mlir
    %g = mp.window %n, 128    // !mp.graph<window, 128>
    ```

    Constraints
    - C1: the half width is not negative.
  }];
  let arguments = (ins Index:$n, I64Attr:$half_width, UnitAttr:$no_self);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat =
      "$n `,` $half_width (`no_self` $no_self^)? attr-dict";
  let hasVerifier = 1;
}

def MP_CliquesOp : MP_Op<"cliques", [Pure, InferTypeOpAdaptor]> {
  let summary = "disjoint complete (or causal) graphs: a batch";
  let description = [{
    Clique c holds the nodes `offsets[c]` to `offsets[c + 1] - 1`; the offsets
    start at 0 and never fall.

    ```mlir
    %g = mp.cliques %offsets : tensor<?xi64> -> !mp.graph<cliques>
    %h = mp.cliques %offsets causal : tensor<?xi64> -> !mp.graph<causal_cliques>
    ```
  }];
  let arguments = (ins MP_Offsets:$offsets, UnitAttr:$causal, UnitAttr:$no_self);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat = [{
    $offsets (`causal` $causal^)? (`no_self` $no_self^)? attr-dict
    `:` type($offsets) `->` qualified(type($graph))
  }];
}

def MP_CSROp : MP_Op<"csr", [Pure]> {
  let summary = "a graph from compressed rows, by destination";
  let description = [{
    Destination i hears `indices[indptr[i]]` to `indices[indptr[i + 1] - 1]`, out
    of `num_src` sources. Edges are numbered as they stand in `indices`.

    ```mlir
    %g = mp.csr %indptr, %indices, %n : tensor<?xi64>, tensor<?xi32> -> !mp.graph
    ```

    Constraints
    - C1: the result's topology is unknown or sparse.
  }];
  let arguments = (ins MP_Offsets:$indptr, MP_NodeIds:$indices, Index:$num_src);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat = [{
    $indptr `,` $indices `,` $num_src attr-dict
    `:` type($indptr) `,` type($indices) `->` qualified(type($graph))
  }];
  let hasVerifier = 1;
}

def MP_COOOp : MP_Op<"coo", [Pure]> {
  let summary = "a graph from two lists of endpoints";
  let description = [{
    Edge k goes from `src[k]` to `dst[k]`.

    ```mlir
    %g = mp.coo %dst, %src, %n_dst, %n_src : tensor<?xi32>, tensor<?xi32> -> !mp.graph
    ```

    Constraints
    - C1: the result's topology is unknown or sparse.
    - C2: `dst` and `src` have the same length where both lengths are static.
  }];
  let arguments = (ins MP_NodeIds:$dst, MP_NodeIds:$src, Index:$num_dst,
                       Index:$num_src);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat = [{
    $dst `,` $src `,` $num_dst `,` $num_src attr-dict
    `:` type($dst) `,` type($src) `->` qualified(type($graph))
  }];
  let hasVerifier = 1;
}

def MP_EdgeListOp : MP_Op<"edge_list", [Pure]> {
  let summary = "a constant graph";
  let description = [{
    A list of `[destination, source]` pairs over `num_dst` x `num_src` nodes. Its
    topology is inferred by the compiler.

    ```mlir
    %g = mp.edge_list dense<[[0, 1], [1, 0]]> : tensor<2x2xi32>, 2, 2 : !mp.graph
    ```

    Constraints
    - C1: the list is a tensor of n x 2 integers i32.
    - C2: destinations are in [0, num_dst), sources in [0, num_src).
    - C3: the result's topology is unknown or sparse.
  }];
  let arguments = (ins I32ElementsAttr:$edges, I64Attr:$num_dst,
                       I64Attr:$num_src);
  let results = (outs MP_GraphType:$graph);
  let assemblyFormat =
      "$edges `,` $num_dst `,` $num_src attr-dict `:` qualified(type($graph))";
  let hasVerifier = 1;
}

def MP_ReverseOp : MP_Op<"reverse", [Pure, InferTypeOpAdaptor]> {
  let summary = "every edge turned round";
  let description = [{
    Edges keep their numbers. `reverse(reverse(g))` folds to `g`; a topology that
    is its own reverse (complete, window, cliques) is kept.

    ```mlir
    %r = mp.reverse %g : !mp.graph -> !mp.graph
    ```
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_GraphType:$reversed);
  let assemblyFormat = [{
    $graph attr-dict `:` qualified(type($graph)) `->` qualified(type($reversed))
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def MP_SelfLoopsOp : MP_Op<"self_loops", [Pure, InferTypeOpAdaptor]> {
  let summary = "one edge i -> i for each node that has none";
  let description = [{
    New edges are numbered after the old ones, by node.

    ```mlir
    %l = mp.self_loops %g : !mp.graph -> !mp.graph
    ```

    Constraints
    - C1: not on a bipartite graph.
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_GraphType:$with_loops);
  let assemblyFormat = [{
    $graph attr-dict `:` qualified(type($graph))
    `->` qualified(type($with_loops))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MP_CastOp : MP_Op<"cast", [Pure]> {
  let summary = "forget a topology, or part of it";
  let description = [{
    From a smaller to a larger class of graphs; made by passes at the borders of
    functions.

    ```mlir
    %u = mp.cast %g : !mp.graph<complete> to !mp.graph
    ```

    Constraints
    - C1: the source type is a subtype of the result type.
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_GraphType:$result);
  let assemblyFormat = [{
    $graph attr-dict `:` qualified(type($graph)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

class MP_GraphSizeOp<string mnemonic, string what>
    : MP_Op<mnemonic, [Pure]> {
  let summary = "number of " # what # " of a graph";
  let description = "```mlir\n%n = mp." # mnemonic # " %g : !mp.graph\n```";
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs Index:$size);
  let assemblyFormat = "$graph attr-dict `:` qualified(type($graph))";
}
def MP_NumDstOp : MP_GraphSizeOp<"num_dst", "destinations"> { let hasFolder = 1; }
def MP_NumSrcOp : MP_GraphSizeOp<"num_src", "sources"> { let hasFolder = 1; }
def MP_NumEdgesOp : MP_GraphSizeOp<"num_edges", "edges">;

def MP_DegreeOp : MP_Op<"degree", [Pure]> {
  let summary = "in-degree of every destination";
  let description = [{
    ```mlir
    %d = mp.degree %g : !mp.graph -> tensor<?xf32>
    ```
    The out-degree is the in-degree of `mp.reverse`.

    Constraints
    - C1: the result has rank 1, a dynamic length and float elements.
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_Degrees:$degrees);
  let assemblyFormat =
      "$graph attr-dict `:` qualified(type($graph)) `->` type($degrees)";
  let hasVerifier = 1;
}

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
      static.
    - C2: a region argument has its operand's feature type, in the order dst,
      src, edge.
    - C3: the yielded types are the feature types of the results.
    - C4: the region holds only ops without side effects, on static tensors, and
      the values it uses from outside are static tensors or scalars.
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
    ```

    | aggregator | value of node i, over its incoming edges |
    | --- | --- |
    | `sum`, `mean`, `max`, `min` | of the edge values, elementwise |
    | `std` | population standard deviation, elementwise |
    | `softmax(%s)` | sum_j exp(s_ij) m_ij / sum_j exp(s_ij) |
    | `custom` | a monoid given by four regions |

    A node without incoming edge gets 0 (from `custom`: finalise(identity)). A
    score of -inf gives an edge the weight 0, which takes its value out of a softmax
    if that is finite; a node whose scores are all -inf gets 0. Parallel edges count
    as often as they occur.

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
    - C1: at least one value; values and scores are floats, but for `custom`.
    - C2: softmax, and only softmax, has a score; its feature shape is a prefix of
      the shape of each value, its element type the same.
    - C3: there is one result per value, `tensor<?x...>` of the value's feature
      and element type (any number of node tensors for `custom`).
    - C4: `custom`, and only `custom`, has the regions identity, lift, combine
      and finalise.
    - C5: lift's arguments are the values' features; identity, lift and combine
      yield the same types, which combine takes twice and finalise once; finalise
      yields the results' features.
    - C6: the regions hold only ops without side effects on static tensors.
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
      dimensions are static.
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
    Row k of the result aggregates the nodes `offsets[k]` to `offsets[k + 1] - 1`.

    ```mlir
    %r = mp.readout %offsets mean %h
           : (tensor<?xi64>, tensor<?x64xf32>) -> tensor<?x64xf32>
    ```

    Constraints
    - C1: the aggregator is sum, mean, max, min or std, the nodes floats.
    - C2: the result has the type of the nodes, with a dynamic first dimension.
  }];
  let arguments = (ins MP_Offsets:$offsets, MP_AggregatorKindAttr:$kind,
                       MP_NodeTensor:$nodes);
  let results = (outs MP_NodeTensor:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def MP_KernelOp : MP_Op<"kernel", [RecursiveMemoryEffects, SingleBlock,
    RecursivelySpeculatable]> {
  let summary = "messages, aggregations and updates that run as one kernel";
  let description = [{
    Made by `mp-fuse`. The region holds `mp.message` ops on one graph, the
    `mp.aggregate` ops of their values and `mp.update` ops; no edge value leaves
    it unless it is yielded. `lowering` says over what the kernel iterates:
    `nodes` (updates only), `sparse` (rows of edges) or `dense` (tiles of
    destinations x sources).

    ```mlir
    %o = mp.kernel "attention_0" sparse -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    ```

    With `heads`, made by `mp-split-heads`, the region speaks of one head, whose
    number is its argument: it takes its part of each node feature and weight, and
    its results are put together along the first feature dimension.

    ```mlir
    %o = mp.kernel "sum_0" dense heads(8) -> tensor<?x8x16xf32> {
    ^bb0(%head: index):
      %xh = tensor.extract_slice %x[0, %head, 0] [%n, 1, 16] [1, 1, 1]
          : tensor<?x8x16xf32> to tensor<?x16xf32>
      %v = mp.message %g src(%xj = %xh : tensor<?x16xf32>) -> !mp.edges<16xf32> {
        mp.yield %xj : tensor<16xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
      mp.yield %m : tensor<?x16xf32>
    }
    ```

    Constraints
    - C1: the region holds only mp.message, mp.aggregate and mp.update; with
      `heads` also tensor.extract_slice and affine.delinearize_index.
    - C2: all messages and aggregations are on one graph, defined outside.
    - C3: the yielded types are the result types; with `heads`, without the
      dimension of the heads.
    - C4: `nodes` goes with no message, and `dense` with any topology but
      `sparse`.
    - C5: edge values used by an aggregation come from a message of the kernel.
    - C6: `heads` is at least 1 and goes with one region argument of type index;
      without it there is none.
  }];
  let arguments = (ins StrAttr:$sym, OptionalAttr<MP_LoweringAttr>:$lowering,
                       OptionalAttr<I64Attr>:$heads);
  let results = (outs Variadic<AnyTypeOf<[MP_NodeTensor, MP_EdgesType]>>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym custom<Lowering>($lowering) (`heads` `(` $heads^ `)`)? "
      "`->` type($results) $body attr-dict";
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The graph its messages are on; null for a kernel of updates only.
    ::mlir::Value getGraph();
    YieldOp getYield();
    /// The number of the head that the region computes; null without `heads`.
    ::mlir::Value getHead() {
      return getHeads() ? getBody().getArgument(0) : ::mlir::Value();
    }
  }];
}

def MP_ChooseDenseOp : MP_Op<"choose_dense", [MemoryEffects<[MemWrite]>]> {
  let summary = "asks the runtime's cost model how to run a kernel on this graph";
  let description = [{
    Made by `mp-select-lowering`, one per kernel with messages. True for dense
    tiles, false for sparse rows. `versions` says what was compiled: bit 0 for
    sparse rows, bit 1 for dense tiles; with one version only, there is no choice,
    but the runtime still records which one runs and why. `bytes` and `flops` are
    those of one edge: what it gathers and stores, and what it computes. `products`
    are the flops among them that a tile does as products of matrices: dot products
    of a destination with a source, and sums of source features with a weight per
    edge.

    ```mlir
    %c = mp.choose_dense %g, "attention_1" versions 3 bytes 1024 flops 664 products 512
        : !mp.graph
    ```

    Constraints
    - C1: `versions` is 1, 2 or 3; `bytes`, `flops` and `products` are not negative,
      and `products` are at most `flops`.
  }];
  let arguments = (ins MP_GraphType:$graph, StrAttr:$kernel, I64Attr:$versions,
                       I64Attr:$bytes_per_edge, I64Attr:$flops_per_edge,
                       I64Attr:$products_per_edge);
  let results = (outs I1:$dense);
  let assemblyFormat = [{
    $graph `,` $kernel `versions` $versions `bytes` $bytes_per_edge
    `flops` $flops_per_edge `products` $products_per_edge attr-dict
    `:` qualified(type($graph))
  }];
  let hasVerifier = 1;
}

def MP_YieldOp : MP_Op<"yield", [Pure, Terminator, ReturnLike,
    ParentOneOf<["MessageOp", "AggregateOp", "UpdateOp", "KernelOp"]>]> {
  let summary = "the values of a region";
  let description = "```mlir\nmp.yield %r : tensor<8xf32>\n```";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

include "dialect/IR/MPFeatureOps.td"

#endif // CLIQUE_DIALECT_IR_MPOPS_TD
