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
