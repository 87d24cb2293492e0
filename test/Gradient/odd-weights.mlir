// Gradients of weights whose rows no block divides, and whose columns only small parts do.
// RUN: clique-run -O1 %s --graph=causal:20 --gradients --verify --threads=2
// RUN: clique-run -O1 %s --graph=causal:301 --gradients --threads=1 --output=grad_w=%t.one.npy
// RUN: clique-run -O1 %s --graph=causal:301 --gradients --threads=2 --output=grad_w=%t.two.npy
// RUN: cmp %t.one.npy %t.two.npy

func.func @odd(%g: !mp.graph, %h: tensor<?x193xf32>, %w: tensor<193x1030xf32>, %v: tensor<1030x97xf32>) -> tensor<?x97xf32> {
  %m = mp.message %g src(%hj = %h : tensor<?x193xf32>) -> !mp.edges<193xf32> {
    mp.yield %hj : tensor<193xf32>
  }
  %n = mp.aggregate %g mean %m : (!mp.edges<193xf32>) -> tensor<?x193xf32>
  %o = mp.update (%ni = %n : tensor<?x193xf32>) -> tensor<?x97xf32> {
    %d = mp.linear %ni, %w : (tensor<193xf32>, tensor<193x1030xf32>) -> tensor<1030xf32>
    %e = mp.gelu %d : tensor<1030xf32>
    %f = mp.linear %e, %v : (tensor<1030xf32>, tensor<1030x97xf32>) -> tensor<97xf32>
    mp.yield %f : tensor<97xf32>
  }
  return %o : tensor<?x97xf32>
}
