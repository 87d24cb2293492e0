// Two versions of a kernel may bring an update of the same name: their functions
// get names of their own, and are one again where they are the same.
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-nodes | FileCheck %s
// RUN: clique-opt %s --mp-schedule-kernels --mp-outline-blocks --mp-lower-nodes --mp-merge-functions | FileCheck %s --check-prefix=ONCE

// CHECK: func.func private @k_update_nodes(
// CHECK: func.func private @k_update_nodes_1(
// CHECK: func.call @k_update_nodes(
// CHECK: func.call @k_update_nodes_1(

// ONCE:     func.func private @k_update_nodes(
// ONCE-NOT: func.func private
// ONCE:     func.call @k_update_nodes(
// ONCE:     func.call @k_update_nodes(
func.func @versions(%which: i1, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %o = scf.if %which -> (tensor<?x4xf32>) {
    %k = mp.kernel "k_update" nodes -> tensor<?x4xf32> {
      %u = mp.update (%a = %h : tensor<?x4xf32>) -> tensor<?x4xf32> {
        %r = arith.addf %a, %a : tensor<4xf32>
        mp.yield %r : tensor<4xf32>
      }
      mp.yield %u : tensor<?x4xf32>
    }
    scf.yield %k : tensor<?x4xf32>
  } else {
    %k = mp.kernel "k_update" nodes -> tensor<?x4xf32> {
      %u = mp.update (%a = %h : tensor<?x4xf32>) -> tensor<?x4xf32> {
        %r = arith.addf %a, %a : tensor<4xf32>
        mp.yield %r : tensor<4xf32>
      }
      mp.yield %u : tensor<?x4xf32>
    }
    scf.yield %k : tensor<?x4xf32>
  }
  return %o : tensor<?x4xf32>
}

// Functions that others call stay, also the same ones; so do those with other attributes.

// ONCE: func.func @layer(
// ONCE: func.func @layer_forward(
// ONCE: func.func private @marked(
func.func @layer(%c: f32) -> f32 {
  return %c : f32
}
func.func @layer_forward(%c: f32) -> f32 {
  return %c : f32
}
func.func private @marked(%c: f32) -> f32 attributes {llvm.emit_c_interface} {
  return %c : f32
}
func.func private @unmarked(%c: f32) -> f32 {
  return %c : f32
}
// ONCE: func.func private @unmarked(
// ONCE-NOT: @same
// ONCE: func.func @calls
// ONCE: call @unmarked
// ONCE: call @marked
func.func private @same(%c: f32) -> f32 {
  return %c : f32
}
func.func @calls(%c: f32) -> f32 {
  %a = call @same(%c) : (f32) -> f32
  %b = call @marked(%a) : (f32) -> f32
  return %b : f32
}
