// Recurrences whose step uses a weight: its transpose, and its copy in f32, stand before both scans.
// RUN: clique-run -O1 %s --entry=scan --graph=causal:30 --gradients --verify --threads=2
// RUN: clique-run -O1 %s --entry=half --graph=causal:30 --gradients --verify --threads=2

func.func @scan(%g: !mp.graph, %h: tensor<?x4xf32>, %w: tensor<4x4xf32>) -> tensor<?x4xf32> {
  %m = mp.message %g src(%x = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    mp.yield %x : tensor<4xf32>
  }
  %s = mp.scan %g from(%a = %h : tensor<?x4xf32>) edge(%x = %m : !mp.edges<4xf32>) -> tensor<?x4xf32> {
    %y = mp.linear %a, %w bias %x : (tensor<4xf32>, tensor<4x4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %z = math.tanh %y : tensor<4xf32>
    mp.yield %z : tensor<4xf32>
  }
  return %s : tensor<?x4xf32>
}

func.func @half(%g: !mp.graph, %h: tensor<?x4xf16>, %w: tensor<4x4xf16>) -> tensor<?x4xf16> {
  %m = mp.message %g src(%x = %h : tensor<?x4xf16>) -> !mp.edges<4xf16> {
    mp.yield %x : tensor<4xf16>
  }
  %s = mp.scan %g reversed from(%a = %h : tensor<?x4xf16>) edge(%x = %m : !mp.edges<4xf16>) -> tensor<?x4xf16> {
    %y = mp.linear %a, %w bias %x : (tensor<4xf16>, tensor<4x4xf16>, tensor<4xf16>) -> tensor<4xf16>
    %z = math.tanh %y : tensor<4xf16>
    mp.yield %z : tensor<4xf16>
  }
  return %s : tensor<?x4xf16>
}
