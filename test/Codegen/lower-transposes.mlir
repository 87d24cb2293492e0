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
