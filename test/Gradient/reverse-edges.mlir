// The cotangent of what edges bring is summed on the reverse graph, which a graph keeps without the
// numbers of its edges: these are computed when a layer asks for them.
// RUN: %python %S/../Integration/Inputs/make_hubs.py %t.mtx
// RUN: clique-run -O1 %s --graph=%t.mtx --gradients --verify --threads=2 | FileCheck %s
// RUN: clique-run -O1 %s --graph=causal:40 --gradients --lowering=sparse --verify | FileCheck %s
// CHECK: grad_h: max error {{.*}}: ok
// CHECK: grad_e: max error {{.*}}: ok

func.func @layer(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x4xf32>) edge(%x = %e : !mp.edges<4xf32>) -> !mp.edges<4xf32> {
    %y = arith.mulf %x, %hj : tensor<4xf32>
    mp.yield %y : tensor<4xf32>
  }
  %r = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}
