// Values of several element types in one aggregation: those of half precision are
// widened, whichever stands first.
// RUN: clique-run -O1 %s --entry=logsumexp --graph=causal:40 --gradients --verify --threads=2
// RUN: clique-run -O1 %s --entry=std --graph=causal:40 --gradients --verify --threads=2
// RUN: clique-run -O1 %s --entry=short --graph=complete:5 --gradients --verify --threads=2

// Of i16 updates have no tensors: that arithmetic stays as it is.
func.func @short(%g: !mp.graph, %h: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %d = mp.degree %g : !mp.graph -> tensor<?xf32>
  %u = arith.fptosi %d : tensor<?xf32> to tensor<?xi16>
  %v = arith.addi %u, %u : tensor<?xi16>
  %t = arith.sitofp %v : tensor<?xi16> to tensor<?xf32>
  %o = mp.update (%ti = %t : tensor<?xf32>, %hi = %h : tensor<?x4xf32>) -> tensor<?x4xf32> {
    %s = mp.broadcast %ti : tensor<f32> to tensor<4xf32>
    %p = arith.mulf %s, %hi : tensor<4xf32>
    mp.yield %p : tensor<4xf32>
  }
  return %o : tensor<?x4xf32>
}

func.func @logsumexp(%g: !mp.graph, %h: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xbf16>, tensor<?x4xf32>) {
  %a, %b, %c = mp.message %g src(%x = %h : tensor<?x4xf32>)
      -> !mp.edges<4xf32>, !mp.edges<4xbf16>, !mp.edges<4xf32> {
    %y = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>
    %z = math.sin %x : tensor<4xf32>
    mp.yield %x, %y, %z : tensor<4xf32>, tensor<4xbf16>, tensor<4xf32>
  }
  %r:3 = mp.aggregate %g logsumexp %a, %b, %c
      : (!mp.edges<4xf32>, !mp.edges<4xbf16>, !mp.edges<4xf32>) -> (tensor<?x4xf32>, tensor<?x4xbf16>, tensor<?x4xf32>)
  return %r#0, %r#1, %r#2 : tensor<?x4xf32>, tensor<?x4xbf16>, tensor<?x4xf32>
}

func.func @std(%g: !mp.graph, %h: tensor<?x4xf32>) -> (tensor<?x4xbf16>, tensor<?x4xf32>) {
  %a, %b = mp.message %g src(%x = %h : tensor<?x4xf32>) -> !mp.edges<4xbf16>, !mp.edges<4xf32> {
    %y = arith.truncf %x : tensor<4xf32> to tensor<4xbf16>
    %z = math.sin %x : tensor<4xf32>
    mp.yield %y, %z : tensor<4xbf16>, tensor<4xf32>
  }
  %r:2 = mp.aggregate %g std %a, %b : (!mp.edges<4xbf16>, !mp.edges<4xf32>) -> (tensor<?x4xbf16>, tensor<?x4xf32>)
  return %r#0, %r#1 : tensor<?x4xbf16>, tensor<?x4xf32>
}
