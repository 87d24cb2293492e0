// Floats that are beyond a type of integers give its least or largest number.

// RUN: clique-opt %s -clique-saturate-conversions | FileCheck %s

// CHECK-LABEL: func @signed
// CHECK-SAME: (%[[X:.*]]: f32)
func.func @signed(%x: f32) -> i8 {
  // CHECK: %[[I:.*]] = arith.fptosi %[[X]] : f32 to i8
  // CHECK: %[[LOW:.*]] = arith.cmpf ole, %[[X]], %{{.*}} : f32
  // CHECK: %[[R0:.*]] = arith.select %[[LOW]], %c-128{{.*}}, %[[I]] : i8
  // CHECK: %[[HIGH:.*]] = arith.cmpf oge, %[[X]], %{{.*}} : f32
  // CHECK: %[[R1:.*]] = arith.select %[[HIGH]], %c127{{.*}}, %[[R0]] : i8
  // CHECK: %[[NAN:.*]] = arith.cmpf uno, %[[X]], %[[X]] : f32
  // CHECK: %[[R:.*]] = arith.select %[[NAN]], %c0{{.*}}, %[[R1]] : i8
  // CHECK: return %[[R]]
  %i = arith.fptosi %x : f32 to i8
  return %i : i8
}

// 2^32 is infinite in f16.
// CHECK-LABEL: func @unsigned
// CHECK: arith.cmpf ole, %{{.*}}, %[[ZERO:.*]] : vector<4xf16>
// CHECK: %[[R0:.*]] = arith.select
// CHECK: %[[INFINITY:.*]] = arith.constant dense<0x7C00> : vector<4xf16>
// CHECK: %[[HIGH:.*]] = arith.cmpf oge, %{{.*}}, %[[INFINITY]] : vector<4xf16>
// CHECK: %[[MOST:.*]] = arith.constant dense<-1> : vector<4xi32>
// CHECK: arith.select %[[HIGH]], %[[MOST]], %[[R0]]
// CHECK: arith.cmpf uno
func.func @unsigned(%x: vector<4xf16>) -> vector<4xi32> {
  %i = arith.fptoui %x : vector<4xf16> to vector<4xi32>
  return %i : vector<4xi32>
}
