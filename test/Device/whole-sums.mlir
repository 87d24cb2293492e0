// Sums over all nodes are kernels, however many terms they have: nothing is
// copied to the host for them, and no launch is for one row.
// RUN: rm -f %t.log
// RUN: env CLIQUE_EMULATION_LOG=%t.log clique-run %s --target=cuda --emulate --graph=window:20001,1 --verify | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --input-file=%t.log
// CHECK: verify total: max error {{.*}}: ok
// CHECK: verify largest: max error {{.*}}: ok
// CHECK: verify weights: max error {{.*}}: ok
// CHECK: verify half: max error {{.*}}: ok
// CHECK: verify steps: max error {{.*}}: ok
// LOG:      launch layer_loop{{$}}
// LOG-NOT:  {{copy|synchronize}}
// LOG:      launch layer_loop_18{{$}}
// LOG-NOT:  launch layer_loop_19{{$}}

func.func @layer(%g: !mp.graph, %h: tensor<?x5xf32>, %x: tensor<?x3xf16>)
    -> (tensor<f32> {mp.name = "total"}, tensor<5xf32> {mp.name = "largest"}, tensor<5x5xf32> {mp.name = "weights"},
        tensor<f16> {mp.name = "half"}, tensor<f32> {mp.name = "steps"}, tensor<?xf32>) {
  %m = mp.message %g src(%hj = %h : tensor<?x5xf32>, %xj = %x : tensor<?x3xf16>) -> !mp.edges<f32> {
    %a = mp.reduce max %hj dims [0] : tensor<5xf32> -> tensor<f32>
    %b = mp.reduce max %xj dims [0] : tensor<3xf16> -> tensor<f16>
    %c = arith.extf %b : tensor<f16> to tensor<f32>
    %d = arith.addf %a, %c : tensor<f32>
    mp.yield %d : tensor<f32>
  }
  %n = mp.aggregate %g max %m : (!mp.edges<f32>) -> tensor<?xf32>
  %half = arith.constant dense<0.5> : tensor<f32>
  %half1 = arith.constant 0.5 : f32
  %total = linalg.reduce { arith.addf } ins(%h : tensor<?x5xf32>) outs(%half : tensor<f32>) dimensions = [0, 1]
  %low = arith.constant dense<-1.0> : tensor<5xf32>
  %largest = linalg.reduce { arith.maximumf } ins(%h : tensor<?x5xf32>) outs(%low : tensor<5xf32>) dimensions = [0]
  %none = arith.constant dense<0.0> : tensor<5x5xf32>
  %weights = linalg.generic {indexing_maps = [affine_map<(i, j, n) -> (n, i)>, affine_map<(i, j, n) -> (n, j)>,
                                              affine_map<(i, j, n) -> (i, j)>],
                             iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %h : tensor<?x5xf32>, tensor<?x5xf32>) outs(%none : tensor<5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x5xf32>
  %zero = arith.constant dense<0.0> : tensor<f16>
  %small = linalg.reduce { arith.addf } ins(%x : tensor<?x3xf16>) outs(%zero : tensor<f16>) dimensions = [0, 1]
  // One after the other: no op of its own joins two parts.
  %steps = linalg.generic {indexing_maps = [affine_map<(n, i) -> (n, i)>, affine_map<(n, i) -> ()>],
                           iterator_types = ["reduction", "reduction"]}
      ins(%h : tensor<?x5xf32>) outs(%half : tensor<f32>) {
  ^bb0(%a: f32, %before: f32):
    %p = arith.mulf %before, %half1 : f32
    %s = arith.addf %p, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %total, %largest, %weights, %small, %steps, %n
      : tensor<f32>, tensor<5xf32>, tensor<5x5xf32>, tensor<f16>, tensor<f32>, tensor<?xf32>
}
