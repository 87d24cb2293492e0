// The rows of a result may lie where those of an input do that the caller may give away, if the
// input is read for the kernel's own rows alone, and both have rows of one size.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks | FileCheck %s
// RUN: clique-opt %s --mp-attach-target='target="#mp.gpu<shared_bytes = 232448, multiprocessor_shared_bytes = 233472, matrix = mma>"' --mp-schedule-kernels --mp-outline-blocks | FileCheck %s --check-prefix=GPU
// GPU-NOT: mp.over

// %x is gathered too, %y has other rows, %w nobody gives away.
// CHECK-LABEL: func.func private @rows_0_sparse(
// CHECK-NOT:     mp.over
// CHECK-SAME:    memref<?x2x4xf32> {mp.overwritten = 0 : i64}, %{{[^:]*}}: memref<?x4xf32>, %{{[^:]*}}: memref<?x8xf32>, %{{[^:]*}}: memref<?x8xf32> {mp.overwrites = 0 : i64})
// CHECK-LABEL: func.func private @rows_0_sparse_chunk(
// CHECK-SAME:    {mp.overwritten = 0 : i64}
// CHECK-SAME:    {mp.overwrites = 0 : i64}
// CHECK-LABEL: func.func private @rows_0_sparse_merge(
// CHECK-SAME:    {mp.overwritten = 0 : i64}
// CHECK-SAME:    {mp.overwrites = 0 : i64}
// CHECK-LABEL: func.func @rows(
func.func @rows(%g: !mp.graph, %w: tensor<?x8xf32>, %x: tensor<?x8xf32> {mp.donatable},
                %y: tensor<?x4xf32> {mp.donatable}, %z: tensor<?x2x4xf32> {mp.donatable}) -> tensor<?x8xf32> {
  %o = mp.kernel "rows_0" sparse -> tensor<?x8xf32> {
    %v = mp.message %g dst(%wi = %w : tensor<?x8xf32>, %xi = %x : tensor<?x8xf32>, %zi = %z : tensor<?x2x4xf32>,
                           %yi = %y : tensor<?x4xf32>) src(%xj = %x : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      %s = mp.reduce sum %yi dims [0] : tensor<4xf32> -> tensor<f32>
      %t = mp.broadcast %s : tensor<f32> to tensor<8xf32>
      %f = tensor.collapse_shape %zi [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
      %a = arith.addf %xi, %xj : tensor<8xf32>
      %b = arith.addf %a, %f : tensor<8xf32>
      %c = arith.addf %b, %wi : tensor<8xf32>
      %d = arith.addf %c, %t : tensor<8xf32>
      mp.yield %d : tensor<8xf32>
    }
    %m = mp.aggregate %g sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// Each input holds one result.
// CHECK-LABEL: func.func private @nodes_0_nodes(
// CHECK-SAME:    memref<?x8xf32> {mp.overwritten = 0 : i64}, %{{[^:]*}}: memref<?x8xf32> {mp.overwritten = 1 : i64}, %{{[^:]*}}: memref<?x8xf32> {mp.overwrites = 0 : i64}, %{{[^:]*}}: memref<?x8xf32> {mp.overwrites = 1 : i64}, %{{[^:]*}}: memref<?x8xf32>)
// CHECK-LABEL: func.func @nodes(
func.func @nodes(%x: tensor<?x8xf32> {mp.donatable}, %y: tensor<?x8xf32> {mp.donatable})
    -> (tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>) {
  %o:3 = mp.kernel "nodes_0" nodes -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> {
    %u:3 = mp.update (%xi = %x : tensor<?x8xf32>, %yi = %y : tensor<?x8xf32>)
        -> tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32> {
      %a = arith.addf %xi, %yi : tensor<8xf32>
      %b = arith.mulf %xi, %yi : tensor<8xf32>
      %c = arith.subf %xi, %yi : tensor<8xf32>
      mp.yield %a, %b, %c : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
    }
    mp.yield %u#0, %u#1, %u#2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %o#0, %o#1, %o#2 : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>
}

// Tiles keep memory of their own.
// CHECK-LABEL: func.func private @tiles_0_dense(
// CHECK-NOT:     mp.over
// CHECK-LABEL: func.func @tiles(
func.func @tiles(%g: !mp.graph<complete>, %x: tensor<?x8xf32> {mp.donatable}, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "tiles_0" dense -> tensor<?x8xf32> {
    %v = mp.message %g : !mp.graph<complete> dst(%xi = %x : tensor<?x8xf32>) src(%yj = %y : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      %a = arith.mulf %xi, %yj : tensor<8xf32>
      mp.yield %a : tensor<8xf32>
    }
    %m = mp.aggregate %g : !mp.graph<complete> sum %v : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %m : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}
