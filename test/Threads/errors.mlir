// What cannot be launched or spread over threads is said at the op.

// RUN: clique-opt %s --split-input-file --verify-diagnostics --pass-pipeline="builtin.module(func.func(clique-launch-blocks),clique-distribute-to-threads)"

func.func @reduction(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{'scf.parallel' op with a reduction cannot be launched as a kernel}}
  %s = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%x) -> f32 {
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %s : f32
}

// -----

func.func private @unknown_op(%m: memref<8xf32>) attributes {mp.threads = 32 : i64, mp.rows = 0 : i64} {
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %s = arith.constant dense<[2, 4]> : tensor<2xi64>
  // expected-error @below {{'tensor.reshape' op cannot be spread over threads}}
  %r = tensor.reshape %t(%s) : (tensor<8xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func private @scalar_op(%m: memref<8xf32>) attributes {mp.threads = 32 : i64, mp.rows = 0 : i64} {
  %t = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}
      ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = vector.broadcast %a : f32 to vector<2xf32>
    // expected-error @above {{'vector.broadcast' op cannot be spread over threads: write it with elementwise ops of arith and math}}
    %b = vector.extract %v[0] : f32 from vector<2xf32>
    linalg.yield %b : f32
  } -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  return
}

// -----

func.func private @dynamic(%m: memref<?xf32>, %n: index) attributes {mp.threads = 32 : i64, mp.rows = 0 : i64} {
  %t = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  // expected-error @below {{'linalg.exp' op cannot be spread over threads: an operand has a dynamic shape, or is indexed by more than loops}}
  %r = linalg.exp ins(%t : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// -----

func.func private @part_of_rows(%m: memref<8x4xf32>, %n: index) attributes {mp.threads = 32 : i64, mp.rows = 8 : i64} {
  %t = bufferization.to_tensor %m restrict : memref<8x4xf32> to tensor<8x4xf32>
  %e = tensor.empty() : tensor<8x4xf32>
  %x = linalg.exp ins(%t : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %p = tensor.extract_slice %x[0, 0] [%n, 4] [1, 1] : tensor<8x4xf32> to tensor<?x4xf32>
  // expected-error @below {{'tensor.insert_slice' op cannot be spread over threads: rows of a dynamic number come from memory or are filled}}
  %r = tensor.insert_slice %p into %e[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<8x4xf32>
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8x4xf32>, memref<8x4xf32>) -> ()
  return
}

// -----

func.func private @not_the_first_rows(%m: memref<?x4xf32>, %n: index) attributes {mp.threads = 32 : i64, mp.rows = 8 : i64} {
  %c = arith.constant dense<1.0> : tensor<8x4xf32>
  %p = tensor.extract_slice %c[1, 0] [%n, 4] [1, 1] : tensor<8x4xf32> to tensor<?x4xf32>
  // expected-error @below {{'bufferization.materialize_in_destination' op cannot be spread over threads: it stores no first rows of a tile}}
  bufferization.materialize_in_destination %p in restrict writable %m : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  return
}
