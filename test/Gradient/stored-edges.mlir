// Values of edges that no message made, scans and look-ups of them, below messages whose values are
// stored.
// RUN: %python -c "import numpy as np; r = np.random.default_rng(1); \
// RUN:   np.save(r'%t.k.npy', r.integers(0, 25, 25)); np.save(r'%t.e.npy', r.standard_normal(25, 'f'))"
// DEFINE: %{run} = clique-run -O1 %s --graph=complete:5 --gradients --verify
// RUN: %{run} --entry=scans | FileCheck %s
// RUN: %{run} --entry=lookups --input=k=%t.k.npy --input=e=%t.e.npy | FileCheck %s
// RUN: %{run} --entry=lookups --input=k=%t.k.npy --input=e=%t.e.npy --second-order | FileCheck %s
// CHECK: verify {{.*}}central differences {{.*}}: ok
// CHECK: verify {{.*}}max error {{.*}}: ok

func.func @scans(%g: !mp.graph, %e: !mp.edges<f32>, %h: tensor<?xf32>) -> tensor<?xf32> {
  %l1:2 = mp.scan %g from(%s = %h : tensor<?xf32>) edge(%x = %e : !mp.edges<f32>) -> tensor<?xf32>, !mp.edges<f32> {
    %n = arith.mulf %s, %x : tensor<f32>
    mp.yield %n, %s : tensor<f32>, tensor<f32>
  }
  %q = mp.message %g edge(%a = %l1#1 : !mp.edges<f32>) -> !mp.edges<f32> {
    %z = math.sin %a : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  %l2:2 = mp.scan %g from(%s = %h : tensor<?xf32>) edge(%x = %q : !mp.edges<f32>) -> tensor<?xf32>, !mp.edges<f32> {
    %n = arith.mulf %s, %x : tensor<f32>
    mp.yield %n, %s : tensor<f32>, tensor<f32>
  }
  %r = mp.message %g edge(%a = %l2#1 : !mp.edges<f32>) -> !mp.edges<f32> {
    %z = math.sin %a : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  %o = mp.aggregate %g sum %r : (!mp.edges<f32>) -> tensor<?xf32>
  return %o : tensor<?xf32>
}

func.func @lookups(%g: !mp.graph, %e: !mp.edges<f32>, %k: tensor<?xi64>) -> tensor<?xf32> {
  %l1 = mp.lookup %e[%k] : !mp.edges<f32>, tensor<?xi64> -> !mp.edges<f32>
  %q = mp.message %g edge(%a = %l1 : !mp.edges<f32>) -> !mp.edges<f32> {
    %z = math.sin %a : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  %l2 = mp.lookup %q[%k] : !mp.edges<f32>, tensor<?xi64> -> !mp.edges<f32>
  %r = mp.message %g edge(%a = %l2 : !mp.edges<f32>) -> !mp.edges<f32> {
    %z = math.sin %a : tensor<f32>
    mp.yield %z : tensor<f32>
  }
  %o = mp.aggregate %g sum %r : (!mp.edges<f32>) -> tensor<?xf32>
  return %o : tensor<?xf32>
}
