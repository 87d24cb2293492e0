// A variance that another function takes: random ones are not negative.
func.func private @normalised(%x: tensor<?x32xf32>, %v: tensor<32xf32>) -> tensor<?x32xf32> {
  %o = mp.update (%xi = %x : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %m = arith.constant dense<0.0> : tensor<32xf32>
    %y = mp.batch_norm %xi mean %m variance %v
        : (tensor<32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %o : tensor<?x32xf32>
}
func.func @layer(%g: !mp.graph, %x: tensor<?x32xf32>, %v: tensor<32xf32>) -> tensor<?x32xf32> {
  %m = mp.message %g src(%xj = %x : tensor<?x32xf32>) -> !mp.edges<32xf32> {
    mp.yield %xj : tensor<32xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %o = func.call @normalised(%s, %v) : (tensor<?x32xf32>, tensor<32xf32>) -> tensor<?x32xf32>
  return %o : tensor<?x32xf32>
}
