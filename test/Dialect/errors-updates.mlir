// The constraints of updates, readouts and what stands in regions, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

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
  // expected-error@+1 {{'mp.yield' op expects parent op to be one of 'mp.message, mp.aggregate, mp.update, mp.readout, mp.scan, mp.kernel, mp.block'}}
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
  // expected-error@+1 {{'mp.aggregate' op mp.score_reference is a finite f64 of a softmax}}
  %a = mp.aggregate %g sum %e {mp.score_reference = 1.0 : f64} : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}

// -----

func.func @infinite_reference(%g: !mp.graph, %e: !mp.edges<f32>) -> tensor<?xf32> {
  // expected-error@+1 {{'mp.aggregate' op mp.score_reference is a finite f64 of a softmax}}
  %a = mp.aggregate %g softmax(%e) {mp.score_reference = 0x7FF0000000000000 : f64} : (!mp.edges<f32>) -> tensor<?xf32>
  return %a : tensor<?xf32>
}
