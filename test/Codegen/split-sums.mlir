// Sums of dynamic or great length, in blocks of blocks; not what is short, or no
// sum. Those of kernels by themselves, of known sizes all through.
// RUN: clique-opt %s --clique-split-sums | FileCheck %s
// RUN: clique-opt %s --clique-split-sums=block-size=16 | FileCheck %s --check-prefix=SMALL
// RUN: clique-opt %s --clique-split-sums="block-size=16 kernels" | FileCheck %s --check-prefix=KERNEL
// RUN: clique-opt %s --clique-split-sums="block-size=16 kernels products" | FileCheck %s --check-prefix=PRODUCTS

// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[X:.*]]: tensor<?xf32>, %[[INIT:.*]]: tensor<f32>)
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c262144 iter_args(%[[OUTER:.*]] = %[[INIT]]) -> (tensor<f32>)
// CHECK:           %[[NEUTRAL:.*]] = linalg.fill
// CHECK:           %[[INNER:.*]] = scf.for {{.*}} step %c512 iter_args(%[[SUM:.*]] = %[[NEUTRAL]]) -> (tensor<f32>)
// CHECK:             %[[SLICE:.*]] = tensor.extract_slice %[[X]]
// CHECK:             %[[PART:.*]] = linalg.reduce {{.*}}ins(%[[SLICE]] : tensor<?xf32>)
// CHECK:             linalg.generic {{.*}} ins(%[[PART]] : tensor<f32>) outs(%[[SUM]] : tensor<f32>)
// CHECK:               arith.addf
// CHECK:           linalg.generic {{.*}} ins(%[[INNER]] : tensor<f32>) outs(%[[OUTER]] : tensor<f32>)
func.func @sum(%x: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// CHECK-LABEL: func.func @product(
// CHECK:         scf.for {{.*}} step %c262144
// CHECK:           scf.for {{.*}} step %c512
// CHECK:             linalg.matmul
func.func @product(%x: tensor<4x?xf32>, %y: tensor<?x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = linalg.matmul ins(%x, %y : tensor<4x?xf32>, tensor<?x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @short(
// CHECK-NOT:     scf.for
// CHECK:         return
// SMALL-LABEL: func.func @short(
// SMALL:         scf.for {{.*}} step %c256
// SMALL:           scf.for {{.*}} step %c16
// KERNEL-LABEL: func.func @short(
// KERNEL-NOT:    scf.for
// KERNEL:        return
func.func @short(%x: tensor<?x1000xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x1000xf32>) outs(%init : tensor<?xf32>) dimensions = [1]
  return %s : tensor<?xf32>
}

// CHECK-LABEL: func.func @maximum(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @maximum(%x: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.reduce { arith.maximumf } ins(%x : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// CHECK-LABEL: func.func private @kernel(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func private @kernel(%x: tensor<?xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xf32>) outs(%init : tensor<f32>) dimensions = [0]
  return %s : tensor<f32>
}

// CHECK-LABEL: func.func @half(
// CHECK-SAME:    %[[X:.*]]: tensor<?xbf16>, %[[INIT:.*]]: tensor<bf16>)
// CHECK:         %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[INIT]] : tensor<bf16>) outs(%{{.*}} : tensor<f32>)
// CHECK:         %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[WIDE]]) -> (tensor<f32>)
// CHECK:               %[[TERM:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:               arith.addf %{{.*}}, %[[TERM]] : f32
// CHECK:         linalg.generic {{.*}} ins(%[[SUM]] : tensor<f32>) outs(%{{.*}} : tensor<bf16>)
// CHECK:           arith.truncf
func.func @half(%x: tensor<?xbf16>, %init: tensor<bf16>) -> tensor<bf16> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?xbf16>) outs(%init : tensor<bf16>) dimensions = [0]
  return %s : tensor<bf16>
}

// Of several steps each is in f32, and so is what is read there.
// CHECK-LABEL: func.func @half_steps(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<?xf16>) outs(%{{.*}} : tensor<f32>)
// CHECK:           ^bb0(%[[X:.*]]: f16, %[[SUM:.*]]: f32):
// CHECK-NEXT:        %[[C:.*]] = arith.constant {{.*}} : f16
// CHECK-DAG:         %[[CW:.*]] = arith.extf %[[C]] : f16 to f32
// CHECK:             %[[LESS:.*]] = arith.mulf %[[SUM]], %[[CW]] : f32
// CHECK:             %[[XW:.*]] = arith.extf %[[X]] : f16 to f32
// CHECK:             arith.addf %[[LESS]], %[[XW]] : f32
// CHECK:           arith.truncf
func.func @half_steps(%x: tensor<?xf16>, %init: tensor<f16>) -> tensor<f16> {
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<?xf16>) outs(%init : tensor<f16>) {
    ^bb0(%xi: f16, %sum: f16):
      %half = arith.constant 0.5 : f16
      %less = arith.mulf %sum, %half : f16
      %more = arith.addf %less, %xi : f16
      linalg.yield %more : f16
  } -> tensor<f16>
  return %s : tensor<f16>
}

// CHECK-LABEL: func.func @half_extremum(
// CHECK-NOT:     extf
// CHECK:         return
func.func @half_extremum(%x: tensor<?xf16>, %init: tensor<f16>) -> tensor<f16> {
  %s = linalg.reduce { arith.maximumf } ins(%x : tensor<?xf16>) outs(%init : tensor<f16>) dimensions = [0]
  return %s : tensor<f16>
}

