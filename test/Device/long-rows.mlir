// Sums of a long row of tiles are taken in groups where the threads of a GPU
// hold the states of two: 300,000 equal terms, 64 of them in a tile, were 4e-5
// off.
// RUN: clique-run %s --target=cuda --emulate --graph=bipartite:2x300000 --lowering=dense --verify | FileCheck %s
// CHECK: dense tiles
// CHECK: verify out0: max error {{.*}}: ok
// CHECK-NEXT: verify out1: max error {{.*}}: ok

func.func @layer(%g: !mp.graph, %h: tensor<?x2xf32>) -> (tensor<?xf32>, tensor<?x2xf32>) {
  %m, %s, %v = mp.message %g dst(%a = %h : tensor<?x2xf32>)
      -> !mp.edges<f32>, !mp.edges<f32>, !mp.edges<2xf32> {
    %c = arith.constant dense<0.4> : tensor<f32>
    %score = mp.reduce max %a dims [0] : tensor<2xf32> -> tensor<f32>
    mp.yield %c, %score, %a : tensor<f32>, tensor<f32>, tensor<2xf32>
  }
  %n = mp.aggregate %g mean %m : (!mp.edges<f32>) -> tensor<?xf32>
  %o = mp.aggregate %g softmax(%s) %v : (!mp.edges<f32>, !mp.edges<2xf32>) -> tensor<?x2xf32>
  return %n, %o : tensor<?xf32>, tensor<?x2xf32>
}
