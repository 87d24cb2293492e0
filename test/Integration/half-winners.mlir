// The edge that has the least of bf16 numbers: of some that are equal once they are rounded the
// first, where the reference, which rounds nothing, may have another. A rounded run shows it.
// RUN: clique-run %s --graph=cliques:40,70,90,100 --lowering=sparse --seed=1 --verify | FileCheck %s
// RUN: clique-run %s --graph=cliques:40,70,90,100 --lowering=sparse --seed=4 --verify | FileCheck %s
// CHECK: verify {{.*}}out1: max error 0.0e+00 of the largest value (tolerance 0): ok

func.func @layer(%g: !mp.graph, %x: tensor<?x4xbf16>, %w: tensor<4x24xbf16>) -> (tensor<?x24xbf16>, tensor<?x24xi64>) {
  %m = mp.message %g src(%a = %x : tensor<?x4xbf16>) -> !mp.edges<24xbf16> {
    %l = mp.linear %a, %w : (tensor<4xbf16>, tensor<4x24xbf16>) -> tensor<24xbf16>
    mp.yield %l : tensor<24xbf16>
  }
  %v, %e = mp.aggregate %g min %m : (!mp.edges<24xbf16>) -> (tensor<?x24xbf16>, tensor<?x24xi64>)
  return %v, %e : tensor<?x24xbf16>, tensor<?x24xi64>
}
