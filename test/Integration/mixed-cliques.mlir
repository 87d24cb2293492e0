// Cliques of sizes about those of register blocks, parts and tiles, and empty ones; with one thread and with two.
// RUN: clique-run -O1 %s --graph=cliques:1,2,7,8,31,32,33,64,65,0,129 --lowering=dense --verify | FileCheck %s
// RUN: sed "s/f32/f64/g" %s > %t.f64.mlir
// RUN: clique-run -O1 %t.f64.mlir --graph=cliques:1,2,7,8,31,32,33,64,65,0,129 --lowering=dense --verify | FileCheck %s
// RUN: sed "s/f32/bf16/g" %s > %t.bf16.mlir
// RUN: clique-run -O1 %t.bf16.mlir --graph=cliques:1,2,7,8,31,32,33,64,65,0,129 --lowering=dense --verify | FileCheck %s
// RUN: sed "s/<cliques>/<causal_cliques>/g" %s > %t.causal.mlir
// RUN: clique-run -O1 %t.causal.mlir --graph=causal_cliques:1,2,7,8,31,32,33,64,65,0,129 --lowering=dense --verify | FileCheck %s
// RUN: sed "s/<cliques>//g" %s > %t.unknown.mlir
// RUN: clique-run -O1 %t.unknown.mlir --graph=cliques:1,2,7,8,31,32,33,64,65,0,129 --lowering=dense --verify | FileCheck %s

// CHECK: verify {{.*}}: ok
func.func @attention(%g: !mp.graph<cliques>, %q: tensor<?x2x20xf32>, %k: tensor<?x2x20xf32>,
                     %v: tensor<?x2x20xf32>) -> tensor<?x2x20xf32> {
  %s, %value = mp.message %g : !mp.graph<cliques> dst(%qi = %q : tensor<?x2x20xf32>)
      src(%kj = %k : tensor<?x2x20xf32>, %vj = %v : tensor<?x2x20xf32>)
      -> !mp.edges<2xf32>, !mp.edges<2x20xf32> {
    %d = mp.dot %qi, %kj : (tensor<2x20xf32>, tensor<2x20xf32>) -> tensor<2xf32>
    %c = arith.constant dense<0.25> : tensor<2xf32>
    %e = arith.mulf %d, %c : tensor<2xf32>
    mp.yield %e, %vj : tensor<2xf32>, tensor<2x20xf32>
  }
  %m = mp.aggregate %g : !mp.graph<cliques> softmax(%s) %value
      : (!mp.edges<2xf32>, !mp.edges<2x20xf32>) -> tensor<?x2x20xf32>
  return %m : tensor<?x2x20xf32>
}
