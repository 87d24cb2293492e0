// RUN: clique-opt %s --pass-pipeline="builtin.module(func.func(mp-outline-updates))" | FileCheck %s

// CHECK-LABEL: func.func @linear(
// CHECK:         %[[A:.*]] = mp.kernel "k" sparse -> tensor<?x16xf32> {
// CHECK:           mp.aggregate
// CHECK-NOT:       mp.update
// CHECK:         mp.kernel "k_update" nodes -> tensor<?x8xf32> {
// CHECK:           mp.update (%{{.*}} = %[[A]] : tensor<?x16xf32>)
func.func @linear(%g: !mp.graph, %h: tensor<?x16xf32>, %w: tensor<16x8xf32>) -> tensor<?x8xf32> {
  %o = mp.kernel "k" sparse -> tensor<?x8xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      mp.yield %hj : tensor<16xf32>
    }
    %a = mp.aggregate %g sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %u = mp.update (%ai = %a : tensor<?x16xf32>) -> tensor<?x8xf32> {
      %l = mp.linear %ai, %w : (tensor<16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
      mp.yield %l : tensor<8xf32>
    }
    mp.yield %u : tensor<?x8xf32>
  }
  return %o : tensor<?x8xf32>
}

// Elementwise updates cost nothing more.

// CHECK-LABEL: func.func @elementwise(
// CHECK:         mp.kernel "k" sparse
// CHECK:           mp.update
// CHECK-NOT:     mp.kernel
func.func @elementwise(%g: !mp.graph, %h: tensor<?x16xf32>) -> tensor<?x16xf32> {
  %o = mp.kernel "k" sparse -> tensor<?x16xf32> {
    %v = mp.message %g src(%hj = %h : tensor<?x16xf32>) -> !mp.edges<16xf32> {
      mp.yield %hj : tensor<16xf32>
    }
    %a = mp.aggregate %g sum %v : (!mp.edges<16xf32>) -> tensor<?x16xf32>
    %u = mp.update (%ai = %a : tensor<?x16xf32>) -> tensor<?x16xf32> {
      %l = mp.relu %ai : tensor<16xf32>
      mp.yield %l : tensor<16xf32>
    }
    mp.yield %u : tensor<?x16xf32>
  }
  return %o : tensor<?x16xf32>
}
