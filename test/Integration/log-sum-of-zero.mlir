// A log-sum-exp that is 0 has the error of what scores are compared with, here
// -0.75: one that rounding explains.
// RUN: clique-run %s --graph=complete:1 --verify | FileCheck %s
// CHECK: verify {{.*}}rounding alone gives{{.*}}: ok
func.func @layer(%g: !mp.graph<cliques>, %w: tensor<1x1xf32>) -> tensor<?x1xf32> {
  %s, %v = mp.message %g : !mp.graph<cliques> -> !mp.edges<1xf32>, !mp.edges<1xf32> {
    %zero = arith.constant dense<0.0> : tensor<1xf32>
    %scaled = mp.linear %zero, %w : (tensor<1xf32>, tensor<1x1xf32>) -> tensor<1xf32>
    %least = arith.constant dense<-0.75> : tensor<1xf32>
    %most = arith.constant dense<0.5> : tensor<1xf32>
    %score = math.clampf %scaled to [%least, %most] : tensor<1xf32>
    mp.yield %score, %zero : tensor<1xf32>, tensor<1xf32>
  }
  %m:2 = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %v : (!mp.edges<1xf32>, !mp.edges<1xf32>) -> (tensor<?x1xf32>, tensor<?x1xf32>)
  return %m#1 : tensor<?x1xf32>
}
