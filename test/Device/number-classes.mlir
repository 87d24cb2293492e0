// Classes of numbers are asked for on a GPU too: infinite, finite, none, normal.
// RUN: clique-run %s --graph=complete:9 --target=cuda --gpu-arch=emulated --emulate --verify | FileCheck %s
// CHECK: verify   out0: {{.*}}: ok
// CHECK: verify   out1: {{.*}}: ok
func.func @layer(%g: !mp.graph, %h: tensor<?x4xf32>, %d: tensor<?x4xf64>) -> (tensor<?x4xf32>, tensor<?x4xf64>) {
  %m, %n = mp.message %g src(%x = %h : tensor<?x4xf32>, %y = %d : tensor<?x4xf64>) -> !mp.edges<4xf32>, !mp.edges<4xf64> {
    %a = math.isfinite %x : tensor<4xf32>
    %b = math.isinf %x : tensor<4xf32>
    %c = math.isnan %x : tensor<4xf32>
    %e = math.isnormal %x : tensor<4xf32>
    %ab = arith.xori %a, %b : tensor<4xi1>
    %ce = arith.xori %c, %e : tensor<4xi1>
    %all = arith.ori %ab, %ce : tensor<4xi1>
    %z = arith.constant dense<0.5> : tensor<4xf32>
    %s = arith.select %all, %x, %z : tensor<4xi1>, tensor<4xf32>
    %a2 = math.isfinite %y : tensor<4xf64>
    %b2 = math.isinf %y : tensor<4xf64>
    %c2 = math.isnan %y : tensor<4xf64>
    %e2 = math.isnormal %y : tensor<4xf64>
    %ab2 = arith.xori %a2, %b2 : tensor<4xi1>
    %ce2 = arith.xori %c2, %e2 : tensor<4xi1>
    %all2 = arith.ori %ab2, %ce2 : tensor<4xi1>
    %z2 = arith.constant dense<0.5> : tensor<4xf64>
    %s2 = arith.select %all2, %y, %z2 : tensor<4xi1>, tensor<4xf64>
    mp.yield %s, %s2 : tensor<4xf32>, tensor<4xf64>
  }
  %r = mp.aggregate %g sum %m : (!mp.edges<4xf32>) -> tensor<?x4xf32>
  %q = mp.aggregate %g sum %n : (!mp.edges<4xf64>) -> tensor<?x4xf64>
  return %r, %q : tensor<?x4xf32>, tensor<?x4xf64>
}
