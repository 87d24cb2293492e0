// The constraints of messages, by number.

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
    // expected-error@+1 {{'linalg.transpose' op has no place in a region: write elementwise ops of arith and math, the feature ops of mp, tensor.collapse_shape, expand_shape, extract_slice, scatter or concat (C4 of 'mp.message')}}
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

func.func @message_c4_scatter(%g: !mp.graph, %h: tensor<?x2xf32>, %i: tensor<?x2x1xi32>) {
  %0 = mp.message %g src(%hj = %h : tensor<?x2xf32>, %ij = %i : tensor<?x2x1xi32>) -> !mp.edges<8xf32> {
    %z = arith.constant dense<0.0> : tensor<8xf32>
    // expected-error@+1 {{'tensor.scatter' op writes more than one slice: give it one index, a tensor of one element, and a source without that dimension (C4 of 'mp.message')}}
    %s = tensor.scatter %hj into %z[%ij] scatter_dims([0]) unique : (tensor<2xf32>, tensor<8xf32>, tensor<2x1xi32>) -> tensor<8xf32>
    mp.yield %s : tensor<8xf32>
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
