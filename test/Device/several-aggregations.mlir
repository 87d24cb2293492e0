// Deviations and the weights of a softmax that two heads share are more than the shared memory of a block: the kernel
// has rows, too, and no more than those on such a GPU.
// RUN: clique-compile %s --target=cuda --gpu-arch=sm_80 --emit=threads -o /dev/null
// RUN: clique-run %s --O1 --graph=causal:9 --target=cuda --gpu-arch=emulated --emulate --verify | FileCheck %s
// CHECK-COUNT-2: verify {{.*}}: ok

func.func @layer(%g: !mp.graph<causal>, %h: tensor<?x2x4xf32>) -> (tensor<?x2x4xf32>, tensor<?x2x4xf32>) {
  %n = mp.message %g : !mp.graph<causal> src(%hj = %h : tensor<?x2x4xf32>) -> !mp.edges<2x4xf32> {
    mp.yield %hj : tensor<2x4xf32>
  }
  %o6 = mp.aggregate %g : !mp.graph<causal> std %n : (!mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  %o7 = mp.aggregate %g : !mp.graph<causal> softmax(%n) %n : (!mp.edges<2x4xf32>, !mp.edges<2x4xf32>) -> tensor<?x2x4xf32>
  return %o6, %o7 : tensor<?x2x4xf32>, tensor<?x2x4xf32>
}
