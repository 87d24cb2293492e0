//===- MPAccessOps.td - What loops read of a graph -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel's loops reach the edges of a graph: its arrays, the division of
// its rows among threads, its tiles, and its edges by type. Lowering makes these
// ops, and convert-mp-to-runtime makes calls of them.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPACCESSOPS_TD
#define CLIQUE_DIALECT_IR_MPACCESSOPS_TD

include "dialect/IR/MPTypes.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// Arrays belong to their graph, which lives until the end of the block that
/// makes it.
class MP_ArrayType<string spelling, int width>
    : Type<CPred<"$_self == ::mlir::MemRefType::get("
                 "{::mlir::ShapedType::kDynamic}, "
                 "::mlir::IntegerType::get($_self.getContext(), " # width # "))">,
           "a " # spelling, "::mlir::MemRefType">,
      BuildableType<"::mlir::MemRefType::get({::mlir::ShapedType::kDynamic}, "
                    "$_builder.getIntegerType(" # width # "))">;
def MP_Positions : MP_ArrayType<"memref<?xi64>", 64>;
def MP_Nodes : MP_ArrayType<"memref<?xi32>", 32>;

//===----------------------------------------------------------------------===//
// Rows and edges
//===----------------------------------------------------------------------===//

class MP_GraphArrayOp<string mnemonic, Type type, string what, string details>
    : MP_Op<mnemonic, [Pure]> {
  let summary = what;
  let description = "```mlir\n%a = mp." # mnemonic # " %g : !mp.graph\n```\n"
                    # details;
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs type:$array);
  let assemblyFormat = "$graph attr-dict `:` qualified(type($graph))";
}

def MP_IndptrOp : MP_GraphArrayOp<"indptr", MP_Positions,
    "where the edges of each destination begin, and where the last one's end", [{
    A `memref<?xi64>` of one entry per destination and one more.
}]>;
def MP_RowSourcesOp : MP_GraphArrayOp<"row_sources", MP_Positions,
    "where the sources of each destination begin in mp.sources", [{
    A `memref<?xi64>` with an entry per destination. Rows of a complete graph share
    their sources; those of one that is stored begin where `mp.indptr` says.
}]>;
def MP_SourcesOp : MP_GraphArrayOp<"sources", MP_Nodes,
    "the source of each edge, by destination", [{
    A `memref<?xi32>`; the edges of a destination begin where `mp.row_sources` says.
}]>;
def MP_EdgeIdsOp : MP_GraphArrayOp<"edge_ids", MP_Positions,
    "the caller's number of each edge, by destination", [{
    A `memref<?xi64>` that gives the number of the edge at position k, where the edges of
    a destination begin as `mp.indptr` says, of destination i:
    `a[a[4 + i * a[1]] + k * a[0]] + k * a[2] + i * a[3]`. Numbers that can be computed, in
    the CSR order and in the reverse of an implicit graph, are not listed.
}]>;
def MP_RowBeginOp : MP_GraphArrayOp<"row_begin", MP_Positions,
    "the first source of each destination, where its sources are an interval", [{
    A `memref<?xi64>` that never falls; 0 everywhere for a graph whose rows are no
    intervals.
}]>;
def MP_RowEndOp : MP_GraphArrayOp<"row_end", MP_Positions,
    "the source past the last of each destination, where they are an interval", [{
    A `memref<?xi64>` that never falls; 0 everywhere for a graph whose rows are no
    intervals.
}]>;

