// Products of bf16 become products of words of two, where the CPU has them.
// RUN: clique-opt %s --clique-pair-products | FileCheck %s
// RUN: sed 's/, bf16_pairs = true//' %s | clique-opt --clique-pair-products | FileCheck %s --check-prefix=NONE
// NONE-NOT: mp.pair
// NONE-NOT: mp.dot_pairs

#id = affine_map<(i, j) -> (i, j)>
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

module attributes {mp.target = #mp.cpu<vector_bits = 512, registers = 32, bf16_pairs = true>} {

// Both operands are widened; the left one is a slice of what is paired once,
// weights say by an attribute what they were.
// CHECK-LABEL: func.func private @widened
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<24x64xbf16>)
// CHECK:           arith.extf
// CHECK:         %[[LOW:.*]] = tensor.extract_slice %[[WIDE]][0, 0] [24, 32] [1, 1]
// CHECK:         %[[HIGH:.*]] = tensor.extract_slice %[[WIDE]][0, 32] [24, 32] [1, 1]
// CHECK:         %[[WORDS:.*]] = linalg.generic {{.*}} ins(%[[LOW]], %[[HIGH]] : tensor<24x32xf32>, tensor<24x32xf32>)
// CHECK:           mp.pair %{{.*}}, %{{.*}} : (f32, f32) -> i32
// CHECK:         %[[ROWS:.*]] = tensor.extract_slice %[[WORDS]][%{{.*}}, 0] [12, 32] [1, 1]
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[ROWS]], %{{.*}} : tensor<12x32xi32>, tensor<32x48xi32>) outs(%{{.*}} : tensor<12x48xf32>)
// CHECK:           mp.dot_pairs %{{.*}}, %{{.*}}, %{{.*}} : (f32, i32, i32) -> f32
func.func private @widened(%h: tensor<24x64xbf16>, %row: index,
                           %w: memref<64x48xf32> {mp.widened_from = bf16}, %zero: tensor<12x48xf32>)
    -> tensor<12x48xf32> {
  %weights = bufferization.to_tensor %w restrict : memref<64x48xf32> to tensor<64x48xf32>
  %empty = tensor.empty() : tensor<24x64xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<24x64xbf16>) outs(%empty : tensor<24x64xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %x = arith.extf %in : bf16 to f32
    linalg.yield %x : f32
  } -> tensor<24x64xf32>
  %rows = tensor.extract_slice %wide[%row, 0] [12, 64] [1, 1] : tensor<24x64xf32> to tensor<12x64xf32>
  %c = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%rows, %weights : tensor<12x64xf32>, tensor<64x48xf32>) outs(%zero : tensor<12x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x48xf32>
  return %c : tensor<12x48xf32>
}

func.func private @use(tensor<12x48xf32>)

// The left operand is computed: it is rounded where all floats are of bf16 ...
// CHECK-LABEL: func.func private @rounded
// CHECK:         mp.pair
// CHECK:         mp.dot_pairs
func.func private @rounded(%out: memref<?xbf16>, %w: memref<64x48xf32> {mp.widened_from = bf16}) {
  %weights = bufferization.to_tensor %w restrict : memref<64x48xf32> to tensor<64x48xf32>
  %p = tensor.empty() : tensor<12x64xf32>
  %zero = tensor.empty() : tensor<12x48xf32>
  %c = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %weights : tensor<12x64xf32>, tensor<64x48xf32>) outs(%zero : tensor<12x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x48xf32>
  call @use(%c) : (tensor<12x48xf32>) -> ()
  return
}

// ... and not where some are of f32.
// CHECK-LABEL: func.func private @exact
// CHECK-NOT:     mp.dot_pairs
func.func private @exact(%out: memref<?xf32>, %w: memref<64x48xf32> {mp.widened_from = bf16}) {
  %weights = bufferization.to_tensor %w restrict : memref<64x48xf32> to tensor<64x48xf32>
  %p = tensor.empty() : tensor<12x64xf32>
  %zero = tensor.empty() : tensor<12x48xf32>
  %c = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %weights : tensor<12x64xf32>, tensor<64x48xf32>) outs(%zero : tensor<12x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x48xf32>
  call @use(%c) : (tensor<12x48xf32>) -> ()
  return
}

