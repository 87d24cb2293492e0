//===- MPGraphOps.td - Graphs and what is asked of them -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPGRAPHOPS_TD
#define CLIQUE_DIALECT_IR_MPGRAPHOPS_TD

def MP_Offsets : TypeAlias<1DTensorOf<[I64]>, "a tensor<?xi64>">;
def MP_NodeIds : TypeAlias<1DTensorOf<[I32]>, "a tensor<?xi32>">;
def MP_Degrees : TypeAlias<1DTensorOf<[BF16, F16, F32, F64]>,
                           "a tensor<?x...> of bf16, f16, f32 or f64">;

def MP_CompleteOp : MP_Op<"complete", [Pure, InferTypeOpAdaptor]> {
  let summary = "the graph in which every node receives from every node";
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
  let summary = "the graph in which every destination receives from every source";
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
  let summary = "the graph in which node i receives from every j <= i";
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
  let summary = "the graph in which node i receives from every j with abs(i - j) <= w";
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
    Destination i receives from `indices[indptr[i]]` to `indices[indptr[i + 1] - 1]`, out
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
    Edges keep their numbers. `reverse(reverse(g))` folds to `g`. A topology that is its
    own reverse (complete, bipartite, window, cliques, sparse) is kept, of the others
    the result is a plain `!mp.graph`. Where the types are not that, both are written:
    `mp.reverse %c : !mp.graph<cliques> -> !mp.graph<cliques>`.

    ```mlir
    %r = mp.reverse %g
    ```
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_GraphType:$reversed);
  let assemblyFormat =
      "$graph attr-dict `` custom<GraphTypes>(type($graph), type($reversed))";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def MP_SelfLoopsOp : MP_Op<"self_loops", [Pure, InferTypeOpAdaptor]> {
  let summary = "one edge i -> i for each node that has none";
  let description = [{
    New edges are numbered after the old ones, by node. The type of the result is that
    of the graph without `no_self`, and a plain `!mp.graph` of block graphs. Both are
    written where they are not plain:
    `mp.self_loops %d : !mp.graph<causal, no_self> -> !mp.graph<causal>`.

    ```mlir
    %l = mp.self_loops %g
    ```

    Constraints
    - C1: not on a bipartite graph.
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_GraphType:$with_loops);
  let assemblyFormat =
      "$graph attr-dict `` custom<GraphTypes>(type($graph), type($with_loops))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def MP_LevelsOp : MP_Op<"levels", [Pure, InferTypeOpAdaptor]> {
  let summary = "an acyclic graph in topological order, level by level";
  let description = [{
    The level of a node is the length of the longest path to it: 0 where it has no
    incoming edge, else one more than the highest level among its sources. `by_level` is
    the graph with its nodes numbered by level, nodes of one level by their old numbers;
    edges keep their numbers.

    ```mlir
    %by_level, %nodes, %places, %offsets = mp.levels %g
    ```

    | result | has |
    | --- | --- |
    | `nodes` | a `tensor<?xi32>`: for each new number the old one |
    | `places` | a `tensor<?xi32>`: for each old number the new one |
    | `offsets` | a `tensor<?xi64>`: level k has the new numbers `offsets[k]` to `offsets[k + 1] - 1`; one entry more than there are levels |

    Parallel edges change nothing. A cycle, a self-loop too, ends the layer with an error
    that names it.

    Constraints
    - C1: not on a bipartite graph.
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_GraphType:$by_level, MP_NodeIds:$nodes,
                      MP_NodeIds:$places, MP_Offsets:$offsets);
  let assemblyFormat = "$graph attr-dict `` custom<GraphType>(type($graph))";
  let hasVerifier = 1;
}

def MP_RowsOp : MP_Op<"rows", [Pure, InferTypeOpAdaptor]> {
  let summary = "the part of a graph that a range of its destinations receives by";
  let description = [{
    Destination i of `part` is destination `first + i` of `graph`, one of `count`; the
    sources are all those of `graph`. The edges of the part have numbers of their own: by
    destination, then by source, parallel ones in their order; `edges` has for each of
    them its number in `graph`.

    ```mlir
    %part, %edges = mp.rows %g, %first, %count
    %w = mp.lookup %weights[%edges] : !mp.edges<8xf32>, tensor<?xi64> -> !mp.edges<8xf32>
    ```

    Rows of a complete (with self-loops) or bipartite graph are a bipartite one.
  }];
  let arguments = (ins MP_GraphType:$graph, Index:$first, Index:$count);
  let results = (outs MP_GraphType:$part, MP_Offsets:$edges);
  let assemblyFormat =
      "$graph `,` $first `,` $count attr-dict `` custom<GraphType>(type($graph))";
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
  let description = "```mlir\n%n = mp." # mnemonic # " %g\n```";
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs Index:$size);
  let assemblyFormat = "$graph attr-dict `` custom<GraphType>(type($graph))";
}
def MP_NumDstOp : MP_GraphSizeOp<"num_dst", "destinations"> { let hasFolder = 1; }
def MP_NumSrcOp : MP_GraphSizeOp<"num_src", "sources"> { let hasFolder = 1; }
def MP_NumEdgesOp : MP_GraphSizeOp<"num_edges", "edges">;

def MP_DegreeOp : MP_Op<"degree", [Pure]> {
  let summary = "in-degree of every destination";
  let description = [{
    ```mlir
    %d = mp.degree %g -> tensor<?xf32>
    ```
    The out-degree is the in-degree of `mp.reverse`.

    Constraints
    - C1: the result has rank 1, a dynamic length and float elements.
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_Degrees:$degrees);
  let assemblyFormat =
      "$graph attr-dict `` custom<GraphType>(type($graph)) `->` type($degrees)";
  let hasVerifier = 1;
}

#endif // CLIQUE_DIALECT_IR_MPGRAPHOPS_TD
