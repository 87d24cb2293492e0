// Affine maps x -> a x + b of each edge, composed in the order of the edges and back, and the
// states before each edge, which the second scan reads.
func.func @affine(%g: !mp.graph, %h: tensor<?x4xf32>, %e: !mp.edges<f32>)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, !mp.edges<4xf32>, !mp.edges<4xf32>) {
  %a, %x = mp.message %g dst(%hi = %h : tensor<?x4xf32>)
      src(%hj = %h : tensor<?x4xf32>) edge(%w = %e : !mp.edges<f32>) -> !mp.edges<4xf32>, !mp.edges<4xf32> {
    %s = mp.sigmoid %hj : tensor<4xf32>
    %b = mp.broadcast %w : tensor<f32> to tensor<4xf32>
    %v = arith.addf %hi, %b : tensor<4xf32>
    mp.yield %s, %v : tensor<4xf32>, tensor<4xf32>
  }
  %c, %d, %y = mp.scan %g from(%p = %h : tensor<?x4xf32>, %q = %h : tensor<?x4xf32>)
      edge(%ae = %a : !mp.edges<4xf32>, %xe = %x : !mp.edges<4xf32>)
      -> tensor<?x4xf32>, tensor<?x4xf32>, !mp.edges<4xf32> {
    %pn = arith.mulf %p, %ae : tensor<4xf32>
    %qa = arith.mulf %q, %ae : tensor<4xf32>
    %qn = arith.addf %qa, %xe : tensor<4xf32>
    mp.yield %pn, %qn, %q : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  %c2, %d2, %z = mp.scan %g reversed from(%p = %h : tensor<?x4xf32>, %q = %h : tensor<?x4xf32>)
      edge(%ae = %a : !mp.edges<4xf32>, %xe = %y : !mp.edges<4xf32>)
      -> tensor<?x4xf32>, tensor<?x4xf32>, !mp.edges<4xf32> {
    %pn = arith.mulf %p, %ae : tensor<4xf32>
    %qa = arith.mulf %q, %ae : tensor<4xf32>
    %qn = arith.addf %qa, %xe : tensor<4xf32>
    mp.yield %pn, %qn, %qn : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %d, %d2, %y, %z : tensor<?x4xf32>, tensor<?x4xf32>, !mp.edges<4xf32>, !mp.edges<4xf32>
}
