// RUN: clique-opt %s --mp-differentiate --split-input-file --verify-diagnostics

// What has no derivative is one error at its op.

func.func @monoid(%g: !mp.graph, %h: tensor<?xf32>) -> tensor<?xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?xf32>) -> !mp.edges<f32> {
    mp.yield %hj : tensor<f32>
  }
  // expected-error @below {{'mp.aggregate' op has no derivative: of custom monoids mp-differentiate knows those whose combine adds, multiplies, or takes the maximum or the minimum of each part of the state by itself}}
  %s = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %zero = arith.constant dense<0.0> : tensor<f32>
               mp.yield %zero : tensor<f32> }
    lift { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
              %ab = arith.mulf %a, %b : tensor<f32>
              %s0 = arith.addf %a, %b : tensor<f32>
              %r = arith.addf %s0, %ab : tensor<f32>
              mp.yield %r : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return %s : tensor<?xf32>
}

// -----

func.func @both(%h: tensor<?x8xf32>) -> tensor<?x8xf32> {
  // expected-error @below {{'math.sincos' op has no derivative: mp-differentiate knows no rule for it}}
  %s, %c = math.sincos %h : tensor<?x8xf32>
  %y = arith.addf %s, %c : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}

// -----

func.func @powers(%h: tensor<?x4xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %h, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  // expected-error @below {{'linalg.reduce' op has no derivative: mp-differentiate knows structured ops that put a value in place or add one up}}
  %p = linalg.reduce { arith.mulf } ins(%h : tensor<?x4xf32>) outs(%ones : tensor<?xf32>) dimensions = [1]
  return %p : tensor<?xf32>
}
