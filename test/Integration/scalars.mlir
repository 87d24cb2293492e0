// Scalars from outside of a region: a truth value, numbers as they are.
// RUN: clique-run %s --graph=complete:50 --input=flag=1 --input=t=0.5 --input=k=3 --lowering=dense --verify | FileCheck %s
// RUN: clique-run %s --graph=complete:50 --input=flag=0 --input=t=-2 --input=k=0 --lowering=sparse --verify | FileCheck %s
// CHECK: verify {{.*}}: ok
func.func @f(%g: !mp.graph, %h: tensor<?x4xf32>, %flag: i1, %t: f32, %k: index)
    -> tensor<?x4xf32> {
  %m = mp.message %g dst(%hi = %h : tensor<?x4xf32>) src(%hj = %h : tensor<?x4xf32>) -> !mp.edges<4xf32> {
    %p = arith.mulf %hi, %hj : tensor<4xf32>
    %s = arith.select %flag, %p, %hj : tensor<4xf32>
    %i = arith.index_cast %k : index to i32
    %f = arith.sitofp %i : i32 to f32
    %c = arith.mulf %f, %t : f32
    %cs = tensor.splat %c : tensor<4xf32>
    %e = arith.addf %s, %cs : tensor<4xf32>
    mp.yield %e : tensor<4xf32>
  }
  %s = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
}
