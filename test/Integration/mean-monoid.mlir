// A mean as a monoid of (count, mean), whose combine makes NaN of two identities: rows of a
// register block without an edge in a tile, and in a group of tiles, keep what they have.
// RUN: clique-run %s --graph=window:200,9 --lowering=dense --verify | FileCheck %s
// RUN: %python -c "print('%%%%MatrixMarket matrix coordinate pattern general', '9000 9000 9001', *('1 %%d' %% (j + 1) for j in range(9000)), '2 9000', sep='\n')" > %t.mtx
// RUN: clique-run %s --graph=%t.mtx --lowering=dense --verify | FileCheck %s
// CHECK: verify   {{.*}}: ok

func.func @f(%g: !mp.graph, %x: tensor<?xf32>) -> tensor<?xf32> {
  %e = mp.message %g src(%xj = %x : tensor<?xf32>) -> !mp.edges<f32> { mp.yield %xj : tensor<f32> }
  %p = mp.aggregate %g custom %e : (!mp.edges<f32>) -> tensor<?xf32>
    identity { %s = arith.constant dense<0.0> : tensor<f32>
               mp.yield %s, %s : tensor<f32>, tensor<f32> }
    lift { ^bb0(%x0: tensor<f32>):
               %one = arith.constant dense<1.0> : tensor<f32>
               mp.yield %one, %x0 : tensor<f32>, tensor<f32> }
    combine { ^bb0(%na: tensor<f32>, %ma: tensor<f32>, %nb: tensor<f32>, %mb: tensor<f32>):
               %n = arith.addf %na, %nb : tensor<f32>
               %pa = arith.mulf %na, %ma : tensor<f32>
               %pb = arith.mulf %nb, %mb : tensor<f32>
               %p = arith.addf %pa, %pb : tensor<f32>
               %m = arith.divf %p, %n : tensor<f32>
               mp.yield %n, %m : tensor<f32>, tensor<f32> }
    finalise { ^bb0(%n: tensor<f32>, %m: tensor<f32>):
               mp.yield %m : tensor<f32> }
  return %p : tensor<?xf32>
}