def MP_NoSelfOp : MP_Op<"no_self", [Pure]> {
  let summary = "whether the intervals of a graph's rows leave out the row itself";
  let description = [{
    ```mlir
    %without = mp.no_self %g : !mp.graph
    ```
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs I1:$without);
  let assemblyFormat = "$graph attr-dict `:` qualified(type($graph))";
}

def MP_InOrderOp : MP_Op<"in_order", [Pure, SameOperandsAndResultType]> {
  let summary = "a graph in the order in which dense tiles take its nodes";
  let description = [{
    ```mlir
    %o = mp.in_order %g : !mp.graph
    ```
    Cliques whose nodes are mixed, one after the other; any other graph as it is. The
    result lives as long as the graph. `mp.node_order` of it says which node stands where.
  }];
  let arguments = (ins MP_GraphType:$graph);
  let results = (outs MP_GraphType:$ordered);
  let assemblyFormat = "$graph attr-dict `:` qualified(type($graph))";
}
def MP_NodeOrderOp : MP_GraphArrayOp<"node_order", MP_Nodes,
    "the node at each position of a graph in the order of mp.in_order", [{
    A `memref<?xi32>`; empty where nodes stand as they are numbered.
}]>;

//===----------------------------------------------------------------------===//
// The division of rows among threads
//===----------------------------------------------------------------------===//

def MP_RowBlocksOp : MP_Op<"row_blocks", [Pure]> {
  let summary = "a graph's rows in blocks of about equal work";
  let description = [{
    ```mlir
    %first = mp.row_blocks %g rows %rows edges %edges longest %longest : !mp.graph
    ```
    Block k has the rows `first[k]` to `first[k + 1] - 1`: at most `rows` of them and,
    unless it is a single row, about `edges` edges (0: any number). A row of more than
    `longest` edges is a block of its own. `aligned` blocks also end where a clique ends. The division depends on the graph alone.
  }];
  let arguments = (ins MP_GraphType:$graph, Index:$rows, Index:$edges,
                       Optional<Index>:$longest, UnitAttr:$aligned);
  let results = (outs MP_Positions:$first);
  let assemblyFormat = [{
    $graph `rows` $rows `edges` $edges (`longest` $longest^)? (`aligned` $aligned^)? attr-dict
    `:` qualified(type($graph))
  }];
}

def MP_HubChunksOp : MP_Op<"hub_chunks", [Pure]> {
  let summary = "the rows of very many edges, in chunks of their edges";
  let description = [{
    ```mlir
    %chunks = mp.hub_chunks %g edges %edges : !mp.graph
    ```
    Two entries for each chunk: its row, and the position of its first edge. A row of
    more than `edges` edges, a block of its own in `mp.row_blocks`, has chunks of
    `edges` edges; the others have none.
  }];
  let arguments = (ins MP_GraphType:$graph, Index:$edges);
  let results = (outs MP_Positions:$chunks);
  let assemblyFormat = "$graph `edges` $edges attr-dict `:` qualified(type($graph))";
}

def MP_HubsOp : MP_Op<"hubs", [Pure]> {
  let summary = "the first chunk of each row of very many edges";
  let description = [{
    ```mlir
    %first = mp.hubs %g edges %edges : !mp.graph
    ```
    Numbers of chunks in `mp.hub_chunks`, and one entry more: how many there are.
  }];
  let arguments = (ins MP_GraphType:$graph, Index:$edges);
  let results = (outs MP_Positions:$first);
  let assemblyFormat = "$graph `edges` $edges attr-dict `:` qualified(type($graph))";
}

//===----------------------------------------------------------------------===//
// Dense tiles, and edges by type
//===----------------------------------------------------------------------===//

def MP_TileListOp : MP_Op<"tile_list", [Pure]> {
  let summary = "the tiles that have edges, by block of rows";
  let description = [{
    ```mlir
    %listed, %blocks, %tiles, %register_blocks, %words, %first_edges = mp.tile_list %g
        rows %rows tile_rows 12 columns 64 : !mp.graph
    ```
    The tiles of the blocks `mp.row_blocks %g rows %rows edges %c0 aligned`. Those of a
    graph whose rows are intervals follow from `mp.row_begin` and `mp.row_end`: they are
    not `listed`, and the arrays may be read at the number 0.

    | result | has |
    | --- | --- |
    | `blocks` | for each block its first tile, and their number at the end |
    | `tiles` | three entries for each tile: the sources [first, past), and its first register block |
    | `register_blocks` | for each `tile_rows` destinations of a tile where their words begin |
    | `words` | for each of these destinations a word, bit j for source first + j, and one with the bits of all |
    | `first_edges` | for each of these destinations the position of its first edge in the tile |

    Constraints
    - C1: `tile_rows` is at least 1, and `columns` between 1 and 64.
  }];
  let arguments = (ins MP_GraphType:$graph, Index:$rows, I64Attr:$tile_rows,
                       I64Attr:$columns);
  let results = (outs I1:$listed, MP_Positions:$blocks, MP_Positions:$tiles,
                      MP_Positions:$register_blocks, MP_Positions:$words,
                      MP_Positions:$first_edges);
  let assemblyFormat = [{
    $graph `rows` $rows `tile_rows` $tile_rows `columns` $columns attr-dict
    `:` qualified(type($graph))
  }];
  let hasVerifier = 1;
}

def MP_EdgesByTypeOp : MP_Op<"edges_by_type", [Pure]> {
  let summary = "the edges of each block of rows in the order of their types";
  let description = [{
    ```mlir
    %blocks, %chunks, %groups, %sources, %ids = mp.edges_by_type %g, %types
        rows %rows edges %edges groups 8 types 46 with_ids : !mp.graph
    ```
    The edges of the blocks `mp.row_blocks %g rows %rows edges %edges`, by their types (one
    for each edge, in the caller's order; taken as the nearest one where it is not below
    `types`). A group has the edges of one type into one destination, a chunk at most
    `groups` groups of one type.

    | result | has |
    | --- | --- |
    | `blocks` | for each block its first chunk, and their number at the end |
    | `chunks` | two entries for each chunk, its first group and its type, and the number of groups at the end |
    | `groups` | two entries for each group, its first edge and its destination, and the number of edges at the end |
    | `sources` | for each edge its source |
    | `ids` | for each edge the caller's number of it, `with_ids`; else nothing |

    Constraints
    - C1: `groups` and `types` are at least 1.
  }];
  let arguments = (ins MP_GraphType:$graph, MP_Nodes:$edge_types, Index:$rows,
                       Index:$edges, I64Attr:$groups, I64Attr:$types,
                       UnitAttr:$with_ids);
  let results = (outs MP_Positions:$blocks, MP_Positions:$chunks,
                      MP_Positions:$group_list, MP_Nodes:$sources,
                      MP_Positions:$ids);
  let assemblyFormat = [{
    $graph `,` $edge_types `rows` $rows `edges` $edges `groups` $groups
    `types` $types (`with_ids` $with_ids^)? attr-dict `:` qualified(type($graph))
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Edge features
//===----------------------------------------------------------------------===//

def MP_ToTensorOp : MP_Op<"to_tensor", [Pure]> {
  let summary = "the values of an edge feature, a row for each edge";
  let description = [{
    ```mlir
    %t = mp.to_tensor %e : !mp.edges<8xf32> -> tensor<?x8xf32>
    ```
    Rows stand in the caller's order of the edges.

    Constraints
    - C1: the tensor has a dynamic number of rows of the edge's feature.
  }];
  let arguments = (ins MP_EdgesType:$edges);
  let results = (outs AnyRankedTensor:$tensor);
  let assemblyFormat = [{
    $edges attr-dict `:` qualified(type($edges)) `->` type($tensor)
  }];
  let hasVerifier = 1;
}

def MP_ToEdgesOp : MP_Op<"to_edges", [Pure]> {
  let summary = "an edge feature from a row for each edge";
  let description = [{
    ```mlir
    %e = mp.to_edges %t : tensor<?x8xf32> -> !mp.edges<8xf32>
    ```
    Rows stand in the caller's order of the edges.

    Constraints
    - C1: the tensor has a dynamic number of rows of the edge's feature.
  }];
  let arguments = (ins AnyRankedTensor:$tensor);
  let results = (outs MP_EdgesType:$edges);
  let assemblyFormat = [{
    $tensor attr-dict `:` type($tensor) `->` qualified(type($edges))
  }];
  let hasVerifier = 1;
}

#endif // CLIQUE_DIALECT_IR_MPACCESSOPS_TD
