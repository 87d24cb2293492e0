// What a source has for all destinations is added up once for the rows of a full tile, and where pairs
// are masked it is the product of masks and features, unless these are infinite or NaN.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-tiles --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func private @sum_dense(
// A full tile.
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<64x8xf32>) outs(%{{.*}} : tensor<8xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<8xf32>) outs(%{{.*}} : tensor<12x8xf32>)
// A register block whose rows all have the same columns.
// CHECK:         scf.for {{.*}} step %c16
// CHECK:           %[[EVEN:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<16x8xf32>, tensor<16xi8>) outs(%{{.*}} : tensor<8xf32>)
// CHECK:           linalg.generic {{.*}} ins(%[[EVEN]] : tensor<8xf32>) outs(%{{.*}} : tensor<12x8xf32>)
// Others.
// CHECK:         scf.for {{.*}} step %c32
// CHECK:           %[[WEIGHTS:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<12x32xi8>) outs(%{{.*}} : tensor<12x32xf32>)
// CHECK:             arith.select %{{.*}}, %{{.*}}, %{{.*}} : f32
// CHECK:           arith.cmpf uno,
// CHECK:           linalg.generic {{.*}} ins(%[[WEIGHTS]], %{{.*}}, %{{.*}} : tensor<12x32xf32>, tensor<32x8xf32>, tensor<12x32xi8>)
// CHECK:           linalg.generic {{.*}} ins(%[[WEIGHTS]], %{{.*}} : tensor<12x32xf32>, tensor<32x8xf32>)
func.func @sum(%g: !mp.graph, %h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %k = mp.kernel "sum" dense -> tensor<?x8xf32> {
    %m = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
      mp.yield %hj : tensor<8xf32>
    }
    %a = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    mp.yield %a : tensor<?x8xf32>
  }
  return %k : tensor<?x8xf32>
}
