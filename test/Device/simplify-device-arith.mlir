// RUN: clique-opt %s --pass-pipeline="builtin.module(gpu.module(clique-simplify-device-arith))" | FileCheck %s

gpu.module @clique_device {
  // CHECK-LABEL: func.func @exp(
  // CHECK:         %[[S:.*]] = arith.mulf %arg0, %{{.*}} : vector<4xf32>
  // CHECK:         math.exp2 %[[S]] : vector<4xf32>
  func.func @exp(%x: vector<4xf32>) -> vector<4xf32> {
    %y = math.exp %x : vector<4xf32>
    return %y : vector<4xf32>
  }

  // CHECK-LABEL: func.func @double(
  // CHECK:         math.exp %arg0 : f64
  func.func @double(%x: f64) -> f64 {
    %y = math.exp %x : f64
    return %y : f64
  }

  // CHECK-LABEL: func.func @divide(
  // CHECK-NOT:     arith.ceildivui
  // CHECK:         arith.divui
  func.func @divide(%x: index, %y: index) -> index {
    %z = arith.ceildivui %x, %y : index
    return %z : index
  }

  // CHECK-LABEL: func.func @maximum(
  // CHECK:         arith.maxnumf
  func.func @maximum(%x: f32, %y: f32) -> f32 {
    %z = arith.maxnumf %x, %y : f32
    return %z : f32
  }
}
