// Gradients of weights that kernels take part by part of their nodes: of rows and of hubs, in every
// lowering, with rows to spare in a block whose logarithm would be infinite, and on any number of threads.
// RUN: %python %S/../Integration/Inputs/make_hubs.py %t.mtx
// RUN: clique-run -O1 %s --graph=%t.mtx --gradients --verify --threads=2 | FileCheck %s
// RUN: clique-run -O1 %s --graph=%S/../../examples/graphs/karate.mtx --gradients --verify --threads=2 | FileCheck %s
// RUN: clique-run -O1 %s --graph=complete:50 --gradients --verify --threads=2 | FileCheck %s
// RUN: clique-run -O1 %s --graph=complete:1 --gradients --verify | FileCheck %s
// RUN: clique-run -O1 %s --graph=%t.mtx --gradients --threads=1 --output=grad_w=%t.w1.npy --output=grad_b=%t.b1.npy
// RUN: clique-run -O1 %s --graph=%t.mtx --gradients --threads=2 --output=grad_w=%t.w2.npy --output=grad_b=%t.b2.npy
// RUN: cmp %t.w1.npy %t.w2.npy
// RUN: cmp %t.b1.npy %t.b2.npy
// CHECK: grad_w: max error {{.*}}: ok
// CHECK: grad_v: max error {{.*}}: ok
// CHECK: grad_b: max error {{.*}}: ok

func.func @layer(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x2x3xf32>, %v: tensor<6x5xf32>, %b: tensor<5xf32>)
    -> tensor<?x5xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x8xf32>) -> !mp.edges<2x3xf32> {
    %l = mp.linear %hj, %w : (tensor<8xf32>, tensor<8x2x3xf32>) -> tensor<2x3xf32>
    mp.yield %l : tensor<2x3xf32>
  }
  %s = mp.aggregate %g mean %m : (!mp.edges<2x3xf32>) -> tensor<?x2x3xf32>
  %o = mp.update (%si = %s : tensor<?x2x3xf32>) -> tensor<?x5xf32> {
    %q = arith.mulf %si, %si : tensor<2x3xf32>
    %f = tensor.collapse_shape %q [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
    %few = arith.constant dense<0.01> : tensor<6xf32>
    %p = arith.addf %f, %few : tensor<6xf32>
    %e = math.log %p : tensor<6xf32>
    %y = mp.linear %e, %v : (tensor<6xf32>, tensor<6x5xf32>) -> tensor<5xf32>
    %z = arith.addf %y, %b : tensor<5xf32>
    %r = math.tanh %z : tensor<5xf32>
    mp.yield %r : tensor<5xf32>
  }
  return %o : tensor<?x5xf32>
}
