// Tensors of scalars from outside of a region, in another shape than they are made in.
// RUN: clique-run %s --graph=complete:13 --input=t=0.5 --input=u=-1.25 --input=p=1 --input=k=3 --lowering=dense --verify | FileCheck %s
// RUN: clique-run %s --graph=complete:13 --input=t=0.5 --input=u=-1.25 --input=p=0 --input=k=-2 --lowering=sparse --verify | FileCheck %s
// RUN: clique-run %s --graph=complete:13 --input=t=0.5 --input=u=-1.25 --input=p=1 --input=k=3 --target=cuda --emulate --verify | FileCheck %s
// CHECK-COUNT-2: verify {{.*}}: ok
func.func @f(%g: !mp.graph, %h: tensor<?x4xbf16>, %t: bf16, %u: bf16, %p: i1, %k: i32)
    -> (tensor<?x4xbf16>, tensor<?x2x2xf32>) {
  %m, %n = mp.message %g dst(%hi = %h : tensor<?x4xbf16>) src(%hj = %h : tensor<?x4xbf16>)
      -> !mp.edges<4xbf16>, !mp.edges<2x2xf32> {
    %tu = tensor.from_elements %t, %u, %t, %u : tensor<2x2xbf16>
    %w = tensor.collapse_shape %tu [[0, 1]] : tensor<2x2xbf16> into tensor<4xbf16>
    %x = arith.mulf %w, %hj : tensor<4xbf16>
    %pp = tensor.splat %p : tensor<2x2xi1>
    %q = tensor.collapse_shape %pp [[0, 1]] : tensor<2x2xi1> into tensor<4xi1>
    %y = arith.select %q, %x, %hi : tensor<4xi1>, tensor<4xbf16>
    %kk = tensor.splat %k : tensor<4xi32>
    %ks = tensor.expand_shape %kk [[0, 1]] output_shape [2, 2] : tensor<4xi32> into tensor<2x2xi32>
    %z = arith.sitofp %ks : tensor<2x2xi32> to tensor<2x2xf32>
    mp.yield %y, %z : tensor<4xbf16>, tensor<2x2xf32>
  }
  %a, %b = mp.aggregate %g sum %m, %n
      : (!mp.edges<4xbf16>, !mp.edges<2x2xf32>) -> (tensor<?x4xbf16>, tensor<?x2x2xf32>)
  return %a, %b : tensor<?x4xbf16>, tensor<?x2x2xf32>
}
