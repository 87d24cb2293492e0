//===- LoweringPasses.td - Kernels to loops over blocks -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_TD
#define CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_TD

include "compiler/Lowering/SchedulePasses.td"
include "mlir/Pass/PassBase.td"

defvar LoopDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];

def OutlineBlocksPass : Pass<"mp-outline-blocks", "::mlir::ModuleOp"> {
  let summary = "kernels to parallel loops that call the function of a block";
  let description = [{
    A scheduled kernel becomes a private function, which holds the kernel for one block of
    its destinations (`mp.block`), and a parallel loop that calls it for all blocks. What
    the loop reads of the graph are ops on it, which `convert-mp-to-runtime` makes calls
    of. Inside of kernels nothing changes, but that weights of half precision come widened
    and that where heads are computed apart, as jobs of their own, one head remains.

    ```mlir
    %o = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 4096, part = 64>)
        -> tensor<?x8xf32> { ... }
    ```
    becomes
    ```mlir
    %n = mp.num_dst %g : !mp.graph
    %indptr = mp.indptr %g : !mp.graph
    ...
    %split = mp.row_blocks %g rows %c128 edges %c4096 : !mp.graph
    %out = memref.alloc(%n) : memref<?x8xf32>
    scf.parallel (%b) = (%c0) to (%blocks) step (%c1) {
      %first = memref.load %split[%b] : memref<?xi64>
      ...
      func.call @sum_0_sparse(%first, %last, %indptr, %row_sources, %sources, %ids, %in, %out)
    }
    %o = bufferization.to_tensor %out restrict writable
    ```
    and
    ```mlir
    func.func private @sum_0_sparse(%first: index, %last: index, ...) {
      %x = bufferization.to_tensor %in restrict : memref<?x8xf32> to tensor<?x8xf32>
      mp.block rows %first to %last arrays(%indptr, %row_sources, %sources, %ids : ...)
          outs(%out : memref<?x8xf32>) {
      ^bb0(%graph: !mp.graph):
        %o = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<...>) -> tensor<?x8xf32> { ... }
        mp.yield %o : tensor<?x8xf32>
      }
      return
    }
    ```

    | schedule | blocks have | the loop takes them from |
    | --- | --- | --- |
    | `#mp.node_blocks` | equal numbers of nodes | |
    | `#mp.row_blocks`, `#mp.edge_blocks` | about equal numbers of edges | `mp.row_blocks` |
    | `#mp.typed_blocks` | the same, but more of them | `mp.row_blocks`, `mp.edges_by_type` |
    | `#mp.tiles` | about equal numbers of rows | `mp.row_blocks`, `mp.tile_list` |

    In rows of nodes and of edges a result may lie where an input does that the caller may
    give away (`mp.donatable`), if both have rows of one size and no source is read of it:
    `mp.overwrites` and `mp.overwritten`, with the same number, say so of the function's
    arguments.

    A row of more edges than a block has, a hub, is divided: a loop over the chunks of all
    hubs (`mp.hub_chunks`) takes their states to scratch (`mp.block chunk`), and another
    one combines the states of each hub in their order (`mp.block merge`); to the loop over
    blocks a hub is empty. Rows of a scan are not divided. A sum over all nodes has memory
    for each of some parts of the blocks, which one thread takes block by block. Kernels
    without a schedule stay.
  }];
  let dependentDialects = LoopDialects;
}

def LowerNodesPass : Pass<"mp-lower-nodes", "::mlir::ModuleOp"> {
  let summary = "blocks of updates to linalg on tensors";
  let description = [{
    Blocks whose kernel has the schedule `#mp.node_blocks`. Regions of updates are lifted
    to linalg with the block's nodes as leading axis: a linear map is a product of
    matrices. Half-precision features are computed in f32. Other blocks stay.

    ```mlir
    func.func private @double_0_nodes(%first: index, %last: index,
                                      %h: memref<?x8xf32>, %out: memref<?x8xf32>) {
      %all = bufferization.to_tensor %h restrict
      mp.block rows %first to %last outs(%out : memref<?x8xf32>) {
        %o = mp.kernel "double_0" nodes schedule(#mp.node_blocks<rows = 64>)
            -> tensor<?x8xf32> { ... }
        mp.yield %o : tensor<?x8xf32>
      }
      return
    }
    ```
    becomes
    ```mlir
    func.func private @double_0_nodes(%first: index, %last: index,
                                      %h: memref<?x8xf32>, %out: memref<?x8xf32>) {
      %x = ...             // [64, 8]: the rows from %first on, 0 behind %last
      %y = linalg.generic ... ins(%x) ... -> tensor<64x8xf32>
      ...                  // its first %last - %first rows, into %out
    }
    ```
  }];
  let dependentDialects = LoopDialects;
}

