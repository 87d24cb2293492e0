// The steps of a loop are launches: what is freed between them, the host finds out by
// itself, without waiting for the device.
// RUN: rm -f %t.log
// RUN: env CLIQUE_EMULATION_LOG=%t.log clique-run %s --target=cuda --emulate --graph=complete:40 --input=steps=9 --verify | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log --implicit-check-not="copy 1 bytes"
// CHECK: verify out0: max error {{.*}}: ok
// CHECK: verify out1: max error {{.*}}: ok
// LOG-COUNT-9: launch layer_0_dense

func.func @layer(%g: !mp.graph, %h: tensor<?x8xf32>, %k: tensor<?x8xf32>, %steps: index) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z:2 = scf.for %i = %c0 to %steps step %c1 iter_args(%x = %h, %y = %k) -> (tensor<?x8xf32>, tensor<?x8xf32>) {
    %m, %n = mp.message %g src(%xj = %x : tensor<?x8xf32>, %yj = %y : tensor<?x8xf32>) -> !mp.edges<8xf32>, !mp.edges<8xf32> {
      %s = arith.addf %xj, %yj : tensor<8xf32>
      mp.yield %s, %yj : tensor<8xf32>, tensor<8xf32>
    }
    %a = mp.aggregate %g mean %m : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    %b = mp.aggregate %g max %n : (!mp.edges<8xf32>) -> tensor<?x8xf32>
    scf.yield %b, %a : tensor<?x8xf32>, tensor<?x8xf32>
  }
  return %z#0, %z#1 : tensor<?x8xf32>, tensor<?x8xf32>
}
