// The constraints of aggregations, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @aggregate_c1_none(%g: !mp.graph) {
  // expected-error@+1 {{'mp.aggregate' op aggregates no value: give at least one}}
  mp.aggregate %g sum : () -> ()
  return
}

// -----

func.func @aggregate_c1_no_result(%g: !mp.graph, %s: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op aggregates no value: give at least one}}
  mp.aggregate %g softmax(%s) : (!mp.edges<f32>) -> ()
  return
}

// -----

func.func @aggregate_c1_integers(%g: !mp.graph, %m: !mp.edges<8xi32>) {
  // expected-error@+1 {{'mp.aggregate' op aggregates '!mp.edges<8xi32>': built-in aggregators take floats; convert the value in the message}}
  %0 = mp.aggregate %g sum %m : (!mp.edges<8xi32>) -> tensor<?x8xi32>
  return
}

// -----

func.func @aggregate_c1_score(%g: !mp.graph, %s: !mp.edges<i32>, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op aggregates '!mp.edges<i32>': built-in aggregators take floats; convert the value in the message}}
  %0 = mp.aggregate %g softmax(%s) %m : (!mp.edges<i32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @aggregate_c2_missing(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op softmax needs a score: softmax(%score) %value}}
  %0 = mp.aggregate %g softmax %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @aggregate_c2_superfluous(%g: !mp.graph, %s: !mp.edges<f32>, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op only softmax takes a score}}
  %0 = mp.aggregate %g sum(%s) %m : (!mp.edges<f32>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @aggregate_c2_shape(%g: !mp.graph, %s: !mp.edges<16xf32>, %m: !mp.edges<8x16xf32>) {
  // expected-error@+1 {{'mp.aggregate' op score '!mp.edges<16xf32>' does not fit value '!mp.edges<8x16xf32>': expected a shape that leads the value's shape, and its element type}}
  %0 = mp.aggregate %g softmax(%s) %m : (!mp.edges<16xf32>, !mp.edges<8x16xf32>) -> tensor<?x8x16xf32>
  return
}

// -----

func.func @aggregate_c2_element(%g: !mp.graph, %s: !mp.edges<f64>, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op score '!mp.edges<f64>' does not fit value '!mp.edges<8xf32>': expected a shape that leads the value's shape, and its element type}}
  %0 = mp.aggregate %g softmax(%s) %m : (!mp.edges<f64>, !mp.edges<8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @aggregate_c3_count_softmax(%g: !mp.graph, %s: !mp.edges<f32>, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op has 4 results for 1 values: expected one each, and at most one more for the log-sum-exp and one for its low part}}
  %0:4 = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
  return
}

// -----

func.func @aggregate_c3_low(%g: !mp.graph, %m: !mp.edges<8xbf16>) {
  // expected-error@+1 {{'mp.aggregate' op has the low part of a log-sum-exp as 'tensor<?x8xbf16>': expected f32 or f64; convert the score in the message}}
  %0:2 = mp.aggregate %g softmax(%m) : (!mp.edges<8xbf16>) -> (tensor<?x8xbf16>, tensor<?x8xbf16>)
  return
}

// -----

func.func @aggregate_c3_count(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op has 2 results for 1 values: expected one each}}
  %0:2 = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xf32>)
  return
}

// -----

func.func @aggregate_c3_count_winner(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op has 3 results for 1 values: expected one each, and at most one more for the number of the edge}}
  %0:3 = mp.aggregate %g max %m
      : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi64>, tensor<?x8xi64>)
  return
}

// -----

func.func @aggregate_c3_winner(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op result 'tensor<?x8xi32>' does not fit value '!mp.edges<8xi64>': expected a node tensor of the same feature, tensor<?x...>}}
  %0:2 = mp.aggregate %g max %m : (!mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?x8xi32>)
  return
}

// -----

func.func @aggregate_c3_feature(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op result 'tensor<?x4xf32>' does not fit value '!mp.edges<8xf32>': expected a node tensor of the same feature, tensor<?x...>}}
  %0 = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @aggregate_c3_element(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op result 'tensor<?x8xf64>' does not fit value '!mp.edges<8xf32>': expected a node tensor of the same feature, tensor<?x...>}}
  %0 = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<?x8xf64>
  return
}

// -----

func.func @aggregate_c3_rank(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op result #0 has type 'tensor<f32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<f32>
  return
}

