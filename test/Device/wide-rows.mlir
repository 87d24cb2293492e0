// Rows that a warp's registers cannot hold have a block of threads, which exchange what they
// reduce through shared memory; blocks of long nodes have more threads.
// RUN: clique-compile %s --target=cuda --gpu-arch=sm_80 --lowering=sparse --emit=schedule -o - | FileCheck %s --check-prefix=SCHEDULE
// RUN: clique-run %s --target=cuda --emulate --lowering=sparse --graph=window:20,3 --verify | FileCheck %s
// RUN: env CLIQUE_EMULATION_ORDER=random:3 clique-run %s --target=cuda --emulate --lowering=sparse --graph=complete:140 --verify | FileCheck %s
// CHECK: verify mean: max error {{.*}}: ok
// CHECK: verify most: max error {{.*}}: ok
// CHECK: verify normed: max error {{.*}}: ok
// SCHEDULE: mp.kernel {{.*}} sparse schedule(#mp.row_blocks<rows = 1, edges = 128, threads = 128>)
// SCHEDULE: mp.kernel {{.*}} nodes schedule(#mp.node_blocks<rows = 4, threads = 512>)

func.func @layer(%g: !mp.graph, %h: tensor<?x4200xf32>, %q: tensor<?x4200xf32>, %a: tensor<4200xf32>, %b: tensor<4200xf32>)
    -> (tensor<?x4200xf32> {mp.name = "mean"}, tensor<?x4200xf32> {mp.name = "most"}, tensor<?x4200xf32> {mp.name = "normed"}) {
  %s, %m = mp.message %g dst(%qi = %q : tensor<?x4200xf32>) src(%hj = %h : tensor<?x4200xf32>)
      -> !mp.edges<f32>, !mp.edges<4200xf32> {
    %d = mp.dot %qi, %hj : (tensor<4200xf32>, tensor<4200xf32>) -> tensor<f32>
    %c = arith.constant dense<0.01> : tensor<f32>
    %e = arith.mulf %d, %c : tensor<f32>
    mp.yield %e, %hj : tensor<f32>, tensor<4200xf32>
  }
  %o = mp.aggregate %g softmax(%s) %m : (!mp.edges<f32>, !mp.edges<4200xf32>) -> tensor<?x4200xf32>
  %u = mp.aggregate %g max %m : (!mp.edges<4200xf32>) -> tensor<?x4200xf32>
  %n = mp.update (%hi = %h : tensor<?x4200xf32>) -> tensor<?x4200xf32> {
    %y = mp.layer_norm %hi scale %a shift %b
        : (tensor<4200xf32>, tensor<4200xf32>, tensor<4200xf32>) -> tensor<4200xf32>
    mp.yield %y : tensor<4200xf32>
  }
  return %o, %u, %n : tensor<?x4200xf32>, tensor<?x4200xf32>, tensor<?x4200xf32>
}
