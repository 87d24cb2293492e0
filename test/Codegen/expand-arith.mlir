// Divisions that round are expanded, and maxima that keep NaN; those that pass over NaN are
// instructions of LLVM, but for half precision, which would be functions.
// RUN: clique-opt %s -clique-expand-arith | FileCheck %s

// CHECK-LABEL: func @divisions(
// CHECK-NOT:     arith.ceildiv
// CHECK-NOT:     arith.floordiv
// CHECK:         return
func.func @divisions(%n: index, %m: index) -> (index, index, index) {
  %a = arith.ceildivui %n, %m : index
  %b = arith.ceildivsi %n, %m : index
  %c = arith.floordivsi %n, %m : index
  return %a, %b, %c : index, index, index
}

// CHECK-LABEL: func @maxima(
// CHECK:         arith.maxnumf {{.*}} : vector<16xf32>
// CHECK:         arith.minnumf {{.*}} : f64
// CHECK-NOT:     arith.maxnumf
// CHECK-NOT:     arith.maximumf
// CHECK:         return
func.func @maxima(%v: vector<16xf32>, %w: vector<16xf32>, %x: f64, %y: f64, %h: f16, %k: f16)
    -> (vector<16xf32>, f64, f16, vector<16xf32>) {
  %a = arith.maxnumf %v, %w : vector<16xf32>
  %b = arith.minnumf %x, %y : f64
  %c = arith.maxnumf %h, %k : f16
  %d = arith.maximumf %v, %w : vector<16xf32>
  return %a, %b, %c, %d : vector<16xf32>, f64, f16, vector<16xf32>
}
