// The constraints of positions, look-ups, normalisations and activations, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @position_c1(%g: !mp.graph) {
  %m = mp.message %g -> !mp.edges<f32> {
    // expected-error@+1 {{'mp.position' op result #0 must be a tensor<i32> or tensor<i64>, but got 'tensor<f32>'}}
    %i = mp.position dst : tensor<f32>
    mp.yield %i : tensor<f32>
  }
  return
}

// -----

func.func @position_parent() {
  // expected-error@+1 {{'mp.position' op expects parent op 'mp.message'}}
  %i = mp.position dst : tensor<i32>
  return
}

// -----

func.func @lookup_c1_scalar(%table: tensor<f32>, %i: tensor<i32>) {
  // expected-error@+1 {{'mp.lookup' op table is a scalar: give it a first dimension, its rows}}
  %b = mp.lookup %table[%i] : tensor<f32>, tensor<i32> -> tensor<f32>
  return
}

// -----

func.func @lookup_c1_no_rows(%table: tensor<0x4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'mp.lookup' op table has no rows to look up: expected 1 or more}}
  %b = mp.lookup %table[%i] : tensor<0x4xf32>, tensor<i32> -> tensor<4xf32>
  return
}

// -----

func.func @lookup_c1_dynamic(%table: tensor<8x?xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'mp.lookup' op operand #0 must be a tensor with static dimensions, but for a first one that counts nodes, or an edge feature, but got 'tensor<8x?xf32>'}}
  %b = mp.lookup %table[%i] : tensor<8x?xf32>, tensor<i32> -> tensor<?xf32>
  return
}

// -----

func.func @lookup_in_region(%table: tensor<?x8xf32>, %i: tensor<?xi32>) {
  %b = mp.update (%k = %i : tensor<?xi32>) -> tensor<?x8xf32> {
    // expected-error@+1 {{'mp.lookup' op uses a value of type 'tensor<?x8xf32>' from outside: use weights of static shape, or hand node and edge features in as operands (C4)}}
    %r = mp.lookup %table[%k] : tensor<?x8xf32>, tensor<i32> -> tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return
}

// -----

func.func @lookup_c2(%table: tensor<5x8xf32>, %i: tensor<1xi32>) {
  // expected-error@+1 {{'mp.lookup' op operand #1 must be a tensor of i32 or i64 without dimensions or of a dynamic length, but got 'tensor<1xi32>'}}
  %b = mp.lookup %table[%i] : tensor<5x8xf32>, tensor<1xi32> -> tensor<8xf32>
  return
}

// -----

func.func @lookup_c2_edges(%table: !mp.edges<8xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'mp.lookup' op has one index into an edge feature: give one for each edge of the result, a tensor<?xi64>}}
  %b = mp.lookup %table[%i] : !mp.edges<8xf32>, tensor<i32> -> tensor<8xf32>
  return
}

// -----

func.func @lookup_c3_edges(%table: !mp.edges<8xf32>, %i: tensor<?xi64>) {
  // expected-error@+1 {{'mp.lookup' op result has type 'tensor<?x8xf32>', expected '!mp.edges<8xf32>': the edge feature's type}}
  %b = mp.lookup %table[%i] : !mp.edges<8xf32>, tensor<?xi64> -> tensor<?x8xf32>
  return
}

// -----

func.func @lookup_c3_rows(%table: tensor<?x8xf32>, %i: tensor<?xi64>) {
  // expected-error@+1 {{'mp.lookup' op result has type 'tensor<8xf32>', expected 'tensor<?x8xf32>': a row of the table for each index}}
  %b = mp.lookup %table[%i] : tensor<?x8xf32>, tensor<?xi64> -> tensor<8xf32>
  return
}

// -----

func.func @lookup_c3(%table: tensor<5x8xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{'mp.lookup' op result has type 'tensor<5xf32>', expected 'tensor<8xf32>': one row of the table}}
  %b = mp.lookup %table[%i] : tensor<5x8xf32>, tensor<i32> -> tensor<5xf32>
  return
}

// -----

