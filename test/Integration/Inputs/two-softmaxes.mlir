// Two softmaxes in one kernel, one of five scores: dense tiles take more shared
// memory than any GPU's block has.
func.func @layer(%g: !mp.graph, %h: tensor<?x8xf32>, %w: tensor<8x5x11xf32>, %u: tensor<8x33xf32>, %v: tensor<8x5xf32>) -> (tensor<?x5x11xf32>, tensor<?x33xf32>) {
  %a, %b, %s, %t = mp.message %g : !mp.graph src(%x = %h : tensor<?x8xf32>) -> !mp.edges<5x11xf32>, !mp.edges<33xf32>, !mp.edges<5xf32>, !mp.edges<f32> {
    %p = mp.linear %x, %w : (tensor<8xf32>, tensor<8x5x11xf32>) -> tensor<5x11xf32>
    %q = mp.linear %x, %u : (tensor<8xf32>, tensor<8x33xf32>) -> tensor<33xf32>
    %c = mp.linear %x, %v : (tensor<8xf32>, tensor<8x5xf32>) -> tensor<5xf32>
    %d = mp.reduce mean %x dims [0] : tensor<8xf32> -> tensor<f32>
    mp.yield %p, %q, %c, %d : tensor<5x11xf32>, tensor<33xf32>, tensor<5xf32>, tensor<f32>
  }
  %r = mp.aggregate %g : !mp.graph softmax(%s) %a : (!mp.edges<5xf32>, !mp.edges<5x11xf32>) -> tensor<?x5x11xf32>
  %o = mp.aggregate %g : !mp.graph softmax(%t) %b : (!mp.edges<f32>, !mp.edges<33xf32>) -> tensor<?x33xf32>
  return %r, %o : tensor<?x5x11xf32>, tensor<?x33xf32>
}
