// Elementwise ops join their user where nothing is done twice.
// RUN: clique-opt %s --clique-fuse-elementwise --split-input-file | FileCheck %s

#row = affine_map<(i, j) -> (i, j)>

// One elementwise op behind another: one op.
// CHECK-LABEL: func.func @chain
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @chain(%x: tensor<8x16xf32>, %y: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%e, %y : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %r = arith.addf %a, %b : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  return %s : tensor<8x16xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#in = affine_map<(i, j, k) -> (i, k)>
#weights = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>

// In front of a product the exponential would be evaluated for each column.
// CHECK-LABEL: func.func @product
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}}["parallel", "parallel", "reduction"]
// CHECK-NOT:       math.exp
// CHECK:         return
func.func @product(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>, %init: tensor<8x32xf32>)
    -> tensor<8x32xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = math.exp %a : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %p = linalg.generic {indexing_maps = [#in, #weights, #out],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e, %w : tensor<8x16xf32>, tensor<16x32xf32>) outs(%init : tensor<8x32xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32):
      %m = arith.mulf %a, %b : f32
      %r = arith.addf %c, %m : f32
      linalg.yield %r : f32
  } -> tensor<8x32xf32>
  return %p : tensor<8x32xf32>
}

// -----

#row = affine_map<(i, j) -> (i, j)>
#first = affine_map<(i, j) -> (i)>

// A sum along rows visits each element once: the square joins it.
// CHECK-LABEL: func.func @sum
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK-NOT:     linalg.generic
// CHECK:         return
func.func @sum(%x: tensor<8x16xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<8x16xf32>
  %e = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.mulf %a, %a : f32
      linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %s = linalg.generic {indexing_maps = [#row, #first], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x16xf32>) outs(%init : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32):
      %r = arith.addf %b, %a : f32
      linalg.yield %r : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}
