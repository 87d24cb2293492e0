// RUN: clique-opt %s --clique-parallel-first | FileCheck %s

// CHECK: #[[$IN:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK: #[[$OUT:.*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @host(
// CHECK:         linalg.generic {indexing_maps = [#[[$IN]], #[[$OUT]]], iterator_types = ["parallel", "reduction"]}
// CHECK:         scf.parallel {{.*}} to (%c1)
// CHECK-NEXT:      linalg.fill
// CHECK:         scf.parallel {{.*}} to (%c1
// CHECK-NEXT:      linalg.reduce
// CHECK:         linalg.fill ins({{.*}}) outs(%{{.*}} : memref<64xf32>)
func.func @host(%x: memref<?x64xf32>, %y: memref<64xf32>, %z: memref<f32>, %c: f32) {
  linalg.reduce { arith.addf } ins(%x : memref<?x64xf32>) outs(%y : memref<64xf32>) dimensions = [0]
  linalg.fill ins(%c : f32) outs(%z : memref<f32>)
  linalg.reduce { arith.addf } ins(%y : memref<64xf32>) outs(%z : memref<f32>) dimensions = [0]
  linalg.fill ins(%c : f32) outs(%y : memref<64xf32>)
  return
}

// CHECK-LABEL: func.func private @block(
// CHECK-NOT:     scf.parallel
// CHECK:         linalg.fill
func.func private @block(%z: memref<f32>, %c: f32) attributes {mp.threads = 32 : i64} {
  linalg.fill ins(%c : f32) outs(%z : memref<f32>)
  return
}
