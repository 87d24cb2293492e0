// How the work of kernels is divided, on a CPU and on a GPU. A schedule that is
// written by hand stays.
// RUN: clique-opt %s --mp-schedule-kernels | FileCheck %s
// RUN: clique-opt %s --mp-attach-target='target="#mp.cpu<vector_bits = 256, registers = 16, l2_bytes = 65536>"' --mp-schedule-kernels | FileCheck %s --check-prefix=SMALL
// (Values of 56 elements have no tiles on a GPU, see restrict-tiles.mlir.)
// RUN: sed 's/x56x/x16x/g; s/<56x/<16x/g' %s | clique-opt --mp-attach-target='target="#mp.gpu<shared_bytes = 101376, multiprocessor_shared_bytes = 102400, matrix = mma>"' --mp-schedule-kernels | FileCheck %s --check-prefix=GPU
// RUN: sed 's/x56x/x16x/g; s/<56x/<16x/g' %s | clique-opt --mp-attach-target='target="#mp.gpu<shared_bytes = 101376, multiprocessor_shared_bytes = 102400, matrix = mma, thread_registers = 127>"' --mp-schedule-kernels | FileCheck %s --check-prefix=HALF
// RUN: sed "s/ nodes ->/ ->/" %s | not clique-opt --mp-schedule-kernels 2>&1 | FileCheck %s --check-prefix=UNDECIDED
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows | FileCheck %s --check-prefix=LOOPS
// UNDECIDED: error: 'mp.kernel' op has no lowering: run mp-select-lowering first

// CHECK: mp.kernel "update_0" nodes schedule(#mp.node_blocks<rows = 24>) ->
// GPU:   mp.kernel "update_0" nodes schedule(#mp.node_blocks<rows = 64, threads = 128>) ->
func.func @update(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "update_0" nodes -> tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      mp.yield %hi : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// Blocks of a GPU hold what their rows are computed from in shared memory.
// GPU:   mp.kernel "long_0" nodes schedule(#mp.node_blocks<rows = 16, threads = 128>) ->
func.func @long(%h: tensor<?x1433xf32>, %w: tensor<1433x4xf32>) -> tensor<?x4xf32> {
  %o = mp.kernel "long_0" nodes -> tensor<?x4xf32> {
    %u = mp.update (%hi = %h : tensor<?x1433xf32>) -> tensor<?x4xf32> {
      %l = mp.linear %hi, %w : (tensor<1433xf32>, tensor<1433x4xf32>) -> tensor<4xf32>
      mp.yield %l : tensor<4xf32>
    }
    mp.yield %u : tensor<?x4xf32>
  }
  return %o : tensor<?x4xf32>
}

// Weights that no first-level cache holds pass the caches once for more nodes.
// CHECK: mp.kernel "large_0" nodes schedule(#mp.node_blocks<rows = 96>) ->
// GPU:   mp.kernel "large_0" nodes schedule(#mp.node_blocks<rows = 8, threads = 128>) ->
func.func @large(%h: tensor<?x512xf32>, %w: tensor<512x512xf32>) -> tensor<?x512xf32> {
  %o = mp.kernel "large_0" nodes -> tensor<?x512xf32> {
    %u = mp.update (%hi = %h : tensor<?x512xf32>) -> tensor<?x512xf32> {
      %l = mp.linear %hi, %w : (tensor<512xf32>, tensor<512x512xf32>) -> tensor<512xf32>
      mp.yield %l : tensor<512xf32>
    }
    mp.yield %u : tensor<?x512xf32>
  }
  return %o : tensor<?x512xf32>
}

// CHECK: mp.kernel "softmax_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 512, chunk = 32, part = 64, prefetch = 40>) ->
// GPU:   mp.kernel "softmax_0" sparse schedule(#mp.row_blocks<rows = 1, edges = 128, threads = 8>) ->
// CHECK: mp.kernel "by_hand" sparse schedule(#mp.row_blocks<rows = 7, edges = 100>) ->
// A pass lowers the blocks of its schedule and leaves the others.
// LOOPS:       mp.kernel "update_0" nodes
// LOOPS-LABEL: func.func private @by_hand_sparse(
// LOOPS-NOT:     mp.prefetch
// LOOPS-NOT:     mp.kernel
// LOOPS:       func.func @softmax
// LOOPS-NOT:     mp.kernel
// LOOPS:       func.func private @wide_0_dense(
// LOOPS:         mp.kernel "wide_0" dense
func.func @softmax(%g: !mp.graph, %a: tensor<?x4xf32>, %h: tensor<?x4x8xf32>) -> tensor<?x4x8xf32> {
  %o = mp.kernel "softmax_0" sparse -> tensor<?x4x8xf32> {
    %s, %v = mp.message %g src(%aj = %a : tensor<?x4xf32>, %hj = %h : tensor<?x4x8xf32>)
        -> !mp.edges<4xf32>, !mp.edges<4x8xf32> {
      mp.yield %aj, %hj : tensor<4xf32>, tensor<4x8xf32>
    }
    %m = mp.aggregate %g softmax(%s) %v
        : (!mp.edges<4xf32>, !mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
    mp.yield %m : tensor<?x4x8xf32>
  }
  %p = mp.kernel "by_hand" sparse schedule(#mp.row_blocks<rows = 7, edges = 100>) -> tensor<?x4x8xf32> {
    %v = mp.message %g src(%oj = %o : tensor<?x4x8xf32>) -> !mp.edges<4x8xf32> {
      mp.yield %oj : tensor<4x8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
    mp.yield %m : tensor<?x4x8xf32>
  }
  return %p : tensor<?x4x8xf32>
}

// A tile's edge values fit a cache, or a part of the threads' registers; so do
// the rows of a block, a part of the cache.
// CHECK: mp.kernel "wide_0" dense schedule(#mp.tiles<rows = 384, tile_rows = 12, columns = 64, border = 32, prefetch_tiles = 1>) ->
// SMALL: mp.kernel "wide_0" dense schedule(#mp.tiles<rows = 36, tile_rows = 12, columns = 16, border = 16, prefetch_tiles = 1>) ->
// GPU:   mp.kernel "wide_0" dense schedule(#mp.tiles<rows = 64, tile_rows = 64, columns = 16, border = 16, threads = 128>) ->
// HALF:  mp.kernel "wide_0" dense schedule(#mp.tiles<rows = 64, tile_rows = 64, columns = 16, border = 16, threads = 128>) ->
// HALF:  mp.kernel "narrow_0" dense schedule(#mp.tiles<rows = 64, tile_rows = 64, columns = 64, border = 64, threads = 128>) ->
func.func @wide(%g: !mp.graph<complete>, %h: tensor<?x56xf32>) -> tensor<?x56xf32> {
  %o = mp.kernel "wide_0" dense -> tensor<?x56xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?x56xf32>)
        src(%hj = %h : tensor<?x56xf32>) -> !mp.edges<56xf32> {
      %p = arith.mulf %hi, %hj : tensor<56xf32>
      mp.yield %p : tensor<56xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> max %v : (!mp.edges<56xf32>) -> tensor<?x56xf32>
    mp.yield %m : tensor<?x56xf32>
  }
  return %o : tensor<?x56xf32>
}

// A feature times a weight of the edge is no value of a tile: its sum is a product
// of matrices.
// CHECK: mp.kernel "weighted_0" dense schedule(#mp.tiles<rows = {{[0-9]+}}, tile_rows = 12, columns = 64, border = 32, prefetch_tiles = 1>) ->
// SMALL: mp.kernel "weighted_0" dense schedule(#mp.tiles<rows = 60, tile_rows = 12, columns = 64, border = 32, prefetch_tiles = 1>) ->
func.func @weighted(%g: !mp.graph<complete>, %a: tensor<?xf32>, %h: tensor<?x56xf32>) -> tensor<?x56xf32> {
  %o = mp.kernel "weighted_0" dense -> tensor<?x56xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%ai = %a : tensor<?xf32>)
        src(%aj = %a : tensor<?xf32>, %hj = %h : tensor<?x56xf32>) -> !mp.edges<56xf32> {
      %w = arith.mulf %ai, %aj : tensor<f32>
      %ws = mp.broadcast %w : tensor<f32> to tensor<56xf32>
      %p = arith.mulf %ws, %hj : tensor<56xf32>
      mp.yield %p : tensor<56xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %v : (!mp.edges<56xf32>) -> tensor<?x56xf32>
    mp.yield %m : tensor<?x56xf32>
  }
  return %o : tensor<?x56xf32>
}

// GPU:   mp.kernel "narrow_0" dense schedule(#mp.tiles<rows = 64, tile_rows = 64, columns = 64, border = 64, threads = 128>) ->
func.func @narrow(%g: !mp.graph<complete>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %o = mp.kernel "narrow_0" dense -> tensor<?xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%hi = %h : tensor<?xf32>)
        src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
      %p = arith.mulf %hi, %hj : tensor<f32>
      mp.yield %p : tensor<f32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> max %v : (!mp.edges<f32>) -> tensor<?xf32>
    mp.yield %m : tensor<?xf32>
  }
  return %o : tensor<?xf32>
}