func.func @layer_norm_c1_scalar(%x: tensor<f32>) {
  // expected-error@+1 {{'mp.layer_norm' op x is a scalar: give a tensor of rank 1 or more}}
  %y = mp.layer_norm %x : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @layer_norm_c1_result(%x: tensor<8x64xf32>) {
  // expected-error@+1 {{'mp.layer_norm' op result has type 'tensor<8x64xf64>', expected 'tensor<8x64xf32>': x's type}}
  %y = mp.layer_norm %x : (tensor<8x64xf32>) -> tensor<8x64xf64>
  return
}

// -----

func.func @layer_norm_c2_scale(%x: tensor<8x64xf32>, %g: tensor<8xf32>) {
  // expected-error@+1 {{'mp.layer_norm' op scale has type 'tensor<8xf32>', expected 'tensor<64xf32>': one number per entry of x's last dimension}}
  %y = mp.layer_norm %x scale %g : (tensor<8x64xf32>, tensor<8xf32>) -> tensor<8x64xf32>
  return
}

// -----

func.func @layer_norm_c2_shift(%x: tensor<8x64xf32>, %b: tensor<64xf64>) {
  // expected-error@+1 {{'mp.layer_norm' op shift has type 'tensor<64xf64>', expected 'tensor<64xf32>': one number per entry of x's last dimension}}
  %y = mp.layer_norm %x shift %b : (tensor<8x64xf32>, tensor<64xf64>) -> tensor<8x64xf32>
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<64xf32>) {
  // expected-error@+1 {{'mp.layer_norm' op eps is 0.000000e+00: give a number above 0, such as 1.0e-5}}
  %y = mp.layer_norm %x {eps = 0.0 : f64} : (tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @batch_norm_c1_mean(%x: tensor<64xf32>, %m: tensor<8xf32>) {
  // expected-error@+1 {{'mp.batch_norm' op mean has type 'tensor<8xf32>', expected x's type 'tensor<64xf32>'}}
  %y = mp.batch_norm %x mean %m variance %x
      : (tensor<64xf32>, tensor<8xf32>, tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @batch_norm_c1_variance(%x: tensor<64xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{'mp.batch_norm' op variance has type 'tensor<f32>', expected x's type 'tensor<64xf32>'}}
  %y = mp.batch_norm %x mean %x variance %v
      : (tensor<64xf32>, tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return
}

// -----

func.func @batch_norm_c1_scale(%x: tensor<64xf32>, %g: tensor<64xf64>) {
  // expected-error@+1 {{'mp.batch_norm' op scale has type 'tensor<64xf64>', expected x's type 'tensor<64xf32>'}}
  %y = mp.batch_norm %x mean %x variance %x scale %g
      : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<64xf64>) -> tensor<64xf32>
  return
}

// -----

func.func @batch_norm_c1_shift(%x: tensor<64xf32>, %b: tensor<1xf32>) {
  // expected-error@+1 {{'mp.batch_norm' op shift has type 'tensor<1xf32>', expected x's type 'tensor<64xf32>'}}
  %y = mp.batch_norm %x mean %x variance %x shift %b
      : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>, tensor<1xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @batch_norm_c1_result(%x: tensor<64xf32>) {
  // expected-error@+1 {{'mp.batch_norm' op result has type 'tensor<8xf32>', expected 'tensor<64xf32>': x's type}}
  %y = mp.batch_norm %x mean %x variance %x
      : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @batch_norm_c2(%x: tensor<64xf32>) {
  // expected-error@+1 {{'mp.batch_norm' op eps is -1.000000e+00: give a number above 0, such as 1.0e-5}}
  %y = mp.batch_norm %x mean %x variance %x {eps = -1.0 : f64}
      : (tensor<64xf32>, tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return
}

// -----

func.func @relu_types(%x: tensor<64xf32>) {
  // expected-error@+1 {{'mp.relu' op requires the same type for all operands and results}}
  %y = "mp.relu"(%x) : (tensor<64xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @relu_integers(%x: tensor<64xi32>) {
  // expected-error@+1 {{'mp.relu' op operand #0 must be a tensor of bf16, f16, f32 or f64 with static dimensions, but for a first one that counts nodes, but got 'tensor<64xi32>'}}
  %y = mp.relu %x : tensor<64xi32>
  return
}

// -----

func.func @rows_without_elements(%table: tensor<10x0xf32>, %i: tensor<?xi32>) {
  // expected-error@+1 {{'mp.lookup' op has a result of type 'tensor<?x0xf32>': expected positive dimensions, but for a first one that counts nodes}}
  %y = mp.lookup %table[%i] : tensor<10x0xf32>, tensor<?xi32> -> tensor<?x0xf32>
  return
}