def LowerRowsPass : Pass<"mp-lower-rows", "::mlir::ModuleOp"> {
  let summary = "blocks of sparse rows to loops over rows and their edges";
  let description = [{
    Blocks whose kernel has the schedule `#mp.row_blocks`: those of whole rows, of a chunk of
    a divided row, and of the chunks' join. Other blocks stay.

    ```mlir
    mp.block rows %first to %last arrays(%indptr, %row_sources, %sources, %ids : ...)
        outs(%out : memref<?x8xf32>) {
    ^bb0(%graph: !mp.graph):
      %o = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 4096>)
          -> tensor<?x8xf32> { ... }
      mp.yield %o : tensor<?x8xf32>
    }
    ```
    becomes
    ```mlir
    scf.for %row = %first to %last step %c1 {
      %begin, %end = ...             // of %indptr
      %sum = scf.for %edge = %begin to %end step %c1 iter_args(%state = %zero)
          -> (tensor<8xf32>) {
        %x = tensor.extract_slice %h[%source, 0] [1, 8] [1, 1]
        ...                          // the message, and its sum with %state
      }
      ...                            // %sum into row %row of %out
    }
    ```

    With `chunk` the edges of a row are taken in chunks: the scores of a softmax, then
    their weights, then the weighted values; of outer products that are summed, the
    factors of all edges of a chunk, then one product of matrices.

    A linear map of `select(%number == position edge, %x, 0)`, what an edge has of the
    elements that it won, is a loop over the bits of a word that has one for each element
    (on CPUs):
    ```mlir
    %y = scf.for ... to %num_bits iter_args(%rest = %word, %sum = %zero) {
      %k = math.cttz %rest
      ...                              // %sum + %x[%k] * %w[%k, :]
    }
    ```
  }];
  let dependentDialects = LoopDialects;
}

def LowerEdgeBlocksPass : Pass<"mp-lower-edge-blocks", "::mlir::ModuleOp"> {
  let summary = "blocks of networks on edges to loops over chunks of edges";
  let description = [{
    Blocks whose kernel has the schedule `#mp.edge_blocks`: its messages apply weights to
    what belongs to an edge. As for `mp-lower-rows`, but that messages are computed for a
    chunk of edges at once, of one row or of several, as a product of matrices; each
    row then takes in its own, a scalar that a message repeats along its features as
    such. Other blocks stay.

    ```mlir
    mp.block rows %first to %last arrays(...) outs(%out : memref<?x16xf32>) {
    ^bb0(%graph: !mp.graph):
      %o = mp.kernel "network_0" sparse schedule(#mp.edge_blocks<chunk = 48, ...>)
          -> tensor<?x16xf32> { ... }
      mp.yield %o : tensor<?x16xf32>
    }
    ```
    becomes
    ```mlir
    %states = ...        // [256, 16]: of the block's rows
    scf.for %from = %begin to %end step %c48 iter_args(%row = %first, %s = %states) {
      %last_row = scf.while ...
      %x = ...           // [48, in]: gathered edge by edge
      %y = linalg.generic ... ins(%x, %w) ... -> tensor<48x16xf32>
      ...                // each row of the chunk: its state, and its edges of %y
    }
    ...                  // the rows' results into %out
    ```
  }];
  let dependentDialects = LoopDialects;
}

