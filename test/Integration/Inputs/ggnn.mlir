// GGNN (Li et al. 2016): four steps of a gated recurrent unit on the sums of
// the neighbours. Each step multiplies what rounding did in the steps before.
func.func private @step(%g: !mp.graph, %h: tensor<?x32xf32>, %w: tensor<32x32xf32>,
                        %wz: tensor<64x32xf32>, %wr: tensor<64x32xf32>, %wc: tensor<64x32xf32>)
    -> tensor<?x32xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x32xf32>) -> !mp.edges<32xf32> {
    %v = mp.linear %hj, %w : (tensor<32xf32>, tensor<32x32xf32>) -> tensor<32xf32>
    mp.yield %v : tensor<32xf32>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<32xf32>) -> tensor<?x32xf32>
  %o = mp.update (%hi = %h : tensor<?x32xf32>, %ai = %a : tensor<?x32xf32>) -> tensor<?x32xf32> {
    %one = arith.constant dense<1.0> : tensor<32xf32>
    %x = tensor.concat dim(0) %ai, %hi : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %lz = mp.linear %x, %wz : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    %z = mp.sigmoid %lz : tensor<32xf32>
    %lr = mp.linear %x, %wr : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    %r = mp.sigmoid %lr : tensor<32xf32>
    %rh = arith.mulf %r, %hi : tensor<32xf32>
    %y = tensor.concat dim(0) %ai, %rh : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %lc = mp.linear %y, %wc : (tensor<64xf32>, tensor<64x32xf32>) -> tensor<32xf32>
    %c = math.tanh %lc : tensor<32xf32>
    %keep = arith.subf %one, %z : tensor<32xf32>
    %old = arith.mulf %keep, %hi : tensor<32xf32>
    %new = arith.mulf %z, %c : tensor<32xf32>
    %n = arith.addf %old, %new : tensor<32xf32>
    mp.yield %n : tensor<32xf32>
  }
  return %o : tensor<?x32xf32>
}

func.func @ggnn(%g: !mp.graph, %h: tensor<?x32xf32>, %w: tensor<32x32xf32>,
                %wz: tensor<64x32xf32>, %wr: tensor<64x32xf32>, %wc: tensor<64x32xf32>)
    -> tensor<?x32xf32> {
  %h1 = call @step(%g, %h, %w, %wz, %wr, %wc) : (!mp.graph, tensor<?x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  %h2 = call @step(%g, %h1, %w, %wz, %wr, %wc) : (!mp.graph, tensor<?x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  %h3 = call @step(%g, %h2, %w, %wz, %wr, %wc) : (!mp.graph, tensor<?x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  %h4 = call @step(%g, %h3, %w, %wz, %wr, %wc) : (!mp.graph, tensor<?x32xf32>, tensor<32x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<?x32xf32>
  return %h4 : tensor<?x32xf32>
}
