// Vectors run along the loop along which most elements are contiguous, and least lie apart: along
// features those of %b would be read one by one.
// RUN: clique-opt %s --pass-pipeline='builtin.module(func.func(clique-tile-registers,clique-vectorize,canonicalize))' | FileCheck %s
// CHECK-LABEL: func.func private @distances(
// CHECK-NOT:     permutation_map
// CHECK:         vector.transfer_read {{.*}} : tensor<32x16xf32>, vector<16x16xf32>
// CHECK:         vector.multi_reduction <add>, {{.*}} [1] : vector<16x16xf32> to vector<16xf32>
#dst = affine_map<(i, f, j) -> (i, f)>
#src = affine_map<(i, f, j) -> (f, j)>
#mask = affine_map<(i, f, j) -> (j)>
func.func private @distances(%a: tensor<12x32xf32>, %b: tensor<32x16xf32>, %m: tensor<16xf32>,
                             %init: tensor<12x32xf32>) -> tensor<12x32xf32> {
  %r = linalg.generic {indexing_maps = [#dst, #src, #mask, #dst],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %m : tensor<12x32xf32>, tensor<32x16xf32>, tensor<16xf32>) outs(%init : tensor<12x32xf32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %sum: f32):
    %d = arith.subf %x, %y : f32
    %e = arith.mulf %d, %w : f32
    %s = arith.addf %sum, %e : f32
    linalg.yield %s : f32
  } -> tensor<12x32xf32>
  return %r : tensor<12x32xf32>
}
