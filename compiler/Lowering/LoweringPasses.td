//===- LoweringPasses.td - Kernels to loops over blocks -*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_TD
#define CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_TD

include "mlir/Pass/PassBase.td"

def ScheduleKernelsPass : Pass<"mp-schedule-kernels", "::mlir::ModuleOp"> {
  let summary = "how the work of each kernel is divided, as an attribute of it";
  let description = [{
    Chooses the extents of blocks and tiles, how far ahead sources are fetched, how
    many threads of a GPU share a block, and whether edges are taken by type or in
    chunks: from
    the module's target (`mp.target`), from the sizes of what the kernel reads and
    computes, and from one table of measured values (`compiler/Analysis/Tuning.h`).
    Nothing later changes it. A schedule that is there stays.

    ```mlir
    %o = mp.kernel "sum_0" sparse -> tensor<?x8xf32> { ... }
    ```
    becomes, for a CPU,
    ```mlir
    %o = mp.kernel "sum_0" sparse
        schedule(#mp.row_blocks<rows = 128, edges = 4096, part = 256, prefetch = 16>)
        -> tensor<?x8xf32> { ... }
    ```
    and for a GPU, four of whose threads share a row,
    ```mlir
    %o = mp.kernel "sum_0" sparse
        schedule(#mp.row_blocks<rows = 1, edges = 128, threads = 4>)
        -> tensor<?x8xf32> { ... }
    ```

    The values of a dense tile's edges lie in the registers of a GPU's threads. Where
    one of an edge has more elements than the table allows, only the version in sparse
    rows remains:

    ```mlir
    %c = mp.choose_dense %g, "edgeconv_1" versions both ... : !mp.graph
    %o = scf.if %c -> tensor<?x64xf32> {
      %d = mp.kernel "edgeconv_1" dense ...
    } else {
      %s = mp.kernel "edgeconv_1" sparse ...
    }
    ```
    becomes
    ```mlir
    %c = mp.choose_dense %g, "edgeconv_1" versions sparse ... : !mp.graph
    %s = mp.kernel "edgeconv_1" sparse schedule(...) ...
    ```
  }];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def ConvertMPKernelsPass : Pass<"convert-mp-kernels", "::mlir::ModuleOp"> {
  let summary = "mp.kernel to a parallel loop over blocks of destinations";
  let description = [{
    Each `mp.kernel` becomes a private function that computes one block of
    destinations on tensors of static tile shape, and a parallel loop that calls
    it. How large they are stands in the kernel's schedule. `nodes` kernels split the
    nodes evenly, the others as `mp.row_blocks` says. What the loops read of the
    graph are ops on it, which `convert-mp-to-runtime` makes calls of.

    ```mlir
    %o = mp.kernel "sum_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 4096>)
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
      func.call @sum_0_sparse(%first, %last, %indptr, %row_sources, %sources, %ids, %h, %out)
    }
    %o = bufferization.to_tensor %out restrict writable
    ```

    A row of more edges than a block has, a hub, is divided: a loop over the chunks
    of all hubs (`mp.hub_chunks`) takes their states to scratch, and another one
    combines the states of each hub in their order.

    Sums of products with weights by the type of an edge (`mp.linear` with the
    weights `mp.lookup %w[%type]`) take one product for all edges of one type into a
    destination, in blocks of many rows whose edges the runtime has in the order of
    their types (`mp.edges_by_type`):

    ```mlir
    scf.for %chunk = %first_chunk to %past_chunk iter_args(%states = ...) {
      %sums = ...      // [8, in]: of 8 destinations and one type r, sum_j z_ij
      %y = linalg.generic ... ins(%sums, %wr) ... -> tensor<8x16xf32>
      ...              // added to the states of their destinations
    }
    ```

    Where messages apply weights to what belongs to an edge (a network on edges), they
    are computed for a chunk of edges at once, of one row or of several, as a product
    of matrices; each row then takes in its own:

    ```mlir
    scf.for %from = %begin to %end step %c48 iter_args(%row = %first, %states = ...) {
      %last_row = scf.while ...
      %x = ...         // [48, in]: gathered edge by edge
      %y = linalg.generic ... ins(%x, %w) ... -> tensor<48x16xf32>
      ...              // each row of the chunk: its state, and its edges of %y
    }
    ```

    Dense tiles are those of the rows' intervals, or the ones that are listed
    (`mp.tile_list`) for a graph that has none:

    ```mlir
    %listed, %blocks, %tiles, ... = mp.tile_list %g rows %rows tile_rows 12 columns 64 : !mp.graph
    scf.parallel (%b) = (%c0) to (%blocks) step (%c1) {
      ...
      func.call @sum_0_dense(%first, %last, %begin, %end, ..., %h, %out, %tile, %past_tile)
    }
    ```

    In the function, the region of a message, an update or a monoid is lifted to
    linalg over the axes of the iteration space: destinations x sources in a dense
    tile, a single edge in a sparse row, a block of nodes in an update.
    Half-precision features are computed in f32.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::bufferization::BufferizationDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect",
    "::mlir::ub::UBDialect", "::mlir::vector::VectorDialect"];
}

#endif // CLIQUE_COMPILER_LOWERING_LOWERINGPASSES_TD
