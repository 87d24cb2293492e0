// Sums of dynamic or great length, in blocks of blocks; not those of kernels, nor
// what is short, or no sum.
// RUN: clique-opt %s --clique-split-sums | FileCheck %s
// RUN: clique-opt %s --clique-split-sums=block-size=16 | FileCheck %s --check-prefix=SMALL

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
