// RUN: clique-opt %s --pass-pipeline="builtin.module(gpu.module(clique-simplify-device-arith))" | FileCheck %s

gpu.module @clique_device {
  // With what the product lost, but where the power is infinite or 0.
  // CHECK-LABEL: func.func @exp(
  // CHECK:         %[[S:.*]] = arith.mulf %arg0, %{{.*}} : vector<4xf32>
  // CHECK:         %[[P:.*]] = math.exp2 %[[S]] : vector<4xf32>
  // CHECK:         %[[LESS:.*]] = arith.negf %[[S]]
  // CHECK:         %[[HIGH:.*]] = math.fma %arg0, %{{.*}}, %[[LESS]]
  // CHECK:         %[[LOST:.*]] = math.fma %arg0, %{{.*}}, %[[HIGH]]
  // CHECK:         %[[PART:.*]] = arith.mulf %[[LOST]]
  // CHECK:         %[[E:.*]] = math.fma %[[P]], %[[PART]], %[[P]]
  // CHECK:         %[[SIZE:.*]] = math.absf %[[S]]
  // CHECK:         %[[IS:.*]] = arith.cmpf olt, %[[SIZE]], %{{.*}}
  // CHECK:         arith.select %[[IS]], %[[E]], %[[P]]
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

  // As many squares as the exponent has bits; a quotient is 0 but for 1 and -1.
  // CHECK-LABEL: func.func @power(
  // CHECK-DAG:     %[[BITS:.*]] = arith.constant 32 : index
  // CHECK:         %[[P:.*]]:3 = scf.for %{{.*}} = %{{.*}} to %[[BITS]]
  // CHECK-COUNT-2:   arith.muli
  // CHECK:         select
  // CHECK-NOT:     math.ipowi
  func.func @power(%x: i32, %y: i32) -> i32 {
    %z = math.ipowi %x, %y : i32
    return %z : i32
  }

  // CHECK-LABEL: func.func @cubes(
  // CHECK-DAG:     %[[BITS:.*]] = arith.constant 2 : index
  // CHECK:         scf.for %{{.*}} = %{{.*}} to %[[BITS]]
  // CHECK-SAME:      vector<4xi64>
  func.func @cubes(%x: vector<4xi64>) -> vector<4xi64> {
    %three = arith.constant dense<3> : vector<4xi64>
    %z = math.ipowi %x, %three : vector<4xi64>
    return %z : vector<4xi64>
  }

  // The weights of a softmax: one multiplication and addition for each score, one
  // multiplication for a row's largest.
  // CHECK-LABEL: func.func @weights(
  // CHECK-SAME:    %[[D:.*]]: vector<4xf32>, %[[MAX:.*]]: f32
  // CHECK-DAG:     %[[LOG2E:.*]] = arith.constant dense<1.44269502> : vector<4xf32>
  // CHECK-DAG:     %[[SCALE:.*]] = arith.constant dense<0.180336878> : vector<4xf32>
  // CHECK:         %[[M:.*]] = vector.broadcast %[[MAX]]
  // CHECK:         %[[X:.*]] = arith.mulf %[[M]], %[[LOG2E]]
  // CHECK:         %[[LESS:.*]] = arith.negf %[[X]]
  // CHECK:         %[[E:.*]] = math.fma %[[D]], %[[SCALE]], %[[LESS]]
  // CHECK-NEXT:    %[[P:.*]] = math.exp2 %[[E]]
  // CHECK-NEXT:    return %[[P]]
  func.func @weights(%d: vector<4xf32>, %max: f32) -> vector<4xf32> {
    %eighth = arith.constant dense<0.125> : vector<4xf32>
    %s = arith.mulf %d, %eighth : vector<4xf32>
    %m = vector.broadcast %max : f32 to vector<4xf32>
    %e = arith.subf %s, %m fastmath<reassoc,contract> : vector<4xf32>
    %p = math.exp %e : vector<4xf32>
    return %p : vector<4xf32>
  }

  // Weights that have a maximum each; a difference that says nothing of its rounding stays.
  // CHECK-LABEL: func.func @differences(
  // CHECK-NOT:     math.fma
  // CHECK:         math.exp2
  // CHECK:         arith.subf
  // CHECK:         math.exp2
  // CHECK:         return
  func.func @differences(%old: vector<4xf32>, %new: vector<4xf32>, %x: f32) -> (vector<4xf32>, vector<4xf32>) {
    %d = arith.subf %old, %new fastmath<reassoc,contract> : vector<4xf32>
    %f = math.exp %d : vector<4xf32>
    %m = vector.broadcast %x : f32 to vector<4xf32>
    %s = arith.subf %old, %m : vector<4xf32>
    %g = math.exp %s : vector<4xf32>
    return %f, %g : vector<4xf32>, vector<4xf32>
  }

  // What rescales a state is of the same products as the weights, and exactly 1 where both
  // maxima are the same.
  // CHECK-LABEL: gpu.func @rescale(
  // CHECK-SAME:    %[[OLD:.*]]: f32, %[[D:.*]]: vector<4xf32>
  // CHECK:         %[[NEW:.*]] = arith.maxnumf %[[OLD]]
  // CHECK:         %[[A:.*]] = arith.mulf %[[OLD]], %{{.*}} : f32
  // CHECK:         %[[B:.*]] = arith.mulf %[[NEW]], %{{.*}} : f32
  // CHECK:         %[[E:.*]] = arith.subf %[[A]], %[[B]] : f32
  // CHECK:         math.exp2 %[[E]] : f32
  gpu.func @rescale(%old: f32, %d: vector<4xf32>, %some: f32, %to: memref<f32>, %weights: memref<vector<4xf32>>) kernel {
    %new = arith.maxnumf %old, %some : f32
    %e = arith.subf %old, %new fastmath<reassoc,contract> : f32
    %scale = math.exp %e : f32
    memref.store %scale, %to[] : memref<f32>
    %m = vector.broadcast %new : f32 to vector<4xf32>
    %s = arith.subf %d, %m fastmath<reassoc,contract> : vector<4xf32>
    %w = math.exp %s : vector<4xf32>
    memref.store %w, %weights[] : memref<vector<4xf32>>
    gpu.return
  }

  // A positive factor leaves the mask and the maximum of registers.
  // CHECK-LABEL: func.func @scaledMaximum(
  // CHECK-SAME:    %[[D:.*]]: vector<4xf32>, %[[MASK:.*]]: vector<4xi1>
  // CHECK:         %[[S:.*]] = arith.select %[[MASK]], %[[D]], %{{.*}}
  // CHECK:         %[[LOW:.*]] = vector.shuffle %[[S]], %[[S]] [0, 1]
  // CHECK:         %[[HIGH:.*]] = vector.shuffle %[[S]], %[[S]] [2, 3]
  // CHECK:         %[[MAX:.*]] = arith.maxnumf %[[LOW]], %[[HIGH]]
  // CHECK:         %[[R:.*]] = arith.mulf %[[MAX]], %{{.*}}
  // CHECK:         return %[[R]]
  func.func @scaledMaximum(%d: vector<4xf32>, %mask: vector<4xi1>) -> vector<2xf32> {
    %eighth = arith.constant dense<0.125> : vector<4xf32>
    %none = arith.constant dense<0xFF800000> : vector<4xf32>
    %s = arith.mulf %d, %eighth : vector<4xf32>
    %m = arith.select %mask, %s, %none : vector<4xi1>, vector<4xf32>
    %low = vector.shuffle %m, %m [0, 1] : vector<4xf32>, vector<4xf32>
    %high = vector.shuffle %m, %m [2, 3] : vector<4xf32>, vector<4xf32>
    %max = arith.maxnumf %low, %high : vector<2xf32>
    return %max : vector<2xf32>
  }

  // A negative one would make the smallest the largest.
  // CHECK-LABEL: func.func @negative(
  // CHECK-COUNT-2: arith.mulf
  // CHECK:         arith.maxnumf
  func.func @negative(%x: f32, %y: f32) -> f32 {
    %minus = arith.constant -2.0 : f32
    %a = arith.mulf %x, %minus : f32
    %b = arith.mulf %y, %minus : f32
    %max = arith.maxnumf %a, %b : f32
    return %max : f32
  }
}
