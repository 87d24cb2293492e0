// Sums with more than 65,536 results, and of long rows: one launch each, whose threads
// add in registers.
// RUN: rm -f %t.log
// RUN: env CLIQUE_EMULATION_LOG=%t.log clique-run %s --target=cuda --emulate --graph=window:1500,1 --repeat=1 --verify | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log --implicit-check-not="launch layer_loop"
// RUN: clique-compile %s --target=cuda --gpu-arch=sm_80 --emit=kernels -o - | FileCheck %s --check-prefix=KERNEL
// CHECK: verify weights: max error {{.*}}: ok
// CHECK: verify rows: max error {{.*}}: ok
// LOG:     launch layer_loop{{$}}
// LOG:     launch layer_loop_1{{$}}
// KERNEL-LABEL: gpu.func @layer_loop(
// KERNEL-COUNT-4: scf.for {{.*}} -> (f32)
// KERNEL-NOT:     memref.store
// KERNEL:         arith.addf

func.func @layer(%g: !mp.graph, %h: tensor<?x300xf32>, %x: tensor<?x1500xf32>)
    -> (tensor<300x300xf32> {mp.name = "weights"}, tensor<?xf32> {mp.name = "rows"}, tensor<?xf32>) {
  %none = arith.constant dense<0.0> : tensor<300x300xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(i, j, n) -> (n, i)>, affine_map<(i, j, n) -> (n, j)>,
                                              affine_map<(i, j, n) -> (i, j)>],
                             iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %h : tensor<?x300xf32>, tensor<?x300xf32>) outs(%none : tensor<300x300xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<300x300xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x1500xf32>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %rows = linalg.reduce { arith.addf } ins(%x : tensor<?x1500xf32>) outs(%zeros : tensor<?xf32>) dimensions = [1]
  %m = mp.message %g src(%hj = %h : tensor<?x300xf32>, %xj = %rows : tensor<?xf32>) -> !mp.edges<f32> {
    %a = mp.reduce max %hj dims [0] : tensor<300xf32> -> tensor<f32>
    %d = arith.addf %a, %xj : tensor<f32>
    mp.yield %d : tensor<f32>
  }
  %most = mp.aggregate %g max %m : (!mp.edges<f32>) -> tensor<?xf32>
  return %weights, %rows, %most : tensor<300x300xf32>, tensor<?xf32>, tensor<?xf32>
}
