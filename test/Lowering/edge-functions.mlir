// Functions of few elements between long sums and what follows: rows take such
// edges in chunks, the sums of all of them first, then the functions in whole
// vectors, then the rest edge by edge.
// RUN: clique-opt %s --mp-schedule-kernels | FileCheck %s --check-prefix=SCHEDULE
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-rows --canonicalize | FileCheck %s

// SCHEDULE: mp.kernel "weights_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 512, chunk = 32, part = 64, prefetch = 40>)
// CHECK-LABEL: func.func private @weights_0_sparse(
// A chunk of edges carries the sum of all rows' features.
// CHECK:         scf.for {{.*}} step %c32 iter_args({{.*}}) -> (tensor<4x8xf32>)
// Its last vector is filled where there is no edge.
// CHECK:           vector.transfer_write %{{.*}} : vector<16xf32>, tensor<8x16xf32>
// The arguments, and a sum that only what follows needs.
// CHECK:           %[[ARGUMENTS:.*]]:2 = scf.for {{.*}} -> (tensor<32x4xf32>, tensor<32x4xf32>)
// CHECK-NOT:         math.exp
// CHECK:           tensor.collapse_shape %[[ARGUMENTS]]#0
// CHECK:           scf.for {{.*}} -> (tensor<8x16xf32>)
// CHECK:             math.exp %{{.*}} : vector<16xf32>
// CHECK:           scf.for {{.*}} -> (tensor<4x8xf32>)
// CHECK-NOT:         math.exp
// CHECK:             tensor.extract_slice %{{.*}} : tensor<32x4xf32> to tensor<4xf32>
// CHECK:             tensor.extract_slice %[[ARGUMENTS]]#1{{.*}} to tensor<4xf32>
func.func @weights(%g: !mp.graph, %q: tensor<?x4x8xf32>, %k: tensor<?x4x8xf32>, %v: tensor<?x4x8xf32>) -> tensor<?x4x8xf32> {
  %o = mp.kernel "weights_0" sparse -> tensor<?x4x8xf32> {
    %m = mp.message %g dst(%qi = %q : tensor<?x4x8xf32>) src(%kj = %k : tensor<?x4x8xf32>, %vj = %v : tensor<?x4x8xf32>) -> !mp.edges<4x8xf32> {
      %s = mp.dot %qi, %kj : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
      %t = mp.dot %qi, %vj : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
      %p = math.exp %s : tensor<4xf32>
      %w = arith.mulf %p, %t : tensor<4xf32>
      %b = mp.broadcast %w : tensor<4xf32> to tensor<4x8xf32>
      %x = arith.mulf %b, %kj : tensor<4x8xf32>
      mp.yield %x : tensor<4x8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<4x8xf32>) -> tensor<?x4x8xf32>
    mp.yield %a : tensor<?x4x8xf32>
  }
  return %o : tensor<?x4x8xf32>
}

// The argument is short: edge by edge.
// SCHEDULE: mp.kernel "short_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 512, part = 64, prefetch = 40>)
func.func @short(%g: !mp.graph, %x: tensor<?x3xf32>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "short_0" sparse -> tensor<?x8xf32> {
    %m = mp.message %g dst(%xi = %x : tensor<?x3xf32>) src(%xj = %x : tensor<?x3xf32>, %hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      %s = mp.dot %xi, %xj : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
      %p = math.exp %s : tensor<f32>
      %b = mp.broadcast %p : tensor<f32> to tensor<8xf32>
      %y = arith.mulf %b, %hj : tensor<8xf32>
      mp.yield %y : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}
// The function fills vectors.
// SCHEDULE: mp.kernel "full_0" sparse schedule(#mp.row_blocks<rows = 128, edges = 512, part = 64, prefetch = 40>)
func.func @full(%g: !mp.graph, %q: tensor<?x32x2xf32>, %k: tensor<?x32x2xf32>) -> tensor<?x32xf32> {
  %o = mp.kernel "full_0" sparse -> tensor<?x32xf32> {
    %m = mp.message %g dst(%qi = %q : tensor<?x32x2xf32>) src(%kj = %k : tensor<?x32x2xf32>) -> !mp.edges<32xf32> {
      %s = mp.dot %qi, %kj : (tensor<32x2xf32>, tensor<32x2xf32>) -> tensor<32xf32>
      %p = math.exp %s : tensor<32xf32>
      mp.yield %p : tensor<32xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
    mp.yield %a : tensor<?x32xf32>
  }
  return %o : tensor<?x32xf32>
}
