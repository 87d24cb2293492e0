// The constraints of messages, aggregations, updates and readouts, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @message_c1_dynamic(%g: !mp.graph, %h: tensor<?x?xf32>) {
  // expected-error@+1 {{'mp.message' op src operand #0 has type 'tensor<?x?xf32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = mp.message %g src(%hj = %h : tensor<?x?xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<0.0> : tensor<f32>
    mp.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @message_c1_empty(%g: !mp.graph, %h: tensor<?x0xf32>) {
  // expected-error@+1 {{'mp.message' op src operand #0 has type 'tensor<?x0xf32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = mp.message %g src(%hj = %h : tensor<?x0xf32>) -> !mp.edges<f32> {
    %c = arith.constant dense<0.0> : tensor<f32>
    mp.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @message_c1_dst_rank(%g: !mp.graph, %h: tensor<f32>) {
  // expected-error@+1 {{'mp.message' op dst operand #0 has type 'tensor<f32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = "mp.message"(%g, %h) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
  ^bb0(%a: tensor<f32>):
    "mp.yield"(%a) : (tensor<f32>) -> ()
  }) : (!mp.graph, tensor<f32>) -> !mp.edges<f32>
  return
}

// -----

func.func @message_c2_type(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.message' op region argument #0 has type 'tensor<4xf32>': expected 'tensor<8xf32>', the feature of its operand}}
  %0 = "mp.message"(%g, %h) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>}> ({
  ^bb0(%a: tensor<4xf32>):
    "mp.yield"(%a) : (tensor<4xf32>) -> ()
  }) : (!mp.graph, tensor<?x8xf32>) -> !mp.edges<4xf32>
  return
}

// -----

func.func @message_c2_order(%g: !mp.graph, %h: tensor<?x8xf32>, %e: !mp.edges<4xf32>) {
  // expected-error@+1 {{'mp.message' op region argument #0 has type 'tensor<4xf32>': expected 'tensor<8xf32>', the feature of its operand}}
  %0 = "mp.message"(%g, %h, %e) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>}> ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<8xf32>):
    "mp.yield"(%a) : (tensor<4xf32>) -> ()
  }) : (!mp.graph, tensor<?x8xf32>, !mp.edges<4xf32>) -> !mp.edges<4xf32>
  return
}

// -----

func.func @message_c2_count(%g: !mp.graph, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.message' op region has 0 arguments: expected 1, one per operand}}
  %0 = "mp.message"(%g, %h) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({
    %c = arith.constant dense<0.0> : tensor<f32>
    "mp.yield"(%c) : (tensor<f32>) -> ()
  }) : (!mp.graph, tensor<?x8xf32>) -> !mp.edges<f32>
  return
}

// -----

func.func @message_c3_type(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<4xf32> {
    // expected-error@+1 {{'mp.yield' op value #0 has type 'tensor<8xf32>': expected 'tensor<4xf32>', the feature of its result}}
    mp.yield %hj : tensor<8xf32>
  }
  return
}

// -----

func.func @message_c3_count(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    // expected-error@+1 {{'mp.yield' op yields 2 values: expected 1, one per result}}
    mp.yield %hj, %hj : tensor<8xf32>, tensor<8xf32>
  }
  return
}

// -----

func.func @message_c3_no_yield(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<8xf32> {
    // expected-error@+1 {{block with no terminator}}
    %a = arith.addf %hj, %hj : tensor<8xf32>
  }
  return
}

// -----

func.func @message_c4_side_effects(%g: !mp.graph, %m: memref<f32>) {
  %0 = mp.message %g -> !mp.edges<f32> {
    // expected-error@+1 {{'memref.load' op has side effects: the regions of 'mp.message' hold pure mathematics only (C4)}}
    %x = memref.load %m[] : memref<f32>
    %t = tensor.from_elements %x : tensor<f32>
    mp.yield %t : tensor<f32>
  }
  return
}

// -----

func.func @message_c4_large(%g: !mp.graph, %h: tensor<?xf32>) {
  %0 = mp.message %g src(%a = %h : tensor<?xf32>) -> !mp.edges<f32> {
    // expected-error@+1 {{'mp.broadcast' op has a result of type 'tensor<4294967296x4294967296xf32>': what is computed for one edge or node has at most 16777216 elements (C4)}}
    %b = mp.broadcast %a : tensor<f32> to tensor<4294967296x4294967296xf32>
    %r = mp.reduce sum %b dims [0, 1] : tensor<4294967296x4294967296xf32> -> tensor<f32>
    mp.yield %r : tensor<f32>
  }
  return
}

