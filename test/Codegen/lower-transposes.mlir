// RUN: clique-opt %s --clique-lower-transposes | FileCheck %s

// CHECK-LABEL: func @square
// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 16, 1, 17, 4, 20,
// CHECK-COUNT-63: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-NOT: vector.transpose
func.func @square(%m: vector<16x16xf32>) -> vector<16x16xf32> {
  %t = vector.transpose %m, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  return %t : vector<16x16xf32>
}

// Of other shapes too nothing is left for the conversion to LLVM.
// CHECK-LABEL: func @other
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @other(%m: vector<3x5xf64>) -> vector<5x3xf64> {
  %t = vector.transpose %m, [1, 0] : vector<3x5xf64> to vector<5x3xf64>
  return %t : vector<5x3xf64>
}

// A vector along columns is one element for each row.
// CHECK-LABEL: func @elements
// CHECK-SAME: %[[X:.*]]: vector<2xf32>
// CHECK: %[[A:.*]] = vector.extract %[[X]][0] : f32 from vector<2xf32>
// CHECK: %[[ROW:.*]] = vector.broadcast %[[A]] : f32 to vector<16xf32>
// CHECK: vector.insert %[[ROW]], %{{.*}} [0] : vector<16xf32> into vector<2x16xf32>
// CHECK: vector.extract %[[X]][1] : f32 from vector<2xf32>
// CHECK-NOT: vector.transpose
// CHECK: return
func.func @elements(%x: vector<2xf32>) -> vector<2x16xf32> {
  %b = vector.broadcast %x : vector<2xf32> to vector<16x2xf32>
  %t = vector.transpose %b, [1, 0] : vector<16x2xf32> to vector<2x16xf32>
  return %t : vector<2x16xf32>
}
