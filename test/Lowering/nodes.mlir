// Updates alone: blocks of nodes, no graph; half precision is computed in f32
// and rounded once, when it is stored.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-nodes --canonicalize | FileCheck %s

// CHECK-LABEL: func.func private @double_0_nodes(
// CHECK-SAME:    %{{.*}}: memref<?x8xbf16>, %{{.*}}: memref<?x8xbf16>)
// CHECK:         arith.extf %{{.*}} : bf16 to f32
// CHECK:         arith.addf %{{.*}} : f32
// CHECK:         arith.truncf %{{.*}} : f32 to bf16
// CHECK-LABEL: func.func @double
// CHECK-NOT:     mp.row_blocks
// CHECK:         arith.ceildivsi
// CHECK:         scf.parallel
func.func @double(%h: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %o = mp.kernel "double_0" nodes -> tensor<?x8xbf16> {
    %u = mp.update (%hi = %h : tensor<?x8xbf16>) -> tensor<?x8xbf16> {
      %s = arith.addf %hi, %hi : tensor<8xbf16>
      mp.yield %s : tensor<8xbf16>
    }
    mp.yield %u : tensor<?x8xbf16>
  }
  return %o : tensor<?x8xbf16>
}

// The last result is written where it lies if caches take it, by whole blocks; others, whose memory
// it may share with what is computed for them, are copied before.
// CHECK-LABEL: func.func private @maps_0_nodes(
// CHECK-SAME:    %[[FIRST:[^:]*]]: index, %{{[^:]*}}: index, %{{.*}}: memref<?x8xf32>, %[[A:[^:]*]]: memref<?x8xf32>, %[[B:[^:]*]]: memref<?x8xf32>)
// CHECK:         %[[SCRATCH:.*]] = memref.cast %{{.*}} : memref<24x8xf32, strided<[8, 1]>> to memref<24x8xf32, strided<[8, 1], offset: ?>>
// CHECK:         %[[FULL:.*]] = arith.cmpi eq, %{{.*}}, %c24
// CHECK:         %[[N:.*]] = memref.dim %[[B]], %c0
// CHECK:         %[[CACHED:.*]] = arith.cmpi ule, %[[N]], %c393216
// CHECK:         %[[IN_PLACE:.*]] = arith.andi %[[FULL]], %[[CACHED]]
// CHECK:         %[[MEMORY:.*]] = scf.if %[[IN_PLACE]]
// CHECK:           memref.subview %[[B]][%[[FIRST]], 0] [24, 8]
// CHECK:           scf.yield %[[SCRATCH]]
// CHECK:         %[[PART:.*]] = memref.subview %[[A]]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in writable %[[PART]]
// CHECK:         bufferization.materialize_in_destination %{{.*}} in restrict writable %[[MEMORY]]
// CHECK:         scf.if
// CHECK-NEXT:      bufferization.to_tensor
// CHECK:           memref.subview %[[B]]
// CHECK:           bufferization.materialize_in_destination
func.func @maps(%h: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %o:2 = mp.kernel "maps_0" nodes -> tensor<?x8xf32>, tensor<?x8xf32> {
    %u:2 = mp.update (%hi = %h : tensor<?x8xf32>) -> tensor<?x8xf32>, tensor<?x8xf32> {
      %s = arith.addf %hi, %hi : tensor<8xf32>
      %p = arith.mulf %hi, %s : tensor<8xf32>
      mp.yield %s, %p : tensor<8xf32>, tensor<8xf32>
    }
    mp.yield %u#0, %u#1 : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %o#0, %o#1 : tensor<?x8xf32>, tensor<?x8xf32>
}
