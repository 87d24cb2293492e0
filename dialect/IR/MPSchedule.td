//===- MPSchedule.td - How a kernel's work is divided -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions that mp-schedule-kernels writes on a kernel, one attribute for
// each way to run one, and what these are expected to take.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPSCHEDULE_TD
#define CLIQUE_DIALECT_IR_MPSCHEDULE_TD

include "dialect/IR/MPTargets.td"

def MP_NodeBlocksAttr : MP_Attr<"NodeBlocks", "node_blocks"> {
  let summary = "blocks of nodes, for a kernel of updates";
  let description = [{
    ```mlir
    #mp.node_blocks<rows = 24>
    ```

    | parameter | is |
    | --- | --- |
    | `rows` | nodes of a block |
    | `threads` | threads that compute a block together; 0 for one thread of a CPU |

    Constraints
    - C1: `rows` is at least 1; `threads` is 0 or a power of two.
  }];
  let parameters = (ins "int64_t":$rows,
                        DefaultValuedParameter<"int64_t", "0">:$threads);
}

def MP_RowBlocksAttr : MP_Attr<"RowBlocks", "row_blocks"> {
  let summary = "blocks of rows of edges";
  let description = [{
    Each destination of a block takes its edges one after the other.

    ```mlir
    #mp.row_blocks<rows = 32, edges = 4096, prefetch = 16, part = 256, chunk = 32, longest = 512>
    ```

    | parameter | is |
    | --- | --- |
    | `rows` | destinations of a block, at most |
    | `edges` | edges of a block, about |
    | `longest` | edges of a row, at most: one of more is divided into parts of as many; 0: `edges` |
    | `chunk` | edges whose softmax weights, functions or outer products are computed together; 0: each by itself |
    | `part` | edges of a divided row that are added up before they join the others; 0: all |
    | `prefetch` | how many edges ahead sources are fetched into the caches; 0: none |
    | `threads` | threads that compute a row together; 0 for one thread of a CPU |

    Constraints
    - C1: `rows` and `edges` are at least 1; `threads` is 0 or a power of two.
    - C2: `chunk` is 0 or a power of two; `part` and `prefetch` are not negative.
    - C3: `longest` is 0 to `edges`.
  }];
  let parameters = (ins
    "int64_t":$rows, "int64_t":$edges,
    DefaultValuedParameter<"int64_t", "0">:$chunk,
    DefaultValuedParameter<"int64_t", "0">:$part,
    DefaultValuedParameter<"int64_t", "0">:$prefetch,
    DefaultValuedParameter<"int64_t", "0">:$threads,
    DefaultValuedParameter<"int64_t", "0">:$longest);
}

