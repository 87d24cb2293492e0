// Feature ops at function level become updates, of one node where they are on a vector.
// RUN: clique-opt %s --mp-outline-features | FileCheck %s

// CHECK-LABEL: func.func @nodes
// CHECK-SAME:    (%[[X:.*]]: tensor<?x4x8xf32>, %[[W:.*]]: tensor<8x3xf32>
// CHECK:         %[[Y:.*]] = mp.update (%[[XI:.*]] = %[[X]] : tensor<?x4x8xf32>) -> tensor<?x4x3xf32> {
// CHECK-NEXT:      %[[R:.*]] = mp.linear %[[XI]], %[[W]] : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT:      mp.yield %[[R]]
// CHECK:         %[[S:.*]] = mp.update (%[[YI:.*]] = %[[Y]] : tensor<?x4x3xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT:      mp.reduce max %[[YI]] dims [1] : tensor<4x3xf32> -> tensor<4xf32>
// CHECK:         %[[B:.*]] = mp.update (%[[SI:.*]] = %[[S]] : tensor<?x4xf32>) -> tensor<?x2x4xf32> {
// CHECK-NEXT:      mp.broadcast %[[SI]] dims [0] : tensor<4xf32> to tensor<2x4xf32>
// CHECK:         %[[D:.*]] = mp.update (%[[P:.*]] = %[[B]] : tensor<?x2x4xf32>, %[[Q:.*]] = %[[B]] : tensor<?x2x4xf32>) -> tensor<?x2xf32> {
// CHECK-NEXT:      mp.dot %[[P]], %[[Q]]
// CHECK:         mp.update
// CHECK-NEXT:      mp.batch_norm %{{.*}} mean %[[M:.*]] variance %[[M]] : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @nodes(%x: tensor<?x4x8xf32>, %w: tensor<8x3xf32>, %m: tensor<2xf32>) -> tensor<?x2xf32> {
  %y = mp.linear %x, %w : (tensor<?x4x8xf32>, tensor<8x3xf32>) -> tensor<?x4x3xf32>
  %s = mp.reduce max %y dims [2] : tensor<?x4x3xf32> -> tensor<?x4xf32>
  %b = mp.broadcast %s dims [1] : tensor<?x4xf32> to tensor<?x2x4xf32>
  %d = mp.dot %b, %b : (tensor<?x2x4xf32>, tensor<?x2x4xf32>) -> tensor<?x2xf32>
  %n = mp.batch_norm %d mean %m variance %m
      : (tensor<?x2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<?x2xf32>
  return %n : tensor<?x2xf32>
}

// CHECK-LABEL: func.func @vector
// CHECK:         %[[X:.*]] = tensor.expand_shape %arg0 {{\[}}[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
// CHECK:         %[[Y:.*]] = mp.update (%{{.*}} = %[[X]] : tensor<1x8xf32>) -> tensor<1xf32>
// CHECK:         tensor.collapse_shape %[[Y]] [] : tensor<1xf32> into tensor<f32>
// CHECK:         tensor.expand_shape %{{.*}} [] output_shape [1] : tensor<f32> into tensor<1xf32>
// CHECK:         mp.update
// CHECK-NEXT:      mp.relu %{{.*}} : tensor<f32>
func.func @vector(%x: tensor<8xf32>, %w: tensor<8xf32>) -> tensor<f32> {
  %y = mp.linear %x, %w : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  %r = mp.relu %y : tensor<f32>
  return %r : tensor<f32>
}