// -----

func.func @message_c4_extract(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<f32> {
    %i = arith.constant 0 : index
    // expected-error@+1 {{'tensor.extract' op takes a single element out of a tensor: take a slice with tensor.extract_slice, or a row with mp.lookup (C4 of 'mp.message')}}
    %x = tensor.extract %hj[%i] : tensor<8xf32>
    %t = tensor.from_elements %x : tensor<f32>
    mp.yield %t : tensor<f32>
  }
  return
}

// -----

func.func @message_c4_transpose(%g: !mp.graph, %h: tensor<?x2x4xf32>, %init: tensor<4x2xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x2x4xf32>) -> !mp.edges<4x2xf32> {
    // expected-error@+1 {{'linalg.transpose' op has no place in a region: write elementwise ops of arith and math, the feature ops of mp, tensor.collapse_shape, expand_shape, extract_slice or concat (C4 of 'mp.message')}}
    %t = linalg.transpose ins(%hj : tensor<2x4xf32>) outs(%init : tensor<4x2xf32>) permutation = [1, 0]
    mp.yield %t : tensor<4x2xf32>
  }
  return
}

// -----

func.func @message_c4_generic(%g: !mp.graph, %h: tensor<?x4xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    // expected-error@+1 {{'linalg.generic' op has no place in a region}}
    %t = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
        outs(%hj : tensor<4xf32>) {
    ^bb0(%x: f32):
      linalg.yield %x : f32
    } -> tensor<4xf32>
    mp.yield %t : tensor<4xf32>
  }
  return
}

// -----

func.func @message_c4_empty(%g: !mp.graph, %h: tensor<?x4xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    // expected-error@+1 {{'tensor.extract_slice' op has a result of type 'tensor<0xf32>', which has no elements: the regions of 'mp.message' compute at least one (C4)}}
    %e = tensor.extract_slice %hj[2] [0] [1] : tensor<4xf32> to tensor<0xf32>
    %c = tensor.concat dim(0) %hj, %e : (tensor<4xf32>, tensor<0xf32>) -> tensor<4xf32>
    mp.yield %c : tensor<4xf32>
  }
  return
}

// -----

func.func @message_c4_bitcast(%g: !mp.graph, %h: tensor<?x4xf16>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x4xf16>) -> !mp.edges<4xi1> {
    // expected-error@+1 {{'arith.bitcast' op takes the bits of a number, which is computed in another type than it is stored in: use math.absf, math.copysign or comparisons (C4 of 'mp.message')}}
    %b = arith.bitcast %hj : tensor<4xf16> to tensor<4xi16>
    %z = arith.constant dense<0> : tensor<4xi16>
    %n = arith.cmpi slt, %b, %z : tensor<4xi16>
    mp.yield %n : tensor<4xi1>
  }
  return
}

// -----

func.func @message_c4_sincos(%g: !mp.graph, %h: tensor<?x4xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    // expected-error@+1 {{'math.sincos' op has two results: write math.sin and math.cos (C4 of 'mp.message')}}
    %s, %c = math.sincos %hj : tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return
}

// -----

func.func @message_c4_two_results(%g: !mp.graph, %h: tensor<?x4xi32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x4xi32>) -> !mp.edges<4xi32> {
    // expected-error@+1 {{'arith.mulsi_extended' op has no place in a region}}
    %s, %c = arith.mulsi_extended %hj, %hj : tensor<4xi32>
    mp.yield %s : tensor<4xi32>
  }
  return
}

// -----

func.func @message_c4_collapse_to_scalar(%g: !mp.graph, %h: tensor<?x1xf32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x1xf32>) -> !mp.edges<f32> {
    // expected-error@+1 {{'tensor.collapse_shape' op reshapes to or from a scalar: use mp.broadcast or mp.reduce (C4 of 'mp.message')}}
    %s = tensor.collapse_shape %hj [] : tensor<1xf32> into tensor<f32>
    mp.yield %s : tensor<f32>
  }
  return
}

// -----

