// The blocks of a kernel with sums over its nodes are divided into parts: a part's sum is where its
// block functions, one after the other, add those of their rows.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-nodes --mp-lower-rows --canonicalize | FileCheck %s

// CHECK-LABEL: func.func private @squares_0_nodes(
// CHECK-SAME:    %{{.*}}: index, %{{.*}}: index, %{{.*}}: memref<?x8xf32>, %[[PART:.*]]: memref<8xf32, strided<[1], offset: ?>>)
// Rows beyond the block's add nothing, whatever the update makes of them.
// CHECK:         math.exp
// CHECK:         linalg.fill
// CHECK:         %[[BLOCK:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK:         %[[OLD:.*]] = bufferization.to_tensor %[[PART]] restrict
// CHECK:         %[[NEW:.*]] = arith.addf %[[OLD]], %[[BLOCK]]
// CHECK:         bufferization.materialize_in_destination %[[NEW]] in writable %[[PART]]

// CHECK-LABEL: func.func @squares(
// CHECK-DAG:     %[[MOST:.*]] = arith.constant 512 : index
// CHECK:         %[[BLOCKS:.*]] = arith.ceildivsi %{{.*}}, %{{.*}} : index
// Parts of 16 blocks, but 64 parts where there are fewer blocks, and no more than 512.
// CHECK:         %[[FEW:.*]] = arith.ceildivsi %[[BLOCKS]], %c64
// CHECK:         %[[LEAST:.*]] = arith.minsi %[[FEW]], %c16
// CHECK:         %[[ONE:.*]] = arith.maxsi %[[LEAST]], %c1
// CHECK:         %[[EACH:.*]] = arith.ceildivsi %[[BLOCKS]], %[[MOST]]
// CHECK:         %[[SOME:.*]] = arith.maxsi %[[EACH]], %[[ONE]]
// CHECK:         %[[PARTS:.*]] = arith.ceildivsi %[[BLOCKS]], %[[SOME]]
// CHECK:         %[[SUMS:.*]] = memref.alloc(%[[PARTS]]) : memref<?x8xf32>
// CHECK:         linalg.fill {{.*}} outs(%[[SUMS]] : memref<?x8xf32>)
// CHECK:         scf.parallel (%[[P:.*]]) =
// CHECK:           %[[OWN:.*]] = memref.subview %[[SUMS]][%[[P]], 0] [1, 8] [1, 1]
// CHECK:           scf.for
// CHECK:             func.call @squares_0_nodes({{.*}}, %[[OWN]])
func.func @squares(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %o = mp.kernel "squares_0" nodes -> tensor<?x8xf32> {
    %u = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
      %s = math.exp %hi : tensor<8xf32>
      mp.yield %s : tensor<8xf32>
    }
    %p = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n, i)>, affine_map<(i, n) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
        ins(%u : tensor<?x8xf32>) outs(%zero : tensor<8xf32>) {
    ^bb0(%a: f32, %t: f32):
      %q = arith.addf %t, %a : f32
      linalg.yield %q : f32
    } -> tensor<8xf32>
    mp.yield %p : tensor<8xf32>
  }
  return %o : tensor<?x8xf32>
}

// Hubs are added to the parts before their blocks, each part's in their order.

// CHECK-LABEL: func.func @rows(
// CHECK:         scf.if
// CHECK:           func.call @rows_0_sparse_chunk(
// CHECK:           scf.parallel (%[[P:.*]]) = (%{{.*}}) to (%[[PARTS:.*]]) step
// CHECK:             %[[OWN:.*]] = memref.subview %[[SUMS:.*]][%[[P]], 0] [1, 8] [1, 1]
// CHECK:             scf.for %{{.*}} = %[[P]] to %{{.*}} step %[[PARTS]]
// CHECK:               func.call @rows_0_sparse_merge({{.*}}%[[OWN]]
// CHECK:         scf.parallel
// CHECK:           memref.subview %[[SUMS]]
// CHECK:           scf.for
// CHECK:             func.call @rows_0_sparse(
func.func @rows(%g: !mp.graph<sparse>, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %o = mp.kernel "rows_0" sparse -> tensor<?x8xf32> {
    %m = mp.message %g : !mp.graph<sparse> src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %s = mp.aggregate %g : !mp.graph<sparse> sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %p = linalg.generic {indexing_maps = [affine_map<(i, n) -> (n, i)>, affine_map<(i, n) -> (n, i)>, affine_map<(i, n) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
        ins(%h, %s : tensor<?x8xf32>, tensor<?x8xf32>) outs(%zero : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %t: f32):
      %c = arith.mulf %a, %b : f32
      %q = arith.addf %t, %c : f32
      linalg.yield %q : f32
    } -> tensor<8xf32>
    mp.yield %p : tensor<8xf32>
  }
  return %o : tensor<?x8xf32>
}
