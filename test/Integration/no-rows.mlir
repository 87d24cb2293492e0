// A slice that is known to have no rows, read again and again by a loop: there are no vectors of
// nothing (LLVM took them for a defect).
// RUN: clique-run %s --graph=cliques:3,0,5 --input=k=2 --verify | FileCheck %s
// RUN: clique-run %s --graph=cliques:0 --input=k=0 --verify | FileCheck %s
// CHECK: result   out0: f32 [0, 2]
// CHECK: verify   out0: {{.*}}: ok
// CHECK: verify   out1: {{.*}}: ok

func.func @none(%g: !mp.graph, %x: tensor<?x2xf32>, %k: index) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = tensor.extract_slice %x[%k, 0] [%c0, 2] [1, 1] : tensor<?x2xf32> to tensor<?x2xf32>
  %r, %n = scf.while (%y = %s, %i = %c0) : (tensor<?x2xf32>, index) -> (tensor<?x2xf32>, index) {
    %more = arith.cmpi slt, %i, %c3 : index
    scf.condition(%more) %y, %i : tensor<?x2xf32>, index
  } do {
  ^bb0(%y: tensor<?x2xf32>, %i: index):
    %z = mp.update (%yi = %y : tensor<?x2xf32>, %si = %s : tensor<?x2xf32>) -> tensor<?x2xf32> {
      %p = math.exp %yi : tensor<2xf32>
      %q = arith.addf %p, %si : tensor<2xf32>
      mp.yield %q : tensor<2xf32>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %z, %next : tensor<?x2xf32>, index
  }
  %m = mp.message %g src(%xj = %x : tensor<?x2xf32>) -> !mp.edges<2xf32> {
    mp.yield %xj : tensor<2xf32>
  }
  %a = mp.aggregate %g mean %m : (!mp.edges<2xf32>) -> tensor<?x2xf32>
  return %r, %a : tensor<?x2xf32>, tensor<?x2xf32>
}