func.func @update_c4_expand_from_scalar(%h: tensor<?xf32>) {
  %0 = mp.update (%hi = %h : tensor<?xf32>) -> tensor<?x1xf32> {
    // expected-error@+1 {{'tensor.expand_shape' op reshapes to or from a scalar: use mp.broadcast or mp.reduce (C4 of 'mp.update')}}
    %s = tensor.expand_shape %hi [] output_shape [1] : tensor<f32> into tensor<1xf32>
    mp.yield %s : tensor<1xf32>
  }
  return
}

// -----

func.func @message_c4_offset(%g: !mp.graph, %h: tensor<?x8xf32>, %i: index) {
  %0 = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<2xf32> {
    // expected-error@+1 {{'tensor.extract_slice' op takes a slice at an offset or with a stride that is not constant: use mp.lookup (C4 of 'mp.message')}}
    %s = tensor.extract_slice %hj[%i] [2] [1] : tensor<8xf32> to tensor<2xf32>
    mp.yield %s : tensor<2xf32>
  }
  return
}

// -----

func.func @message_c4_table(%g: !mp.graph, %h: tensor<?x8x2xf32>, %i: tensor<?xi32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x8x2xf32>, %ij = %i : tensor<?xi32>) -> !mp.edges<2xf32> {
    %t = arith.negf %hj : tensor<8x2xf32>
    // expected-error@+1 {{'mp.lookup' op looks up a table that differs from node to node: use a table from outside the region (C4 of 'mp.message')}}
    %s = mp.lookup %t[%ij] : tensor<8x2xf32>, tensor<i32> -> tensor<2xf32>
    mp.yield %s : tensor<2xf32>
  }
  return
}

// -----

