func.func @scaled(%h: tensor<?x32xf32>) -> tensor<?x32xf32> {
  %o = mp.update (%x = %h : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %c = arith.constant dense<1.0> : tensor<32xf32>
    %y = arith.mulf %x, %c : tensor<32xf32>
    mp.yield %y : tensor<32xf32>
  }
  return %o : tensor<?x32xf32>
}
