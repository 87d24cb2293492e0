// Linear maps between features of any shape become products with one matrix.
// RUN: clique-opt %s --mp-flatten-linear | FileCheck %s

// CHECK-LABEL: func.func @heads
// CHECK:         %[[W:.*]] = tensor.collapse_shape %arg1 {{\[}}[0], [1, 2]] : tensor<64x8x16xf32> into tensor<64x128xf32>
// CHECK:         %[[B:.*]] = tensor.collapse_shape %arg2 {{\[}}[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
// CHECK:         %[[Y:.*]] = mp.linear %{{.*}}, %[[W]] bias %[[B]] : (tensor<64xf32>, tensor<64x128xf32>, tensor<128xf32>) -> tensor<128xf32>
// CHECK:         tensor.expand_shape %[[Y]] {{\[}}[0, 1]] output_shape [8, 16]
func.func @heads(%h: tensor<?x64xf32>, %w: tensor<64x8x16xf32>, %b: tensor<8x16xf32>)
    -> tensor<?x8x16xf32> {
  %o = mp.update (%hi = %h : tensor<?x64xf32>) -> tensor<?x8x16xf32> {
    %y = mp.linear %hi, %w bias %b : (tensor<64xf32>, tensor<64x8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
    mp.yield %y : tensor<8x16xf32>
  }
  return %o : tensor<?x8x16xf32>
}

// CHECK-LABEL: func.func @toScalar
// CHECK-DAG:     tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<8x16xf32> into tensor<128xf32>
// CHECK:         mp.linear {{.*}} : (tensor<128xf32>, tensor<128xf32>) -> tensor<f32>
// CHECK-NOT:     tensor.expand_shape
func.func @toScalar(%h: tensor<?x8x16xf32>, %w: tensor<8x16xf32>) -> tensor<?xf32> {
  %o = mp.update (%hi = %h : tensor<?x8x16xf32>) -> tensor<?xf32> {
    %y = mp.linear %hi, %w : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<f32>
    mp.yield %y : tensor<f32>
  }
  return %o : tensor<?xf32>
}

// A column is an inner product, whatever the number of unit dimensions.
// CHECK-LABEL: func.func @column
// CHECK-DAG:     %[[W:.*]] = tensor.collapse_shape %arg1 {{\[}}[0, 1, 2]] : tensor<64x1x1xf32> into tensor<64xf32>
// CHECK:         %[[S:.*]] = mp.linear %{{.*}}, %[[W]] : (tensor<3x64xf32>, tensor<64xf32>) -> tensor<3xf32>
// CHECK:         %[[Y:.*]] = mp.broadcast %[[S]] : tensor<3xf32> to tensor<3x1x1xf32>
// CHECK:         %[[B:.*]] = mp.broadcast %arg2 trailing : tensor<1x1xf32> to tensor<3x1x1xf32>
// CHECK:         arith.addf %[[Y]], %[[B]]
func.func @column(%h: tensor<?x3x64xf32>, %w: tensor<64x1x1xf32>, %b: tensor<1x1xf32>)
    -> tensor<?x3x1x1xf32> {
  %o = mp.update (%hi = %h : tensor<?x3x64xf32>) -> tensor<?x3x1x1xf32> {
    %y = mp.linear %hi, %w bias %b
        : (tensor<3x64xf32>, tensor<64x1x1xf32>, tensor<1x1xf32>) -> tensor<3x1x1xf32>
    mp.yield %y : tensor<3x1x1xf32>
  }
  return %o : tensor<?x3x1x1xf32>
}

// CHECK-LABEL: func.func @matrix
// CHECK-NOT:     tensor.
// CHECK:         mp.linear {{.*}} : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
// CHECK-NOT:     tensor.
// CHECK:         mp.yield
func.func @matrix(%h: tensor<?x64xf32>, %w: tensor<64x32xf32>) -> tensor<?x32xf32> {
  %o = mp.update (%hi = %h : tensor<?x64xf32>) -> tensor<?x32xf32> {
    %y = mp.linear %hi, %w : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %o : tensor<?x32xf32>
}

// Outer dimensions of x are the rows of one product.
// CHECK-LABEL: func.func @rows
// CHECK-DAG:     %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2, 3]] : tensor<2x3x8x4xf32> into tensor<6x32xf32>
// CHECK-DAG:     %[[W:.*]] = tensor.collapse_shape %arg1 {{\[}}[0, 1], [2]] : tensor<8x4x5xf32> into tensor<32x5xf32>
// CHECK:         %[[Y:.*]] = mp.linear %[[X]], %[[W]] bias %arg2 : (tensor<6x32xf32>, tensor<32x5xf32>, tensor<5xf32>) -> tensor<6x5xf32>
// CHECK:         tensor.expand_shape %[[Y]] {{\[}}[0, 1], [2]] output_shape [2, 3, 5]
func.func @rows(%h: tensor<?x2x3x8x4xf32>, %w: tensor<8x4x5xf32>, %b: tensor<5xf32>)
    -> tensor<?x2x3x5xf32> {
  %o = mp.update (%hi = %h : tensor<?x2x3x8x4xf32>) -> tensor<?x2x3x5xf32> {
    %y = mp.linear %hi, %w bias %b
        : (tensor<2x3x8x4xf32>, tensor<8x4x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
    mp.yield %y : tensor<2x3x5xf32>
  }
  return %o : tensor<?x2x3x5xf32>
}
