// Pairs of bf16 on vectors of any length, and on scalars, in registers of 16 words.
// RUN: clique-opt %s --clique-lower-pairs --canonicalize | FileCheck %s

// CHECK-LABEL: @dot
// CHECK-SAME:    %[[S:.*]]: vector<16xf32>, %[[A:.*]]: vector<16xi32>, %[[B:.*]]: vector<16xi32>
// CHECK-DAG:     %[[X:.*]] = vector.bitcast %[[A]] : vector<16xi32> to vector<32xbf16>
// CHECK-DAG:     %[[Y:.*]] = vector.bitcast %[[B]] : vector<16xi32> to vector<32xbf16>
// CHECK:         x86vector.avx512.dot %[[S]], %[[X]], %[[Y]] : vector<32xbf16> -> vector<16xf32>
func.func @dot(%s: vector<16xf32>, %a: vector<16xi32>, %b: vector<16xi32>) -> vector<16xf32> {
  %r = mp.dot_pairs %s, %a, %b : (vector<16xf32>, vector<16xi32>, vector<16xi32>) -> vector<16xf32>
  return %r : vector<16xf32>
}

// Two rows of a register and a half.
// CHECK-LABEL: @rows
// CHECK-COUNT-4: x86vector.avx512.dot
// CHECK-NOT:     x86vector.avx512.dot
// CHECK-NOT:     mp.dot_pairs
func.func @rows(%s: vector<2x24xf32>, %a: vector<2x24xi32>, %b: vector<2x24xi32>) -> vector<2x24xf32> {
  %r = mp.dot_pairs %s, %a, %b : (vector<2x24xf32>, vector<2x24xi32>, vector<2x24xi32>) -> vector<2x24xf32>
  return %r : vector<2x24xf32>
}

// CHECK-LABEL: @pair
// CHECK-SAME:    %[[LOW:.*]]: vector<16xf32>, %[[HIGH:.*]]: vector<16xf32>
// CHECK-DAG:     %[[BITS:.*]] = arith.constant dense<16> : vector<16xi32>
// CHECK:         %[[L:.*]] = x86vector.avx512.cvt.packed.f32_to_bf16 %[[LOW]]
// CHECK:         %[[L16:.*]] = vector.bitcast %[[L]] : vector<16xbf16> to vector<16xi16>
// CHECK:         %[[L32:.*]] = arith.extui %[[L16]]
// CHECK:         %[[H:.*]] = x86vector.avx512.cvt.packed.f32_to_bf16 %[[HIGH]]
// CHECK:         %[[H16:.*]] = vector.bitcast %[[H]] : vector<16xbf16> to vector<16xi16>
// CHECK:         %[[H32:.*]] = arith.extui %[[H16]]
// CHECK:         %[[UP:.*]] = arith.shli %[[H32]], %[[BITS]]
// CHECK:         arith.ori %[[L32]], %[[UP]]
func.func @pair(%low: vector<16xf32>, %high: vector<16xf32>) -> vector<16xi32> {
  %p = mp.pair %low, %high : (vector<16xf32>, vector<16xf32>) -> vector<16xi32>
  return %p : vector<16xi32>
}

// CHECK-LABEL: @scalar
// CHECK:         x86vector.avx512.dot
// CHECK:         vector.extract {{.*}}[0]
func.func @scalar(%s: f32, %a: i32, %b: i32) -> f32 {
  %r = mp.dot_pairs %s, %a, %b : (f32, i32, i32) -> f32
  return %r : f32
}
