//===- MPKernelOps.td - Kernels and the choice of a version -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included by MPOps.td, which has the types of features.
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_DIALECT_IR_MPKERNELOPS_TD
#define CLIQUE_DIALECT_IR_MPKERNELOPS_TD

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

    With `schedule`, made by `mp-schedule-kernels`, it is decided how the work is
    divided: [`#mp.node_blocks`](#nodeblocksattr), [`#mp.row_blocks`](#rowblocksattr),
    [`#mp.typed_blocks`](#typedblocksattr) or [`#mp.tiles`](#tilesattr).

    ```mlir
    %o = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 32, edges = 4096>)
        -> tensor<?x8xf32> {
      %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
        mp.yield %hj : tensor<8xf32>
      }
      %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %m : tensor<?x8xf32>
    }
    ```

    Constraints
    - C1: the region holds only mp.message, mp.aggregate, mp.source_sum, mp.scan and mp.update; with
      `heads` also tensor.extract_slice and affine.delinearize_index, without them sums over nodes.
    - C2: all messages, aggregations, source sums and scans are on one graph, defined outside.
    - C3: the yielded types are the result types, but without the dimension of the
      heads, or for a sum over nodes that of parts of them.
    - C4: `nodes` goes with no message, and `dense` with any topology but
      `sparse`.
    - C5: edge values used by an aggregation, a source sum or a scan come from a message of the kernel.
    - C6: `heads` is at least 1 and goes with one region argument of type index;
      without it there is none.
    - C7: `schedule` is one for the kernel's lowering: blocks of nodes for `nodes`,
      of rows or typed edges for `sparse`, tiles for `dense`.
    - C8: a scan stands alone with its messages, and goes with `sparse`.
    - C9: an mp.source_sum goes with `dense`, beside an aggregation; its results are yielded,
      and nothing else.
  }];
  let arguments = (ins StrAttr:$sym, OptionalAttr<MP_LoweringAttr>:$lowering,
                       OptionalAttr<I64Attr>:$heads,
                       OptionalAttr<MP_ScheduleAttr>:$schedule);
  let results = (outs Variadic<AnyTypeOf<[MP_NodeTensor, MP_EdgesType]>>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$sym custom<Lowering>($lowering) (`heads` `(` $heads^ `)`)? "
      "(`schedule` `(` $schedule^ `)`)? "
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

def MP_SourceSumOp : MP_Op<"source_sum", [Pure, HasParent<"KernelOp">]> {
  let summary = "sums of edge values over the edges out of each source";
  let description = [{
    Made by `mp-fuse-directions`: in a kernel of dense tiles, what an
    `mp.aggregate %r sum` on the reverse graph would make. A kernel that aggregates the
    values of its edges for their destinations adds others of them up for their
    sources, while they are there. Row j of a result is the sum of x_ij over all edges
    j -> i; a source without edges gets 0.

    One thread takes all tiles of a source, one after the other, and adds to its row in
    memory: the kernel's unit of parallel work is a head, or a part of the graph whose
    sources no other part has, as a clique.

    ```mlir
    %v, %k = mp.kernel "attention_backward_0" dense -> tensor<?x8xf32>, tensor<?x8xf32> {
      %x, %y = mp.message %g dst(%qi = %q : tensor<?x8xf32>) src(%kj = %q : tensor<?x8xf32>)
          -> !mp.edges<8xf32>, !mp.edges<8xf32> {
        %s = mp.dot %qi, %kj : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
        %w = mp.broadcast %s : tensor<f32> to tensor<8xf32>
        %a = arith.mulf %w, %kj : tensor<8xf32>
        %b = arith.mulf %w, %qi : tensor<8xf32>
        mp.yield %a, %b : tensor<8xf32>, tensor<8xf32>
      }
      %a = mp.aggregate %g sum %x : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      %b = mp.source_sum %g %y : (!mp.edges<8xf32>) -> tensor<?x8xf32>
      mp.yield %a, %b : tensor<?x8xf32>, tensor<?x8xf32>
    }
    ```

    Constraints
    - C1: at least one value, all of floats.
    - C2: there is one result per value, `tensor<?x...>` of its feature and element type.
  }];
  let arguments = (ins MP_GraphType:$graph, Variadic<MP_EdgesType>:$values);
  let results = (outs Variadic<MP_NodeTensor>:$results);
  let assemblyFormat = [{
    $graph `` custom<GraphType>(type($graph)) $values attr-dict
    `:` functional-type($values, $results)
  }];
  let hasVerifier = 1;
}

def MP_ChooseDenseOp : MP_Op<"choose_dense", [MemoryEffects<[MemWrite]>]> {
  let summary = "asks the runtime's cost model how to run a kernel on this graph";
  let description = [{
    Made by `mp-select-lowering`, one per kernel with messages. True for dense
    tiles, false for sparse rows. `versions` says what was compiled: `sparse`
    rows, `dense` tiles or `both`; with one version only, there is no choice, but
    the runtime still records which one runs and why. `cost` is what they are expected
    to take, which the runtime multiplies by what the graph has: edges and rows; pairs
    in tiles and blocks of them. `in_order`: tiles take nodes in the order of `mp.in_order`,
    of which the pairs are counted.

    ```mlir
    %c = mp.choose_dense %g, "attention_1" versions both
        cost <edge = 4400, far_edge = 900, source_bytes = 512, row = 9000, pair = 1500, masked_pair = 2100, tile_edge = 0,
              tile_rows = 8, register_block = 700000>
        : !mp.graph
    ```
  }];
  let arguments = (ins MP_GraphType:$graph, StrAttr:$kernel, MP_VersionsAttr:$versions,
                       MP_CostAttr:$cost, UnitAttr:$in_order);
  let results = (outs I1:$dense);
  let assemblyFormat = [{
    $graph `,` $kernel `versions` $versions (`in_order` $in_order^)? `cost` $cost attr-dict
    `:` qualified(type($graph))
  }];
}

def MP_BlockOp : MP_Op<"block", [AttrSizedOperandSegments, SingleBlock,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a kernel for one block of its rows, from memory to memory";
  let description = [{
    Made by `mp-outline-blocks`, as the body of the function of a block; `mp-lower-nodes`,
    `mp-lower-rows` and the others replace it by loops. The region holds one scheduled
    kernel, of which destinations [first, last) are computed and written to those rows of
    `outs`. What it reads of the graph is given: the graph's `arrays`, and `args`, which
    belong to this block. The region's argument stands for the graph.

    ```mlir
    mp.block rows %first to %last
        arrays(%indptr, %rows, %sources, %ids : memref<?xi64>, memref<?xi64>, memref<?xi32>, memref<?xi64>)
        outs(%out : memref<?x8xf32>) {
    ^bb0(%g: !mp.graph):
      %o = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 4096>)
          -> tensor<?x8xf32> {
        %v = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
          mp.yield %hj : tensor<8xf32>
        }
        %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
        mp.yield %m : tensor<?x8xf32>
      }
      mp.yield %o : tensor<?x8xf32>
    }
    ```

    | part | computes | `args` | `scratch` |
    | --- | --- | --- | --- |
    | `rows` | the rows [first, last) | of `#mp.tiles` the block's first listed tile and the one past its last, and, with `prefetch`, the first and last row of the next block, its head, slices [begin, end) of rows to fetch besides, and how many heads a row has (slice s is what head s mod heads has of row s / heads); of `#mp.typed_blocks` the first chunk of edges and the one past the last, then chunks, groups, sources and edge numbers as `mp.edges_by_type` has them | |
    | `chunk` | the states of row `first` after some of its edges | the first edge and the one past the last, and the number of the chunk | where they go: a row for each chunk |
    | `merge` | row `first`, whose edges were all taken to scratch | the number of its first chunk and the one past its last | where they are |

    With `head` the values that the kernel reads and its `outs` are those of one head.

    Constraints
    - C1: the region holds one mp.kernel, with lowering and schedule and without heads, and yields
      its results.
    - C2: the region has the kernel's graph as argument; for `nodes` it has none.
    - C3: `arrays` are those that the lowering reads, of their types: none for `nodes`; for `sparse`
      `mp.indptr`, `mp.row_sources`, `mp.sources`, `mp.edge_ids`; for `dense` `mp.row_begin`, `mp.row_end`,
      `mp.no_self`, then of `mp.tile_list` whether tiles are listed, tiles, register blocks and words,
      then `mp.indptr`, the tiles' first edges and `mp.edge_ids`.
    - C4: `args` are as in the table.
    - C5: `chunk` and `merge` go with `#mp.row_blocks` or, `chunk` alone, `#mp.edge_blocks`, of one row.
    - C6: there is one of `outs` for each result of the kernel, of its shape and element
      type; that of an `mp.source_sum` may be f32.
  }];
  let arguments = (ins MP_BlockPartAttr:$part, Index:$first, Index:$last,
                       Optional<Index>:$head, Variadic<AnyType>:$arrays,
                       Variadic<AnyType>:$args, Variadic<AnyMemRef>:$scratch,
                       Variadic<AnyMemRef>:$outs);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `` $part $first `to` $last (`head` $head^)?
    (`arrays` `(` $arrays^ `:` type($arrays) `)`)?
    (`args` `(` $args^ `:` type($args) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    `outs` `(` $outs `:` type($outs) `)` $body attr-dict
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    KernelOp getKernel();
  }];
}

#endif // CLIQUE_DIALECT_IR_MPKERNELOPS_TD
