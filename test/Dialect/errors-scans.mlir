// The constraints of scans, by number.

// RUN: clique-opt %s -split-input-file -verify-diagnostics

func.func @scan_c1_none(%g: !mp.graph, %e: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.scan' op has no state: give at least one in from(...)}}
  %y = mp.scan %g from() edge(%x = %e : !mp.edges<f32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @scan_c1_no_edge(%g: !mp.graph, %h: tensor<?xf32>) {
  // expected-error@+1 {{'mp.scan' op takes no edge feature: give at least one in edge(...)}}
  %s = mp.scan %g from(%a = %h : tensor<?xf32>) -> tensor<?xf32> {
    mp.yield %a : tensor<f32>
  }
  return
}

// -----

func.func @scan_c1_dynamic(%g: !mp.graph, %h: tensor<?x?xf32>, %e: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.scan' op from operand #0 has type 'tensor<?x?xf32>': expected a node feature}}
  %s = "mp.scan"(%g, %h, %e) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  ^bb0(%a: tensor<?xf32>, %x: tensor<f32>):
    mp.yield %a : tensor<?xf32>
  }) : (!mp.graph, tensor<?x?xf32>, !mp.edges<f32>) -> tensor<?x?xf32>
  return
}

// -----

func.func @scan_c2(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.scan' op region}}
  %s = "mp.scan"(%g, %h, %e) <{operandSegmentSizes = array<i32: 1, 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %x: tensor<4xf32>):
    mp.yield %a : tensor<f32>
  }) : (!mp.graph, tensor<?xf32>, !mp.edges<f32>) -> tensor<?xf32>
  return
}

// -----

func.func @scan_c3_missing(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.scan' op has 0 results for 1 states: expected the last state of each first}}
  mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %e : !mp.edges<f32>) -> () {
    mp.yield
  }
  return
}

// -----

func.func @scan_c3_last(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.scan' op result '!mp.edges<f32>' does not fit state 'tensor<?xf32>': expected a node tensor of the same feature, tensor<?x...>}}
  %y = mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %e : !mp.edges<f32>) -> !mp.edges<f32> {
    mp.yield %x : tensor<f32>
  }
  return
}

// -----

func.func @scan_c3_edges(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>) {
  // expected-error@+1 {{'mp.scan' op result 'tensor<?xf32>' is none of its 1 states: expected an edge feature, !mp.edges<...>}}
  %s:2 = mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %e : !mp.edges<f32>) -> tensor<?xf32>, tensor<?xf32> {
    mp.yield %a, %x : tensor<f32>, tensor<f32>
  }
  return
}

// -----

func.func @scan_c4(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<4xf32>) {
  %s = mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %e : !mp.edges<4xf32>) -> tensor<?xf32> {
    // expected-error@+1 {{'mp.yield' op value #0 has type 'tensor<4xf32>': expected 'tensor<f32>', the feature of its result}}
    mp.yield %x : tensor<4xf32>
  }
  return
}

// -----

func.func @scan_c5(%g: !mp.graph, %h: tensor<?xf32>, %e: !mp.edges<f32>, %n: tensor<?xf32>, %o: tensor<?xi64>) {
  %s = mp.scan %g from(%a = %h : tensor<?xf32>) edge(%x = %e : !mp.edges<f32>) -> tensor<?xf32> {
    // expected-error@+1 {{'mp.readout' op has a result of type 'tensor<?xf32>': the regions of 'mp.scan' work on static tensors (C5)}}
    %r = mp.readout %o sum %n : (tensor<?xi64>, tensor<?xf32>) -> tensor<?xf32>
    mp.yield %a : tensor<f32>
  }
  return
}
