// Constants that kernels read are copied to the device once, however often the layer is called.
// RUN: rm -f %t.log
// RUN: env CLIQUE_EMULATION_LOG=%t.log clique-run %s --target=cuda --emulate --repeat=3 --verify | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log --implicit-check-not="copy 48 bytes"
// CHECK: verify max error {{.*}}: ok
// LOG:         copy 48 bytes
// LOG-COUNT-4: launch layer

func.func @layer(%h: tensor<40xi32>) -> tensor<40x4xf32> {
  %c3 = arith.constant 3 : i32
  %table = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]]> : tensor<3x4xf32>
  %o = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = tensor.extract %h[%i] : tensor<40xi32>
    %m = arith.remui %k, %c3 : i32
    %row = arith.index_castui %m : i32 to index
    %x = tensor.extract %table[%row, %j] : tensor<3x4xf32>
    tensor.yield %x : f32
  } : tensor<40x4xf32>
  return %o : tensor<40x4xf32>
}
