// Copies of rows are maxima over one edge each (DecomposeReadout.cpp): that edge has the gradient,
// and no winner is kept.
// RUN: clique-opt %s --mp-differentiate | FileCheck %s --implicit-check-not="xi64> {mp.name = \"kept"
// CHECK-LABEL: func.func @nodes_forward(
// CHECK-LABEL: func.func @nodes_backward(
// CHECK:         mp.aggregate {{.*}} sum
// RUN: %python -c "import numpy as np; r = np.random.default_rng(1); \
// RUN:   np.save(r'%t.h.npy', r.standard_normal((5, 4), 'f')); \
// RUN:   np.save(r'%t.k.npy', np.array([4, 0, 0, 7, -1, 2], 'i4')); \
// RUN:   np.save(r'%t.e.npy', r.integers(0, 25, 25)); \
// RUN:   np.save(r'%t.o.npy', np.array([0, 2, 2, 5]))"
// DEFINE: %{run} = clique-run -O1 %s --gradients --verify
// RUN: %{run} --entry=nodes --input=h=%t.h.npy --input=k=%t.k.npy | FileCheck %s --check-prefix=GRAD
// RUN: %{run} --entry=edges --graph=complete:5 --input=k=%t.e.npy | FileCheck %s --check-prefix=GRAD
// RUN: %{run} --entry=parts --input=h=%t.h.npy --input=o=%t.o.npy | FileCheck %s --check-prefix=GRAD
// RUN: %{run} --entry=parts --input=h=%t.h.npy --input=o=%t.o.npy --second-order | FileCheck %s --check-prefix=GRAD
// GRAD: verify {{.*}}central differences {{.*}}: ok
// GRAD: verify {{.*}}max error {{.*}}: ok

func.func @nodes(%h: tensor<?x4xf32>, %k: tensor<?xi32>) -> tensor<?x4xf32> {
  %y = mp.lookup %h[%k] : tensor<?x4xf32>, tensor<?xi32> -> tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}

func.func @edges(%g: !mp.graph, %h: tensor<?xf32>, %k: tensor<?xi64>) -> tensor<?xf32> {
  %q = mp.message %g src(%a = %h : tensor<?xf32>) -> !mp.edges<f32> {
    %z = math.sin %a : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  %l = mp.lookup %q[%k] : !mp.edges<f32>, tensor<?xi64> -> !mp.edges<f32>
  %r = mp.message %g edge(%a = %l : !mp.edges<f32>) -> !mp.edges<f32> {
    %z = math.sin %a : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  %o = mp.aggregate %g sum %r : (!mp.edges<f32>) -> tensor<?xf32>
  return %o : tensor<?xf32>
}

// The distance of each node from the mean of its part.
func.func @parts(%h: tensor<?x4xf32>, %o: tensor<?xi64>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %h, %c0 : tensor<?x4xf32>
  %m = mp.readout %o mean %h : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %s = mp.spread %o %m to %n : (tensor<?xi64>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %d = arith.subf %h, %s : tensor<?x4xf32>
  %y = arith.mulf %d, %d : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
