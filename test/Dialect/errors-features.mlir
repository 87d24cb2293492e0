// The constraints of products, reductions and broadcasts, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @linear_c1_scalar(%x: tensor<f32>, %w: tensor<4x2xf32>) {
  // expected-error@+1 {{'mp.linear' op x is a scalar: use arith.mulf on an mp.broadcast of it}}
  %y = mp.linear %x, %w : (tensor<f32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @linear_c1_prefix(%x: tensor<64xf32>, %w: tensor<32x16xf32>) {
  // expected-error@+1 {{'mp.linear' op x's shape 64 must be a prefix of the weights' shape 32x16: give weights of shape 64x..., or reshape x}}
  %y = mp.linear %x, %w : (tensor<64xf32>, tensor<32x16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @linear_c1_rank(%x: tensor<8x16xf32>, %w: tensor<8xf32>) {
  // expected-error@+1 {{'mp.linear' op x's last dimensions 16, of 8x16, must be the first of the weights' shape 8: give weights of shape 16x..., or reshape x}}
  %y = mp.linear %x, %w : (tensor<8x16xf32>, tensor<8xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @linear_c2(%x: tensor<64xf32>, %w: tensor<64x8x16xf32>) {
  // expected-error@+1 {{'mp.linear' op result has shape 128, expected 8x16: what x leaves of the weights' shape 64x8x16}}
  %y = mp.linear %x, %w : (tensor<64xf32>, tensor<64x8x16xf32>) -> tensor<128xf32>
  return
}

// -----

func.func @linear_c2_scalar(%x: tensor<64xf32>, %w: tensor<64xf32>) {
  // expected-error@+1 {{'mp.linear' op result has shape 1, expected a scalar: what x leaves of the weights' shape 64}}
  %y = mp.linear %x, %w : (tensor<64xf32>, tensor<64xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @linear_c3(%x: tensor<64xf32>, %w: tensor<64x16xf32>, %b: tensor<8xf32>) {
  // expected-error@+1 {{'mp.linear' op bias has type 'tensor<8xf32>', expected the result's type 'tensor<16xf32>'}}
  %y = mp.linear %x, %w bias %b
      : (tensor<64xf32>, tensor<64x16xf32>, tensor<8xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @linear_c4_weights(%x: tensor<64xbf16>, %w: tensor<64x16xf32>) {
  // expected-error@+1 {{'mp.linear' op x has elements of 'bf16', the weights of 'f32', the result of 'bf16': convert to one type with arith.extf or arith.truncf}}
  %y = mp.linear %x, %w : (tensor<64xbf16>, tensor<64x16xf32>) -> tensor<16xbf16>
  return
}

// -----

func.func @linear_c4_result(%x: tensor<64xbf16>, %w: tensor<64x16xbf16>) {
  // expected-error@+1 {{'mp.linear' op x has elements of 'bf16', the weights of 'bf16', the result of 'f32': convert to one type with arith.extf or arith.truncf}}
  %y = mp.linear %x, %w : (tensor<64xbf16>, tensor<64x16xbf16>) -> tensor<16xf32>
  return
}

// -----

func.func @linear_c1_outer(%x: tensor<8x64xf32>, %w: tensor<32x16xf32>) {
  // expected-error@+1 {{'mp.linear' op x's last dimensions 64, of 8x64, must be the first of the weights' shape 32x16: give weights of shape 64x..., or reshape x}}
  %y = mp.linear %x, %w : (tensor<8x64xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @linear_c2_outer(%x: tensor<8x64xf32>, %w: tensor<64x16xf32>) {
  // expected-error@+1 {{'mp.linear' op result has shape 16x8, expected 8x16: x's first dimensions 8, then what x leaves of the weights' shape 64x16}}
  %y = mp.linear %x, %w : (tensor<8x64xf32>, tensor<64x16xf32>) -> tensor<16x8xf32>
  return
}

// -----

func.func @linear_c3_outer(%x: tensor<8x64xf32>, %w: tensor<64x16xf32>, %b: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.linear' op bias has type 'tensor<8x16xf32>', expected 'tensor<16xf32>': what x leaves of the weights' shape}}
  %y = mp.linear %x, %w bias %b
      : (tensor<8x64xf32>, tensor<64x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @linear_dynamic(%x: tensor<4x?xf32>, %w: tensor<64x16xf32>) {
  // expected-error@+1 {{'mp.linear' op operand #0 must be a tensor of bf16, f16, f32 or f64 with static dimensions, but for a first one that counts nodes, but got 'tensor<4x?xf32>'}}
  %y = mp.linear %x, %w : (tensor<4x?xf32>, tensor<64x16xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @linear_nodes_of_weights(%x: tensor<8xf32>, %w: tensor<?x16xf32>) {
  // expected-error@+1 {{'mp.linear' op operand #1 must be a static tensor of bf16, f16, f32 or f64, but got 'tensor<?x16xf32>'}}
  %y = mp.linear %x, %w : (tensor<8xf32>, tensor<?x16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @dot_over_nodes(%x: tensor<?xf32>) {
  // expected-error@+1 {{'mp.dot' op has operand #0 of type 'tensor<?xf32>' and result type 'tensor<f32>': the first dimension of node features stays; to sum over nodes use mp.readout or linalg.reduce}}
  %y = mp.dot %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<f32>
  return
}

// -----

func.func @layer_norm_c1_nodes(%x: tensor<?xf32>) {
  // expected-error@+1 {{'mp.layer_norm' op x has one number for each node, 'tensor<?xf32>': give node features of rank 2 or more}}
  %y = mp.layer_norm %x : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @dot_c1_types(%q: tensor<8x16xf32>, %k: tensor<8x32xf32>) {
  // expected-error@+1 {{'mp.dot' op operands have types 'tensor<8x16xf32>' and 'tensor<8x32xf32>': give two of one type}}
  %s = mp.dot %q, %k : (tensor<8x16xf32>, tensor<8x32xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @dot_c1_scalar(%q: tensor<f32>) {
  // expected-error@+1 {{'mp.dot' op operands are scalars: use arith.mulf}}
  %s = mp.dot %q, %q : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @dot_c2(%q: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.dot' op result has type 'tensor<16xf32>', expected 'tensor<8xf32>': the operands' type without its last dimension}}
  %s = mp.dot %q, %q : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<16xf32>
  return
}

// -----

func.func @reduce_c1_range(%x: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.reduce' op has no dimension 2 to reduce: x has type 'tensor<8x16xf32>' of rank 2}}
  %m = mp.reduce max %x dims [2] : tensor<8x16xf32> -> tensor<8xf32>
  return
}

// -----

func.func @reduce_c1_negative(%x: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.reduce' op has no dimension -1 to reduce: x has type 'tensor<8x16xf32>' of rank 2}}
  %m = mp.reduce max %x dims [-1] : tensor<8x16xf32> -> tensor<8xf32>
  return
}

// -----

func.func @reduce_c1_order(%x: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.reduce' op dims are [1, 0]: name each dimension once, in ascending order}}
  %m = mp.reduce sum %x dims [1, 0] : tensor<8x16xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_c1_twice(%x: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.reduce' op dims are [0, 0]: name each dimension once, in ascending order}}
  %m = mp.reduce sum %x dims [0, 0] : tensor<8x16xf32> -> tensor<16xf32>
  return
}

// -----

func.func @reduce_c2(%x: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.reduce' op result has type 'tensor<8xf32>', expected 'tensor<16xf32>': x's type without the reduced dimensions}}
  %m = mp.reduce mean %x dims [0] : tensor<8x16xf32> -> tensor<8xf32>
  return
}

// -----

func.func @broadcast_c1_prefix(%x: tensor<16xf32>) {
  // expected-error@+1 {{'mp.broadcast' op x's shape 16 must be a prefix of the result's shape 8x16: add 'trailing'}}
  %b = mp.broadcast %x : tensor<16xf32> to tensor<8x16xf32>
  return
}

// -----

func.func @broadcast_c1_suffix(%x: tensor<8xf32>) {
  // expected-error@+1 {{'mp.broadcast' op x's shape 8 must be a suffix of the result's shape 8x16: drop 'trailing'}}
  %b = mp.broadcast %x trailing : tensor<8xf32> to tensor<8x16xf32>
  return
}

// -----

func.func @broadcast_c1_neither(%x: tensor<4xf32>) {
  // expected-error@+1 {{'mp.broadcast' op x's shape 4 must be a prefix of the result's shape 8x16: name the new dimensions (dims [...]), reshape x or change the result's type}}
  %b = mp.broadcast %x : tensor<4xf32> to tensor<8x16xf32>
  return
}

// -----

func.func @broadcast_c1_rank(%x: tensor<8x16xf32>) {
  // expected-error@+1 {{'mp.broadcast' op x's shape 8x16 must be a prefix of the result's shape 8: name the new dimensions (dims [...]), reshape x or change the result's type}}
  %b = mp.broadcast %x : tensor<8x16xf32> to tensor<8xf32>
  return
}

// -----

func.func @broadcast_c3_trailing(%x: tensor<8xf32>) {
  // expected-error@+1 {{'mp.broadcast' op has both 'trailing' and dims: drop 'trailing', dims says where the new dimensions are}}
  %b = mp.broadcast %x trailing dims [0] : tensor<8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_c3_range(%x: tensor<8xf32>) {
  // expected-error@+1 {{'mp.broadcast' op has no dimension 2 to repeat along: the result has type 'tensor<4x8xf32>' of rank 2}}
  %b = mp.broadcast %x dims [2] : tensor<8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_c3_order(%x: tensor<8xf32>) {
  // expected-error@+1 {{'mp.broadcast' op dims are [2, 0]: name each dimension once, in ascending order}}
  %b = mp.broadcast %x dims [2, 0] : tensor<8xf32> to tensor<4x8x2xf32>
  return
}

// -----

func.func @broadcast_c3_shape(%x: tensor<8xf32>) {
  // expected-error@+1 {{'mp.broadcast' op x has shape 8, but the result without dims [1] has 4: name the dimensions that x does not have}}
  %b = mp.broadcast %x dims [1] : tensor<8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<8xf32>) {
  // expected-error@+1 {{'mp.broadcast' op x has elements of 'f32', the result of 'f64': convert x first}}
  %b = mp.broadcast %x : tensor<8xf32> to tensor<8x16xf64>
  return
}

// -----

// At function level a feature op is an mp.update, and its types are those of one.

func.func @no_elements(%x: tensor<?x0xf32>) {
  // expected-error@+1 {{'mp.relu' op has operand #0 of type 'tensor<?x0xf32>': expected positive dimensions, but for a first one that counts nodes}}
  %y = mp.relu %x : tensor<?x0xf32>
  return
}

// -----

func.func @vector_without_elements(%x: tensor<0xf32>) {
  // expected-error@+1 {{'mp.reduce' op has operand #0 of type 'tensor<0xf32>': expected positive dimensions}}
  %y = mp.reduce max %x dims [0] : tensor<0xf32> -> tensor<f32>
  return
}

// -----

func.func @result_without_elements(%x: tensor<?x3xf32>, %w: tensor<3x0xf32>) {
  // expected-error@+1 {{'mp.linear' op has a result of type 'tensor<?x0xf32>': expected positive dimensions}}
  %y = mp.linear %x, %w : (tensor<?x3xf32>, tensor<3x0xf32>) -> tensor<?x0xf32>
  return
}

// -----

func.func @many_elements(%x: tensor<?x4xf32>) {
  // expected-error@+1 {{'mp.broadcast' op has a result of type 'tensor<?x4x8388608xf32>': what is computed for one node has at most 16777216 elements}}
  %y = mp.broadcast %x : tensor<?x4xf32> to tensor<?x4x8388608xf32>
  return
}

// -----

func.func @element_type(%x: tensor<?x4xi16>) {
  // expected-error@+1 {{'mp.broadcast' op has a result of type 'tensor<?x4x2xi16>': expected elements of bf16, f16, f32, f64, i1, i8, i32, i64 or index}}
  %y = mp.broadcast %x : tensor<?x4xi16> to tensor<?x4x2xi16>
  return
}

// -----

// The largest weights are no feature of a node.
func.func @large_weights(%x: tensor<?x8192xf32>, %w: tensor<8192x4096xf32>) -> tensor<?x4096xf32> {
  %y = mp.linear %x, %w : (tensor<?x8192xf32>, tensor<8192x4096xf32>) -> tensor<?x4096xf32>
  return %y : tensor<?x4096xf32>
}
