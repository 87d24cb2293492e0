// A truth value from outside of a region.
// RUN: clique-run %s --graph=complete:50 --input=flag=1 --lowering=dense --verify
// RUN: clique-run %s --graph=complete:50 --input=flag=0 --lowering=sparse --verify
func.func @f(%g: !mp.graph, %h: tensor<?x4xf32>, %flag: i1) -> tensor<?x4xf32> {
  %m = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %p = arith.mulf %hi, %hj : tensor<4xf32>
    %s = arith.select %flag, %p, %hj : tensor<4xf32>
    mp.yield %s : tensor<4xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