def LowerTypedRowsPass : Pass<"mp-lower-typed-rows", "::mlir::ModuleOp"> {
  let summary = "blocks of weights by edge type to loops over edges by type";
  let description = [{
    Blocks whose kernel has the schedule `#mp.typed_blocks`: sums of products with weights
    by the type of an edge (`mp.linear` with the weights `mp.lookup %w[%type]`). They
    take one product for all edges of one type into a destination, in blocks of many
    rows whose edges the runtime has in the order of their types
    (`mp.edges_by_type`). Other blocks stay.

    ```mlir
    mp.block rows %first to %last arrays(...) args(%first_chunk, %past_chunk, ... : ...)
        outs(%out : memref<?x16xf32>) {
    ^bb0(%graph: !mp.graph):
      %o = mp.kernel "relations_0" sparse schedule(#mp.typed_blocks<groups = 8, ...>)
          -> tensor<?x16xf32> { ... }
      mp.yield %o : tensor<?x16xf32>
    }
    ```
    becomes
    ```mlir
    scf.for %chunk = %first_chunk to %past_chunk step %c1 iter_args(%states = ...) {
      %sums = ...        // [8, in]: of 8 destinations and one type r, sum_j z_ij
      %y = linalg.generic ... ins(%sums, %wr) ... -> tensor<8x16xf32>
      ...                // added to the states of their destinations
    }
    ...                  // the rows' results into %out
    ```
  }];
  let dependentDialects = LoopDialects;
}

def LowerTilesPass : Pass<"mp-lower-tiles", "::mlir::ModuleOp"> {
  let summary = "blocks of dense tiles to loops over tiles of destinations x sources";
  let description = [{
    Blocks whose kernel has the schedule `#mp.tiles`: the destinations of a block against
    all of their sources, tile by tile. The tiles are those of the rows' intervals, or the
    ones that are listed (`mp.tile_list`) for a graph that has none. Other blocks stay.

    ```mlir
    mp.block rows %first to %last arrays(%begin, %end, ... : ...)
        args(%tile, %past_tile : index, index) outs(%out : memref<?x8xf32>) {
    ^bb0(%graph: !mp.graph):
      %o = mp.kernel "sum_0" dense
          schedule(#mp.tiles<rows = 384, tile_rows = 12, columns = 64, border = 32>)
          -> tensor<?x8xf32> { ... }
      mp.yield %o : tensor<?x8xf32>
    }
    ```
    becomes
    ```mlir
    %sum = scf.for %tile = ... iter_args(%states = %zero) -> (tensor<384x8xf32>) {
      ...                // the tile's sources, laid out once
      scf.for %row = %c0 to %rows step %c12 iter_args(%s = %states) {
        %m = linalg.generic ... -> tensor<12x64xf32>    // messages of 12 x 64 pairs
        ...              // those that are edges, added to 12 rows of %s
      }
    }
    ...                  // %sum into %out
    ```

    With `in_order` rows are positions in the order of `mp.node_order`, if that has any: rows
    of features are then read, fetched ahead and written one by one, where the node lies
    that stands there.

    ```mlir
    %rows = scf.if %is_in_order -> (tensor<64x8xf32>) {
      %r = scf.for %k = %c0 to %count step %c1 ... {
        %node = memref.load %order[...] : memref<?xi32>
        ...              // row %node of %x into row %k
      }
      scf.yield %r : tensor<64x8xf32>
    } else {
      ...                // %count rows of %x at once
    }
    ```

    The region of a message is lifted to linalg over destinations x sources: a
    product of two values that depend on one endpoint each, summed over features, is
    a product of matrices.

    Where a register block receives only the first sources of a tile, the same for
    all rows (a clique, the end of a complete graph), it takes them in parts of half
    the schedule's `border`, with one mask of columns. Other tiles that are not full
    have a mask of pairs.

    Where every aggregation is a softmax and a condition on positions gives scores
    of -inf, the least and largest numbers that it compares are computed for each
    12 x 64 pairs, as 64-bit integers, and those for which it cannot hold are left
    out: a sliding window with global nodes, written as a mask on a complete graph,
    takes the time of the pairs near the window. What is weighed has to be a feature
    of the source, and finite in the whole tile: 0 times infinity is NaN.
  }];
  let dependentDialects = LoopDialects;
}

def MergeFunctionsPass : Pass<"mp-merge-functions", "::mlir::ModuleOp"> {
  let summary = "private functions that are the same become one";
  let description = [{
    Layers of a network are often the same, and so are the functions of their blocks,
    but for their names:
    ```mlir
    func.func private @layer_0_nodes(...) { body }
    func.func private @layer_1_nodes(...) { body }
    call @layer_0_nodes(...)
    call @layer_1_nodes(...)
    ```
    becomes
    ```mlir
    func.func private @layer_0_nodes(...) { body }
    call @layer_0_nodes(...)
    call @layer_0_nodes(...)
    ```
    Public functions, which are called by their names, stay.
  }];
}

#endif // CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_TD
