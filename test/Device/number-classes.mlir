// Classes of numbers are asked for on a GPU too: of a normal one, an infinite one, NaN and 0 each
// question has a weight of its own in the sum.
// RUN: clique-run %s --graph=complete:9 --target=cuda --gpu-arch=emulated --emulate --verify | FileCheck %s
// CHECK: verify   out0: max error 0.0e+00 {{.*}}: ok
// CHECK: verify   out1: max error 0.0e+00 {{.*}}: ok
func.func @layer(%g: !mp.graph, %h: tensor<?x4xf32>, %d: tensor<?x4xf64>) -> (tensor<?x4xf32>, tensor<?x4xf64>) {
  %m, %n = mp.message %g src(%x0 = %h : tensor<?x4xf32>, %x1 = %d : tensor<?x4xf64>) -> !mp.edges<4xf32>, !mp.edges<4xf64> {
    %k0 = arith.constant dense<[1.0, 0x7F800000, 0x7FC00000, 0.0]> : tensor<4xf32>
    %v0 = arith.mulf %x0, %k0 : tensor<4xf32>
    %f0 = math.isfinite %v0 : tensor<4xf32>
    %i0 = math.isinf %v0 : tensor<4xf32>
    %n0 = math.isnan %v0 : tensor<4xf32>
    %o0 = math.isnormal %v0 : tensor<4xf32>
    %z0 = arith.constant dense<0.0> : tensor<4xf32>
    %one0 = arith.constant dense<1.0> : tensor<4xf32>
    %two0 = arith.constant dense<2.0> : tensor<4xf32>
    %four0 = arith.constant dense<4.0> : tensor<4xf32>
    %eight0 = arith.constant dense<8.0> : tensor<4xf32>
    %sf0 = arith.select %f0, %one0, %z0 : tensor<4xi1>, tensor<4xf32>
    %si0 = arith.select %i0, %two0, %z0 : tensor<4xi1>, tensor<4xf32>
    %sn0 = arith.select %n0, %four0, %z0 : tensor<4xi1>, tensor<4xf32>
    %so0 = arith.select %o0, %eight0, %z0 : tensor<4xi1>, tensor<4xf32>
    %p0 = arith.addf %sf0, %si0 : tensor<4xf32>
    %q0 = arith.addf %sn0, %so0 : tensor<4xf32>
    %r0 = arith.addf %p0, %q0 : tensor<4xf32>
    %k1 = arith.constant dense<[1.0, 0x7FF0000000000000, 0x7FF8000000000000, 0.0]> : tensor<4xf64>
    %v1 = arith.mulf %x1, %k1 : tensor<4xf64>
    %f1 = math.isfinite %v1 : tensor<4xf64>
    %i1 = math.isinf %v1 : tensor<4xf64>
    %n1 = math.isnan %v1 : tensor<4xf64>
    %o1 = math.isnormal %v1 : tensor<4xf64>
    %z1 = arith.constant dense<0.0> : tensor<4xf64>
    %one1 = arith.constant dense<1.0> : tensor<4xf64>
    %two1 = arith.constant dense<2.0> : tensor<4xf64>
    %four1 = arith.constant dense<4.0> : tensor<4xf64>
    %eight1 = arith.constant dense<8.0> : tensor<4xf64>
    %sf1 = arith.select %f1, %one1, %z1 : tensor<4xi1>, tensor<4xf64>
    %si1 = arith.select %i1, %two1, %z1 : tensor<4xi1>, tensor<4xf64>
    %sn1 = arith.select %n1, %four1, %z1 : tensor<4xi1>, tensor<4xf64>
    %so1 = arith.select %o1, %eight1, %z1 : tensor<4xi1>, tensor<4xf64>
    %p1 = arith.addf %sf1, %si1 : tensor<4xf64>
    %q1 = arith.addf %sn1, %so1 : tensor<4xf64>
    %r1 = arith.addf %p1, %q1 : tensor<4xf64>
    mp.yield %r0, %r1 : tensor<4xf32>, tensor<4xf64>
  }
  %a = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %b = mp.aggregate %g sum %n : (!mp.edges<4xf64>) -> tensor<?x4xf64>
  return %a, %b : tensor<?x4xf32>, tensor<?x4xf64>
}
