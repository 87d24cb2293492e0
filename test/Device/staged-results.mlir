// A tile that lies in shared memory for a product is a result as well, and
// numbers of edges come to a tile one by one.
//
// REQUIRES: emulation
// RUN: %python -c "import numpy; numpy.save('%t.npy', numpy.ones((70, 64), 'f'))"
// RUN: clique-run %s --entry=returned --input=x=%t.npy --target=cuda --gpu-arch=emulated --emulate --verify | FileCheck %s
// RUN: clique-run %s --entry=numbers --graph=complete:37 --lowering=dense --target=cuda --gpu-arch=emulated --emulate --verify | FileCheck %s
// CHECK: verify {{.*}}: ok
// CHECK-NOT: too large

func.func @returned(%x: tensor<?x64xf32>, %w: tensor<64x128xf32>) -> (tensor<?x64xf32>, tensor<?x128xf32>) {
  %r:2 = mp.update (%xi = %x : tensor<?x64xf32>) -> tensor<?x64xf32>, tensor<?x128xf32> {
    %y = mp.linear %xi, %w : (tensor<64xf32>, tensor<64x128xf32>) -> tensor<128xf32>
    mp.yield %xi, %y : tensor<64xf32>, tensor<128xf32>
  }
  return %r#0, %r#1 : tensor<?x64xf32>, tensor<?x128xf32>
}

func.func @numbers(%g: !mp.graph, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g dst(%xi = %x : tensor<?x4xf32>) src(%xj = %x : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %n = mp.position edge : tensor<i64>
    %f = arith.sitofp %n : tensor<i64> to tensor<f32>
    %b = mp.broadcast %f : tensor<f32> to tensor<4xf32>
    %p = arith.mulf %xi, %xj : tensor<4xf32>
    %r = arith.mulf %p, %b : tensor<4xf32>
    mp.yield %r : tensor<4xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
