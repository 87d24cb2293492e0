// RUN: clique-opt %s --clique-split-slices | FileCheck %s

// CHECK-LABEL: func @extract
// CHECK-SAME:    %[[T:.*]]: tensor<7x2x3xf32>
// CHECK:         %[[W:.*]] = tensor.extract_slice %[[T]][0, 1, 0] [4, 1, 3] [2, 1, 1] : tensor<7x2x3xf32> to tensor<4x1x3xf32>
// CHECK:         tensor.collapse_shape %[[W]] {{\[}}[0, 1], [2]] : tensor<4x1x3xf32> into tensor<4x3xf32>
func.func @extract(%t: tensor<7x2x3xf32>) -> tensor<4x3xf32> {
  %s = tensor.extract_slice %t[0, 1, 0] [4, 1, 3] [2, 1, 1] : tensor<7x2x3xf32> to tensor<4x3xf32>
  return %s : tensor<4x3xf32>
}

// CHECK-LABEL: func @extract_of_dynamic
// CHECK:         %[[W:.*]] = tensor.extract_slice %{{.*}}[0, 0, 1] [1, %{{.*}}, 1] [1, 3, 1] : tensor<1x?x2xf32> to tensor<1x?x1xf32>
// CHECK:         tensor.collapse_shape %[[W]] {{\[}}[0, 1, 2]] : tensor<1x?x1xf32> into tensor<?xf32>
func.func @extract_of_dynamic(%t: tensor<1x?x2xf32>, %n: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %t[0, 0, 1] [1, %n, 1] [1, 3, 1] : tensor<1x?x2xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}

// A stride over one entry is none.
// CHECK-LABEL: func @one_entry
// CHECK:         tensor.extract_slice %{{.*}}[0, 1, 0] [7, 1, 1] [1, 1, 1] : tensor<7x2x1xf32> to tensor<7x1xf32>
// CHECK-NOT:     collapse_shape
func.func @one_entry(%t: tensor<7x2x1xf32>) -> tensor<7x1xf32> {
  %s = tensor.extract_slice %t[0, 1, 0] [7, 1, 1] [1, 2, 1] : tensor<7x2x1xf32> to tensor<7x1xf32>
  return %s : tensor<7x1xf32>
}

// CHECK-LABEL: func @insert
// CHECK:         %[[W:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [4, 1, 3] : tensor<4x3xf32> into tensor<4x1x3xf32>
// CHECK:         tensor.insert_slice %[[W]] into %{{.*}}[0, 1, 0] [4, 1, 3] [2, 1, 1] : tensor<4x1x3xf32> into tensor<7x2x3xf32>
func.func @insert(%s: tensor<4x3xf32>, %t: tensor<7x2x3xf32>) -> tensor<7x2x3xf32> {
  %r = tensor.insert_slice %s into %t[0, 1, 0] [4, 1, 3] [2, 1, 1] : tensor<4x3xf32> into tensor<7x2x3xf32>
  return %r : tensor<7x2x3xf32>
}

// CHECK-LABEL: func @strides_alone
// CHECK-NEXT:    tensor.extract_slice
// CHECK-NEXT:    return
func.func @strides_alone(%t: tensor<7x3xf32>) -> tensor<4x3xf32> {
  %s = tensor.extract_slice %t[0, 0] [4, 3] [2, 1] : tensor<7x3xf32> to tensor<4x3xf32>
  return %s : tensor<4x3xf32>
}
