// RUN: clique-opt %s --clique-tile-products --canonicalize | FileCheck %s
// RUN: clique-opt %s --clique-tile-products=part-bytes=4096 --canonicalize | FileCheck %s --check-prefix=SMALL
// RUN: clique-opt %s --clique-tile-products=tf32 --canonicalize | FileCheck %s --check-prefix=TF32

// Weights of 32 KiB: parts of 16 KiB are 64 deep.

// CHECK-LABEL: func.func private @half(
// CHECK:         %[[X:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<64x128xbf16>)
// CHECK:         %[[W:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<128x128xbf16>)
// CHECK:         scf.for %[[K:.*]] = %c0 to %c128 step %c64 iter_args(%[[SUM:.*]] = %{{.*}}) -> (tensor<64x128xf32>) {
// CHECK-DAG:       %[[XK:.*]] = tensor.extract_slice %[[X]][0, %[[K]]] [64, 64] [1, 1]
// CHECK-DAG:       %[[WK:.*]] = tensor.extract_slice %[[W]][%[[K]], 0] [64, 128] [1, 1]
// CHECK:           linalg.generic {{.*}} ins(%[[XK]], %[[WK]] : tensor<64x64xf32>, tensor<64x128xf32>) outs(%[[SUM]] : tensor<64x128xf32>)
// SMALL-LABEL: func.func private @half(
// SMALL:         scf.for {{.*}} step %c16 iter_args
func.func private @half(%x: memref<64x128xbf16>, %w: memref<128x128xbf16>, %o: memref<64x128xbf16>)
    attributes {mp.product_type = bf16, mp.threads = 128 : i64, mp.rows = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<64x128xbf16> to tensor<64x128xbf16>
  %wt = bufferization.to_tensor %w restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %xe = tensor.empty() : tensor<64x128xf32>
  %x32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%xt : tensor<64x128xbf16>) outs(%xe : tensor<64x128xf32>) {
  ^bb0(%in: bf16, %acc: f32):
    %e = arith.extf %in : bf16 to f32
    linalg.yield %e : f32
  } -> tensor<64x128xf32>
  %we = tensor.empty() : tensor<128x128xf32>
  %w32 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%wt : tensor<128x128xbf16>) outs(%we : tensor<128x128xf32>) {
  ^bb0(%in: bf16, %acc: f32):
    %e = arith.extf %in : bf16 to f32
    linalg.yield %e : f32
  } -> tensor<128x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%xe : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x32, %w32 : tensor<64x128xf32>, tensor<128x128xf32>) outs(%fill : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %acc, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %oe = tensor.empty() : tensor<64x128xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x128xf32>) outs(%oe : tensor<64x128xbf16>) {
  ^bb0(%in: f32, %acc: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x128xbf16>
  bufferization.materialize_in_destination %r in writable %o : (tensor<64x128xbf16>, memref<64x128xbf16>) -> ()
  return
}

// Products of f32 are for ordinary units, unless they may be rounded.

// CHECK-LABEL: func.func private @single(
// CHECK-NOT:     scf.for
// TF32-LABEL:  func.func private @single(
// TF32:          scf.for {{.*}} step %c32 iter_args
func.func private @single(%x: memref<64x64xf32>, %w: memref<64x128xf32>, %o: memref<64x128xf32>)
    attributes {mp.threads = 128 : i64, mp.rows = 64 : i64} {
  %zero = arith.constant 0.0 : f32
  %xt = bufferization.to_tensor %x restrict : memref<64x64xf32> to tensor<64x64xf32>
  %wt = bufferization.to_tensor %w restrict : memref<64x128xf32> to tensor<64x128xf32>
  %e = tensor.empty() : tensor<64x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<64x128xf32>) -> tensor<64x128xf32>
  %p = linalg.matmul ins(%xt, %wt : tensor<64x64xf32>, tensor<64x128xf32>) outs(%fill : tensor<64x128xf32>) -> tensor<64x128xf32>
  bufferization.materialize_in_destination %p in writable %o : (tensor<64x128xf32>, memref<64x128xf32>) -> ()
  return
}