// Inside of regions nothing changes, in loops it does.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK:           mp.update
// CHECK-NEXT:        mp.relu
// CHECK-NEXT:        mp.yield
func.func @loop(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%y = %x) -> (tensor<?x8xf32>) {
    %z = mp.relu %y : tensor<?x8xf32>
    scf.yield %z : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// Each index is a node's; node features that are looked up stay (mp-decompose-readout).
// CHECK-LABEL: func.func @lookup
// CHECK-SAME:    (%[[W:.*]]: tensor<5x8xf32>, %[[X:.*]]: tensor<?x8xf32>, %[[I:.*]]: tensor<?xi32>, %[[J:.*]]: tensor<i64>)
// CHECK:         mp.update (%[[K:.*]] = %[[I]] : tensor<?xi32>) -> tensor<?x8xf32> {
// CHECK-NEXT:      mp.lookup %[[W]][%[[K]]] : tensor<5x8xf32>, tensor<i32> -> tensor<8xf32>
// CHECK:         %[[ONE:.*]] = tensor.expand_shape %[[J]] [] output_shape [1] : tensor<i64> into tensor<1xi64>
// CHECK:         mp.update (%[[K:.*]] = %[[ONE]] : tensor<1xi64>) -> tensor<1x8xf32> {
// CHECK-NEXT:      mp.lookup %[[W]][%[[K]]] : tensor<5x8xf32>, tensor<i64> -> tensor<8xf32>
// CHECK:         mp.lookup %[[X]][%[[I]]] : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
func.func @lookup(%w: tensor<5x8xf32>, %x: tensor<?x8xf32>, %i: tensor<?xi32>, %j: tensor<i64>)
    -> (tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>) {
  %a = mp.lookup %w[%i] : tensor<5x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
  %b = mp.lookup %w[%j] : tensor<5x8xf32>, tensor<i64> -> tensor<8xf32>
  %c = mp.lookup %x[%i] : tensor<?x8xf32>, tensor<?xi32> -> tensor<?x8xf32>
  return %a, %b, %c : tensor<?x8xf32>, tensor<8xf32>, tensor<?x8xf32>
}

// Numbers of the caller leave regions, in their order.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME:    (%[[X:.*]]: tensor<?x8xf32>, %[[T:.*]]: f32, %[[K:.*]]: index)
// CHECK:         %[[I:.*]] = arith.index_cast %[[K]] : index to i32
// CHECK:         %[[F:.*]] = arith.sitofp %[[I]] : i32 to f32
// CHECK:         %[[P:.*]] = arith.mulf %[[F]], %[[T]] : f32
// CHECK:         %[[B:.*]] = tensor.splat %[[P]] : tensor<8xf32>
// CHECK:         %[[E:.*]] = tensor.from_elements %[[T]] : tensor<f32>
// CHECK:         mp.update (%[[XI:.*]] = %[[X]] : tensor<?x8xf32>)
// CHECK-NEXT:      arith.mulf %[[XI]], %[[B]]
// CHECK-NEXT:      mp.broadcast %[[E]]
func.func @scalars(%x: tensor<?x8xf32>, %t: f32, %k: index) -> tensor<?x8xf32> {
  %y = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %i = arith.index_cast %k : index to i32
    %f = arith.sitofp %i : i32 to f32
    %p = arith.mulf %f, %t : f32
    %b = tensor.splat %p : tensor<8xf32>
    %m = arith.mulf %xi, %b : tensor<8xf32>
    %e = tensor.from_elements %t : tensor<f32>
    %s = mp.broadcast %e : tensor<f32> to tensor<8xf32>
    %r = arith.addf %m, %s : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %y : tensor<?x8xf32>
}

// So do reshapes of them; those of weights stay.
// CHECK-LABEL: func.func @reshaped
// CHECK-SAME:    %[[T:[a-z0-9]+]]: f32, %[[W:[a-z0-9]+]]: tensor<2x4xf32>
// CHECK:         %[[S:.*]] = tensor.splat %[[T]] : tensor<2x4xf32>
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[S]]
// CHECK:         mp.update
// CHECK-NEXT:      %[[V:.*]] = tensor.collapse_shape %[[W]]
// CHECK-NEXT:      arith.mulf %[[C]], %[[V]]
func.func @reshaped(%x: tensor<?x8xf32>, %t: f32, %w: tensor<2x4xf32>) -> tensor<?x8xf32> {
  %y = mp.update (%xi = %x : tensor<?x8xf32>) -> tensor<?x8xf32> {
    %s = tensor.splat %t : tensor<2x4xf32>
    %c = tensor.collapse_shape %s [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %v = tensor.collapse_shape %w [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
    %r = arith.mulf %c, %v : tensor<8xf32>
    mp.yield %r : tensor<8xf32>
  }
  return %y : tensor<?x8xf32>
}