// A part of the summed rows would be paired for each product by itself.
// CHECK-LABEL: func.func private @border
// CHECK-NOT:     mp.dot_pairs
func.func private @border(%out: memref<?xbf16>, %w: memref<64x48xf32> {mp.widened_from = bf16}) {
  %weights = bufferization.to_tensor %w restrict : memref<64x48xf32> to tensor<64x48xf32>
  %part = tensor.extract_slice %weights[32, 0] [32, 48] [1, 1] : tensor<64x48xf32> to tensor<32x48xf32>
  %p = tensor.empty() : tensor<12x32xf32>
  %zero = tensor.empty() : tensor<12x48xf32>
  %c = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %part : tensor<12x32xf32>, tensor<32x48xf32>) outs(%zero : tensor<12x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x48xf32>
  call @use(%c) : (tensor<12x48xf32>) -> ()
  return
}

// Weights in another shape, and keys that a loop lays out, part by part.
// CHECK-LABEL: func.func private @carried
// CHECK:         mp.dot_pairs
// CHECK:         mp.dot_pairs
// CHECK-NOT:     arith.mulf
func.func private @carried(%w: memref<64x6x8xf32> {mp.widened_from = bf16}, %k: tensor<48x64xbf16>,
                           %n: index, %out: memref<?xbf16>) {
  %p = tensor.empty() : tensor<12x64xf32>
  %weights = bufferization.to_tensor %w restrict : memref<64x6x8xf32> to tensor<64x6x8xf32>
  %flat = tensor.collapse_shape %weights [[0], [1, 2]] : tensor<64x6x8xf32> into tensor<64x48xf32>
  %zero = tensor.empty() : tensor<12x48xf32>
  %c = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %flat : tensor<12x64xf32>, tensor<64x48xf32>) outs(%zero : tensor<12x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x48xf32>
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %whole = tensor.empty() : tensor<64x48xf32>
  %keys = scf.for %at = %c0 to %n step %c16 iter_args(%laid = %whole) -> (tensor<64x48xf32>) {
    %part = tensor.extract_slice %k[%at, 0] [16, 64] [1, 1] : tensor<48x64xbf16> to tensor<16x64xbf16>
    %empty = tensor.empty() : tensor<16x64xf32>
    %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%part : tensor<16x64xbf16>) outs(%empty : tensor<16x64xf32>) {
    ^bb0(%in: bf16, %o: f32):
      %x = arith.extf %in : bf16 to f32
      linalg.yield %x : f32
    } -> tensor<16x64xf32>
    %other = tensor.empty() : tensor<64x16xf32>
    %t = linalg.transpose ins(%wide : tensor<16x64xf32>) outs(%other : tensor<64x16xf32>) permutation = [1, 0]
    %next = tensor.insert_slice %t into %laid[0, %at] [64, 16] [1, 1] : tensor<64x16xf32> into tensor<64x48xf32>
    scf.yield %next : tensor<64x48xf32>
  }
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %keys : tensor<12x64xf32>, tensor<64x48xf32>) outs(%c : tensor<12x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x48xf32>
  call @use(%d) : (tensor<12x48xf32>) -> ()
  return
}

// What a loop carries of f32 is not of bf16, though it begins with nothing.
// CHECK-LABEL: func.func private @states
// CHECK-NOT:     mp.dot_pairs
func.func private @states(%n: index, %counts: tensor<64x48xi32>, %out: memref<?xbf16>) {
  %p = tensor.empty() : tensor<12x64xf32>
  %other = arith.sitofp %counts : tensor<64x48xi32> to tensor<64x48xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %whole = tensor.empty() : tensor<64x48xf32>
  %keys:2 = scf.for %at = %c0 to %n step %c1 iter_args(%x = %whole, %y = %other)
      -> (tensor<64x48xf32>, tensor<64x48xf32>) {
    scf.yield %y, %x : tensor<64x48xf32>, tensor<64x48xf32>
  }
  %zero = tensor.empty() : tensor<12x48xf32>
  %d = linalg.generic {indexing_maps = [#mk, #kn, #mn],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %keys#0 : tensor<12x64xf32>, tensor<64x48xf32>) outs(%zero : tensor<12x48xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %m : f32
    linalg.yield %s : f32
  } -> tensor<12x48xf32>
  call @use(%d) : (tensor<12x48xf32>) -> ()
  return
}
}