def MP_TypedBlocksAttr : MP_Attr<"TypedBlocks", "typed_blocks"> {
  let summary = "blocks of rows whose edges are taken by type";
  let description = [{
    The edges of one type into several destinations share a product
    (sum_j W_r x_j = W_r sum_j x_j). Rows that are divided take theirs as
    `#mp.row_blocks` says.

    ```mlir
    #mp.typed_blocks<rows = 4096, step = 32, groups = 8,
                     divided = <rows = 32, edges = 4096, part = 256, prefetch = 16>>
    ```

    | parameter | is |
    | --- | --- |
    | `rows` | destinations of a block, at most |
    | `step` | rows that are cleared and finished at once |
    | `groups` | destinations whose sums over the edges of a type make one product |
    | `divided` | for rows of very many edges |

    Constraints
    - C1: `step` is at least 1 and divides `rows`; `groups` is at least 1.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$step, "int64_t":$groups,
                        "RowBlocksAttr":$divided);
}

def MP_EdgeBlocksAttr : MP_Attr<"EdgeBlocks", "edge_blocks"> {
  let summary = "blocks of rows whose edges are computed in chunks";
  let description = [{
    The edges of a block's rows lie one after the other. Messages are computed for a
    chunk of them at once, whichever rows they belong to, so that a linear map of
    what an edge has is a product of matrices; each row then takes in its own.

    ```mlir
    #mp.edge_blocks<rows = 256, step = 32, edges = 1024, chunk = 48, part = 240, prefetch = 16>
    ```

    | parameter | is |
    | --- | --- |
    | `rows` | destinations of a block, at most |
    | `step` | rows that are cleared and finished at once |
    | `edges` | edges of a block, about; a row of more is divided |
    | `chunk` | edges whose messages are computed together |
    | `part` | edges of a divided row that are added up before they join the others; 0: all |
    | `prefetch` | how many edges ahead sources are fetched into the caches; 0: none |

    Constraints
    - C1: `step` is at least 1 and divides `rows`; `edges` is at least 1.
    - C2: `chunk` is a positive multiple of 16; `part` and `prefetch` are not
      negative.
  }];
  let parameters = (ins
    "int64_t":$rows, "int64_t":$step, "int64_t":$edges, "int64_t":$chunk,
    DefaultValuedParameter<"int64_t", "0">:$part,
    DefaultValuedParameter<"int64_t", "0">:$prefetch);
}

def MP_TilesAttr : MP_Attr<"Tiles", "tiles"> {
  let summary = "dense tiles of destinations x sources";
  let description = [{
    ```mlir
    #mp.tiles<rows = 384, tile_rows = 12, columns = 64, border = 32, prefetch = 1, prefetch_tiles = 1>
    ```

    | parameter | is |
    | --- | --- |
    | `rows` | destinations of a block, at most: they share the sources that it lays out |
    | `tile_rows` | destinations of a tile |
    | `columns` | sources of a tile |
    | `border` | sources of a part of a tile in which not every pair is an edge |
    | `threads` | threads that compute a block together; 0 for one thread of a CPU |
    | `prefetch` | how many blocks ahead of a thread the rows of nodes are fetched, 0 or 1 |
    | `prefetch_tiles` | how many tiles ahead in a block the rows of sources are fetched, 0 or 1 |
    | `in_order` | whether nodes are taken in the order of `mp.in_order`, 0 or 1 |

    Constraints
    - C1: `tile_rows` is at least 1 and divides `rows`; `threads` is 0 or a power of
      two.
    - C2: `columns` is between 1 and 64, as a row of a tile is a word of bits;
      `border` divides `columns`.
    - C3: `prefetch`, `prefetch_tiles` and `in_order` are 0 or 1, and 0 where threads share
      a block.
  }];
  let parameters = (ins
    "int64_t":$rows, "int64_t":$tile_rows, "int64_t":$columns,
    "int64_t":$border,
    DefaultValuedParameter<"int64_t", "0">:$threads,
    DefaultValuedParameter<"int64_t", "0">:$prefetch,
    DefaultValuedParameter<"int64_t", "0">:$prefetch_tiles,
    DefaultValuedParameter<"int64_t", "0">:$in_order);
}

def MP_CostAttr : MP_Attr<"Cost", "cost"> {
  let summary = "what the versions of a kernel are expected to take";
  let description = [{
    Picoseconds of one core, of the parts of a kernel that its graph has as many of as
    it has edges, rows, pairs and blocks. Only their ratios matter.

    ```mlir
    #mp.cost<edge = 2100, far_edge = 400, source_bytes = 256, row = 6000, pair = 220, masked_pair = 300, tile_edge = 0, tile_rows = 8, register_block = 90000>
    ```

    | parameter | is |
    | --- | --- |
    | `edge` | an edge of a sparse row |
    | `far_edge` | what it takes more if its source's features are in no cache of the core's own |
    | `source_bytes` | no time: how many bytes these features have |
    | `row` | what a sparse row takes beside its edges |
    | `pair` | a destination and a source in a dense tile, edge or not |
    | `masked_pair` | the same in a part of a tile where not every pair is an edge |
    | `tile_edge` | what an edge in a tile takes beside its pair: its own features |
    | `tile_rows` | no time: how many destinations a tile computes together |
    | `register_block` | what the destinations of a tile that are computed together take beside their pairs |
    | `even_saving` | what of `masked_pair` is saved where all rows of a tile have the same sources: products with a mask, states that parts load and store, and the mask where there are sums of sources alone |

    Constraints
    - C1: no time is negative, and `even_saving` no more than `masked_pair`.
    - C2: `tile_rows` is 1 at least, `source_bytes` 0.
  }];
  let parameters = (ins "int64_t":$edge, "int64_t":$far_edge,
                        "int64_t":$source_bytes, "int64_t":$row, "int64_t":$pair,
                        "int64_t":$masked_pair, "int64_t":$tile_edge, "int64_t":$tile_rows,
                        "int64_t":$register_block,
                        DefaultValuedParameter<"int64_t", "0">:$even_saving);
}

/// Any of them.
def MP_ScheduleAttr : AnyAttrOf<
  [MP_NodeBlocksAttr, MP_RowBlocksAttr, MP_TypedBlocksAttr, MP_EdgeBlocksAttr,
   MP_TilesAttr],
  "blocks of nodes, rows, typed edges, edges or tiles">;

#endif // CLIQUE_DIALECT_IR_MPSCHEDULE_TD
