// The gradient of weights is summed for some rows at a time, whose own numbers
// are those of the graph less the first one's: which the kernel takes from outside.
// RUN: clique-run -O1 %s --graph=%S/../../examples/graphs/karate.mtx --gradients --verify --threads=2 | FileCheck %s
// CHECK: grad_e: max error {{.*}}: ok
// CHECK: grad_w: max error {{.*}}: ok

func.func @layer(%g: !mp.graph, %e: !mp.edges<16xf32>, %w: tensor<16x33x1xf32>) -> tensor<?x33x1xf32> {
  %v, %s = mp.message %g edge(%x = %e : !mp.edges<16xf32>) -> !mp.edges<33x1xf32>, !mp.edges<33xf32> {
    %y = mp.linear %x, %w : (tensor<16xf32>, tensor<16x33x1xf32>) -> tensor<33x1xf32>
    %half = arith.constant dense<0.5> : tensor<33xf32>
    %i = mp.position dst : tensor<i32>
    %one = arith.constant dense<1> : tensor<i32>
    %c = arith.cmpi sle, %one, %i : tensor<i32>
    %b = mp.broadcast %c : tensor<i1> to tensor<33xi1>
    %none = arith.constant dense<0xFF800000> : tensor<33xf32>
    %m = arith.select %b, %half, %none : tensor<33xi1>, tensor<33xf32>
    mp.yield %y, %m : tensor<33x1xf32>, tensor<33xf32>
  }
  %r = mp.aggregate %g softmax(%s) %v : (!mp.edges<33xf32>, !mp.edges<33x1xf32>) -> tensor<?x33x1xf32>
  return %r : tensor<?x33x1xf32>
}