func.func @message_c4_dynamic(%g: !mp.graph, %w: tensor<4xf32>) {
  %0 = mp.message %g -> !mp.edges<4xf32> {
    // expected-error@+1 {{'tensor.cast' op has a result of type 'tensor<?xf32>': the regions of 'mp.message' work on static tensors (C4)}}
    %d = tensor.cast %w : tensor<4xf32> to tensor<?xf32>
    %s = tensor.cast %d : tensor<?xf32> to tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return
}

// -----

func.func @message_c4_outside(%g: !mp.graph, %h: tensor<?x8xf32>) {
  %0 = mp.message %g -> !mp.edges<8xf32> {
    %i = arith.constant 0 : index
    // expected-error@+1 {{'tensor.extract_slice' op uses a value of type 'tensor<?x8xf32>' from outside: use weights of static shape, or hand node and edge features in as operands (C4)}}
    %x = tensor.extract_slice %h[%i, 0] [1, 8] [1, 1] : tensor<?x8xf32> to tensor<8xf32>
    mp.yield %x : tensor<8xf32>
  }
  return
}

// -----

func.func @message_without_body(%g: !mp.graph) {
  // expected-error@+1 {{'mp.message' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  %0 = mp.message %g -> !mp.edges<f32> {}
  return
}

// -----

func.func @aggregate_c1_none(%g: !mp.graph) {
  // expected-error@+1 {{'mp.aggregate' op aggregates no value: give at least one}}
  mp.aggregate %g sum : () -> ()
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
  // expected-error@+1 {{'mp.aggregate' op has 3 results for 1 values: expected one each, and at most one more for the log-sum-exp}}
  %0:3 = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<8xf32>) -> (tensor<?x8xf32>, tensor<?xf32>, tensor<?xf32>)
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

// -----

func.func @update_c1_none() {
  // expected-error@+1 {{'mp.update' op has no operand: an update is a function of nodes}}
  %0 = mp.update () -> tensor<?xf32> {
    %c = arith.constant dense<0.0> : tensor<f32>
    mp.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @update_c1_operand(%h: tensor<?x?xf32>) {
  // expected-error@+1 {{'mp.update' op operand #0 has type 'tensor<?x?xf32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = mp.update (%a = %h : tensor<?x?xf32>) -> tensor<?xf32> {
    %c = arith.constant dense<0.0> : tensor<f32>
    mp.yield %c : tensor<f32>
  }
  return
}

// -----

func.func @update_c1_result(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.update' op result #0 has type 'tensor<?x?xf32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x?xf32> {
    mp.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @update_c1_result_rank(%h: tensor<?xf32>) {
  // expected-error@+1 {{'mp.update' op result #0 has type 'tensor<f32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = mp.update (%a = %h : tensor<?xf32>) -> tensor<f32> {
    mp.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @update_c1_sizes(%h: tensor<34x8xf32>) {
  // expected-error@+1 {{'mp.update' op has tensors of 34 and of 33 nodes: expected one number of nodes}}
  %0 = mp.update (%a = %h : tensor<34x8xf32>) -> tensor<33x8xf32> {
    mp.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @update_c2(%h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.update' op region argument #0 has type 'tensor<?x8xf32>': expected 'tensor<8xf32>', the feature of its operand}}
  %0 = "mp.update"(%h) ({
  ^bb0(%a: tensor<?x8xf32>):
    "mp.yield"(%a) : (tensor<?x8xf32>) -> ()
  }) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @update_c3_type(%h: tensor<?x8xf32>) {
  %0 = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf64> {
    // expected-error@+1 {{'mp.yield' op value #0 has type 'tensor<8xf32>': expected 'tensor<8xf64>', the feature of its result}}
    mp.yield %a : tensor<8xf32>
  }
  return
}

// -----

func.func @update_c3_count(%h: tensor<?x8xf32>) {
  %0 = mp.update (%a = %h : tensor<?x8xf32>) -> tensor<?x8xf32> {
    // expected-error@+1 {{'mp.yield' op yields 0 values: expected 1, one per result}}
    mp.yield
  }
  return
}

// -----

func.func @update_c4_side_effects(%h: tensor<?xf32>) {
  %0 = mp.update (%a = %h : tensor<?xf32>) -> tensor<?xf32> {
    // expected-error@+1 {{'vector.print' op has side effects: the regions of 'mp.update' hold pure mathematics only (C4)}}
    vector.print str "node"
    mp.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @update_c4_outside(%h: tensor<?xf32>) {
  %0 = mp.update (%a = %h : tensor<?xf32>) -> tensor<?xf32> {
    %i = arith.constant 0 : index
    // expected-error@+1 {{'tensor.dim' op uses a value of type 'tensor<?xf32>' from outside: use weights of static shape, or hand node and edge features in as operands (C4)}}
    %n = tensor.dim %h, %i : tensor<?xf32>
    mp.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @readout_c3_missing(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.readout' op softmax needs a score: softmax(%score)}}
  %0 = mp.readout %offsets softmax %h : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @readout_c4_missing(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.readout' op custom needs the regions identity, lift, combine and finalise, one block each}}
  %0 = mp.readout %offsets custom %h : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @readout_c4_types(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.readout' op lift argument #0 has type 'tensor<4xf32>': expected 'tensor<8xf32>', the feature of its operand}}
  %0 = mp.readout %offsets custom %h : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x4xf32>
      identity { %z = arith.constant dense<0.0> : tensor<4xf32> mp.yield %z : tensor<4xf32> }
      lift { ^bb0(%x: tensor<4xf32>): mp.yield %x : tensor<4xf32> }
      combine { ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>): mp.yield %a : tensor<4xf32> }
      finalise { ^bb0(%a: tensor<4xf32>): mp.yield %a : tensor<4xf32> }
  return
}

// -----

func.func @readout_c2_custom(%offsets: tensor<?xi64>, %h: tensor<?xf32>) {
  // expected-error@+1 {{'mp.readout' op result 'tensor<4xf32>' has a static number of parts: expected tensor<?x...>}}
  %0 = mp.readout %offsets custom %h : (tensor<?xi64>, tensor<?xf32>) -> tensor<4xf32>
      identity { %z = arith.constant dense<0.0> : tensor<f32> mp.yield %z : tensor<f32> }
      lift { ^bb0(%x: tensor<f32>): mp.yield %x : tensor<f32> }
      combine { ^bb0(%a: tensor<f32>, %b: tensor<f32>): mp.yield %a : tensor<f32> }
      finalise { ^bb0(%a: tensor<f32>): mp.yield %a : tensor<f32> }
  return
}

// -----

func.func @readout_c2_type(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>) {
  // expected-error@+1 {{'mp.readout' op has result type 'tensor<?x4xf32>': expected 'tensor<?x8xf32>'}}
  %0 = mp.readout %offsets sum %h : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @readout_c2_static(%offsets: tensor<?xi64>, %h: tensor<34x8xf32>) {
  // expected-error@+1 {{'mp.readout' op has result type 'tensor<34x8xf32>': expected 'tensor<?x8xf32>'}}
  %0 = mp.readout %offsets sum %h : (tensor<?xi64>, tensor<34x8xf32>) -> tensor<34x8xf32>
  return
}

// -----

func.func @readout_c2_nodes(%offsets: tensor<?xi64>, %h: tensor<f32>) {
  // expected-error@+1 {{'mp.readout' op nodes operand #0 has type 'tensor<f32>': expected a node feature tensor<?x...>, with rank 1 or more and static, positive dimensions after the first}}
  %0 = mp.readout %offsets sum %h : (tensor<?xi64>, tensor<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @readout_c1_integers(%offsets: tensor<?xi64>, %h: tensor<?xi32>) {
  // expected-error@+1 {{'mp.readout' op reads out 'tensor<?xi32>': built-in aggregators take floats}}
  %0 = mp.readout %offsets sum %h : (tensor<?xi64>, tensor<?xi32>) -> tensor<?xi32>
  return
}

// -----

func.func @readout_c3_other(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>, %s: tensor<?xf32>) {
  // expected-error@+1 {{'mp.readout' op only softmax has a score: drop it, or aggregate with softmax}}
  %0 = mp.readout %offsets mean(%s) %h : (tensor<?xi64>, tensor<?xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @readout_c3_prefix(%offsets: tensor<?xi64>, %h: tensor<?x8x4xf32>, %s: tensor<?x4xf32>) {
  // expected-error@+1 {{'mp.readout' op score 'tensor<?x4xf32>' does not fit nodes 'tensor<?x8x4xf32>': expected the same element type, and a feature whose shape is a prefix of theirs}}
  %0 = mp.readout %offsets softmax(%s) %h : (tensor<?xi64>, tensor<?x4xf32>, tensor<?x8x4xf32>) -> tensor<?x8x4xf32>
  return
}

// -----

func.func @readout_c3_type(%offsets: tensor<?xi64>, %h: tensor<?x8xf32>, %s: tensor<?xf16>) {
  // expected-error@+1 {{'mp.readout' op score 'tensor<?xf16>' does not fit nodes 'tensor<?x8xf32>'}}
  %0 = mp.readout %offsets softmax(%s) %h : (tensor<?xi64>, tensor<?xf16>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}

// -----

func.func @spread_c1(%offsets: tensor<?xi64>, %u: tensor<?x8xf32>, %n: index) {
  // expected-error@+1 {{'mp.spread' op has result type 'tensor<?x4xf32>': expected 'tensor<?x8xf32>'}}
  %0 = mp.spread %offsets %u to %n : (tensor<?xi64>, tensor<?x8xf32>) -> tensor<?x4xf32>
  return
}

// -----

func.func @edge_softmax_c1(%g: !mp.graph, %s: !mp.edges<8xi32>) {
  // expected-error@+1 {{'mp.edge_softmax' op has scores '!mp.edges<8xi32>': expected floats}}
  %0 = mp.edge_softmax %g, %s : !mp.graph, !mp.edges<8xi32>
  return
}

// -----

func.func @yield_parent(%x: tensor<8xf32>) {
  // expected-error@+1 {{'mp.yield' op expects parent op to be one of 'mp.message, mp.aggregate, mp.update, mp.readout, mp.kernel'}}
  mp.yield %x : tensor<8xf32>
}

// -----

// C4: an update is of whole tensors of nodes, however many these are.
func.func @update_inside(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<3x4xf32>) {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    // expected-error@+1 {{'mp.update' op has no place in a region}}
    %u = mp.update (%wi = %w : tensor<3x4xf32>) -> tensor<3x4xf32> {
      %y = arith.addf %wi, %hj : tensor<4xf32>
      mp.yield %y : tensor<4xf32>
    }
    %s = mp.reduce sum %u dims [0] : tensor<3x4xf32> -> tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  return
}

// -----

func.func @reference_of_a_sum(%g: !mp.graph, %e: !mp.edges<f32>) -> tensor<?xf32> {
  // expected-error@+1 {{'mp.aggregate' op mp.score_reference is a finite f64 of a softmax or logsumexp}}
  %a = mp.aggregate %g sum %e {mp.score_reference = 1.0 : f64} : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

func.func @infinite_reference(%g: !mp.graph, %e: !mp.edges<f32>) -> tensor<?xf32> {
  // expected-error@+1 {{'mp.aggregate' op mp.score_reference is a finite f64 of a softmax or logsumexp}}
  %a = mp.aggregate %g logsumexp %e {mp.score_reference = 0x7FF0000000000000 : f64} : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