// A rest of known size is summed behind the loop.
// SMALL-LABEL:  func.func private @features(
// SMALL-NOT:      scf.for
// SMALL:          return
// KERNEL-LABEL: func.func private @features(
// KERNEL-SAME:    %[[X:.*]]: tensor<4x40xf32>, %[[W:.*]]: tensor<40x8xf32>, %[[INIT:.*]]: tensor<4x8xf32>)
// KERNEL:         %[[LOOP:.*]] = scf.for %[[I:.*]] = %c0 to %c32 step %c16 iter_args(%[[SUM:.*]] = %[[INIT]]) -> (tensor<4x8xf32>)
// KERNEL:           %[[NEUTRAL:.*]] = linalg.fill
// KERNEL:           %[[PART:.*]] = linalg.matmul {{.*}} : tensor<4x16xf32>, tensor<16x8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// KERNEL:           linalg.generic {{.*}} ins(%[[PART]] : tensor<4x8xf32>) outs(%[[SUM]] : tensor<4x8xf32>)
// KERNEL:         %[[REST:.*]] = linalg.matmul {{.*}} : tensor<4x8xf32>, tensor<8x8xf32>)
// KERNEL:         linalg.generic {{.*}} ins(%[[REST]] : tensor<4x8xf32>) outs(%[[LOOP]] : tensor<4x8xf32>)
func.func private @features(%x: tensor<4x40xf32>, %w: tensor<40x8xf32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = linalg.matmul ins(%x, %w : tensor<4x40xf32>, tensor<40x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// Products of pairs of bf16, each of two terms.
// KERNEL-LABEL: func.func private @pairs(
// KERNEL:         scf.for {{.*}} step %c16
// KERNEL:           %[[PART:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x16xi32>, tensor<16x8xi32>)
// KERNEL:             mp.dot_pairs
// KERNEL:           linalg.generic {{.*}} ins(%[[PART]] : tensor<4x8xf32>)
// KERNEL:             arith.addf
func.func private @pairs(%x: tensor<4x48xi32>, %w: tensor<48x8xi32>, %init: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %s = linalg.generic {
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x48xi32>, tensor<48x8xi32>) outs(%init : tensor<4x8xf32>) {
  ^bb0(%a: i32, %b: i32, %sum: f32):
    %next = mp.dot_pairs %sum, %a, %b : (f32, i32, i32) -> f32
    linalg.yield %next : f32
  } -> tensor<4x8xf32>
  return %s : tensor<4x8xf32>
}

// x - x has no error that could grow.
// KERNEL-LABEL: func.func private @exact(
// KERNEL-NOT:     scf.for
// KERNEL:         return
func.func private @exact(%x: tensor<48xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.generic {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<48xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %d = arith.subf %a, %a : f32
    %next = arith.addf %sum, %d : f32
    linalg.yield %next : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

// Only products of matrices, of those above.
// PRODUCTS-LABEL: func.func private @features(
// PRODUCTS:         scf.for
// PRODUCTS-LABEL: func.func private @rows(
// PRODUCTS-NOT:     scf.for
// PRODUCTS:         return
// KERNEL-LABEL: func.func private @rows(
// KERNEL:         scf.for
func.func private @rows(%x: tensor<4x40xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x40xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
  return %s : tensor<4xf32>
}

// A slice is no longer than what it is taken from.
// KERNEL-LABEL: func.func private @slice(
// KERNEL-NOT:     scf.for
// KERNEL:         return
func.func private @slice(%x: tensor<4x16xf32>, %w: tensor<16x8xf32>, %count: index, %init: tensor<4x8xf32>)
    -> tensor<4x8xf32> {
  %first = tensor.extract_slice %x[0, 0] [4, %count] [1, 1] : tensor<4x16xf32> to tensor<4x?xf32>
  %rows = tensor.extract_slice %w[0, 0] [%count, 8] [1, 1] : tensor<16x8xf32> to tensor<?x8xf32>
  %p = linalg.matmul ins(%first, %rows : tensor<4x?xf32>, tensor<?x8xf32>) outs(%init : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %p : tensor<4x8xf32>
}

// Not what has an output for each step.
// CHECK-LABEL: func.func @steps(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @steps(%x: tensor<?x4xf32>, %z: tensor<4xf32>, %y: tensor<?x4xf32>) -> (tensor<4xf32>, tensor<?x4xf32>) {
  %s:2 = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<?x4xf32>) outs(%z, %y : tensor<4xf32>, tensor<?x4xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32):
    %b = arith.addf %c, %a : f32
    %m = arith.addf %d, %a : f32
    linalg.yield %b, %m : f32, f32
  } -> (tensor<4xf32>, tensor<?x4xf32>)
  return %s#0, %s#1 : tensor<4xf32>, tensor<?x4xf32>
}

// A loop of no steps has no blocks.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @nothing(%x: tensor<?x0xf32>, %z: tensor<f32>) -> tensor<f32> {
  %m = linalg.reduce { arith.addf } ins(%x : tensor<?x0xf32>) outs(%z : tensor<f32>) dimensions = [0, 1]
  return %m : tensor<f32>
}
