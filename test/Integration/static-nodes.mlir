// Nodes whose number their type states, in sums over a wide window, whose rows have others in front and behind.
// RUN: clique-run --O1 %s --graph=window:300,130 --verify | FileCheck %s
// CHECK: verify {{.*}}: ok
// CHECK: verify {{.*}}: ok

func.func @windows(%g: !mp.graph<window, 130>, %h: tensor<300x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %m = mp.message %g : !mp.graph<window, 130> src(%hj = %h : tensor<300x2xf32>) -> !mp.edges<2xf32> {
    mp.yield %hj : tensor<2xf32>
  }
  %a = mp.aggregate %g : !mp.graph<window, 130> mean %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  %b = mp.aggregate %g : !mp.graph<window, 130> max %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %a, %b : tensor<?x2xf32>, tensor<?x2xf32>
}