// Sums of outer products that do not fit half of the registers take their edges in
// chunks.
// CHECK: mp.kernel "outer_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 512, part = 64, prefetch = 40>) ->
// SMALL: mp.kernel "outer_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 512, chunk = 32, part = 64, prefetch = 40>) ->
// GPU:   mp.kernel "outer_0" sparse schedule(#mp.row_blocks<rows = 1, edges = 128, threads = 32>) ->
func.func @outer(%g: !mp.graph, %x: tensor<?x16xf32>) -> tensor<?x16x16xf32> {
  %o = mp.kernel "outer_0" sparse -> tensor<?x16x16xf32> {
    %v = mp.message %g src(%xj = %x : tensor<?x16xf32>) -> !mp.edges<16x16xf32> {
      %a = mp.broadcast %xj : tensor<16xf32> to tensor<16x16xf32>
      %b = mp.broadcast %xj trailing : tensor<16xf32> to tensor<16x16xf32>
      %p = arith.mulf %a, %b : tensor<16x16xf32>
      mp.yield %p : tensor<16x16xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<16x16xf32>) -> tensor<?x16x16xf32>
    mp.yield %m : tensor<?x16x16xf32>
  }
  return %o : tensor<?x16x16xf32>
}

// Cliques are mostly small: register blocks are short.
// CHECK: mp.kernel "cliques_0" dense schedule(#mp.tiles<rows = 384, tile_rows = 8, columns = 64, border = 32, prefetch = 1>) ->
func.func @cliques(%g: !mp.graph<cliques>, %h: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "cliques_0" dense -> tensor<?x16xf32> {
    %v = mp.message %g : !mp.graph<cliques> dst(%hi = %h : tensor<?x16xf32>)
        src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      %p = arith.mulf %hi, %hj : tensor<16xf32>
      mp.yield %p : tensor<16xf32>
    }
    %m = mp.aggregate %g : !mp.graph<cliques> max %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    mp.yield %m : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}