// -----

func.func @aggregate_c3_static(%g: !mp.graph, %m: !mp.edges<8xf32>) {
  // expected-error@+1 {{'mp.aggregate' op result 'tensor<34x8xf32>' has a static number of nodes: expected tensor<?x...>}}
  %0 = mp.aggregate %g sum %m : (!mp.edges<8xf32>) -> tensor<34x8xf32>
  return
}

// -----

func.func @aggregate_c3_custom(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op result 'tensor<34xf32>' has a static number of nodes: expected tensor<?x...>}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<34xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c4_missing(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op custom needs the regions identity, lift, combine and finalise, one block each}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c4_superfluous(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op only custom takes regions: drop them, or aggregate with custom}}
  %0 = mp.aggregate %g sum %m : (!mp.edges<f32>) -> tensor<?xf32>
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_identity(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op identity takes no arguments and ends with mp.yield}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { ^bb0(%c: tensor<f32>): mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_no_state(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op identity yields no state: expected one value at least, such as a zero that combine adds to}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { mp.yield }
    lift { ^bb0(%x: tensor<f32>): mp.yield }
    combine { mp.yield }
    finalise { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_lift_argument(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op lift argument #0 has type 'tensor<f64>': expected 'tensor<f32>', the feature of its operand}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f64>): %y = arith.truncf %x : tensor<f64> to tensor<f32> mp.yield %y : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_lift_count(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op lift has 2 arguments: expected 1, one per operand}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>, %y: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_lift_yield(%g: !mp.graph, %m: !mp.edges<f32>) {
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): %y = arith.extf %x : tensor<f32> to tensor<f64>
      // expected-error@+1 {{'mp.yield' op value #0 has type 'tensor<f64>': expected 'tensor<f32>', the feature of its state}}
      mp.yield %y : tensor<f64> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_combine_arguments(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op combine must take the state twice: the types that identity yields, then the same again}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_combine_yield(%g: !mp.graph, %m: !mp.edges<f32>) {
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      // expected-error@+1 {{'mp.yield' op yields 2 values: expected 1, one per state}}
      mp.yield %a, %b : tensor<f32>, tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_finalise_arguments(%g: !mp.graph, %m: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.aggregate' op finalise must take the state: the types that identity yields}}
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c5_finalise_yield(%g: !mp.graph, %m: !mp.edges<f32>) {
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?x8xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>):
      // expected-error@+1 {{'mp.yield' op value #0 has type 'tensor<f32>': expected 'tensor<8xf32>', the feature of its result}}
      mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c6_side_effects(%g: !mp.graph, %m: !mp.edges<f32>, %r: memref<f32>) {
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %c = arith.constant dense<1.0> : tensor<f32> mp.yield %c : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>):
      %x = arith.constant 0.0 : f32
      // expected-error@+1 {{'memref.store' op has side effects: the regions of 'mp.aggregate' hold pure mathematics only (C6)}}
      memref.store %x, %r[] : memref<f32>
      mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c6_outside(%g: !mp.graph, %m: !mp.edges<f32>, %h: tensor<?xf32>) {
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity {
      %i = arith.constant 0 : index
      // expected-error@+1 {{'tensor.extract_slice' op uses a value of type 'tensor<?xf32>' from outside: use weights of static shape, or hand node and edge features in as operands (C6)}}
      %x = tensor.extract_slice %h[%i] [1] [1] : tensor<?xf32> to tensor<f32>
      mp.yield %x : tensor<f32> }
    lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
    combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
    finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @aggregate_c6_state(%g: !mp.graph, %m: !mp.edges<f32>, %h: tensor<?xf32>) {
  %0 = mp.aggregate %g custom %m : (!mp.edges<f32>) -> tensor<?xf32>
    identity {
      // expected-error@+1 {{'mp.yield' op uses a value of type 'tensor<?xf32>' from outside: use weights of static shape, or hand node and edge features in as operands (C6)}}
      mp.yield %h : tensor<?xf32> }
    lift { ^bb0(%x: tensor<f32>):
      mp.yield %h : tensor<?xf32> }
    combine { ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>): mp.yield %a : tensor<?xf32> }
    finalise { ^bb0(%a: tensor<?xf32>):
      %z = arith.constant dense<0.0> : tensor<f32>
      mp.yield %z : tensor<f32> }
  return
}
