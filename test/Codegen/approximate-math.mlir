// f32 becomes a polynomial, f64 keeps the library.
// RUN: clique-opt %s --clique-approximate-math | FileCheck %s

// CHECK-LABEL: @f32
// CHECK-NOT:     math.exp
// CHECK:         math.fma
func.func @f32(%x: vector<16xf32>) -> vector<16xf32> {
  %e = math.exp %x : vector<16xf32>
  return %e : vector<16xf32>
}

// CHECK-LABEL: @f64
// CHECK:         math.exp
func.func @f64(%x: vector<8xf64>) -> vector<8xf64> {
  %e = math.exp %x : vector<8xf64>
  return %e : vector<8xf64>
}
